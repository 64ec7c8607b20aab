import {
  type Arrangement,
  type DesignKind,
  emptyArrangement,
  type PlaceRequest,
  requireEntries,
  searchArrangement,
} from './arrangement.ts';
import { DesignError } from './design-error.ts';
import { type Field, requireWholeBlock, walk } from './field.ts';
import { evenPlaces, namedCells, placeChecks } from './placed-checks.ts';

/** Augmented designs (Federer 1956): new entries stand in one plot each, every check in every block. */
export const AUGMENTED: DesignKind = {
  shape(place) {
    const { blocks, size } = augmentedBlocks(place);
    return { plots: blocks * size, band: blocks * size, unit: size };
  },
  arrange(place, field, chance) {
    const { blocks, size, news } = augmentedBlocks(place);
    const { random } = chance;
    const isCheck = new Set(place.checks);
    const found = emptyArrangement(field.cells.length);
    const starts = Array.from({ length: blocks }, (_, block) => block * size);
    const fixed = namedCells(place, field);
    const drawn = random.shuffle([...news]);
    let next = 0;
    for (const [block, first] of starts.entries()) {
      const cells = Array.from({ length: size }, (_, i) => first + i);
      requireWholeBlock(
        field,
        cells.map((cell) => field.cells[cell]).filter((cell) => cell !== undefined),
        `block ${block + 1}`,
      );
      found.block.fill(block + 1, first, first + size);
      const share = Math.floor(((block + 1) * news.length) / blocks) - Math.floor((block * news.length) / blocks);
      const checkCells = checkCellsOf(place, { cells, block }, fixed, chance);
      random.shuffle([...place.checks]).forEach((check, k) => {
        found.entry[checkCells[k] ?? first] = check;
      });
      const others = cells.filter((cell) => found.entry[cell] < 0);
      for (const cell of others.slice(0, share)) found.entry[cell] = drawn[next++] ?? -1;
      shuffleOthers(found.entry, others, chance);
    }
    const blockOf = found.block.map((number) => number - 1);
    const hasFixed = place.request.checkPlaces !== 'random';
    searchArrangement(place, field, found, {
      ...{ ...chance, zone: new Int32Array(field.cells.length), familyBlock: blockOf },
      // New entries may change blocks; checks stay in theirs, and where they were put.
      isAllowed: (a, b) => {
        const checks = Number(isCheck.has(a.entry)) + Number(isCheck.has(b.entry));
        if (checks === 0) return true;
        return blockOf[a.cell] === blockOf[b.cell] && (checks === 2 || !hasFixed);
      },
    });
    found.factors = { blocks: blockOf };
    return found;
  },
};

/**
 * One place of a sparse design: its lines in one plot each, checks as often as the list says. With a block size and
 * checks it is an augmented design.
 */
export const AT_ONE_PLACE: DesignKind = {
  shape(place) {
    if (isAugmented(place)) return AUGMENTED.shape(place);
    const plots = copiesAtPlace(place).length;
    return { plots, band: plots, unit: 1 };
  },
  arrange(place, field, chance) {
    if (isAugmented(place)) return AUGMENTED.arrange(place, field, chance);
    const found = emptyArrangement(field.cells.length);
    found.entry.set(chance.random.shuffle(copiesAtPlace(place)));
    const zone = new Int32Array(field.cells.length);
    const { random } = chance;
    const placed = placeChecks(place, field, { entry: found.entry, zone, nameOf: () => 'The field', random });
    searchArrangement(place, field, found, { ...chance, zone, ...placed });
    return found;
  },
};

const isAugmented = ({ request, checks }: PlaceRequest): boolean =>
  request.blockSize !== undefined && checks.length > 0;

const copiesAtPlace = ({ request, lines, checks }: PlaceRequest): number[] =>
  lines.flatMap((index) =>
    Array.from({ length: checks.includes(index) ? (request.entries[index]?.replicates ?? 1) : 1 }, () => index),
  );

/** Fillers of a block that is not full lie anywhere in it. */
function shuffleOthers(entry: Int32Array, cells: readonly number[], { random }: Pick<Chance, 'random'>): void {
  const values = random.shuffle(cells.map((cell) => entry[cell]));
  cells.forEach((cell, k) => {
    entry[cell] = values[k] ?? -1;
  });
}

type Chance = Parameters<DesignKind['arrange']>[2];

function augmentedBlocks(place: PlaceRequest): { blocks: number; size: number; news: number[] } {
  const { request, lines } = place;
  const checks = requireChecks(place);
  const news = lines.filter((index) => !place.checks.includes(index));
  requireEntries(place, checks + 1);
  const size = request.blockSize ?? Math.min(checks + news.length, Math.max(USUAL_BLOCK, 4 * checks));
  if (size <= checks) {
    throw new DesignError(
      'block-size',
      `Blocks of ${size} plots have no room for entries beside ${checks} ${checks === 1 ? 'check' : 'checks'}.`,
      `Choose --block-size ${checks + 1} or more, or fewer checks.`,
    );
  }
  return { blocks: Math.ceil(news.length / (size - checks)), size, news };
}

/** Plots of a block of an augmented design, where nothing is said. */
const USUAL_BLOCK = 20;

function requireChecks({ checks }: PlaceRequest): number {
  if (checks.length > 0) return checks.length;
  throw new DesignError(
    'checks',
    'Unreplicated entries are compared by checks, and there are none.',
    'Give --checks NAME,… with names of the list of entries.',
  );
}

