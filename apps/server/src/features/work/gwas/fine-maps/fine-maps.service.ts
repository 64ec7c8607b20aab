import type { InputOf } from '@heterosis/contracts/endpoint';
import type { gwasApi } from '@heterosis/contracts/endpoints/work/gwas';
import { type FineMap, MOST_FINE_MAPPED } from '@heterosis/contracts/work/fine-maps';
import { publishEvent } from '../../../../platform/events/events.ts';
import type { ProjectCall } from '../../../../platform/http/bind.ts';
import { notFound, Problem } from '../../../../platform/http/problem.ts';
import { requireRunPlace } from '../../../people/organizations/index.ts';
import { lockEntry } from '../../../people/projects/index.ts';
import { getNamedRun } from '../../runs/kind/index.ts';
import { perTrait, requireResultKey } from '../../runs/results/index.ts';
import { beginRun } from '../../runs/work/index.ts';
import { gwas } from '../gwas.kind.ts';
import { fineMapJob } from '../jobs.ts';
import { FINE_MAP_STEP, findFineMapResult, findFineMaps, insertFineMap, toFineMap } from './fine-maps.queries.ts';

/** `GET …/gwas/{id}/fine_maps`. */
export async function listFineMaps(
  { services: { db }, access: { projectId } }: ProjectCall,
  { id, query: { trait } }: InputOf<typeof gwasApi.listFineMaps>,
): Promise<{ data: Omit<FineMap, 'result'>[] }> {
  const run = await getNamedRun(gwas, db, projectId, id);
  const found = (await findFineMaps(db, run.id)).map(toFineMap);
  return { data: found.filter((one) => trait === undefined || one.trait === trait) };
}

/** `GET …/gwas/{id}/fine_maps/{fine_map_id}`. */
export async function readFineMap(
  { services: { db }, access: { projectId } }: Pick<ProjectCall, 'services' | 'access'>,
  { id, fine_map_id }: InputOf<typeof gwasApi.readFineMap>,
): Promise<FineMap> {
  const run = await getNamedRun(gwas, db, projectId, id);
  const found = (await findFineMaps(db, run.id)).find(({ row }) => row.id === fine_map_id);
  if (found === undefined) throw notFound('This fine mapping');
  return { ...toFineMap(found), result: await findFineMapResult(db, found.row.id) };
}

/** `POST …/gwas/{id}/fine_maps`: starts the work, as another step of the GWAS. */
export async function createFineMap(
  { services, access, principal }: ProjectCall,
  { id, body }: InputOf<typeof gwasApi.createFineMap>,
): Promise<FineMap> {
  const { db, tables } = services;
  const { projectId, organizationId } = access;
  const run = await getNamedRun(gwas, db, projectId, id);
  const { trait, chr, start, end } = body;
  const table = requireResultKey(trait, perTrait.requireRow(run, trait), 'table');
  if (run.genotype_id === null || run.phenotype_id === null) {
    throw new Problem(
      'models/input-gone',
      'The genotype or the phenotype file was deleted, so nothing can be computed.',
    );
  }
  const [found] = await tables.query<{ count: number }>(
    table,
    (name) => `select count(*)::int as count from ${name} where chr = $1 and pos between $2 and $3`,
    [chr, start, end],
  );
  requireMarkers(Number(found?.count ?? 0), body);
  const fineMapId = await db.transaction().execute(async (trx) => {
    if (!(await lockEntry(trx, 'gwas', projectId, run.id))) throw notFound('This GWAS');
    await requireRunPlace(trx, services.config.quotas, organizationId);
    const made = await insertFineMap(trx, run.id, body);
    await beginRun(services, trx, fineMapJob, {
      ...{ project_id: projectId, entity_kind: 'gwas', entity_id: run.id, step: FINE_MAP_STEP },
      parameters: { fine_map_id: made },
      by: { requested_by: principal.userId },
    });
    await publishEvent(trx, { type: 'gwas', id: run.id, project_id: projectId, organization_id: organizationId });
    return made;
  });
  return await readFineMap({ services, access }, { id, fine_map_id: fineMapId });
}

function requireMarkers(count: number, { chr, start, end }: { chr: string; start: number; end: number }): void {
  if (count >= 2 && count <= MOST_FINE_MAPPED) return;
  const region = `chromosome ${chr} from ${start} to ${end} bp`;
  throw new Problem(
    'fine-mapping/region',
    count < 2
      ? `${count === 0 ? 'No marker was' : 'One marker was'} tested on ${region}. Choose a larger region.`
      : `${count} markers were tested on ${region}, and ${MOST_FINE_MAPPED} can be told apart at a time. Choose a smaller region.`,
    { details: { markers: count } },
  );
}
