import type { InputOf } from '@heterosis/contracts/endpoint';
import type { programmesApi } from '@heterosis/contracts/endpoints/work/programmes';
import type { ProgrammeMaterialBody } from '@heterosis/contracts/work/programmes';
import type { Services } from '../../../platform/http/app.ts';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { readObject } from '../../../platform/object-storage/stored-panel.ts';
import { findFile, readSampleNames, requireReadyFile } from '../../data/files/index.ts';
import { requireModel, trainedTraits } from '../models/index.ts';
import { listAnalysedTraits } from './analysed-traits.queries.ts';

/** `GET …/programme_material`. */
export async function getMaterial(
  { services, access: { projectId } }: ProjectCall,
  { query }: InputOf<typeof programmesApi.getMaterial>,
): Promise<ProgrammeMaterialBody> {
  const { db, storage } = services;
  const genotype = await requireReadyFile(db, projectId, query.genotype_id, 'GENOTYPE');
  return {
    founders: [...(await readSampleNames(storage, genotype))],
    loci: genotype.column_count ?? 0,
    phased: genotype.meta.panel?.phased ?? false,
    heterozygous_share: null,
    model: await modelOf(services, projectId, query.model_id),
    variances: await variancesOf(services, projectId),
  };
}

async function modelOf(
  { db }: Pick<Services, 'db'>,
  projectId: string,
  id: string | undefined,
): Promise<ProgrammeMaterialBody['model']> {
  if (id === undefined) return null;
  const model = await requireModel(db, projectId, id);
  const genotype = model.genotype_id === null ? undefined : await findFile(db, projectId, model.genotype_id);
  return {
    records: genotype?.row_count ?? 0,
    markers: genotype?.column_count ?? 0,
    traits: trainedTraits(model),
    genetic_variances: Object.fromEntries(
      model.trait_rows.map(({ trait, variance }) => [trait, variance === null ? null : explained(variance)]),
    ),
  };
}

/** A share p of the variance of the values is explained, and 1 − p is the residual. */
function explained({ residual, kinship_pve: share }: { residual: number; kinship_pve: number }): number | null {
  return share < 1 ? (residual * share) / (1 - share) : null;
}

/** What is read of the figures of trials and of their series. */
interface StoredFigures {
  data?: { state: string; variances: Record<string, { value: number }> }[];
  genetic_covariance?: number[][];
}

async function variancesOf(
  { db, storage }: Pick<Services, 'db' | 'storage'>,
  projectId: string,
): Promise<ProgrammeMaterialBody['variances']> {
  const found: ProgrammeMaterialBody['variances'] = [];
  for (const { trait, analysis, trials, series } of await listAnalysedTraits(db, projectId)) {
    const read = async (key: string | null): Promise<StoredFigures> =>
      key === null ? {} : JSON.parse(new TextDecoder().decode(await readObject(storage, key)));
    const errors = ((await read(trials)).data ?? []).flatMap(({ state, variances }) =>
      state === 'ANALYSED' && variances['residual'] !== undefined
        ? [variances['residual'].value + (variances['units']?.value ?? 0)]
        : [],
    );
    if (errors.length === 0) continue;
    const { genetic_covariance: covariance } = await read(series);
    found.push({ trait, plot: medianOf(errors), ...acrossEnvironments(covariance), analysis });
  }
  return found;
}

/** Of lines over environments the mean covariance, of line × environment the mean variance less that. */
function acrossEnvironments(covariance: number[][] | undefined): {
  environment: number | null;
  genetic: number | null;
} {
  const n = covariance?.length ?? 0;
  if (covariance === undefined || n < 2) return { environment: null, genetic: null };
  let own = 0;
  let across = 0;
  for (const [i, row] of covariance.entries())
    for (const [j, value] of row.entries())
      if (i === j) own += value / n;
      else across += value / (n * (n - 1));
  return { environment: Math.max(0, own - across), genetic: Math.max(0, across) };
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}
