import type { DesignRole } from '@heterosis/file-formats/tables/phenotype/phenotype-header';
import { headerKey } from '@heterosis/file-formats/tables/text/cell-values';
import type { PlotCovariate, PlotFactor } from '@heterosis/statgen/trials/trial-plots';
import { AnalysisError } from '../context.ts';
import type { PlotTable, TablePlot } from './plot-table.ts';

/** A column of the plots: a part of the design, or a trait of the file. */
type ColumnOfPlots = { role: DesignRole } | { trait: number };

/** A term as asked for: `replicate`, `replicate:block`, `covariate:weed`. */
export interface DesignTerm {
  /** Name of its effects and variance. */
  name: string;
  /** As written. */
  text: string;
  columns: ColumnOfPlots[];
  isCovariate: boolean;
}

/** Names of variances by the column that makes their levels. */
const VARIANCES: Partial<Record<DesignRole, string>> = {
  replicate: 'replicates',
  block: 'blocks',
  row: 'rows',
  column: 'columns',
};
const COVARIATE = /^covariate:(.+)$/i;

/**
 * Finds the columns of the terms `NAME`, `NAME:NAME` and `covariate:NAME`, where a name is a header of the file or a
 * word for a part of the design (replicate, block, row, column …); ignores case.
 *
 * @throws AnalysisError `trials/unknown-column`, `trials/covariate-not-numeric`
 */
export function designTerms(table: PlotTable, texts: readonly string[]): DesignTerm[] {
  const used = new Set<string>();
  return texts.map((text) => {
    const covariate = COVARIATE.exec(text)?.[1];
    if (covariate !== undefined) {
      const column = columnOf(table, covariate.trim());
      if ('role' in column || table.traits[column.trait]?.kind !== 'numeric') {
        throw new AnalysisError(
          'trials/covariate-not-numeric',
          `"${covariate}" is not a column of numbers.`,
          'Name it without "covariate:" to use its words as levels of a factor.',
          { column: covariate },
        );
      }
      return { name: covariate.trim(), text, columns: [column], isCovariate: true };
    }
    const columns = text.split(':').map((part) => columnOf(table, part.trim()));
    const last = columns.at(-1);
    const usual =
      columns.every((column) => 'role' in column) && last !== undefined && 'role' in last
        ? VARIANCES[last.role]
        : undefined;
    const name = usual === undefined || used.has(usual) ? text : usual;
    used.add(name);
    return { name, text, columns, isCovariate: false };
  });
}

function columnOf(table: PlotTable, name: string): ColumnOfPlots {
  const key = headerKey(name);
  const roles = Object.entries(table.columns) as [DesignRole, string][];
  const role = roles.find(([, header]) => headerKey(header) === key) ?? roles.find(([word]) => word === key);
  if (role !== undefined) return { role: role[0] };
  const trait = table.traits.findIndex((candidate) => headerKey(candidate.name) === key);
  if (trait >= 0) return { trait };
  const known = [...roles.map(([, header]) => header), ...table.traits.map((candidate) => candidate.name)];
  throw new AnalysisError(
    'trials/unknown-column',
    `The phenotype file has no column "${name}".`,
    `Its columns are ${known.join(', ')}.`,
    { column: name },
  );
}

/** What a plot has in a column; empty without a value. */
function cellOf(plot: TablePlot, column: ColumnOfPlots): string {
  return 'role' in column ? (plot.design[column.role] ?? '') : (plot.values.get(column.trait) ?? '');
}

/** The factor of a term over some plots; a combination of columns has a level for each combination of their words. */
export function factorOfTerm(
  { name, columns }: Pick<DesignTerm, 'name' | 'columns'>,
  plots: readonly TablePlot[],
): PlotFactor {
  const levels = new Map<string, number>();
  const codes = Int32Array.from(plots, (plot) => {
    const level = columns.map((column) => cellOf(plot, column)).join('\u0001');
    const code = levels.get(level) ?? levels.size;
    levels.set(level, code);
    return code;
  });
  return { name, codes, levels: levels.size };
}

export function covariateOfTerm({ name, columns }: DesignTerm, plots: readonly TablePlot[]): PlotCovariate {
  const values = Float64Array.from(plots, (plot) => {
    const text = columns[0] === undefined ? '' : cellOf(plot, columns[0]);
    return text === '' ? Number.NaN : Number(text);
  });
  return { name, values };
}
