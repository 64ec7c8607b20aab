import { type Coancestries, MAX_PEDIGREE_SIZE, type Pedigree } from '@heterosis/contracts/data/pedigree';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { pedigreeApi } from '@heterosis/contracts/endpoints/data/pedigree';
import { descentOf } from '@heterosis/file-formats/tables/pedigree/descent';
import { type Inbreeding, inbreedingOf } from '@heterosis/statgen/pedigree/inbreeding';
import { createPedigree, type Descent, type Pedigree as SortedPedigree } from '@heterosis/statgen/pedigree/pedigree';
import { relationshipsAmong } from '@heterosis/statgen/pedigree/relationships';
import { StatgenError } from '@heterosis/statgen/statgen-error';
import type { Queryable } from '../../../platform/database/database.ts';
import type { Services } from '../../../platform/http/app.ts';
import type { OrganizationCall, ProjectCall } from '../../../platform/http/bind.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { type GermplasmScope, ofOrganization, ofProject } from '../germplasm/index.ts';
import {
  countInScope,
  cropOfProject,
  listAncestors,
  listNamed,
  listPairProgeny,
  listPedigree,
  type PedigreeRow,
  type ProgenyRow,
} from './pedigree.queries.ts';

/** `GET /organizations/{o}/pedigree`. */
export async function getPedigreeOfOrganization(
  { services, access }: OrganizationCall,
  { query: { crop_id, around } }: InputOf<typeof pedigreeApi.getPedigreeOfOrganization>,
): Promise<Pedigree> {
  const { scope } = ofOrganization(access, crop_id);
  return await getPedigree(services, { seeds: scope, within: scope, around });
}

/** `GET /projects/{p}/pedigrees`. */
export async function getPedigreeOfProject(
  { services, access }: ProjectCall,
  { query: { whole_crop, around } }: InputOf<typeof pedigreeApi.getPedigreeOfProject>,
): Promise<Pedigree> {
  const within = (await ofProject(services.db, access)).scope;
  const seeds = whole_crop === true ? within : (await ofProject(services.db, access, { inProject: true })).scope;
  return await getPedigree(services, { seeds, within, around });
}

/** `GET /organizations/{o}/pedigree/coancestries`. */
export async function getCoancestriesOfOrganization(
  { services, access }: OrganizationCall,
  { query }: InputOf<typeof pedigreeApi.getCoancestriesOfOrganization>,
): Promise<Coancestries> {
  return await getCoancestries(services, ofOrganization(access).scope, query.id);
}

/** `GET /projects/{p}/pedigrees/coancestries`. */
export async function getCoancestriesOfProject(
  { services, access }: ProjectCall,
  { query }: InputOf<typeof pedigreeApi.getCoancestriesOfProject>,
): Promise<Coancestries> {
  return await getCoancestries(services, (await ofProject(services.db, access)).scope, query.id);
}

/** Whose graph is asked for. */
interface PedigreeRequest {
  seeds: GermplasmScope;
  within: GermplasmScope;
  around?: string | undefined;
}

/**
 * A pedigree with the inbreeding of everybody. Sorting and coefficients of 20,000 individuals take about as long as
 * writing them as JSON, so that the request itself computes them.
 */
async function getPedigree({ db }: Services, { seeds, within, around }: PedigreeRequest): Promise<Pedigree> {
  const total = await countInScope(db, seeds);
  const found = await listPedigree(db, { seeds, within, around, limit: MAX_PEDIGREE_SIZE });
  if (around !== undefined && found.length === 0) throw notFound();
  const isCut = found.length > MAX_PEDIGREE_SIZE || (around === undefined && total > found.length);
  const rows = found.slice(0, MAX_PEDIGREE_SIZE);
  const { pedigree, inbreeding, maternal, paternal } = sorted(rows);
  return {
    total,
    cut: isCut,
    individuals: rows.map(({ id, name, collection, cross_type, selfing_generations }, i) => ({
      ...{ id, name, collection, cross_type, selfing_generations },
      maternal: maternal[i] ?? null,
      paternal: paternal[i] ?? null,
      generation: pedigree.generation[pedigree.place[i] ?? 0] ?? 0,
      inbreeding: isCut ? null : (inbreeding.coefficients[pedigree.place[i] ?? 0] ?? null),
    })),
  };
}

