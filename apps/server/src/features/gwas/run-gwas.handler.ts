import { join } from 'node:path';
import type { ComputePool } from '../../platform/compute/compute.ts';
import { publishEvent } from '../../platform/events/events.ts';
import type { Services } from '../../platform/http/app.ts';
import { type JobRegistration, registerJob } from '../../platform/job-queue/job.ts';
import { downloadInputs, findFile } from '../files/index.ts';
import {
  createProgressWriter,
  type ErrorExtra,
  errorExtraOf,
  failRun,
  finishRun,
  inputGone,
  isCurrentRun,
  ofFailure,
  takeUpRun,
  withWorkDirectory,
} from '../runs/index.ts';
import { failRunningTraits, findGwas, type GwasResultKind, updateGwasTrait } from './gwas.queries.ts';
import type { GwasInput, GwasTraitOutput } from './run-gwas.compute.ts';
import { runGwasJob } from './run-gwas.job.ts';

const COMPUTE = new URL('./run-gwas.compute.ts', import.meta.url);

export function runGwasRegistration(services: Services & { compute: ComputePool }): JobRegistration {
  const { db, storage, config, logger, compute } = services;

  /** Ends the run and every trait that has no result. */
  const fail = async (projectId: string, gwasId: string, runId: string, error: ErrorExtra): Promise<void> => {
    await db.transaction().execute(async (trx) => {
      if (!(await failRun(trx, runId, error))) return;
      await failRunningTraits(trx, gwasId, error);
      await publishEvent(trx, { type: 'gwas', id: gwasId, project_id: projectId, organization_id: null });
    });
  };

  return registerJob(
    runGwasJob,
    async ({ payload, signal }) => {
      const { project_id: projectId, gwas_id: gwasId, run_id: runId } = payload;
      const attempt = await takeUpRun(db, runId);
      const gwas = await findGwas(db, projectId, gwasId);
      // Ended, cancelled, or deleted meanwhile: nothing to do.
      if (attempt === undefined || !gwas) return;
      const traits = gwas.trait_rows.filter((row) => row.status === 'PROCESSING').map((row) => row.trait);
      const genotype = gwas.genotype_id === null ? undefined : await findFile(db, projectId, gwas.genotype_id);
      const phenotype = gwas.phenotype_id === null ? undefined : await findFile(db, projectId, gwas.phenotype_id);
      if (!genotype || !phenotype) return fail(projectId, gwasId, runId, inputGone());
      const event = { type: 'gwas', id: gwasId, project_id: projectId, organization_id: null } as const;

      try {
        await withWorkDirectory(config, async (directory) => {
          const { panelPrefix, tablePath } = await downloadInputs(storage, directory, genotype, phenotype);
          const input: GwasInput = {
            panelPrefix,
            phenotypePath: tablePath,
            outPrefix: join(directory, 'gwas'),
            traits: gwas.traits.filter((trait) => traits.includes(trait)),
            test: gwas.test,
            fixed: gwas.fixed,
            maf: gwas.thresh_maf,
            callRate: gwas.thresh_callrate,
            renames: gwas.parameters.renames ?? [],
          };
          const outputs = await compute.run<GwasInput, GwasTraitOutput[]>(COMPUTE, input, {
            signal,
            onProgress: createProgressWriter(db, { runId, attempt, event, traits, logger }),
          });
          for (const output of outputs) {
            if (output.result === null) continue;
            for (const [kind, path] of Object.entries(output.result.files))
              await storage.putFile(
                resultKey(projectId, gwasId, attempt, gwas.traits.indexOf(output.trait), kind as GwasResultKind),
                path,
              );
          }
          await db.transaction().execute(async (trx) => {
            if (!(await isCurrentRun(trx, runId, attempt))) return;
            for (const { trait, error, result } of outputs) {
              if (result === null) {
                await updateGwasTrait(trx, gwasId, trait, { status: 'ERROR', error_extra: error as ErrorExtra });
                continue;
              }
              const place = gwas.traits.indexOf(trait);
              const keys = Object.fromEntries(
                Object.keys(result.files).map((kind) => [
                  kind,
                  resultKey(projectId, gwasId, attempt, place, kind as GwasResultKind),
                ]),
              );
              await updateGwasTrait(trx, gwasId, trait, {
                status: 'SUCCESS',
                summary: result.summary,
                chromosomes: result.chromosomes,
                result_keys: keys,
              });
            }
            await finishRun(trx, runId, attempt);
            await publishEvent(trx, event);
          });
        });
      } catch (error) {
        const extra = signal.aborted ? undefined : errorExtraOf(error);
        if (!extra) throw error;
        await fail(projectId, gwasId, runId, extra);
      }
    },
    ({ project_id: projectId, gwas_id: gwasId, run_id: runId }, failure) =>
      fail(projectId, gwasId, runId, ofFailure(failure)),
  );
}

function resultKey(projectId: string, gwasId: string, attempt: number, place: number, kind: GwasResultKind): string {
  return `projects/${projectId}/gwas/${gwasId}/${attempt}.${place}.${kind}`;
}
