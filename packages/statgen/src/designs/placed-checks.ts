import type { RandomStream } from '../random/random-stream.ts';
import type { PlaceRequest, Search } from './arrangement.ts';
import { DesignError } from './design-error.ts';
import type { GridPlace } from './design-types.ts';
import type { Field } from './field.ts';

/** Cells that were named for checks. @throws DesignError `checks` for cells without a plot */
export function namedCells({ request }: PlaceRequest, field: Field): Set<number> {
  if (typeof request.checkPlaces === 'string') return new Set();
  const cellAt = new Map(field.cells.map((cell, index) => [keyOf(field.toMap(cell)), index]));
  return new Set(
    request.checkPlaces.map((place) => {
      const cell = cellAt.get(keyOf(place));
      if (cell !== undefined) return cell;
      throw noPlot(place, 'borders and holes have no checks');
    }),
  );
}

const keyOf = ({ row, column }: GridPlace): string => `${row}:${column}`;

const noPlot = ({ row, column }: GridPlace, why: string): DesignError =>
  new DesignError(
    'checks',
    `There is no plot for a check at row ${row}, column ${column}.`,
    `Correct --check-plots: ${why}.`,
  );

/** Which of `count` cells in their order hold checks that are evenly apart. */
export function evenPlaces(count: number, checks: number, random: RandomStream): number[] {
  const step = count / checks;
  const offset = random.nextInt(Math.max(1, Math.floor(step)));
  return Array.from({ length: checks }, (_, k) => Math.min(count - 1, Math.floor(k * step) + offset));
}

interface Zones {
  /** Of each cell; changed. */
  entry: Int32Array;
  /** Of each cell: what holds a number of checks; negative: no plot of the design. */
  zone: Int32Array;
  /** What a zone is called, by its number. */
  nameOf: (zone: number) => string;
}

/**
 * Moves the checks of each zone to the cells that were named, or evenly apart in the order of the walk. Without such a
 * wish nothing is moved.
 *
 * @returns which exchanges leave checks where they are put; none: all do
 * @throws DesignError `checks` where a zone has not as many named cells as plots of checks
 */
export function placeChecks(
  place: PlaceRequest,
  field: Field,
  { entry, zone, nameOf, random }: Zones & { random: RandomStream },
): Pick<Search, 'isAllowed'> {
  const { checkPlaces } = place.request;
  if (checkPlaces === 'random' || place.checks.length === 0) return {};
  const isCheck = new Set(place.checks);
  const named = namedCells(place, field);
  for (const cell of named)
    if (zone[cell] < 0) throw noPlot(field.toMap(field.cells[cell]), 'the design leaves this cell free');
  const cellsOf = Map.groupBy(zone.keys(), (cell) => zone[cell]);
  for (const [number, cells] of cellsOf) {
    if (number < 0) continue;
    const planted = cells.filter((cell) => entry[cell] >= 0);
    const checks = planted.filter((cell) => isCheck.has(entry[cell]));
    const wanted =
      checkPlaces === 'spread'
        ? checks.length === 0
          ? []
          : evenPlaces(planted.length, checks.length, random).map((at) => planted[at])
        : cells.filter((cell) => named.has(cell));
    if (wanted.length !== checks.length) throw unequal(wanted.length, checks.length, nameOf(number));
    const isWanted = new Set(wanted);
    const free = random.shuffle(wanted.filter((cell) => !isCheck.has(entry[cell])));
    for (const [k, cell] of checks.filter((one) => !isWanted.has(one)).entries()) {
      const other = free[k];
      [entry[cell], entry[other]] = [entry[other], entry[cell]];
    }
    const drawn = random.shuffle(wanted.map((cell) => entry[cell]));
    wanted.forEach((cell, k) => {
      entry[cell] = drawn[k];
    });
  }
  return { isAllowed: (a, b) => isCheck.has(a.entry) === isCheck.has(b.entry) };
}

const unequal = (named: number, checks: number, where: string): DesignError =>
  new DesignError(
    'checks',
    `${where} has ${named} named ${named === 1 ? 'plot' : 'plots'} for ${checks} ${checks === 1 ? 'plot' : 'plots'} of checks.`,
    'Name as many plots there as checks have.',
  );
