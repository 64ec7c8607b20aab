import type { TrialOfProject } from '../../data/trials/index.ts';
import type { ProjectRow } from '../../people/projects/index.ts';
import type { Asked } from '../asked.ts';
import type { Json } from '../envelope.ts';
import { individualsOfGermplasm } from '../germplasm-names.ts';
import { complete, type ListEntity, segmentOf } from '../list-entity.ts';
import { announcedAsked, type BrapiScope, type Program, projectsAsked, studiesAsked } from '../scope.ts';
import {
  announcedPlaces,
  isPhenotype,
  type Location,
  placesOf,
  type Season,
  type Study,
  seasonsOf,
} from '../studies.ts';
import { areaOf, isWithin } from './areas.ts';
import { withIndividuals } from './individuals.ts';
import { LEVELS, meansOfStudy } from './levels.ts';
import { variablesOfStudy } from './variables.ts';

export const programs: ListEntity<Program> = {
  name: 'programs',
  id: 'programDbId',
  hasSearch: true,
  async segments(scope, asked) {
    const crops = asked.take('commonCropName');
    return [
      segmentOf(
        (await scope.listPrograms()).filter(
          (program) => crops === undefined || crops.some((crop) => program.crops.includes(crop)),
        ),
      ),
    ];
  },
  serialize: (_scope, rows) =>
    rows.map(({ id, name, description, crops }) =>
      complete('programs', {
        programDbId: id,
        programName: name,
        objective: description,
        commonCropName: crops[0] ?? null,
        additionalInfo: { commonCropNames: crops },
      }),
    ),
};

/** Filters of trials that are about their studies. */
const OF_STUDIES = ['studyDbId', 'studyName', 'locationDbId', 'locationName'];

export const trials: ListEntity<ProjectRow> = {
  name: 'trials',
  id: 'trialDbId',
  hasSearch: true,
  paths: { contactDbId: 'contacts.contactDbId' },
  async segments(scope, asked) {
    const projects = projectsAsked(scope, asked);
    // Projects have no dates of their own, so none lies in a range of dates.
    const isDated = [asked.take('searchDateRangeStart'), asked.take('searchDateRangeEnd')].some(Boolean);
    if (isDated) return [];
    if (!asked.has(...OF_STUDIES)) return [segmentOf(projects)];
    const studies = atLocations(await studiesAsked(scope, asked), asked);
    const having = new Set(studies.map(({ project }) => project.id));
    return [segmentOf(projects.filter(({ id }) => having.has(id)))];
  },
  serialize: (_scope, rows) =>
    rows.map((project) =>
      complete('trials', {
        trialDbId: project.id,
        trialName: project.name,
        trialDescription: project.description,
        active: true,
        commonCropName: project.crop_name,
        programDbId: project.organization_id,
        programName: project.organization_name,
      }),
    ),
};

function atLocations(studies: readonly Study[], asked: Asked): Study[] {
  const ids = asked.take('locationDbId');
  const names = asked.take('locationName');
  return studies.filter(
    ({ location }) =>
      (ids === undefined || ids.includes(location?.id ?? '')) &&
      (names === undefined || names.includes(location?.name ?? '')),
  );
}

export const studies: ListEntity<Study> = {
  name: 'studies',
  id: 'studyDbId',
  hasSearch: true,
  paths: { seasonDbId: 'seasons', observationVariableDbId: 'observationVariableDbIds' },
  async segments(scope, asked) {
    const placed = atLocations(await studiesAsked(scope, asked), asked);
    const names = asked.take('observationVariableName');
    const puis = asked.take('observationVariablePUI');
    const measured = placed.filter((study) => {
      const variables = isPhenotype(study) ? variablesOfStudy(study) : [];
      return (
        (names === undefined || variables.some(({ name }) => names.includes(name))) &&
        (puis === undefined || variables.some(({ ontologyId }) => puis.includes(ontologyId ?? '')))
      );
    });
    return [segmentOf(await withGermplasm(scope, measured, asked))];
  },
  serialize: (scope, rows) => Promise.all(rows.map((study) => studyEntry(scope, study))),
};

