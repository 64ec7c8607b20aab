import { join } from 'node:path';
import type { ComputePool } from '../../platform/compute/compute.ts';
import { publishEvent } from '../../platform/events/events.ts';
import type { Services } from '../../platform/http/app.ts';
import { type JobRegistration, registerJob } from '../../platform/job-queue/job.ts';
import {
  createProgressWriter,
  failRun,
  finishRun,
  isCurrentRun,
  ofFailure,
  takeUpRun,
  withWorkDirectory,
} from '../runs/index.ts';
import type { CheckInput, CheckOutput } from './check-file.compute.ts';
import { checkFileJob } from './check-file.job.ts';
import { findFile, replaceProblems, updateFile } from './files.queries.ts';

const COMPUTE = new URL('./check-file.compute.ts', import.meta.url);

export function checkFileRegistration(services: Services & { compute: ComputePool }): JobRegistration {
  const { db, storage, config, logger, compute } = services;
  return registerJob(
    checkFileJob,
    async ({ payload, signal }) => {
      const { project_id: projectId, file_id: fileId, run_id: runId } = payload;
      const attempt = await takeUpRun(db, runId);
      const file = await findFile(db, projectId, fileId);
      // Ended, cancelled, or deleted meanwhile: nothing to do.
      if (attempt === undefined || !file) return;
      const event = { type: 'file', id: fileId, project_id: projectId, organization_id: null } as const;
      await updateFile(db, projectId, fileId, { status: 'CHECKING' });
      await publishEvent(db, event);

      await withWorkDirectory(config, async (directory) => {
        const path = join(directory, 'original');
        await storage.download(file.storage_key, path);
        const input: CheckInput = {
          type: file.file_type,
          path,
          name: file.name,
          outPrefix: join(directory, 'out'),
          averageRepeatedRows: file.meta.options?.average_repeated_rows ?? false,
          missingCodes: file.meta.options?.missing_codes ?? [],
        };
        const output = await compute.run<CheckInput, CheckOutput>(COMPUTE, input, {
          signal,
          onProgress: createProgressWriter(db, { runId, attempt, event, traits: [''], logger }),
        });
        const keys: Record<string, string> = {};
        for (const [kind, derived] of Object.entries(output.files)) {
          const key = `projects/${projectId}/files/${fileId}/${attempt}.${kind}`;
          await storage.putFile(key, derived);
          keys[kind] = key;
        }
        await db.transaction().execute(async (trx) => {
          if (!(await isCurrentRun(trx, runId, attempt))) return;
          const { errors, warnings } = output.report.totals;
          await replaceProblems(trx, fileId, output.report.problems);
          await updateFile(trx, projectId, fileId, {
            status: errors > 0 ? 'INVALID' : warnings > 0 ? 'READY_WITH_WARNINGS' : 'READY',
            format: output.format,
            sha256: output.sha256,
            row_count: output.rowCount,
            column_count: output.columnCount,
            meta: { ...file.meta, traits: output.traits, keys },
            problem_totals: output.report.totals,
          });
          await finishRun(trx, runId, attempt);
          await publishEvent(trx, event);
        });
      });
    },
    async ({ project_id: projectId, file_id: fileId, run_id: runId }, failure) => {
      const { message, action } = ofFailure(failure);
      await db.transaction().execute(async (trx) => {
        if (!(await failRun(trx, runId, ofFailure(failure)))) return;
        await replaceProblems(trx, fileId, [
          {
            severity: 'error',
            code: 'E-CHECK-FAILED',
            line: null,
            column: null,
            value: null,
            message,
            suggestion: action,
          },
        ]);
        await updateFile(trx, projectId, fileId, {
          status: 'INVALID',
          problem_totals: { errors: 1, warnings: 0, infos: 0, byCode: { 'E-CHECK-FAILED': 1 } },
        });
        await publishEvent(trx, { type: 'file', id: fileId, project_id: projectId, organization_id: null });
      });
    },
  );
}
