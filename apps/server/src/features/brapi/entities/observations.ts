import { normalizeName } from '@heterosis/file-formats/names/normalize-name';
import { plotKind } from '@heterosis/file-formats/tables/phenotype/plot-kind';
import type { Asked } from '../asked.ts';
import type { Json } from '../envelope.ts';
import { germplasmOfRows, type NamedGermplasm } from '../germplasm-names.ts';
import { splitId } from '../ids.ts';
import { complete, type ListEntity, type Segment, segmentOf, valuesAt } from '../list-entity.ts';
import { type BrapiScope, studiesAsked } from '../scope.ts';
import type { Recorded } from '../stored-files.ts';
import { isPhenotype, type Season } from '../studies.ts';
import { germplasmAsked } from './genotypes.ts';
import { LEVELS, meansOfStudy, plotsOfStudy, type StudyUnits } from './levels.ts';
import { ENTRY_TYPES } from './unit-positions.ts';
import { variableOf } from './variables.ts';

export interface UnitRow {
  of: StudyUnits;
  records: Recorded;
  /** Place among the units of the file. */
  place: number;
}

interface ObservationRow extends UnitRow {
  /** Place among the observations of the file. */
  observation: number;
}

const unitId = ({ of, place }: UnitRow): string => `${of.prefix}-${of.numbers.first + place}`;

/** An observation that only a client wrote has an id of its own. */
const observationId = ({ of, records }: Pick<UnitRow, 'of' | 'records'>, observation: number): string => {
  const origin = records.collected?.origin[observation] ?? observation;
  return origin < 0 ? (records.collected?.written[observation]?.id ?? '') : `${of.prefix}-${of.numbers.first + origin}`;
};

/** Filters on the level of a unit, and on the levels that it lies in. */
const LEVEL_FILTERS = [
  ['', 'observationLevel'],
  ['Relationship', 'observationLevelRelationships'],
].flatMap(([infix, property]) =>
  Object.entries({ Name: 'levelName', Order: 'levelOrder', Code: 'levelCode', DbId: 'observationUnitDbId' }).map(
    ([ending, field]) => ({ filter: `observationUnitLevel${infix}${ending}`, path: [property ?? '', field] }),
  ),
);

const LEVEL_NAME = 'observationUnitLevelName';

/** What has to be true of a unit, beyond what it is a unit of. */
interface UnitCondition {
  among: StudyUnits[];
  /** Numbers by file or analysis; undefined: all. */
  numbers: Map<string, ReadonlySet<number>> | undefined;
  individuals: Map<string, ReadonlySet<string>> | undefined;
  /** Values by path in the position. */
  levels: { path: string[]; values: string[] }[];
}

/** `ids`: of observations. */
async function unitCondition(scope: BrapiScope, asked: Asked, ids: readonly string[] = []): Promise<UnitCondition> {
  const [locationIds, locationNames, seasonIds] = [
    asked.take('locationDbId'),
    asked.take('locationName'),
    asked.take('seasonDbId'),
  ];
  const studies = (await studiesAsked(scope, asked))
    .filter(isPhenotype)
    .filter(
      ({ location, season }) =>
        (locationIds === undefined || locationIds.includes(location?.id ?? '')) &&
        (locationNames === undefined || locationNames.includes(location?.name ?? '')) &&
        (seasonIds === undefined || seasonIds.includes(season?.id ?? '')),
    );
  const unitIds = asked.take('observationUnitDbId');
  const names = asked.take(LEVEL_NAME);
  const levels = LEVEL_FILTERS.flatMap(({ filter, path }) => {
    // The name decides among levels, not units.
    const values = filter === LEVEL_NAME ? undefined : asked.take(filter);
    return values === undefined ? [] : [{ path, values }];
  });
  const among: StudyUnits[] = [];
  for (const study of studies) {
    if (names?.includes('plot') ?? true) among.push(plotsOfStudy(scope, study));
    const means = await meansOfStudy(scope, study);
    if (means !== undefined && areMeant(means, asked, { names, ids: [...ids, ...(unitIds ?? [])] })) among.push(means);
  }
  return { among, numbers: unitIds && numbersByFile(unitIds), individuals: await germplasmAsked(scope, asked), levels };
}

/**
 * Means are there for those who ask for their level, their variables or one of them. To all others the units of a study
 * are its plots: they would count each line twice.
 */