/** Studies with one of the germplasm that are asked for. */
async function withGermplasm(scope: BrapiScope, studies: readonly Study[], asked: Asked): Promise<Study[]> {
  const [ids, names] = [asked.take('germplasmDbId'), asked.take('germplasmName')];
  if (ids === undefined && names === undefined) return [...studies];
  const found = await individualsOfGermplasm(scope, { ids, names });
  const kept = await Promise.all(
    studies.map(async (study) => (await withIndividuals(scope, study, found.get(study.file.id))) > 0),
  );
  return studies.filter((_, place) => kept[place]);
}

export const STUDY_TYPES = { genotype: 'Genotyping', phenotype: 'Phenotyping' } as const;

async function studyEntry(scope: BrapiScope, study: Study): Promise<Json> {
  const { id, name, kind, file, project, location, season } = study;
  const trial = isPhenotype(study) ? study.trial : undefined;
  return complete('studies', {
    studyDbId: id,
    studyName: name,
    studyType: STUDY_TYPES[kind],
    studyDescription: file.description,
    active: trial?.state !== 'CLOSED',
    ...(trial !== undefined && {
      startDate: dayOf(trial.sown_on),
      endDate: dayOf(trial.harvested_on),
      experimentalDesign: designOf(trial),
      externalReferences: trial.client_details?.externalReferences ?? [],
    }),
    commonCropName: project.crop_name,
    trialDbId: project.id,
    trialName: project.name,
    locationDbId: location?.id ?? null,
    locationName: location?.name ?? null,
    seasons: season === null ? [] : [season.id],
    lastUpdate: { timestamp: file.updated_at, version: file.sha256 },
    observationLevels: isPhenotype(study)
      ? [...((await meansOfStudy(scope, study)) === undefined ? [] : [LEVELS.study]), LEVELS.plot]
      : [],
    observationVariableDbIds: isPhenotype(study) ? variablesOfStudy(study).map((variable) => variable.id) : [],
    additionalInfo: {
      ...trial?.client_details?.additionalInfo,
      programDbId: project.organization_id,
      programName: project.organization_name,
      fileName: file.name,
      environment: isPhenotype(study) ? (study.design.environments[study.environment]?.name ?? null) : null,
    },
  });
}

export const dayOf = (day: string | null): string | null => (day === null ? null : `${day}T00:00:00.000Z`);

/** Designs that were made here have no ids of an ontology. */
function designOf({ design, client_details: said }: TrialOfProject): Json | null {
  const name = design?.request['design'];
  return typeof name === 'string' ? { PUI: null, description: name } : ((said?.experimentalDesign as Json) ?? null);
}

export const locations: ListEntity<Location> = {
  name: 'locations',
  id: 'locationDbId',
  hasSearch: true,
  async segments(scope, asked) {
    // No location has a height.
    const isOfHeight = ['altitudeMin', 'altitudeMax'].map((name) => asked.take(name)).some(Boolean);
    if (isOfHeight) return [];
    const areas = asked.take('coordinates')?.map(areaOf);
    const announced = announcedPlaces(await announcedAsked(scope, asked));
    const places = placesOf(await studiesAsked(scope, asked), announced);
    return [
      segmentOf(
        places.filter(
          ({ coordinates }) =>
            areas === undefined ||
            (coordinates !== null && areas.some((area) => area !== undefined && isWithin(area, coordinates))),
        ),
      ),
    ];
  },
  serialize: (_scope, rows) =>
    rows.map(({ id, name, cropName, organizationId, coordinates }) =>
      complete('locations', {
        locationDbId: id,
        coordinates: coordinates && {
          type: 'Feature',
          geometry: { type: 'Point', coordinates: [coordinates.longitude, coordinates.latitude] },
        },
        locationName: name,
        locationType: 'Field',
        additionalInfo: { programDbId: organizationId, commonCropName: cropName },
      }),
    ),
};

export const seasons: ListEntity<Season> = {
  name: 'seasons',
  id: 'seasonDbId',
  hasSearch: false,
  paths: { season: 'seasonName' },
  segments: async (scope, asked) => {
    const announced = await announcedAsked(scope, asked);
    return [segmentOf(seasonsOf(await studiesAsked(scope, asked), announced))];
  },
  serialize: (_scope, rows) =>
    rows.map(({ id, name, year }) => complete('seasons', { seasonDbId: id, seasonName: name, year })),
};
