import type { InputOf } from '@heterosis/contracts/endpoint';
import type { trialAnalysesApi } from '@heterosis/contracts/endpoints/work/trial-analyses';
import { storedOf } from '@heterosis/contracts/options/define-options';
import { TRIAL_ANALYSIS_OPTIONS } from '@heterosis/contracts/options/trials';
import { MOST_TRIAL_FILES, type TrialAnalysisDetail } from '@heterosis/contracts/work/trial-analyses';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { Problem } from '../../../platform/http/problem.ts';
import {
  type FileRow,
  ploidyOf,
  requireDoubleReduction,
  requireGenotype,
  requireReadyFile,
} from '../../data/files/index.ts';
import { type FrozenTrial, freeze } from '../../data/trials/index.ts';
import { createNamedRun } from '../runs/kind/index.ts';
import { trialAnalyses } from './trial-analysis.kind.ts';

/** Checks files and traits before anything is written; plots are checked by the first job. */
export async function createTrialAnalysis(
  call: ProjectCall,
  { body }: InputOf<typeof trialAnalysesApi.createRun>,
): Promise<TrialAnalysisDetail> {
  const {
    services,
    access: { projectId },
    principal,
  } = call;
  const { db } = services;
  const phenotypes: FileRow[] = [];
  for (const id of new Set(body.phenotype_ids)) phenotypes.push(await requireReadyFile(db, projectId, id, 'PHENOTYPE'));
  const genotype = await optional(body.genotype_id, (id) => requireGenotype(db, projectId, id));
  const pedigree = await optional(body.pedigree_id, (id) => requireReadyFile(db, projectId, id, 'PEDIGREE'));
  requireRelationships(body, genotype !== null, pedigree !== null);
  const ploidy = genotype === null ? Number(body.ploidy) : ploidyOf(genotype);
  requireDoubleReduction(body.double_reduction, ploidy, pedigree !== null);
  const trials: FrozenTrial[] = [];
  for (const id of new Set(body.trial_ids)) trials.push(await freeze(call, id));
  const ids = [...phenotypes.map(({ id }) => id), ...trials.map(({ fileId }) => fileId)];
  requireInputs(ids);
  const known = [...phenotypes.flatMap(({ meta }) => meta.traits ?? []), ...trials.flatMap(({ traits }) => traits)];
  return await createNamedRun(services, trialAnalyses, {
    project_id: projectId,
    name: body.name,
    traits: requireTraits(known, body.traits),
    // An analysis uses no random numbers.
    seed: 0,
    parameters: storedOf(TRIAL_ANALYSIS_OPTIONS, body),
    phenotype_ids: ids,
    genotype_id: genotype?.id ?? null,
    pedigree_id: pedigree?.id ?? null,
    has_genotype: genotype !== null,
    has_pedigree: pedigree !== null,
    created_by: principal.userId,
  });
}

const optional = async <Value>(
  id: string | null | undefined,
  find: (id: string) => Promise<Value>,
): Promise<Value | null> => (id == null ? null : await find(id));

/** Options of the series that need relationships. */
function requireRelationships(
  { dominance, residual_lines: residualLines }: { dominance: boolean; residual_lines: boolean },
  hasGenotype: boolean,
  hasPedigree: boolean,
): void {
  const refuse = (name: string, reason: string): never => {
    throw new Problem('request/invalid', reason, { invalidParams: [{ name: `body.${name}`, reason }] });
  };
  if (dominance && (!hasGenotype || hasPedigree))
    refuse('dominance', 'Relationships of dominance come from markers alone: choose a genotype and no pedigree.');
  if (residualLines && !hasGenotype && !hasPedigree)
    refuse(
      'residual_lines',
      'Unrelated lines have no variance beside their relationships: choose a genotype or a pedigree.',
    );
}

function requireInputs(ids: readonly string[]): void {
  if (ids.length > 0 && ids.length <= MOST_TRIAL_FILES) return;
  const reason =
    ids.length === 0
      ? 'Choose at least one phenotype file or trial'
      : `An analysis takes at most ${MOST_TRIAL_FILES} files and trials together`;
  throw new Problem('request/invalid', `${reason}.`, { invalidParams: [{ name: 'body.phenotype_ids', reason }] });
}

/** Traits that at least one of the files has, each once. */
function requireTraits(among: readonly string[], traits: readonly string[]): string[] {
  const known = [...new Set(among)];
  const unknown = traits.find((trait) => !known.includes(trait));
  if (unknown === undefined) return [...new Set(traits)];
  throw new Problem(
    'models/trait-not-in-phenotype',
    `No phenotype file chosen has a trait "${unknown}" with numbers. Their traits are ${known.join(', ')}.`,
    {
      details: { trait: unknown, traits: known },
      invalidParams: [{ name: 'body.traits', reason: `There is no "${unknown}"` }],
    },
  );
}