function areMeant(
  means: StudyUnits,
  asked: Asked,
  { names, ids }: { names: readonly string[] | undefined; ids: readonly string[] },
): boolean {
  if (names !== undefined) return names.includes(means.level);
  return ids.some((id) => splitId(id)?.fileId === means.prefix) || (traitsAsked(means, asked)?.size ?? 0) > 0;
}

/** Whether a unit or an observation of this number may be among those of a study. */
const isAmong = ({ numbers: { first, end } }: StudyUnits, number: number | undefined): boolean =>
  number !== undefined && number >= first && number < end;

function numbersByFile(ids: readonly string[]): Map<string, ReadonlySet<number>> {
  const numbers = new Map<string, Set<number>>();
  for (const id of ids) {
    const split = splitId(id);
    if (split?.row === undefined) continue;
    numbers.set(split.fileId, (numbers.get(split.fileId) ?? new Set()).add(split.row));
  }
  return numbers;
}

/** Units of studies among which there may be such, and what decides about each of them; null: all units. */
async function* unitsWith({ among, numbers, individuals, levels }: UnitCondition): AsyncGenerator<{
  of: StudyUnits;
  isWanted: ((records: Recorded, place: number) => boolean) | null;
}> {
  for (const of of among) {
    const own = numbers && new Set([...(numbers.get(of.prefix) ?? [])].filter((number) => isAmong(of, number)));
    const names = individuals?.get(of.study.file.id);
    if (own?.size === 0 || (individuals !== undefined && names === undefined)) continue;
    yield {
      of,
      isWanted:
        own === undefined && names === undefined && levels.length === 0
          ? null
          : (records, place) =>
              (own === undefined || own.has(of.numbers.first + place)) &&
              (names === undefined || names.has(normalizeName(records.units[place]?.individual ?? ''))) &&
              levels.every(({ path, values }) =>
                valuesAt(positionOf({ of, records, place }), path).some((value) => values.includes(value)),
              ),
    };
  }
}

/** Traits of units that are asked for; undefined: all. */
function traitsAsked({ study, traits }: StudyUnits, asked: Asked): ReadonlySet<number> | undefined {
  const [ids, names, puis] = [
    asked.take('observationVariableDbId'),
    asked.take('observationVariableName'),
    asked.take('observationVariablePUI'),
  ];
  if (ids === undefined && names === undefined && puis === undefined) return undefined;
  return new Set(
    traits.flatMap((trait, t) => {
      const { id, name, ontologyId } = variableOf(study.project, trait);
      const isAsked =
        (ids === undefined || ids.includes(id)) &&
        (names === undefined || names.includes(name)) &&
        (puis === undefined || puis.includes(ontologyId ?? ''));
      return isAsked ? [t] : [];
    }),
  );
}

const observationsOfUnit = ({ firstOfUnit }: Recorded, place: number): number[] => {
  const [first, end] = [firstOfUnit[place] ?? 0, firstOfUnit[place + 1] ?? 0];
  return Array.from({ length: end - first }, (_, k) => first + k);
};

export async function unitSegments(scope: BrapiScope, asked: Asked): Promise<Segment<UnitRow>[]> {
  const condition = await unitCondition(scope, asked);
  const segments: Segment<UnitRow>[] = [];
  for await (const { of, isWanted } of unitsWith(condition)) {
    const traits = traitsAsked(of, asked);
    const read = async (): Promise<UnitRow[]> => {
      const records = await of.read();
      return Array.from(records.unitsOf[of.environment] ?? [], (place) => ({ of, records, place }));
    };
    if (isWanted === null && traits === undefined) {
      segments.push({
        count: of.count,
        read: async (first, count) => (await read()).slice(first, first + count),
      });
    } else {
      segments.push(
        segmentOf(
          (await read()).filter(
            ({ records, place }) =>
              (isWanted?.(records, place) ?? true) &&
              (traits === undefined ||
                observationsOfUnit(records, place).some((observation) => traits.has(records.trait[observation] ?? -1))),
          ),
        ),
      );
    }
  }
  for (const name of ['observationVariableDbId', 'observationVariableName', 'observationVariablePUI']) asked.take(name);
  return segments;
}

type GermplasmOf = (row: UnitRow) => NamedGermplasm | undefined;

const individualOf = ({ records, place }: UnitRow): string => records.units[place]?.individual ?? '';

const meant = (scope: BrapiScope, rows: readonly UnitRow[]): Promise<GermplasmOf> =>
  germplasmOfRows(scope.db, rows, (row) => [row.of.study.project.crop_id, individualOf(row)]);

