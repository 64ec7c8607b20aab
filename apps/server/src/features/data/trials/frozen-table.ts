import type { ProjectTrait } from '@heterosis/contracts/people/traits';
import { suspectNumbers } from '@heterosis/file-formats/tables/phenotype/missing-codes';
import { WHOLE_PLOT } from '@heterosis/file-formats/tables/phenotype/phenotype-header';
import { type CsvValue, csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';
import { isPlanted, type PlotRow } from './layout.ts';
import type { CountedValue } from './observations.queries.ts';

/** A table of plots, as analyses read it. */
export interface FrozenTable {
  chunks: Iterable<string>;
  /** With at least one number. */
  numericTraits: string[];
  /** Numbers that look like codes for "missing", and were observed. */
  measured: string[];
  values: number;
}

const DESIGN = {
  rep: 'replicate',
  block: 'block',
  row: 'row',
  col: 'column',
} as const satisfies Record<string, keyof PlotRow>;

/**
 * Headers as the reader of phenotype files knows them; a plot of a check says so in `kind`. Treatments of whole plots
 * stand among the traits, as words: they are compared within the environment.
 */
export function frozenTable(
  trial: string,
  plots: readonly PlotRow[],
  { traits, values }: { traits: readonly ProjectTrait[]; values: readonly CountedValue[] },
): FrozenTable {
  const planted = plots.filter(({ kind }) => isPlanted(kind));
  const byTrait = new Map(traits.map(({ name }) => [name, new Map<number, string>()]));
  for (const { plot, trait, value } of values) byTrait.get(trait)?.set(plot, value);
  const columns = traits.filter(({ name }) => (byTrait.get(name)?.size ?? 0) > 0);
  const design = Object.entries(DESIGN).filter(([, field]) => planted.some((plot) => plot[field] !== null));
  const hasTreatment = planted.some(({ treatment }) => treatment !== null);
  const header = [
    'environment',
    'plot',
    ...design.map(([name]) => name),
    'individual',
    'kind',
    ...(hasTreatment ? [`${WHOLE_PLOT}_#CAT`] : []),
    ...columns.map(headerOf),
  ];
  const rows = planted.map((plot): CsvValue[] => [
    trial,
    plot.number,
    ...design.map(([, field]) => plot[field]),
    plot.entry,
    plot.kind.toLowerCase(),
    ...(hasTreatment ? [plot.treatment] : []),
    ...columns.map(({ name }) => byTrait.get(name)?.get(plot.number) ?? null),
  ]);
  const numbersOf = ({ name }: ProjectTrait): number[] =>
    [...(byTrait.get(name)?.values() ?? [])].map(Number).filter(Number.isFinite);
  return {
    chunks: csvChunks(header, rows),
    numericTraits: columns.filter((trait) => numbersOf(trait).length > 0).map(({ name }) => name),
    measured: [
      ...new Set(
        columns.flatMap((trait) => suspectNumbers(Float64Array.from(numbersOf(trait))).map(({ code }) => String(code))),
      ),
    ],
    values: columns.reduce((sum, { name }) => sum + (byTrait.get(name)?.size ?? 0), 0),
  };
}

/** As the reader takes it apart: `Colour (hue)_#CAT|CO_322:1`. */
const headerOf = ({ name, unit, scale, ontology_id }: ProjectTrait): string =>
  `${name}${unit === null ? '' : ` (${unit})`}${scale?.kind === 'categories' ? '_#CAT' : ''}${ontology_id === null ? '' : `|${ontology_id}`}`;
