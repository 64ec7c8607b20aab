import type { InputOf } from '@heterosis/contracts/endpoint';
import type { programmesApi } from '@heterosis/contracts/endpoints/work/programmes';
import type { ProgrammePoint, ProgrammeResults } from '@heterosis/contracts/work/programmes';
import { simulatedSchemes } from '@heterosis/contracts/work/programmes/programme-optimum';
import type { Services } from '../../../platform/http/app.ts';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { getNamedRun } from '../runs/kind/index.ts';
import { programmes } from './programme.kind.ts';
import type { ProgrammeRow } from './programmes.queries.ts';
import { type Measured, readMeasured, readValues } from './replicates.queries.ts';
import { type ByReplicate, GAIN, MEAN, PROGRAMME, pointOf, type Wanted, wantedOf } from './summarize-points.ts';

/** `GET …/programmes/{id}/results`. */
export async function getResults(
  { services, access: { projectId } }: ProjectCall,
  { id, query }: InputOf<typeof programmesApi.getResults>,
): Promise<ProgrammeResults> {
  const row = await getNamedRun(programmes, services.db, projectId, id);
  const schemes = simulatedSchemes(row.parameters, row.report?.optimum?.allocations[0]?.numbers);
  const measured = (await readMeasured(services.db, row)) ?? schemes.map(() => []);
  const stages = measured.flatMap((keys, i) => stagesOf(keys, schemes[i]?.name ?? ''));
  const usual = stages.find(({ stage }) => stage === USUAL_STAGE) ?? stages[0];
  const stage = query.stage ?? usual?.stage ?? null;
  const quantities = query.quantities?.split(',').map((name) => name.trim()) ?? null;
  const found = await Promise.all(
    measured.map((keys, i) => valuesOf(services, row, i, stage === null ? [] : withYears(keys, stage, quantities))),
  );
  const [first] = found;
  return {
    replicates: Math.min(...found.map(({ replicates }) => replicates)),
    stages,
    stage,
    schemes: schemes.map(({ name }, i) => {
      const { years, values } = found[i] ?? { years: new Map(), values: [] };
      const points = values.flatMap(({ wanted, byReplicate }): ProgrammePoint[] => {
        if (quantities !== null && !quantities.includes(wanted.quantity)) return [];
        const year = years.get(wanted.cycle) ?? null;
        const before = i === 0 || first === undefined ? undefined : reachedBy(first, wanted, year);
        return [pointOf({ ...wanted, year }, byReplicate, before?.byReplicate ?? null)].filter((one) => one !== null);
      });
      return { name, points };
    }),
  };
}

/** The stage of the templates that shows the progress of a programme best. */
const USUAL_STAGE = 'candidates';

/**
 * A quantity as the first scheme has it by a year: cycles of schemes take other times. Of the same cycle where nothing
 * tells years.
 */
function reachedBy(
  { years, values }: SchemeValues,
  { cycle, quantity }: Wanted,
  year: number | null,
): SchemeValues['values'][number] | undefined {
  const isReached = (of: number): boolean =>
    year === null ? of === cycle : (years.get(of) ?? Number.POSITIVE_INFINITY) <= year;
  return values.findLast(({ wanted }) => wanted.quantity === quantity && isReached(wanted.cycle));
}

/** Stages of the results with their quantities, in the order in which they are measured. */
function stagesOf(keys: Measured[number], scheme: string): ProgrammeResults['stages'] {
  const byStage = Map.groupBy(keys, ({ stage }) => stage);
  return [...byStage].flatMap(([stage, ofStage]) =>
    stage === PROGRAMME ? [] : [{ scheme, stage, quantities: [...new Set(ofStage.map(({ quantity }) => quantity))] }],
  );
}

/** Years are needed whatever is asked for. */
function withYears(keys: Measured[number], stage: string, quantities: readonly string[] | null): Wanted[] {
  return wantedOf(keys, stage, quantities === null ? null : [...quantities, 'year']);
}

