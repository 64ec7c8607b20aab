import {
  type DesignKind,
  emptyArrangement,
  type PlaceRequest,
  requireEntries,
  searchArrangement,
  USUAL_REPLICATES,
} from './arrangement.ts';
import { DesignError } from './design-error.ts';
import { beginnings } from './field.ts';
import { placeChecks } from './placed-checks.ts';

/**
 * Partially replicated designs (Cullis, Smith & Coombes 2006, JABES 11:381): some entries stand in several plots, the
 * others in one. Copies of an entry are spread over as many parts of the field as it has copies, and exchanged within
 * these for the least average variance beside random rows and columns.
 */
export const PARTLY_REPLICATED: DesignKind = {
  shape(place) {
    requireEntries(place, 2);
    const own = ownCounts(place);
    const { rows, columns } = place.request.field;
    // The field says how many entries are replicated.
    const plots = own === null ? place.lines.length : own.reduce((sum, count) => sum + count, 0);
    if (own === null && (rows === undefined || columns === undefined)) {
      throw new DesignError(
        'replicates',
        'Nothing says which entries are replicated.',
        'Add a column replicates to the entries, or give --rows and --columns: as many entries are then replicated as there is room for.',
      );
    }
    return { plots, band: plots, unit: 1 };
  },
  arrange(place, field, chance) {
    const { random } = chance;
    const counts = ownCounts(place) ?? drawnCounts(place, field.cells.length, chance);
    const total = counts.reduce((sum, count) => sum + count, 0);
    const parts = partsOf(place, counts);
    const found = emptyArrangement(field.cells.length);
    const members = dealCopies(place.lines, counts, parts, chance);
    for (const [part, first] of beginnings(
      field,
      members.map(({ length }) => length),
    ).entries()) {
      const lines = random.shuffle(members[part] ?? []);
      found.entry.set(lines, first);
      found.replicate.fill(part + 1, first, first + lines.length);
    }
    const zone = found.replicate.map((replicate) => replicate - 1);
    const rows = Int32Array.from(field.cells, ({ row }) => row);
    const columns = Int32Array.from(field.cells, ({ column }) => column);
    const placed = placeChecks(place, field, { entry: found.entry, zone, nameOf: (one) => `Part ${one + 1}`, random });
    const isReplicated = total > place.lines.length;
    searchArrangement(place, field, found, {
      ...{ ...chance, zone, ...placed },
      ...(isReplicated ? { factors: [rows, columns], factorRatio: RESIDUAL_OVER_ROWS } : {}),
    });
    found.factors = { rows, columns };
    return found;
  },
};

/** Residual variance over that of rows and of columns, in the search. */
const RESIDUAL_OVER_ROWS = 1;

/** Plots of each entry as the list says; null where it says nothing. */
function ownCounts({ request, lines }: PlaceRequest): number[] | null {
  const own = lines.map((index) => request.entries[index]?.replicates);
  return own.every((count) => count === undefined) ? null : own.map((count) => count ?? 1);
}

/** One plot each, and `replicates` for checks and for as many others, drawn at random, as the field has room for. */
function drawnCounts(
  { request, lines, checks }: PlaceRequest,
  cells: number,
  { random }: Pick<Chance, 'random'>,
): number[] {
  const r = request.replicates ?? USUAL_REPLICATES;
  const counts = Array.from({ length: lines.length }, () => 1);
  const isCheck = new Set(checks);
  const order = random.shuffle([...lines.keys()]);
  const first = order.filter((k) => isCheck.has(lines[k] ?? -1));
  let room = cells - lines.length;
  for (const k of [...first, ...order.filter((other) => !isCheck.has(lines[other] ?? -1))]) {
    if (room < r - 1) break;
    counts[k] = r;
    room -= r - 1;
  }
  return counts;
}

type Chance = Parameters<DesignKind['arrange']>[2];

/** Parts of the field: the copies of the most replicated entry that is no check. */
function partsOf({ lines, checks }: PlaceRequest, counts: readonly number[]): number {
  const isCheck = new Set(checks);
  const others = counts.filter((_, k) => !isCheck.has(lines[k] ?? -1));
  return Math.max(1, ...others);
}

/** Deals the copies of each entry over the parts, the emptiest first; sizes then differ by one at most. */
function dealCopies(
  lines: readonly number[],
  counts: readonly number[],
  parts: number,
  { random }: Pick<Chance, 'random'>,
): number[][] {
  const members = Array.from({ length: parts }, (): number[] => []);
  const order = random.shuffle([...lines.keys()]).sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0));
  for (const k of order) {
    let left = counts[k] ?? 0;
    while (left > 0) {
      const emptiest = random.shuffle([...members]).sort((a, b) => a.length - b.length);
      for (const part of emptiest.slice(0, left)) part.push(lines[k] ?? 0);
      left -= Math.min(left, parts);
    }
  }
  return members;
}