export const observationunits: ListEntity<UnitRow> = {
  name: 'observationunits',
  id: 'observationUnitDbId',
  hasSearch: true,
  segments: unitSegments,
  async serialize(scope, rows, asked) {
    const germplasmOf = await meant(scope, rows);
    const withObservations = asked.flag('includeObservations') === true;
    return rows.map((row) => {
      const traits = withObservations ? traitsAsked(row.of, asked) : undefined;
      const observed = withObservations
        ? observationsOfUnit(row.records, row.place)
            .filter((place) => traits?.has(row.records.trait[place] ?? -1) ?? true)
            .map((observation) => observationEntry({ ...row, observation }, germplasmOf))
        : [];
      return unitEntry(row, germplasmOf, observed);
    });
  },
};

/**
 * A line by its name, a plot by its number, a plant by its own or within its plot, or what stands on the line; unique
 * within the level of its study.
 */
function unitName({ of, records, place }: UnitRow): string {
  const unit = records.units[place];
  if (of.level === 'study') return unit?.individual ?? '';
  const { plot, plant } = unit?.design ?? {};
  if (plant !== undefined) return plot !== undefined && /^\d+$/.test(plant) ? `${plot} / ${plant}` : plant;
  return plot === undefined ? `${unit?.individual ?? ''} (line ${unit?.line ?? 0})` : plot;
}

function unitEntry(row: UnitRow, germplasmOf: GermplasmOf, observed: Json[]): Json {
  const { of, records, place } = row;
  const { id, name, project, location } = of.study;
  const unit = records.units[place];
  const design = unit?.design ?? {};
  const germplasm = germplasmOf(row);
  const said = records.collected?.units.get(place);
  return complete('observationunits', {
    observationUnitDbId: unitId(row),
    observationUnitName: unitName(row),
    germplasmDbId: germplasm?.id ?? null,
    germplasmName: germplasm?.name ?? unit?.individual ?? null,
    studyDbId: id,
    studyName: name,
    trialDbId: project.id,
    trialName: project.name,
    programDbId: project.organization_id,
    programName: project.organization_name,
    locationDbId: location?.id ?? null,
    locationName: location?.name ?? null,
    observationUnitPosition: positionOf(row),
    observations: observed,
    externalReferences: said?.external_references ?? [],
    treatments:
      design.treatment === undefined ? [] : [{ factor: said?.factor ?? 'treatment', modality: design.treatment }],
    additionalInfo:
      of.analysis === null
        ? { ...said?.additionalInfo, individual: unit?.individual ?? null, line: unit?.line ?? null, ...design }
        : { individual: unit?.individual ?? null, ...analysisOf(of) },
  });
}

/** Replicates and blocks are no units of their own. */
const WITHOUT_UNIT = { observationUnitDbId: null };

/** The trial analysis that a mean is from. */
const analysisOf = ({ analysis }: StudyUnits): Json =>
  analysis === null ? {} : { trialAnalysisDbId: analysis.id, trialAnalysisName: analysis.name };

/** The plot with its replicate and block, and its row and column where the file has them; or the line in the study. */
function positionOf(unit: UnitRow): Json {
  const { of, records, place } = unit;
  const { plot, replicate, block, row, column } = records.units[place]?.design ?? {};
  const kind = records.kinds[place];
  const own = { ...LEVELS[of.level], levelCode: of.level === 'study' ? unitName(unit) : (plot ?? String(place + 1)) };
  return {
    observationLevel: own,
    observationLevelRelationships: [
      ...(replicate === undefined ? [] : [{ ...WITHOUT_UNIT, ...LEVELS.rep, levelCode: replicate }]),
      ...(block === undefined ? [] : [{ ...WITHOUT_UNIT, ...LEVELS.block, levelCode: block }]),
      { ...own, observationUnitDbId: unitId(unit) },
    ],
    entryType: kind == null ? null : ENTRY_TYPES[plotKind(kind)],
    positionCoordinateX: column ?? null,
    positionCoordinateXType: column === undefined ? null : 'GRID_COL',
    positionCoordinateY: row ?? null,
    positionCoordinateYType: row === undefined ? null : 'GRID_ROW',
    geoCoordinates: null,
  };
}

/** Observations of a study at some places of its records, which are read with each page. */
const observationsAt = (
  of: StudyUnits,
  count: number,
  placesIn: (records: Recorded) => Int32Array,
): Segment<ObservationRow> => ({
  count,
  read: async (first, some) => {
    const records = await of.read();
    return Array.from(placesIn(records).subarray(first, first + some), (observation) => ({
      ...{ of, records, observation },
      place: records.unit[observation] ?? 0,
    }));
  },
});

