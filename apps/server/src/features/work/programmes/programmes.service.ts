import type { InputOf } from '@heterosis/contracts/endpoint';
import type { programmesApi } from '@heterosis/contracts/endpoints/work/programmes';
import { storedOf } from '@heterosis/contracts/options/define-options';
import { PROGRAMME_OPTIONS } from '@heterosis/contracts/options/programmes';
import type { ProgrammeDetail } from '@heterosis/contracts/work/programmes';
import { type ProgrammeSearch, searchProblems } from '@heterosis/contracts/work/programmes/programme-optimum';
import type { ProgrammeScheme } from '@heterosis/contracts/work/programmes/programme-schemes';
import { schemeSizes } from '@heterosis/contracts/work/programmes/programme-sizes';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import type { Queryable } from '../../../platform/database/database.ts';
import type { Services } from '../../../platform/http/app.ts';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { type FileRow, readMarkers, readSampleNames, requireReadyFile } from '../../data/files/index.ts';
import { requireMarkerEffects, requireModel, trainedTraits } from '../models/index.ts';
import { createNamedRun, getNamedRun } from '../runs/kind/index.ts';
import { programmes } from './programme.kind.ts';
import type { ProgrammeRow } from './programmes.queries.ts';

/** Most founders of a run. */
const MAX_FOUNDERS = 2000;

/** Checks founders, traits and schemes before anything is written. */
export async function createProgramme(
  { services, access: { projectId }, principal }: ProjectCall,
  { body }: InputOf<typeof programmesApi.createRun>,
): Promise<ProgrammeDetail> {
  const { db, storage } = services;
  const genotype = await requireReadyFile(db, projectId, body.genotype_id, 'GENOTYPE');
  const linkageMap =
    body.linkage_map_id == null ? null : await requireReadyFile(db, projectId, body.linkage_map_id, 'LINKAGE_MAP');
  const model = body.model_id == null ? null : await requireModel(db, projectId, body.model_id);
  if (model !== null) requireMarkerEffects(model);
  if (model !== null && model.genotype_id === null)
    throw new Problem(
      'models/input-gone',
      'The genotype that this model was trained on was deleted, and effects cannot be drawn without it.',
      { invalidParams: [{ name: 'body.model_id', reason: 'Its genotype was deleted' }] },
    );
  const known =
    model === null ? (body.architecture ?? []).map(({ trait }) => trait) : traitsOf(trainedTraits(model), body.traits);
  const founders = requireFounders(await readSampleNames(storage, genotype), body.founders ?? null);
  const markers = await markersFor(storage, genotype, body.schemes);
  for (const [i, scheme] of body.schemes.entries()) requirePossible(scheme, { i, founders, traits: known, markers });
  const [scheme] = body.schemes;
  if (body.optimise !== undefined && scheme !== undefined) requireSearchable(scheme, body.optimise, founders.length);
  return await createNamedRun(services, programmes, {
    project_id: projectId,
    name: body.name,
    traits: known,
    seed: body.seed,
    parameters: JSON.stringify(storedOf(PROGRAMME_OPTIONS, body)),
    genotype_id: genotype.id,
    linkage_map_id: linkageMap?.id ?? null,
    model_id: model?.id ?? null,
    has_linkage_map: linkageMap !== null,
    has_model: model !== null,
    created_by: principal.userId,
  });
}

/** A programme of the project that is not in the bin. */
export const getProgramme = (db: Queryable, projectId: string, id: string): Promise<ProgrammeRow> =>
  getNamedRun(programmes, db, projectId, id);

/** Names of the founders of a programme; none where its genotype was deleted and it names none. */
export async function founderNames(
  { db, storage }: Pick<Services, 'db' | 'storage'>,
  { project_id, genotype_id, parameters }: ProgrammeRow,
): Promise<string[]> {
  if (parameters.founders !== undefined) return parameters.founders;
  if (genotype_id === null) return [];
  return [...(await readSampleNames(storage, await requireReadyFile(db, project_id, genotype_id, 'GENOTYPE')))];
}