interface SchemeValues {
  replicates: number;
  /** Cycle → year at its end. */
  years: Map<number, number>;
  values: { wanted: Wanted; byReplicate: ByReplicate }[];
}

/**
 * Means over replicates of a stage's mean genetic value of trait 1, less that of another stage of the same cycle or the
 * first of the replicate, with the 5 and 95 % quantiles and how many replicates have it; null where either is not
 * measured.
 */
export async function expectedDifferences(
  services: Pick<Services, 'db' | 'tables'>,
  row: ProgrammeRow,
  scheme: number,
  wanted: readonly ({ cycle: number; stage: string; against: string | null } | null)[],
): Promise<([mean: number, low: number, high: number, replicates: number] | null)[]> {
  const keys = (await readMeasured(services.db, row))?.[scheme] ?? [];
  const placeOf = (cycle: number, stage: string): number =>
    keys.findIndex((key) => key.cycle === cycle && key.stage === stage && key.quantity === MEAN);
  const first = keys.findIndex(({ quantity }) => quantity === MEAN);
  const differences = wanted.map((one): Wanted | null => {
    if (one === null) return null;
    const place = placeOf(one.cycle, one.stage);
    const less = one.against === null ? first : placeOf(one.cycle, one.against);
    return place < 0 || less < 0 || place === less ? null : { cycle: one.cycle, quantity: GAIN, place, less };
  });
  const known = differences.filter((one) => one !== null);
  const { values } = await valuesOf(services, row, scheme, known);
  const byWanted = new Map(values.map((one) => [one.wanted, one.byReplicate]));
  return differences.map((one) => {
    const found = one === null ? undefined : byWanted.get(one);
    const point = one === null || found === undefined ? null : pointOf({ ...one, year: null }, found, null);
    return point === null ? null : [point.mean, point.low, point.high, point.replicates];
  });
}

/** From the rows while the run is under way, and then from its table. */
async function valuesOf(
  { db, tables }: Pick<Services, 'db' | 'tables'>,
  row: ProgrammeRow,
  scheme: number,
  wanted: readonly Wanted[],
): Promise<SchemeValues> {
  if (wanted.length === 0) return { replicates: 0, years: new Map(), values: [] };
  const places = [...new Set(wanted.flatMap(({ place, less }) => (less < 0 ? [place] : [place, less])))];
  const key = row.result_keys['values'];
  const byPlace = new Map<number, Map<number, number>>(places.map((place) => [place, new Map()]));
  if (key === undefined) {
    for (const { replicate, values } of await readValues(db, row.id, { scheme, places }))
      for (const [p, place] of places.entries()) byPlace.get(place)?.set(replicate, values[p] ?? Number.NaN);
  } else {
    const cells = await tables.query<{ place: number; replicate: number; value: number | null }>(
      key,
      (table) =>
        `select place, replicate, value from ${table} where scheme = ${scheme} and place in (${places.join(', ')})`,
    );
    for (const { place, replicate, value } of cells) byPlace.get(place)?.set(replicate, value ?? Number.NaN);
  }
  const values = wanted.map((one) => ({ wanted: one, byReplicate: lessOf(byPlace, one) }));
  const years = values.flatMap(({ wanted: { cycle, quantity }, byReplicate }): [number, number][] =>
    quantity === 'year' ? [...byReplicate.values()].slice(0, 1).map((year) => [cycle, year]) : [],
  );
  const replicates = Math.max(0, ...[...byPlace.values()].map((one) => one.size));
  return { replicates, years: new Map(years), values };
}

function lessOf(byPlace: ReadonlyMap<number, ByReplicate>, { place, less }: Wanted): ByReplicate {
  const own = byPlace.get(place) ?? new Map<number, number>();
  const off = byPlace.get(less);
  if (off === undefined) return own;
  return new Map([...own].map(([replicate, value]) => [replicate, value - (off.get(replicate) ?? Number.NaN)]));
}
