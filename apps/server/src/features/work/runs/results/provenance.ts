import type { Provenance } from '@heterosis/contracts/work/runs';
import { SOFTWARE_VERSION } from '../../../../platform/config/config.ts';
import type { Run } from '../work/runs.queries.ts';

export interface ProvenanceOptions<Parameters extends Record<string, unknown>> {
  createdBy: string | null;
  seed: number | null;
  parameters: Parameters;
}

/** Everything needed to repeat a run bit for bit, over all its steps (training and evaluation, for example). */
export function provenanceOf<Parameters extends Record<string, unknown>>(
  runs: readonly Run[],
  { createdBy, seed, parameters }: ProvenanceOptions<Parameters>,
): Provenance & { parameters: Parameters } {
  const started = runs.flatMap(({ started_at }) => started_at ?? []).sort();
  const finished = runs.flatMap(({ finished_at }) => finished_at ?? []).sort();
  const startedAt = started[0] ?? null;
  const finishedAt = runs.length > 0 && finished.length === runs.length ? (finished.at(-1) ?? null) : null;
  return {
    created_by: createdBy,
    seed,
    software_version: runs[0]?.software_version ?? SOFTWARE_VERSION,
    input_sha256: Object.assign({}, ...runs.map(({ input_sha256 }) => input_sha256)),
    parameters,
    started_at: startedAt,
    finished_at: finishedAt,
    seconds: startedAt === null || finishedAt === null ? null : (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000,
  };
}
