import { MAX_TRIAL_TRAITS } from '@heterosis/contracts/data/trials';
import type { Principal } from '../../../platform/http/access.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { type ClientDetails, changeTrialIn, draftTrialIn, type TrialFields } from '../../data/trials/index.ts';
import { listProjectTraits, type ProjectRow } from '../../people/projects/index.ts';
import { requireWriting } from '../collecting/write-access.ts';
import type { CollectingServices } from '../collecting/write-collection.ts';
import { variableIdsOf } from '../entities/variables.ts';
import type { Json } from '../envelope.ts';
import { type BrapiScope, projectToWrite } from '../scope.ts';
import {
  announcedPlaces,
  isPhenotype,
  type Location,
  type PhenotypeStudy,
  placesOf,
  type Season,
  seasonsOf,
} from '../studies.ts';
import { fieldNotHeld, type NewStudy } from './study-bodies.ts';

/** A study as a client wrote it; `given` is all of it, with the fields that a trial does not have. */
export interface WrittenStudy {
  entry: NewStudy;
  given: Json;
  where: string;
}

/** `POST /studies`: makes a DRAFT trial of each, all or none; their plots come as observation units. Returns ids. */
export async function addStudies(
  services: CollectingServices,
  scope: BrapiScope,
  written: readonly WrittenStudy[],
): Promise<string[]> {
  const trials: { who: Who; fields: TrialFields }[] = [];
  for (const study of written) {
    const { entry, where } = study;
    const { additionalInfo } = entry;
    const project = projectToWrite(scope, { ...entry, programDbId: additionalInfo['programDbId'] }, where);
    if (entry.active === false)
      throw refused(where, 'a trial begins as a draft, and it ends when it is closed. Leave out "active"');
    const who = await whoWrites(services, scope.principal, project);
    trials.push({ who, fields: await fieldsOf(scope, project, study) });
  }
  return await services.db.transaction().execute(async (trx) => {
    const ids: string[] = [];
    for (const { who, fields } of trials) ids.push(await draftTrialIn(trx, who, fields));
    return ids;
  });
}

/** `PUT /studies/{studyDbId}`: changes a trial, and closes or reopens it (`active`). */
export async function changeStudy(
  services: CollectingServices,
  scope: BrapiScope,
  study: PhenotypeStudy,
  written: WrittenStudy,
): Promise<void> {
  const { trial, project } = study;
  const { entry, where } = written;
  if (trial === undefined)
    throw refused(where, 'this study is a phenotype file, and only trials are changed here. Open the file as a trial');
  const who = await whoWrites(services, scope.principal, project);
  if ((entry.trialDbId ?? project.id) !== project.id)
    throw refused(`${where}.trialDbId`, `the study is in the trial "${project.name}" and stays in it`);
  const { plot_name: _template, ...fields } = await fieldsOf(scope, project, written, study);
  const changed = Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(trial[name as keyof typeof trial] ?? null),
    ),
  );
  const isClosing = (entry.active ?? true) === (trial.state === 'CLOSED');
  await services.db.transaction().execute((trx) =>
    changeTrialIn(trx, who, trial.id, {
      ...changed,
      ...(isClosing && { state: trial.state === 'CLOSED' ? 'SOWN' : 'CLOSED' }),
    }),
  );
}

interface Who {
  access: Awaited<ReturnType<typeof requireWriting>>;
  principal: Principal;
}

const whoWrites = async (services: CollectingServices, principal: Principal, { id }: ProjectRow): Promise<Who> => ({
  access: await requireWriting(services, principal, id),
  principal,
});

const refused = (where: string, reason: string): Problem =>
  new Problem('request/invalid', `${where}: ${reason}. Nothing was saved.`);

/** Names in `additionalInfo` that we say of each study; a client that sends back what it read sends them too. */
const OUR_INFO = new Set(['programDbId', 'programName', 'fileName', 'environment']);

/** `before`: the study as it is, which keeps its place and season when a client names them by its ids. */
async function fieldsOf(
  scope: BrapiScope,
  project: ProjectRow,
  { entry, given, where }: WrittenStudy,
  before?: PhenotypeStudy,
): Promise<TrialFields> {
  const notHeld = fieldNotHeld(given);
  if (notHeld !== undefined)
    throw refused(
      `${where}.${notHeld}`,
      'a trial has no place for it. Leave it out, or say it in additionalInfo or studyDescription',
    );
  const { studyType } = entry;
  if (studyType != null && studyType !== '' && studyType.toLowerCase() !== 'phenotyping')
    throw refused(`${where}.studyType`, `a trial is of the type "Phenotyping", not "${studyType}"`);
  const studies = (await scope.listStudies()).filter(
    (study) => study.project.organization_id === project.organization_id,
  );
  const announced = (await scope.listAnnounced()).filter(({ organization_id: id }) => id === project.organization_id);
  const known = before?.trial;
  return {
    name: entry.studyName,
    description: entry.studyDescription || null,
    ...placeOf(placesOf(studies, announcedPlaces(announced)), entry, { where, before }),
    season: seasonNamed(seasonsOf(studies, announced), entry, where),
    ...{ sown_on: entry.startDate, harvested_on: entry.endDate },
    ...{ plot_length_m: known?.plot_length_m ?? null, plot_width_m: known?.plot_width_m ?? null },
    traits:
      entry.observationVariableDbIds == null && known !== undefined
        ? known.traits
        : await traitsOf(scope, project, entry, where),
    plot_name: '{plot}',
    client_details: detailsOf(entry, known?.design != null),
  };
}

