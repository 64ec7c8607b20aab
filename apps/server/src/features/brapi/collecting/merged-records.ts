import type { PhenotypeRecords, RecordedUnit } from '@heterosis/file-formats/tables/phenotype/phenotype-records';
import type { TraitColumn } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import type { Json } from '../envelope.ts';
import type { CollectedObservation, CollectedUnit } from './collected.queries.ts';

/** What a client says of a unit beside its design. */
export interface UnitDetails {
  external_references: Json[];
  additionalInfo?: Record<string, string>;
  /** What its treatment is a level of. */
  factor?: string;
}

/** What was collected for a file, beside its records. Arrays are parallel to the observations. */
export interface Collected {
  /** Place of the observation in the file; −1 for one that it does not have. */
  origin: Int32Array;
  /** What a client wrote; null for an observation of the file that nobody changed. */
  written: (CollectedObservation | null)[];
  /** What clients say of units that they made or changed, by place. */
  units: Map<number, UnitDetails>;
  /** Units of the file itself. */
  ownUnits: number;
  /** So many of the last observations wait to be accepted: only who knows their ids finds them. */
  waiting: number;
}

/** Traits are the same when name, unit and kind are. */
export const traitKey = ({ name, unit, kind }: TraitColumn): string =>
  JSON.stringify([name.toLowerCase(), unit ?? '', kind]);

/**
 * The records of a file with what clients wrote to its studies: their units behind those of the file, their traits
 * behind its traits, their observations with its own in the order of units and traits, the latest last. An empty text
 * stands for a value that could not be observed.
 */
export function mergeRecords(
  records: PhenotypeRecords,
  changes: { units: readonly CollectedUnit[]; observations: readonly CollectedObservation[] },
): PhenotypeRecords & { collected: Collected } {
  const units: RecordedUnit[] = [...records.units];
  for (const { place, individual, environment, design } of changes.units)
    units[place] = { line: records.units[place]?.line ?? 0, individual, environment, design };
  const traits = [...records.traits];
  const places = new Map(traits.map((trait, place) => [traitKey(trait), place]));
  const traitOf = (trait: TraitColumn): number => {
    const known = places.get(traitKey(trait));
    if (known !== undefined) return known;
    places.set(traitKey(trait), traits.length);
    return traits.push(trait) - 1;
  };

  const replaced = new Set(changes.observations.map(({ replaces }) => replaces));
  const rows = changes.observations.map((written) => ({
    unit: written.unit,
    trait: traitOf(written.trait),
    value: written.value ?? '',
    time: written.observed_at === null ? Number.NaN : Date.parse(written.observed_at),
    origin: written.replaces ?? -1,
    written: written as CollectedObservation | null,
  }));
  for (let place = 0; place < records.value.length; place++)
    if (!replaced.has(place))
      rows.push({
        unit: records.unit[place] ?? 0,
        trait: records.trait[place] ?? 0,
        value: records.value[place] ?? '',
        time: records.time[place] ?? Number.NaN,
        origin: place,
        written: null,
      });
  const timeOf = (time: number): number => (Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time);
  rows.sort(
    (a, b) =>
      a.unit - b.unit ||
      a.trait - b.trait ||
      (timeOf(a.time) === timeOf(b.time) ? b.origin - a.origin : timeOf(a.time) - timeOf(b.time)),
  );
  return {
    traits,
    environments: records.environments,
    units,
    // Clients say nothing of it.
    kinds: Array.from(units, (_, place) => records.kinds[place] ?? null),
    unit: Int32Array.from(rows, ({ unit }) => unit),
    trait: Int32Array.from(rows, ({ trait }) => trait),
    value: rows.map(({ value }) => value),
    time: Float64Array.from(rows, ({ time }) => time),
    collected: {
      origin: Int32Array.from(rows, ({ origin }) => origin),
      written: rows.map(({ written }) => written),
      units: new Map(changes.units.map((unit) => [unit.place, unit])),
      ownUnits: records.units.length,
      waiting: 0,
    },
  };
}
