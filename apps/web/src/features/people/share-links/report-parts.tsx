import type { SharedThing } from '@heterosis/contracts/people/share-links';
import { useId } from 'react';
import classes from './report-parts.module.css';

type Part = SharedThing['parts'][number];

/** The figures and tables of a report. */
export function ReportParts({ parts }: { parts: readonly Part[] }) {
  return (
    <>
      {parts.map((part) => (
        <ReportTable key={part.title} table={part} />
      ))}
    </>
  );
}

function ReportTable({ table: { title, columns, rows } }: { table: Part }) {
  const id = useId();
  return (
    <div className={classes.part}>
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
              <tr key={at}>
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
    </div>
  );
}