function traitsOf(trained: readonly string[], wanted: readonly string[] | undefined): string[] {
  const unknown = (wanted ?? []).find((trait) => !trained.includes(trait));
  if (unknown === undefined) return [...new Set(wanted ?? trained)];
  throw new Problem(
    'programmes/unknown-trait',
    `The model has no trained trait "${unknown}". Its traits are ${trained.join(', ')}.`,
    { invalidParams: [{ name: 'body.traits', reason: `There is no "${unknown}"` }] },
  );
}

function requireFounders(samples: readonly string[], wanted: readonly string[] | null): readonly string[] {
  const known = new Set(samples);
  const unknown = (wanted ?? []).filter((name) => !known.has(name));
  const names = [...new Set(wanted ?? samples)];
  const fail = (message: string, reason: string) =>
    new Problem('programmes/founders', message, { invalidParams: [{ name: 'body.founders', reason }] });
  if (unknown.length > 0)
    throw fail(
      `${groupedNumber(unknown.length)} of the founders are not in the genotype: ${unknown.slice(0, 5).join(', ')}.`,
      'Not in the genotype',
    );
  if (names.length > MAX_FOUNDERS)
    throw fail(
      `A programme begins with at most ${groupedNumber(MAX_FOUNDERS)} founders, and these are ${groupedNumber(names.length)}. Choose some of them.`,
      'Too many',
    );
  return names;
}

/** Names of the markers of the genotype; none where no scheme names loci. */
async function markersFor(
  storage: Services['storage'],
  genotype: FileRow,
  schemes: readonly ProgrammeScheme[],
): Promise<ReadonlySet<string>> {
  const isNamed = schemes.some(({ start, cycle, end = [] }) =>
    [...start, ...cycle, ...end].some((stage) => stage.do === 'score' && stage.loci !== undefined),
  );
  return new Set(isNamed ? (await readMarkers(storage, genotype)).id : []);
}

/** Refuses a search whose smallest numbers are beyond the budget. */
function requireSearchable(scheme: ProgrammeScheme, search: ProgrammeSearch, founders: number): void {
  const [problem] = searchProblems(scheme, search, founders);
  if (problem === undefined) return;
  throw new Problem('programmes/search-impossible', `${problem.message}.`, {
    invalidParams: [{ name: `body.optimise.${problem.field}`, reason: problem.message }],
  });
}

interface Known {
  /** Place of the scheme in the request. */
  i: number;
  founders: readonly string[];
  traits: readonly string[];
  markers: ReadonlySet<string>;
}

/** Refuses schemes whose numbers cannot be, or that name traits, founders or markers that there are not. */
function requirePossible(scheme: ProgrammeScheme, { i, founders, traits, markers }: Known): void {
  const fail = (place: string, field: string, message: string) =>
    new Problem('programmes/scheme-impossible', `Scheme "${scheme.name}", ${place}, ${field}: ${message}.`, {
      invalidParams: [{ name: `body.schemes.${i}`, reason: message }],
    });
  for (const list of ['start', 'cycle', 'end'] as const) {
    for (const [index, stage] of (scheme[list] ?? []).entries()) {
      const place = `${list}, stage ${index + 1} (${stage.do})`;
      if ('trait' in stage && stage.trait !== undefined && !traits.includes(stage.trait))
        throw fail(place, 'trait', `There is no trait "${stage.trait}"; there are ${traits.join(', ')}`);
      const unknown = stage.do === 'take' ? stage.individuals?.find((name) => !founders.includes(name)) : undefined;
      if (unknown !== undefined) throw fail(place, 'individuals', `There is no founder "${unknown}"`);
      const locus = stage.do === 'score' ? stage.loci?.find((name) => !markers.has(name)) : undefined;
      if (locus !== undefined) throw fail(place, 'loci', `There is no marker "${locus}"`);
    }
  }
  const [problem] = schemeSizes(scheme, founders.length).problems;
  if (problem !== undefined) throw fail(`${problem.list}, stage ${problem.index + 1}`, problem.field, problem.message);
}
