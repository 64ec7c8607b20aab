import { createRandomStream } from '../random/random-stream.ts';
import { allocateToPlaces, linesAtLargestPlace } from './allocate-places.ts';
import type { Arrangement, DesignKind, PlaceRequest } from './arrangement.ts';
import { COMPLETE_BLOCKS, COMPLETELY_RANDOMISED, SPLIT_PLOT } from './complete-blocks.ts';
import { DesignError } from './design-error.ts';
import type { Design, DesignedPlot, DesignName, DesignRequest, PlaceFigures } from './design-types.ts';
import { averageEfficiency, concurrencesOf } from './efficiency.ts';
import { type Field, layOutField, type WalkedCell, walk } from './field.ts';
import { ALPHA } from './incomplete-blocks.ts';
import { PARTLY_REPLICATED } from './partly-replicated.ts';
import { ROW_COLUMN } from './row-column.ts';
import { Spread } from './spread.ts';
import { AT_ONE_PLACE, AUGMENTED, DIAGONAL } from './unreplicated.ts';

const KINDS: Record<DesignName, DesignKind> = {
  crd: COMPLETELY_RANDOMISED,
  rcbd: COMPLETE_BLOCKS,
  alpha: ALPHA,
  'row-column': ROW_COLUMN,
  'p-rep': PARTLY_REPLICATED,
  augmented: AUGMENTED,
  diagonal: DIAGONAL,
  'split-plot': SPLIT_PLOT,
  sparse: AT_ONE_PLACE,
};

/** What the search of one place may cost with the usual effort, in elements read or written. */
const USUAL_WORK = 2.5e9;
/** What the allocation of lines to places may cost: an exchange of it changes all lines. */
const ALLOCATION_WORK = 1e10;
/** Places share it, but each has this. */
const LEAST_WORK = 2.5e8;

/**
 * Makes a design: which entry stands in which plot of which place, with the figures of the design. The same request
 * gives the same design on every machine. Entries are told apart by their position only: other names give the same map.
 *
 * @throws DesignError when there is no such design, saying what to change
 */
export const makeDesign = (request: DesignRequest): Design => draftDesign(request).design;

/** Numbers of two plots of one place whose entries change places. */
export type PlotSwap = readonly [number, number];

/** A design that a person may still change. */
export interface DraftDesign {
  design: Design;
  /**
   * The plots of a place, counted from 0, and its figures after some entries have changed places.
   *
   * @throws RangeError for numbers of no plot, and of borders
   */
  afterSwaps(place: number, swaps: readonly PlotSwap[]): { plots: DesignedPlot[]; figures: PlaceFigures };
}

/** As {@link makeDesign}, for a map that is edited. `onProgress` is told what share of the search is done. */
export function draftDesign(request: DesignRequest, onProgress: (share: number) => void = () => {}): DraftDesign {
  const whole = wholePlace(request);
  const work = request.effort * Math.max(LEAST_WORK, USUAL_WORK / request.places);
  // The allocation takes as long as all places.
  const isSparse = request.design === 'sparse';
  const parts = isSparse ? 2 * request.places : request.places;
  const allocation = isSparse
    ? allocateToPlaces(whole, {
        random: createRandomStream(request.seed, 'allocation'),
        work: request.effort * ALLOCATION_WORK,
        onProgress: (share) => onProgress(share / 2),
      })
    : null;
  const kind = KINDS[request.design];
  const arranged = Array.from({ length: request.places }, (_, number) => {
    const place = { ...whole, lines: allocation?.places[number] ?? whole.lines };
    const field = layOutField(request.field, kind.shape(place));
    const random = createRandomStream(request.seed, 'design', number);
    const first = parts - request.places + number;
    const chance = { random, work, onProgress: (share: number) => onProgress((first + share) / parts) };
    return { place, field, arrangement: kind.arrange(place, field, chance) };
  });
  return {
    design: {
      plots: arranged.flatMap(({ place, field, arrangement }, number) => plotsOf(place, field, arrangement, number)),
      places: arranged.map(({ place, field, arrangement }) => figuresOf(place, field, arrangement)),
      allocation: allocation?.figures ?? null,
    },
    afterSwaps(number, swaps) {
      const { place, field, arrangement } = arranged[number] ?? missing(`place ${number}`);
      const cellOf = new Map(numberedCells(place, field).map(({ cell }, k) => [k + 1, cell]));
      const entry = arrangement.entry.slice();
      for (const [one, other] of swaps) {
        const a = cellOf.get(one) ?? missing(`plot ${one} for an entry`);
        const b = cellOf.get(other) ?? missing(`plot ${other} for an entry`);
        [entry[a], entry[b]] = [entry[b], entry[a]];
      }
      const changed = { ...arrangement, entry };
      return { plots: plotsOf(place, field, changed, number), figures: figuresOf(place, field, changed) };
    },
  };
}

function missing(what: string): never {
  throw new RangeError(`the design has no ${what}`);
}

/**
 * Why these numbers and this field make no such design, found without making it. Null where nothing speaks against it;
 * a hole may still cut a block, which only `makeDesign` finds.
 */
