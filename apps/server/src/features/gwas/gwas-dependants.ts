import { sql } from 'kysely';
import type { FileDependants } from '../files/index.ts';
import { cancelRuns, inputGone } from '../runs/index.ts';
import { failRunningTraits } from './gwas.queries.ts';

/** What GWAS have to say when a file they use is deleted. */
export const gwasDependants: FileDependants = {
  async listDependants(db, projectId, fileId) {
    const { rows } = await sql<{ kind: 'gwas'; id: string; name: string }>`
      select 'gwas' as kind, id, name from gwas
      where project_id = ${projectId} and deleted_at is null and (genotype_id = ${fileId} or phenotype_id = ${fileId})
      order by name
    `.execute(db);
    return rows;
  },
  async endRunsOf(db, projectId, fileId) {
    const { rows } = await sql<{ id: string }>`
      select id from gwas where project_id = ${projectId} and (genotype_id = ${fileId} or phenotype_id = ${fileId})
    `.execute(db);
    const stopped = [];
    for (const { id } of rows) {
      stopped.push(...((await cancelRuns(db, 'gwas_id', id)) ?? []));
      await failRunningTraits(db, id, inputGone());
    }
    await sql`update gwas set genotype_id = null where project_id = ${projectId} and genotype_id = ${fileId}`.execute(
      db,
    );
    await sql`update gwas set phenotype_id = null where project_id = ${projectId} and phenotype_id = ${fileId}`.execute(
      db,
    );
    return stopped;
  },
};
