import { withoutEndings } from '@heterosis/contracts/data/file-formats';
import { type FileDetail, MAX_HYBRIDS } from '@heterosis/contracts/data/files';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { hybridsApi } from '@heterosis/contracts/endpoints/work/hybrids';
import { normalizeName } from '@heterosis/file-formats/names/normalize-name';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { Problem } from '../../../platform/http/problem.ts';
import {
  cancelDerivation,
  requireDiploids,
  requireGenotype,
  requireReadyFile,
  startDerivation,
} from '../../data/files/index.ts';
import { readCatalogueOfProject } from '../../data/germplasm/index.ts';
import { noCross, renamesOf } from '../matching/index.ts';
import { crossesIn, type HybridParameters, readCrosses } from './hybrid-crosses.ts';
import { makeHybridsJob } from './jobs.ts';

/** A call takes a bit or two once it is compressed. */
const BYTES_PER_CALL = 0.2;

/** `POST …/files/{id}/hybrids`. Refuses what would end without a hybrid, before anything is written. */
export async function makeHybrids(
  { services, access, principal }: ProjectCall,
  {
    file_id: id,
    body: { name, crossing_table_id: tableId, females = [], males = [] },
  }: InputOf<typeof hybridsApi.makeHybrids>,
): Promise<FileDetail> {
  const { db } = services;
  const { projectId } = access;
  const genotype = await requireGenotype(db, projectId, id);
  requireDiploids(genotype, 'Making hybrids');
  const table = tableId === undefined ? null : await requireReadyFile(db, projectId, tableId, 'CROSSING_TABLE');
  const pools = { females: females.map(normalizeName), males: males.map(normalizeName) };
  const asked = await readCrosses(services, table, pools);
  if (asked.length > MAX_HYBRIDS)
    throw new Problem(
      'crossing/too-many-hybrids',
      `These are ${groupedNumber(asked.length)} hybrids; a file holds at most ${groupedNumber(MAX_HYBRIDS)}. Make them in parts.`,
    );
  const { names, crosses } = await crossesIn(services, genotype, asked, {
    catalogue: (written) => readCatalogueOfProject(db, projectId, written),
  });
  // Of a pool every name counts: who gives it has no table to look at.
  const [unknown] = table === null ? names.onlyRight : [];
  if (unknown !== undefined)
    throw new Problem('request/invalid', `"${unknown}" is no individual of "${genotype.name}".`, {
      invalidParams: [
        {
          name: pools.females.includes(unknown) ? 'body.females' : 'body.males',
          reason: `There is no "${unknown}" in the genotype file`,
        },
      ],
    });
  if (crosses.length === 0)
    throw new Problem(
      'match/nothing-in-common',
      table === null ? 'The two pools give no cross: they have the same one line.' : noCross(genotype, table),
    );
  const parameters: HybridParameters = {
    name: name ?? `${withoutEndings(genotype.name).slice(0, 240) || 'genotypes'}_F1.vcf.gz`,
    crossing_table_id: table?.id ?? null,
    ...pools,
    renames: renamesOf(names, undefined).renames ?? [],
  };
  return await startDerivation({ services, access, principal }, genotype, {
    job: makeHybridsJob,
    step: 'hybrids',
    parameters,
    ...(table === null ? {} : { inputs: { crossing_table: table } }),
    sizeBytes: Math.ceil(crosses.length * (genotype.column_count ?? 0) * BYTES_PER_CALL),
  });
}

/** `DELETE …/files/{id}/hybrids`. */
export async function cancelHybrids(
  call: ProjectCall,
  { file_id }: InputOf<typeof hybridsApi.cancelHybrids>,
): Promise<FileDetail> {
  return await cancelDerivation(call, file_id, 'hybrids');
}
