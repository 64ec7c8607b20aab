import type { SharedThing } from '@heterosis/contracts/people/share-links';
import { useId } from 'react';
import { FactsStrip } from '../../../components/page/facts-strip.tsx';
import { ReportFigure } from './report-figure.tsx';
import classes from './report-parts.module.css';

type Part = SharedThing['parts'][number];

/** The figures and tables of a report; in a wide window those stand side by side that do so on paper. */
export function ReportParts({ parts }: { parts: readonly Part[] }) {
  return (
    <div className={classes.parts}>
      {parts.map((part) => (
        <div
          key={`${part.what} ${part.title}`}
          className={classes.part}
          data-width={'width' in part ? part.width : 'whole'}
        >
          {part.what === 'figure' ? (
            <ReportFigure part={part} />
          ) : part.what === 'table' ? (
            <ReportTable table={part} />
          ) : (
            <ReportFacts part={part} />
          )}
        </div>
      ))}
    </div>
  );
}

function ReportFacts({ part: { title, facts } }: { part: Extract<Part, { what: 'facts' }> }) {
  return (
    <>
      <h2 className={classes.title}>{title}</h2>
      <FactsStrip facts={facts.map(([label, value]) => ({ label, value }))} />
    </>
  );
}

function ReportTable({ table: { title, columns, rows, shaded, note } }: { table: Extract<Part, { what: 'table' }> }) {
  const id = useId();
  return (
    <>
      <h2 id={id} className={classes.title}>
        {title}
      </h2>
      {/* Wide tables scroll by themselves, by keyboard too. */}
      <section className={classes.scroll} aria-labelledby={id} tabIndex={0}>
        <table className={classes.table}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.title} scope="col" data-align={column.align}>
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a report never move
              <tr key={at} data-shaded={shaded?.includes(at) || undefined}>
                {row.map((cell, c) => (
                  <td key={columns[c]?.title} data-align={columns[c]?.align}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {note && <p className={classes.note}>{note}</p>}
    </>
  );
}