/** Some observations, and those that wait to be accepted. */
function withWaiting({ unit, collected }: Recorded, places: Int32Array): Int32Array {
  const waiting = collected?.waiting ?? 0;
  const all = new Int32Array(places.length + waiting);
  all.set(places);
  for (let k = 0; k < waiting; k++) all[places.length + k] = unit.length - waiting + k;
  return all;
}

async function observationSegments(scope: BrapiScope, asked: Asked): Promise<Segment<ObservationRow>[]> {
  const ids = asked.take('observationDbId');
  const condition = await unitCondition(scope, asked, ids);
  const own = ids && new Set(ids.map((id) => id.toLowerCase()));
  // An observation without a time lies in no range.
  const isTimed = asked.timeRange('observationTimeStampRange');
  const segments: Segment<ObservationRow>[] = [];
  for await (const { of, isWanted } of unitsWith(condition)) {
    const traits = traitsAsked(of, asked);
    // An id of a written observation does not say in which file.
    const isWritten = of.level === 'plot' && of.study.file.revision > 0;
    const mayHave = (id: string): boolean => {
      const split = splitId(id);
      return split?.fileId === of.prefix && isAmong(of, split.row);
    };
    if (own !== undefined && !isWritten && !ids?.some(mayHave)) continue;
    const placesIn = ({ observationsOf, trait }: Recorded): Int32Array => {
      const all = observationsOf[of.environment] ?? new Int32Array();
      return traits === undefined ? all : all.filter((place) => traits.has(trait[place] ?? -1));
    };
    if (isWanted === null && own === undefined && isTimed === null) {
      const count = of.countOf?.(traits) ?? placesIn(await of.read()).length;
      segments.push(observationsAt(of, count, placesIn));
      continue;
    }
    const records = await of.read();
    const among = own === undefined ? placesIn(records) : withWaiting(records, placesIn(records));
    const places = among.filter(
      (observation) =>
        (isWanted?.(records, records.unit[observation] ?? -1) ?? true) &&
        (own?.has(observationId({ of, records }, observation)) ?? true) &&
        (isTimed?.(records.time[observation] ?? Number.NaN) ?? true),
    );
    segments.push(observationsAt(of, places.length, () => places));
  }
  for (const name of ['observationVariableDbId', 'observationVariableName', 'observationVariablePUI']) asked.take(name);
  return segments;
}

export const observations: ListEntity<ObservationRow> = {
  name: 'observations',
  id: 'observationDbId',
  hasSearch: true,
  segments: observationSegments,
  async serialize(scope, rows) {
    const germplasmOf = await meant(scope, rows);
    return rows.map((row) => observationEntry(row, germplasmOf));
  },
};

const seasonEntry = (season: Season | null): Json | null =>
  season === null ? null : { seasonDbId: season.id, seasonName: season.name, season: season.name, year: season.year };

function observationEntry(row: ObservationRow, germplasmOf: GermplasmOf): Json {
  const { of, records, observation } = row;
  const { study } = of;
  const trait = of.traits[records.trait[observation] ?? 0];
  const variable = trait === undefined ? undefined : variableOf(study.project, trait);
  const germplasm = germplasmOf(row);
  const time = records.time[observation] ?? Number.NaN;
  const written = records.collected?.written[observation];
  return complete('observations', {
    observationDbId: observationId(row, observation),
    observationUnitDbId: unitId(row),
    observationUnitName: unitName(row),
    observationVariableDbId: variable?.id ?? null,
    observationVariableName: variable?.name ?? null,
    germplasmDbId: germplasm?.id ?? null,
    germplasmName: germplasm?.name ?? individualOf(row),
    studyDbId: study.id,
    season: seasonEntry(study.season),
    observationTimeStamp: Number.isNaN(time) ? null : new Date(time).toISOString(),
    value: records.value[observation] || null,
    collector: written?.collector ?? null,
    externalReferences: written?.external_references ?? [],
    additionalInfo: {
      trialDbId: study.project.id,
      programDbId: study.project.organization_id,
      ...analysisOf(of),
      ...(isWaiting(records, observation) && { state: 'STAGED' }),
    },
  });
}

const isWaiting = ({ unit, collected }: Recorded, observation: number): boolean =>
  observation >= unit.length - (collected?.waiting ?? 0);
