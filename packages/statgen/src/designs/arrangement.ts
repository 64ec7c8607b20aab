import type { RandomStream } from '../random/random-stream.ts';
import { DesignError } from './design-error.ts';
import type { DesignRequest } from './design-types.ts';
import { meanInverse } from './efficiency.ts';
import { exchangePlots } from './exchange-plots.ts';
import type { Field, FieldShape } from './field.ts';

/** What is to be grown at one place. */
export interface PlaceRequest {
  request: DesignRequest;
  /** Indices of the entries grown here, checks among them. */
  lines: readonly number[];
  /** Indices of the checks. */
  checks: readonly number[];
  /** Family of every entry of the request, −1 without one; absent where no entry has one. */
  familyOf?: Int32Array;
}

/** What a kind of design does: how much room it needs, and what stands where. */
export interface DesignKind {
  /** @throws DesignError when the request makes no such design */
  shape(place: PlaceRequest): FieldShape;
  arrange(place: PlaceRequest, field: Field, chance: Chance): Arrangement;
}

export interface Chance {
  random: RandomStream;
  /** What the search may cost, see `exchangePlots`. */
  work: number;
  /** Told what share of it is done. */
  onProgress?: (share: number) => void;
}

/** What stands in each cell of a walk. */
export interface Arrangement {
  /** Index of the entry; −1: a filler. */
  entry: Int32Array;
  /** From 1; 0: none. */
  replicate: Int32Array;
  block: Int32Array;
  /** Index of the treatment of the whole plot; −1: none. */
  mainPlot: Int32Array;
  /** Names of these treatments. */
  mainPlots: readonly string[];
  /** By what is adjusted for, the level of each cell, from 0. */
  factors: Record<string, Int32Array>;
  /** Of the average efficiency factor; null where none is known. */
  bound: number | null;
}

export function emptyArrangement(cells: number): Arrangement {
  return {
    entry: new Int32Array(cells).fill(-1),
    replicate: new Int32Array(cells),
    block: new Int32Array(cells),
    mainPlot: new Int32Array(cells).fill(-1),
    mainPlots: [],
    factors: {},
    bound: null,
  };
}

/** Order of the equations beyond which only the spread of the plots is searched for. */
const MOST_EQUATIONS = 1300;

/** An entry and the cell where it stands. */
export interface Standing {
  cell: number;
  entry: number;
}

export interface Search {
  /** Cells of one zone may exchange, by cell; negative: fixed. */
  zone: Int32Array;
  /** Which exchanges a zone allows besides; all where absent. */
  isAllowed?: (a: Standing, b: Standing) => boolean;
  /** What the efficiency is computed with; absent: only the spread counts. */
  factors?: readonly Int32Array[];
  /** Residual variance over that of the effects of the factors; 0: they are fixed. */
  factorRatio?: number;
  /** Blocks over which families are spread, by cell. */
  familyBlock?: Int32Array;
}

/** Exchanges the entries of an arrangement, see `exchangePlots`; fillers stay where they are. */
export function searchArrangement(
  { familyOf, lines }: PlaceRequest,
  field: Field,
  arrangement: Arrangement,
  { random, work, onProgress, ...search }: Chance & Search,
): void {
  const { entry } = arrangement;
  const cells = [...entry.keys()].filter((cell) => entry[cell] >= 0);
  const lineAt = new Map(lines.map((index, line) => [index, line]));
  const of = (values: Int32Array): Int32Array => Int32Array.from(cells, (cell) => values[cell]);
  const lineOf = Int32Array.from(cells, (cell) => lineAt.get(entry[cell]) ?? -1);
  const v = lines.length;
  const factors = (search.factors ?? []).map((levels) => renumbered(of(levels)));
  const order = factors.reduce((sum, levels) => sum + Math.max(...levels) + 1, v);
  const hasModel = factors.length > 0 && order <= MOST_EQUATIONS;
  const factorRatio = search.factorRatio === undefined ? {} : { factorRatio: search.factorRatio };
  const isAllowed = search.isAllowed;
  const standing = (plot: number): Standing => ({ cell: cells[plot], entry: lines[lineOf[plot]] });
  const pairs = cells.length;
  exchangePlots(
    {
      ...{ lineOf, zone: of(search.zone), work },
      ...(onProgress === undefined ? {} : { onProgress }),
      ...(isAllowed === undefined ? {} : { isAllowed: (a, b) => isAllowed(standing(a), standing(b)) }),
      ...(hasModel ? { model: { lines: v, lineOf, factors, ...factorRatio } } : {}),
      // The criterion counts in units of what it would be without blocks.
      scale: (v - 1) * meanInverse(v, lineOf),
      spread: {
        model: {
          ...{ lines: v, lineOf },
          row: Int32Array.from(cells, (cell) => field.cells[cell].row),
          column: Int32Array.from(cells, (cell) => field.cells[cell].column),
          ...(familyOf === undefined ? {} : { familyOf: Int32Array.from(lines, (index) => familyOf[index]) }),
          ...(search.familyBlock === undefined ? {} : { block: of(search.familyBlock) }),
        },
        weights: {
          neighbour: NEIGHBOUR / pairs,
          shared: SHARED / pairs,
          familyNeighbour: FAMILY / pairs,
          familyBlock: FAMILY_BLOCK / pairs,
        },
      },
    },
    random,
  );
  cells.forEach((cell, plot) => {
    entry[cell] = lines[lineOf[plot]];
  });
}

/** What all plots of a field lose with one such pair each, as a share of the average variance of a difference. */
const NEIGHBOUR = 0.3;
const SHARED = 0.03;
const FAMILY = 0.03;
const FAMILY_BLOCK = 0.01;

function renumbered(levels: Int32Array): Int32Array {
  const numbers = new Map([...new Set(levels)].map((level, k) => [level, k]));
  return levels.map((level) => numbers.get(level) ?? 0);
}

/** Plots that every entry has at a place, where all must have as many. @throws DesignError `replicates` */
export function equalReplicates({ request, lines }: PlaceRequest): number {
  const own = new Set(lines.map((index) => request.entries[index]?.replicates));
  const [first] = own;
  if (request.replicates !== undefined) return request.replicates;
  if (own.size > 1) {
    throw new DesignError(
      'replicates',
      `Entries have different numbers of replicates, and ${request.design} grows all of them equally often.`,
      'Give --replicates, or choose crd or p-rep.',
    );
  }
  return first ?? USUAL_REPLICATES;
}

export const USUAL_REPLICATES = 2;

/** At least so many entries. @throws DesignError `entries` */
export function requireEntries({ lines }: PlaceRequest, least: number): void {
  if (lines.length >= least) return;
  throw new DesignError(
    'entries',
    `The design has ${lines.length} ${lines.length === 1 ? 'entry' : 'entries'}, and needs ${least} at least.`,
    'Add entries.',
  );
}
