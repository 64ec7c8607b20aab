import type { ByteSource } from '@heterosis/file-formats/byte-source';
import type { PhenotypeOptions } from '@heterosis/file-formats/tables/phenotype/phenotype-options';
import type { DesignOfRow, ReadRecords } from '@heterosis/file-formats/tables/phenotype/phenotype-records';
import { readPhenotypeRecords } from '@heterosis/file-formats/tables/phenotype/phenotype-records';
import { type PlotKind, plotKind } from '@heterosis/file-formats/tables/phenotype/plot-kind';
import type { PhenotypeReading } from '@heterosis/file-formats/tables/phenotype/read-phenotype';
import type { AnalysisContext } from '../context.ts';
import { openFileSource } from '../inputs/byte-source.ts';
import { FileRefused } from '../inputs/open-genotype.ts';
import { readPhenotype } from '../inputs/read-phenotype.ts';

/** A plot as the file describes it. */
export interface TablePlot {
  /** 1-based line of the file. */
  line: number;
  name: string;
  design: DesignOfRow;
  kind: PlotKind;
  /** By trait of the table, as written; absent without a value. */
  values: Map<number, string>;
}

/** A phenotype file as plots by environment. */
export interface PlotTable {
  path: string;
  traits: ReadRecords['traits'];
  /** Headers of the design columns by role. */
  columns: DesignOfRow;
  environments: { name: string; plots: TablePlot[] }[];
  reading: PhenotypeReading;
}

/** The name of the environment of a file that has no column for it. */
const ONLY_ENVIRONMENT = 'trial';

/** Reads a phenotype file as plots. Throws FileRefused with the problems of a bad file. */
export async function openPlotTable(
  path: string,
  context: AnalysisContext,
  options: PhenotypeOptions = {},
): Promise<PlotTable> {
  const source = await openFileSource(path);
  try {
    return await readPlotTable(source, path, context, options);
  } finally {
    await source.close();
  }
}

/** The same from bytes; `path` is what problems call the file. */
export async function readPlotTable(
  source: ByteSource,
  path: string,
  context: AnalysisContext,
  options: PhenotypeOptions = {},
): Promise<PlotTable> {
  const reading = await readPhenotype(source, context, options);
  if (reading.table === null) throw new FileRefused(path, reading.report.problems);
  const records = await readPhenotypeRecords(source, {
    ...options,
    ...(context.signal === undefined ? {} : { signal: context.signal }),
  });
  if (records === null) throw new TypeError('a file that was read has records');
  return { path, reading, ...plotsOf(records) };
}

function plotsOf(records: ReadRecords): Pick<PlotTable, 'traits' | 'columns' | 'environments'> {
  const plots = records.units.map(
    (unit, place): TablePlot => ({
      line: unit.line,
      name: unit.individual,
      design: unit.design,
      kind: plotKind(records.kinds[place] ?? null),
      values: new Map(),
    }),
  );
  for (const [i, unit] of records.unit.entries()) {
    const value = records.value[i];
    if (value !== undefined) plots[unit]?.values.set(records.trait[i] ?? -1, value);
  }
  const environments = records.environments.map(({ name }) => ({
    name: name ?? ONLY_ENVIRONMENT,
    plots: [] as TablePlot[],
  }));
  for (const [place, { environment }] of records.units.entries()) {
    const plot = plots[place];
    if (plot !== undefined) environments[environment]?.plots.push(plot);
  }
  return { traits: records.traits, columns: records.columns, environments };
}