export function obstacleTo(request: DesignRequest): DesignError | null {
  try {
    const whole = wholePlace(request);
    const place = request.design === 'sparse' ? { ...whole, lines: linesAtLargestPlace(whole) } : whole;
    layOutField(request.field, KINDS[request.design].shape(place));
    return null;
  } catch (error) {
    if (error instanceof DesignError) return error;
    throw error;
  }
}

function wholePlace(request: DesignRequest): PlaceRequest {
  const checks = requireNames(request);
  const familyOf = familiesOf(request);
  return { request, lines: [...request.entries.keys()], checks, ...(familyOf === undefined ? {} : { familyOf }) };
}

/** Indices of the checks. @throws DesignError for names that stand twice, and checks that are no entries */
function requireNames({ entries, checks }: DesignRequest): number[] {
  const indexOf = new Map<string, number>();
  for (const [index, { name }] of entries.entries()) {
    if (indexOf.has(name)) {
      throw new DesignError('entries', `The entry "${name}" stands twice in the list.`, 'Give every entry once.');
    }
    indexOf.set(name, index);
  }
  const missing = checks.filter((name) => !indexOf.has(name));
  if (missing.length > 0) {
    const names = missing.map((name) => `"${name}"`).join(', ');
    throw new DesignError(
      'checks',
      missing.length === 1
        ? `The check ${names} is not among the entries.`
        : `Checks are not among the entries: ${names}.`,
      'Add them to the list of entries, or correct --checks.',
    );
  }
  return [...new Set(checks)].map((name) => indexOf.get(name) ?? 0);
}

function familiesOf({ entries }: DesignRequest): Int32Array | undefined {
  const names = [...new Set(entries.map(({ family }) => family ?? ''))].filter((name) => name !== '');
  if (names.length === 0) return undefined;
  const numbers = new Map(names.map((name, k) => [name, k]));
  return Int32Array.from(entries, ({ family }) => numbers.get(family ?? '') ?? -1);
}

/** The cells of the map that have a plot in the order of their numbers; `cell` is undefined for borders. */
function numberedCells({ request }: PlaceRequest, field: Field): { at: WalkedCell; cell: number | undefined }[] {
  const key = ({ row, column }: WalkedCell) => row * field.columns + column;
  const cellAt = new Map(field.cells.map((cell, index) => [key(cell), index]));
  return walk(field.rows, field.columns, request.field.numbering === 'serpentine')
    .filter((cell) => !field.isHole(cell))
    .map((at) => ({ at, cell: cellAt.get(key(at)) }));
}

/** All plots of a place in the order of their numbers. */
function plotsOf(
  placed: PlaceRequest,
  field: Field,
  { entry, replicate, block, mainPlot, mainPlots }: Arrangement,
  place: number,
): DesignedPlot[] {
  const isCheck = new Set(placed.checks);
  return numberedCells(placed, field).map(({ at: walked, cell }, k) => {
    const at = { place, number: k + 1, ...field.toMap(walked) };
    if (cell === undefined) return { ...at, ...NOTHING, kind: 'border' };
    const own = entry[cell] < 0 ? null : entry[cell];
    return {
      ...at,
      replicate: replicate[cell] || null,
      block: block[cell] || null,
      entry: own,
      kind: own === null ? 'filler' : isCheck.has(own) ? 'check' : 'entry',
      mainPlot: mainPlots[mainPlot[cell]] ?? null,
    };
  });
}

const NOTHING = { replicate: null, block: null, entry: null, mainPlot: null };

function figuresOf({ lines, familyOf }: PlaceRequest, field: Field, found: Arrangement): PlaceFigures {
  const { entry, factors, bound } = found;
  const lineAt = new Map(lines.map((index, line) => [index, line]));
  const lineOf = entry.map((index) => lineAt.get(index) ?? -1);
  const spread = new Spread(
    {
      ...{ lines: lines.length, lineOf },
      row: Int32Array.from(field.cells, ({ row }) => row),
      column: Int32Array.from(field.cells, ({ column }) => column),
      ...(familyOf === undefined ? {} : { familyOf: Int32Array.from(lines, (index) => familyOf[index]) }),
    },
    { neighbour: 1, shared: 1, familyNeighbour: 1, familyBlock: 1 },
  );
  const plots = lineOf.reduce((sum, line) => sum + (line < 0 ? 0 : 1), 0);
  const turned = field.toMap({ row: 0, column: 1 }).row === field.toMap({ row: 0, column: 0 }).row;
  const shared = spread.sharedLines();
  const concurrences = Object.entries(factors).map(([name, levels]) => {
    const met = concurrencesOf(lines.length, lineOf, levels);
    return met === null ? [] : [[name, met] as const];
  });
  return {
    rows: turned ? field.rows : field.columns,
    columns: turned ? field.columns : field.rows,
    entries: lines.length,
    plots,
    fillers: field.cells.length - plots,
    efficiency:
      Object.keys(factors).length === 0 ? null : averageEfficiency(lines.length, lineOf, Object.values(factors)),
    upperBound: bound,
    concurrences: Object.fromEntries(concurrences.flat()),
    neighbours: spread.neighbours(),
    shared: turned ? shared : { rows: shared.columns, columns: shared.rows },
  };
}