/** Coancestries of some germplasm, by all of their ancestors. */
async function getCoancestries(
  { db }: Services,
  within: GermplasmScope,
  ids: readonly string[],
): Promise<Coancestries> {
  const wanted = [...new Set(ids)];
  const rows = await listAncestors(db, within, wanted, MAX_PEDIGREE_SIZE);
  if (rows.length > MAX_PEDIGREE_SIZE) {
    throw new Problem('pedigree/too-large', `These germplasm have more than ${MAX_PEDIGREE_SIZE} ancestors.`);
  }
  const placeOf = new Map(rows.map(({ id }, row) => [id, row]));
  if (wanted.some((id) => !placeOf.has(id))) throw notFound();
  const { pedigree, inbreeding } = sorted(rows);
  const places = Int32Array.from(wanted, (id) => pedigree.place[placeOf.get(id) ?? 0] ?? 0);
  const { data } = relationshipsAmong(pedigree, inbreeding, places);
  return { ids: wanted, values: Array.from(data, (value) => value / 2) };
}

/** Some germplasm with all ancestors, for a compute process. */
export interface StoredPedigree {
  names: string[];
  /** Positions; −1 where unknown. */
  maternal: number[];
  paternal: number[];
  /** As in a `PedigreeTable`; null for the infinity of a fully inbred line, which a message cannot carry. */
  selfings: (number | null)[];
}

/** More are not read for a run: some 50 MB. */
const MOST_ANCESTORS = 200_000;

/** The germplasm of a project's crop that has one of these names, with all ancestors. */
export async function readStoredPedigree(
  db: Queryable,
  projectId: string,
  names: readonly string[],
): Promise<StoredPedigree> {
  const within = await cropOfProject(db, projectId);
  if (within === undefined) return { names: [], maternal: [], paternal: [], selfings: [] };
  const rows = await listAncestors(db, within, await listNamed(db, within, names), MOST_ANCESTORS);
  const { maternal, paternal, selfings } = positionsOf(rows.slice(0, MOST_ANCESTORS));
  return {
    names: rows.slice(0, MOST_ANCESTORS).map(({ name }) => name),
    maternal: Array.from(maternal),
    paternal: Array.from(paternal),
    selfings: Array.from(selfings, (value) => (Number.isFinite(value) ? value : null)),
  };
}

/** A line of each pair of these parents that the germplasm of a project's crop has; nothing without a crop. */
export async function listProgeny(db: Queryable, projectId: string, parents: readonly string[]): Promise<ProgenyRow[]> {
  const within = await cropOfProject(db, projectId);
  return within === undefined ? [] : await listPairProgeny(db, within, parents);
}

const notFound = (): Problem => new Problem('request/not-found', 'There is no such germplasm.');

interface Sorted {
  pedigree: SortedPedigree;
  inbreeding: Inbreeding;
  /** Positions of the parents among the rows as shown; the one plant of a selfing or a doubled haploid is both. */
  maternal: (number | null)[];
  paternal: (number | null)[];
}

function sorted(rows: readonly PedigreeRow[]): Sorted {
  const positions = positionsOf(rows);
  const pedigree = withoutLoop(rows, () => createPedigree(positions));
  const shown = (values: Int32Array): (number | null)[] => Array.from(values, (place) => (place < 0 ? null : place));
  return {
    pedigree,
    inbreeding: inbreedingOf(pedigree),
    maternal: shown(positions.maternal),
    paternal: shown(positions.paternal),
  };
}

function positionsOf(rows: readonly PedigreeRow[]): Required<Descent> {
  const n = rows.length;
  const placeOf = new Map(rows.map(({ id }, row) => [id, row]));
  const positions = { maternal: new Int32Array(n).fill(-1), paternal: new Int32Array(n).fill(-1) };
  const selfings = new Float64Array(n);
  for (const [i, row] of rows.entries()) {
    const place = (id: string | null): number | null => (id === null ? null : (placeOf.get(id) ?? null));
    const [mother, father] = [place(row.maternal_id), place(row.paternal_id)];
    const content = { crossType: row.cross_type, selfingGenerations: row.selfing_generations };
    // A clone of two plants cannot be one; the parents are kept as those of a cross.
    const descent = descentOf(mother, father, content) ?? { maternal: mother, paternal: father, selfings: 0 };
    positions.maternal[i] = descent.maternal ?? -1;
    positions.paternal[i] = descent.paternal ?? -1;
    selfings[i] = descent.selfings;
  }
  return { ...positions, selfings };
}

/** Uploads and changes refuse loops; one that two of them made at once is named. */
function withoutLoop(rows: readonly PedigreeRow[], create: () => SortedPedigree): SortedPedigree {
  try {
    return create();
  } catch (error) {
    if (!(error instanceof StatgenError && error.code === 'pedigree-loop')) throw error;
    const names = String(error.details['loop'])
      .split(' ')
      .map((place) => rows[Number(place)]?.name ?? '?');
    throw new Problem('pedigree/loop', `The pedigree runs in a circle: ${names.join(' ← ')}.`, { cause: error });
  }
}