/** Where the checks of a block stand. */
function checkCellsOf(
  { request, checks }: PlaceRequest,
  { cells, block }: { cells: readonly number[]; block: number },
  fixed: ReadonlySet<number>,
  { random }: Pick<Chance, 'random'>,
): number[] {
  if (request.checkPlaces === 'random') return random.shuffle([...cells]).slice(0, checks.length);
  if (request.checkPlaces === 'spread') {
    return evenPlaces(cells.length, checks.length, random).map((at) => cells[at] ?? 0);
  }
  const named = cells.filter((cell) => fixed.has(cell));
  if (named.length === checks.length) return named;
  throw new DesignError(
    'checks',
    `Block ${block + 1} has ${named.length} named plots for ${checks.length} checks.`,
    'Name as many plots in every block as there are checks.',
  );
}

/**
 * Unreplicated entries with checks on diagonals: a check in every m-th plot of a row, moved on from row to row by the
 * step that keeps checks farthest apart. The field says how many there are: as many as it has room for. Or checks stand
 * in the cells that were named.
 */
export const DIAGONAL: DesignKind = {
  shape(place) {
    const checks = requireChecks(place);
    const news = place.lines.length - checks;
    requireEntries(place, checks + 1);
    const { checkPlaces } = place.request;
    if (typeof checkPlaces !== 'string') {
      const named = news + new Set(checkPlaces.map(({ row, column }) => `${row}:${column}`)).size;
      return { plots: named, band: named, unit: 1 };
    }
    const plots = news + Math.max(2 * checks, Math.ceil(CHECK_SHARE * news));
    const hasField = place.request.field.rows !== undefined && place.request.field.columns !== undefined;
    return { plots: hasField ? news + checks : plots, band: plots, unit: 1 };
  },
  arrange(place, field, chance) {
    const { random } = chance;
    const news = place.lines.filter((index) => !place.checks.includes(index));
    const found = emptyArrangement(field.cells.length);
    const isNamed = typeof place.request.checkPlaces !== 'string';
    const diagonal = isNamed
      ? [...namedCells(place, field)]
      : diagonalCells(field, field.cells.length - news.length, chance);
    if (diagonal.length < place.checks.length) {
      const plots = `${diagonal.length} ${isNamed ? 'named ' : ''}${diagonal.length === 1 ? 'plot' : 'plots'}`;
      throw new DesignError(
        isNamed ? 'checks' : 'field-too-small',
        `The field has ${plots} for ${place.checks.length} checks${isNamed ? '' : ' on diagonals'}.`,
        isNamed
          ? 'Name as many plots as there are checks, or more.'
          : 'Give it more rows or columns, or take fewer entries or checks.',
      );
    }
    const order = random.shuffle([...place.checks]);
    const copies = random.shuffle(diagonal.map((_, k) => order[k % order.length] ?? 0));
    const isDiagonal = new Set(diagonal);
    diagonal.forEach((cell, k) => {
      found.entry[cell] = copies[k] ?? 0;
    });
    const drawn = random.shuffle([...news]);
    let next = 0;
    for (const cell of field.cells.keys())
      if (!isDiagonal.has(cell) && next < drawn.length) found.entry[cell] = drawn[next++] ?? -1;
    const zone = Int32Array.from(field.cells, (_, cell) => (isDiagonal.has(cell) ? 1 : 0));
    searchArrangement(place, field, found, { ...chance, zone });
    found.factors = factorsOf(field);
    return found;
  },
};

/** Plots of checks, as a share of the entries, where the field does not say it. */
const CHECK_SHARE = 0.12;

const factorsOf = (field: Field): Arrangement['factors'] => ({
  rows: Int32Array.from(field.cells, ({ row }) => row),
  columns: Int32Array.from(field.cells, ({ column }) => column),
});

/** Cells of the diagonals, as many as fit `most` and in the densest such pattern. */
function diagonalCells(field: Field, most: number, { random }: Pick<Chance, 'random'>): number[] {
  for (let spacing = 2; spacing <= field.rows * field.columns; spacing++) {
    if (field.cells.length / spacing > most + 1) continue;
    const step = widestStep(spacing);
    const offsets = random.shuffle([...Array(spacing).keys()]);
    for (const offset of offsets) {
      const cells = [...field.cells.keys()].filter((cell) => {
        const { row, column } = field.cells[cell] ?? { row: 0, column: 0 };
        return (step * row + column + offset) % spacing === 0;
      });
      if (cells.length > 0 && cells.length <= most) return cells;
    }
  }
  return [];
}

/** The step from row to row that keeps the cells (i, j) with step·i + j ≡ 0 (mod spacing) farthest apart. */
function widestStep(spacing: number): number {
  let best = 1;
  let bestDistance = 0;
  for (let step = 1; step < spacing; step++) {
    let least = Number.POSITIVE_INFINITY;
    for (const { row, column } of walk(spacing, 2 * spacing, false)) {
      const across = column - spacing;
      if ((row !== 0 || across !== 0) && (((step * row + across) % spacing) + spacing) % spacing === 0)
        least = Math.min(least, row * row + across * across);
    }
    if (least > bestDistance) [best, bestDistance] = [step, least];
  }
  return best;
}
