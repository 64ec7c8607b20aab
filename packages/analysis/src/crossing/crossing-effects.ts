import type { ByteSource } from '@heterosis/file-formats/byte-source';
import { FileFormatError, ProblemCollector, type ProblemReport } from '@heterosis/file-formats/problem';
import { headerKey, isMissing, parseNumber } from '@heterosis/file-formats/tables/text/cell-values';
import { findColumn, openTable, type Table, type TableColumn } from '@heterosis/file-formats/tables/text/read-table';
import { AnalysisError } from '../context.ts';
import type { NamedMarkers } from '../inputs/match-markers.ts';
import type { TrainingMeans } from '../prediction/missing-marker.ts';
import type { TrainedModel } from '../prediction/trained-model.ts';

/** Marker effects used to evaluate crosses, per copy of A2. */
export interface CrossingEffects {
  markers: NamedMarkers;
  /**
   * Dosage for a marker that the parents' genotype lacks; null when it is unknown, and then the marker contributes 0.
   */
  trainingMeans: TrainingMeans | null;
  traits: CrossingTrait[];
  /** Those of a model with the genetic covariances between its traits. */
  isTogether?: boolean;
}

export interface CrossingTrait {
  name: string;
  /** Value at dosage 0 everywhere. */
  intercept: number;
  additive: Float64Array;
  /** Effect of being heterozygous; null for a purely additive trait. */
  dominance: Float64Array | null;
}

/**
 * Effects of the fitted traits of a model: all of them, or the named ones.
 *
 * @throws AnalysisError `models/no-marker-effects`
 */
export function effectsOfModel(model: TrainedModel, traits?: readonly string[]): CrossingEffects {
  requireMarkerEffects(model);
  return {
    markers: model.markers,
    trainingMeans: model.markers,
    isTogether: model.multiTrait !== undefined,
    traits: model.traits.flatMap(({ name, fit }) =>
      fit === null || (traits !== undefined && !traits.includes(name))
        ? []
        : [{ name, intercept: fit.intercept, additive: fit.additive, dominance: fit.dominance }],
    ),
  };
}

/** Crosses and the plants they give are judged by the alleles they inherit, each of which must have an effect. */
function requireMarkerEffects({ kinshipFrom, traits }: TrainedModel): void {
  const kernel = traits.find(({ fit }) => fit?.kernel !== undefined);
  if (kinshipFrom !== 'file' && kernel === undefined) return;
  throw new AnalysisError(
    'models/no-marker-effects',
    kernel === undefined
      ? 'This model was trained on a kinship file and has no marker effects, so it says nothing of what a cross inherits.'
      : 'This model predicts by a kernel of marker distances and has no marker effects, so it says nothing of what a cross inherits.',
    'Train RR-BLUP or a model by sampling on the markers, and use that.',
  );
}

const MARKER = ['marker', 'snpid', 'snp', 'id', 'markername', 'variant'];
const ALLELE = ['effectallele', 'allele', 'a2', 'alt', 'countedallele'];
const KINDS = [
  { suffix: '_additive', kind: 'additive' },
  { suffix: '_dominance', kind: 'dominance' },
] as const;

/**
 * Reads a table of marker effects: marker, effect_allele, and for each trait T a column T_additive and optionally
 * T_dominance. Effects refer to one copy of the effect allele; intercepts are 0. Finds all problems in one pass;
 * `effects` is null when there are errors. Codes: E-EF-COLUMNS, E-EF-NOT-NUMBER, E-EF-DUP-MARKER, and the general ones
 * of tables.
 */
export async function readEffects(
  source: ByteSource,
  signal?: AbortSignal,
): Promise<{ effects: CrossingEffects | null; report: ProblemReport }> {
  const problems = new ProblemCollector();
  let effects: CrossingEffects | null = null;
  try {
    const table = await openTable(source, { problems, expected: 'a table of marker effects', signal });
    effects = await readEffectTable(table, problems);
  } catch (error) {
    if (!(error instanceof FileFormatError)) throw error;
    problems.add(error.problem);
  }
  return { effects: problems.errorCount > 0 ? null : effects, report: problems.report() };
}

async function readEffectTable(table: Table, problems: ProblemCollector): Promise<CrossingEffects | null> {
  const marker = findColumn(table.columns, MARKER.map(headerKey));
  const allele = findColumn(table.columns, ALLELE.map(headerKey));
  const columns = table.columns.flatMap((column) => {
    const kind = KINDS.find(({ suffix }) => column.name.toLowerCase().endsWith(suffix));
    return kind === undefined ? [] : [{ column, kind: kind.kind, trait: column.name.slice(0, -kind.suffix.length) }];
  });
  const traits = [...new Set(columns.filter(({ kind }) => kind === 'additive').map(({ trait }) => trait))];
  if (marker === undefined || allele === undefined || traits.length === 0) {
    problems.error('E-EF-COLUMNS', {
      line: table.headerLine,
      value: table.columns.map(({ name }) => name).join(','),
      message:
        'A table of marker effects needs the columns marker and effect_allele, and TRAIT_additive for at least one trait.',
      suggestion: 'Write a header such as: marker,effect_allele,yield_additive,yield_dominance',
    });
    return null;
  }
  const id: string[] = [];
  const a2: string[] = [];
  const values = columns.map((): number[] => []);
  const lineOf = new Map<string, number>();
  await table.forEachRow(({ line, cells }) => {
    const name = cells[marker.index];
    const earlier = lineOf.get(name);
    if (earlier !== undefined) {
      problems.error('E-EF-DUP-MARKER', {
        line,
        column: marker.label,
        value: name,
        message: `Marker "${name}" is in the table twice: lines ${earlier} and ${line}.`,
        suggestion: 'Keep one of the two rows.',
      });
    }
    lineOf.set(name, line);
    id.push(name);
    a2.push(cells[allele.index]);
    for (const [i, { column }] of columns.entries()) {
      values[i].push(effectValue(cells[column.index], table, column, line, problems));
    }
  });
  const columnOf = (trait: string, wanted: 'additive' | 'dominance') => {
    const found = columns.findIndex(({ trait: name, kind }) => name === trait && kind === wanted);
    return found < 0 ? null : Float64Array.from(values[found]);
  };
  return {
    markers: {
      id,
      chromosome: id.map(() => ''),
      positionBp: new Float64Array(id.length),
      a1: id.map(() => '.'),
      a2,
    },
    trainingMeans: null,
    traits: traits.map((name) => {
      const dominance = columnOf(name, 'dominance');
      return {
        name,
        intercept: 0,
        additive: columnOf(name, 'additive') ?? new Float64Array(id.length),
        dominance: dominance?.some((value) => value !== 0) === true ? dominance : null,
      };
    }),
  };
}

function effectValue(
  cell: string,
  table: Table,
  column: TableColumn,
  line: number,
  problems: ProblemCollector,
): number {
  if (isMissing(cell)) return 0;
  const value = parseNumber(cell, table.decimalComma);
  if (Number.isNaN(value)) {
    problems.error('E-EF-NOT-NUMBER', {
      line,
      column: column.label,
      value: cell,
      message: `"${cell}" is not a number.`,
      suggestion: 'Write the effect as a number; leave the cell empty for no effect.',
    });
  }
  return value;
}
