import type { DataColumn, ExportedColumn } from '../../../components/table/data-table.tsx';
import { formatCount } from '../../../lib/format/format.ts';
import classes from './figure-of-traits.module.css';

/** As many traits are named in a cell; the others are counted, and named on hover. */
const SHOWN = 4;

/** A figure that a run has for each of its traits. */
export interface FigureOfTraits<Run> {
  id: string;
  header: string;
  hint?: string;
  /** Null or undefined where a run has no such figure for a trait. */
  value: (run: Run, trait: string) => number | null | undefined;
  /** Exported in a column of its own: the standard deviation or error of the figure. */
  error?: { header: string; value: (run: Run, trait: string) => number | null | undefined };
  format: (value: number) => string;
  /** By which a run with several traits is sorted. */
  sortedBy: (values: readonly number[]) => number;
  minWidth: number;
}

/**
 * A column with one chip per trait, `EarHT 0.49`. A CSV and the clipboard get a column per trait: one number for
 * several traits would be a number that stands nowhere on the screen.
 */
export function figureColumn<Run extends { traits: string[] }>(
  runs: readonly Run[] | undefined,
  /** Puts traits in the order of the project. */
  inOrder: (traits: readonly string[]) => string[],
  figure: FigureOfTraits<Run>,
): DataColumn<Run> {
  const { value, error, format } = figure;
  const traits = inOrder((runs ?? []).flatMap((run) => run.traits));
  const known = (run: Run): number[] => run.traits.flatMap((trait) => value(run, trait) ?? []);
  return {
    id: figure.id,
    header: figure.header,
    ...(figure.hint === undefined ? {} : { hint: figure.hint }),
    value: (run) => (known(run).length === 0 ? null : figure.sortedBy(known(run))),
    cell: (run) => (
      <TraitChips
        traits={inOrder(run.traits)}
        text={(trait) => textOf(value(run, trait), error?.value(run, trait), format)}
      />
    ),
    exported: traits.flatMap((trait): ExportedColumn<Run>[] => [
      { header: `${figure.header} ${trait}`, value: (run) => value(run, trait) },
      ...(error === undefined
        ? []
        : [{ header: `${error.header} ${trait}`, value: (run: Run) => error.value(run, trait) }]),
    ]),
    startsDescending: true,
    minWidth: figure.minWidth,
    wrap: true,
  };
}

type Maybe = number | null | undefined;

function textOf(value: Maybe, error: Maybe, format: (value: number) => string): string {
  if (value === null || value === undefined) return '–';
  return error === null || error === undefined ? format(value) : `${format(value)} ± ${format(error)}`;
}

function TraitChips({ traits, text }: { traits: readonly string[]; text: (trait: string) => string }) {
  const shown = traits.length <= SHOWN + 1 ? traits : traits.slice(0, SHOWN);
  const others = traits.slice(shown.length);
  return (
    <span className={classes.chips}>
      {shown.map((trait) => (
        <span key={trait} className={classes.chip} title={trait}>
          <span className={classes.trait}>{trait}</span> <span className={classes.figure}>{text(trait)}</span>
        </span>
      ))}
      {others.length > 0 && (
        <span className={classes.more} title={others.map((trait) => `${trait}: ${text(trait)}`).join('\n')}>
          + {formatCount(others.length)}
        </span>
      )}
    </span>
  );
}
