import type { SharedThing } from '@heterosis/contracts/people/share-links';
import { Section } from '../../../components/page/section.tsx';
import classes from './report-parts.module.css';

type Part = SharedThing['parts'][number];

/** The figures and tables of a report. */
export function ReportParts({ parts }: { parts: readonly Part[] }) {
  return (
    <>
      {parts.map((part) => (
        <Section key={part.title} title={part.title}>
          <ReportTable table={part} />
        </Section>
      ))}
    </>
  );
}

function ReportTable({ table: { title, columns, rows } }: { table: Part }) {
  return (
    // Wide tables scroll by themselves, by keyboard too.
    <section className={classes.scroll} aria-label={title} tabIndex={0}>
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
  );
}