function placeOf(
  places: readonly Location[],
  { locationDbId: id, locationName: name }: NewStudy,
  { where, before }: { where: string; before: PhenotypeStudy | undefined },
): Pick<TrialFields, 'location_name' | 'latitude' | 'longitude'> {
  const byId = id == null || id === '' ? undefined : places.find((place) => place.id === id);
  if (id != null && id !== '' && byId === undefined)
    throw refused(`${where}.locationDbId`, `there is no place "${id}". A new place needs its locationName only`);
  if (byId !== undefined && name != null && name !== '' && name !== byId.name)
    throw refused(`${where}.locationName`, `the place of this locationDbId is "${byId.name}". Name one of both`);
  const location = byId?.name ?? name ?? '';
  if (location === '')
    throw refused(where, 'a trial needs a place: locationName, or the locationDbId of another study');
  const place =
    before?.trial?.location_name === location
      ? before.trial
      : (byId ?? places.find((one) => one.name === location))?.coordinates;
  return { location_name: location, latitude: place?.latitude ?? null, longitude: place?.longitude ?? null };
}

/** A trial has one season: the text, the id of a season of another study, or the year in which it began. */
function seasonNamed(seasons: readonly Season[], entry: NewStudy, where: string): string {
  const given = (entry.seasons ?? []).filter((season) => season !== '');
  const [season] = given;
  if (given.length > 1)
    throw refused(`${where}.seasons`, `a trial has one season, and ${given.length} are given: make a study for each`);
  if (season === undefined) {
    const year = entry.startDate?.slice(0, 4);
    if (year === undefined) throw refused(where, 'a trial needs a season: one of seasons, or a startDate');
    return year;
  }
  const name = seasons.find(({ id }) => id === season)?.text ?? season;
  if (name.length > 50) throw refused(`${where}.seasons`, 'the name of a season has at most 50 characters');
  return name;
}

/** Names of the traits of variables, in their order, each once. */
async function traitsOf(
  { db }: BrapiScope,
  project: ProjectRow,
  { observationVariableDbIds }: NewStudy,
  where: string,
): Promise<string[]> {
  const ids = [...new Set(observationVariableDbIds ?? [])];
  if (ids.length > MAX_TRIAL_TRAITS)
    throw refused(`${where}.observationVariableDbIds`, `a trial has at most ${MAX_TRIAL_TRAITS} traits`);
  if (ids.length === 0) return [];
  const byId = new Map(
    (await listProjectTraits(db, project.id)).flatMap((trait) =>
      variableIdsOf(project, trait).map((id): [string, string] => [id, trait.name]),
    ),
  );
  return [
    ...new Set(
      ids.map((id) => {
        const name = byId.get(id);
        if (name === undefined)
          throw refused(
            `${where}.observationVariableDbIds`,
            `the traits of the project "${project.name}" lack the variable "${id}". Add it to the list of traits first`,
          );
        return name;
      }),
    ),
  ];
}

function detailsOf(
  { additionalInfo, externalReferences, experimentalDesign }: NewStudy,
  isDesignedHere: boolean,
): ClientDetails | null {
  const info = Object.fromEntries(Object.entries(additionalInfo).filter(([name]) => !OUR_INFO.has(name)));
  const { PUI, description } = experimentalDesign ?? {};
  const details: ClientDetails = {
    ...(Object.keys(info).length > 0 && { additionalInfo: info }),
    ...(externalReferences.length > 0 && { externalReferences }),
    // What was designed here is said by its own design.
    ...(!isDesignedHere &&
      (PUI || description) && { experimentalDesign: { PUI: PUI || null, description: description || null } }),
  };
  return Object.keys(details).length === 0 ? null : details;
}

/** The study of an id, as one with plots. */
export async function studyWithPlots(scope: BrapiScope, id: string): Promise<PhenotypeStudy | undefined> {
  return (await scope.listStudies()).filter(isPhenotype).find((study) => study.id === id);
}
