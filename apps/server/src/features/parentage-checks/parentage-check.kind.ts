import type { ParentageCheck, ParentageCheckDetail } from '@heterosis/contracts/parentage-checks';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import { Problem } from '../../platform/http/problem.ts';
import {
  makeBundle,
  progressOf,
  provenanceOf,
  type Run,
  type RunKindDefinition,
  reasonInWords,
  referenceTo,
  requireInputs,
  startStep,
} from '../runs/index.ts';
import {
  PARENTAGE_KEY_FIGURE,
  type ParentageCheckRow,
  type ParentageResultKind,
  parentageSelection,
  updateParentageCheckStatus,
} from './parentage-checks.queries.ts';
import { runParentageCheckJob } from './run-parentage-check.job.ts';

const CSV_RESULTS = ['families', 'parents', 'findings', 'pedigree'] as const satisfies ParentageResultKind[];

export const parentageChecks: RunKindDefinition<
  ParentageCheckRow,
  ParentageCheck,
  ParentageCheckDetail,
  'parentage_check'
> = {
  ...parentageSelection,
  unused: ({ parameters }) => (parameters.pedigree === 'file' ? [] : ['pedigree']),
  firstStep: () => ({ job: runParentageCheckJob, step: 'compare' }),
  toItem: async (_services, row, runs) => toParentageCheck(row, runs),

  async toDetail({ storage }, row, runs) {
    const urlOf = async (kind: ParentageResultKind): Promise<string | null> => {
      const key = row.result_keys[kind];
      if (key === undefined) return null;
      return await storage.signGet(key, {
        fileName: `${row.name}_${kind}.csv`,
        contentType: 'text/csv; charset=utf-8',
      });
    };
    return {
      ...toParentageCheck(row, runs),
      description: row.description,
      genotype: referenceTo(row.genotype_id, row.genotype_name),
      pedigree: referenceTo(row.pedigree_id, row.pedigree_name),
      compared_with: row.parameters.pedigree,
      families_url: await urlOf('families'),
      parents_url: await urlOf('parents'),
      findings_url: await urlOf('findings'),
      report: row.report,
      provenance: provenanceOf(runs, { createdBy: row.creator, seed: null, parameters: row.parameters }),
    };
  },

  toBundle({ result_keys }, detail) {
    const { id, name, description, traits, report, provenance } = detail;
    const inputs = { genotype: detail.genotype?.name ?? null, pedigree: detail.pedigree?.name ?? null };
    return makeBundle(
      { kind: 'parentage_check', id, name, description, traits, inputs, results: report, provenance },
      parentageMethods(detail),
      CSV_RESULTS.flatMap((kind) => {
        const key = result_keys[kind];
        return key === undefined ? [] : [{ name: `${kind}.csv`, content: { key } }];
      }),
    );
  },

  outcome({ status, report, error_extra }) {
    if (status === 'PROCESSING') return undefined;
    if (error_extra !== null) return { results: [], failures: [reasonInWords(error_extra)] };
    const { CONFLICT: conflicts = 0, CONFIRMED: confirmed = 0 } = report?.verdicts ?? {};
    return {
      results: [
        `${groupedNumber(conflicts)} children in conflict with their pedigree, ${groupedNumber(confirmed)} confirmed.`,
      ],
      failures: [],
    };
  },

  keyFigure: PARENTAGE_KEY_FIGURE,

  async restart(services, trx, row, requested) {
    if (row.status !== 'ERROR')
      throw new Problem('runs/not-retryable', 'Only a failed parentage check can be repeated.');
    requireInputs(parentageChecks, row);
    await updateParentageCheckStatus(trx, row.project_id, row.id, { status: 'PROCESSING' });
    await startStep(services, trx, parentageChecks, row, requested);
  },
};

function toParentageCheck(row: ParentageCheckRow, [run]: readonly Run[]): ParentageCheck {
  return {
    id: row.id,
    name: row.name,
    project_id: row.project_id,
    genotype_id: row.genotype_id,
    pedigree_id: row.pedigree_id,
    genotype_name: row.genotype_name,
    pedigree_name: row.pedigree_name,
    status: row.status,
    error_extra: row.error_extra,
    progress: row.status === 'PROCESSING' ? progressOf(run) : null,
    traits: row.traits,
    key_figure: row.key_figure,
    created_by: row.creator,
    created_by_id: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** A paragraph for the methods section of a paper. */
function parentageMethods({ report, provenance }: ParentageCheckDetail): string {
  const { parameters, software_version } = provenance;
  const markers = report === null ? '' : ` at ${groupedNumber(report.markers)} polymorphic markers`;
  return [
    `Genotypes were compared with the pedigree${markers} by Mendelian conflicts: calls that the parents cannot have given a cross, or alleles that neither parent of a line has. Families with more conflicts than a share of ${parameters['error_rate']} of wrong calls explains were refused by an exact binomial test at a level of 0.01 for all families together.`,
    'Likely parents were ranked by conflicts and by likelihood ratios with genotyping errors (Marshall et al. 1998; Kalinowski et al. 2007).',
    `Computed with Heterosis ${software_version}.`,
  ].join(' ');
}
