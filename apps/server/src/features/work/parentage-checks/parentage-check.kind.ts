import type { ParentageCheck, ParentageCheckDetail } from '@heterosis/contracts/work/parentage-checks';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import { inputs, oneStep, type RunKindDefinition } from '../runs/kind/index.ts';
import { provenanceOf } from '../runs/results/index.ts';
import type { Run } from '../runs/work/index.ts';
import { runParentageCheckJob } from './jobs.ts';
import { parentageMethods } from './methods-paragraph.ts';
import {
  PARENTAGE_KEY_FIGURE,
  type ParentageCheckRow,
  type ParentageResultKind,
  parentageSelection,
} from './parentage-checks.queries.ts';
import { parentageReport } from './parentage-report.ts';

const CSV_RESULTS = {
  'families.csv': 'families',
  'parents.csv': 'parents',
  'findings.csv': 'findings',
  'pedigree.csv': 'pedigree',
} as const satisfies Record<string, ParentageResultKind>;

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
    return {
      ...toParentageCheck(row, runs),
      description: row.description,
      ...inputs.references(row, 'genotype', 'pedigree'),
      compared_with: row.parameters.pedigree,
      families_url: await oneStep.csvUrl(storage, row, 'families'),
      parents_url: await oneStep.csvUrl(storage, row, 'parents'),
      findings_url: await oneStep.csvUrl(storage, row, 'findings'),
      report: row.report,
      provenance: provenanceOf(runs, { createdBy: row.creator, seed: null, parameters: row.parameters }),
    };
  },

  toBundle(row, detail) {
    const names = inputs.names(detail, 'genotype', 'pedigree');
    const { report: results, provenance } = detail;
    return { inputs: names, results, provenance, files: oneStep.files(row, CSV_RESULTS) };
  },

  methods: (_row, detail) => parentageMethods(detail),

  outcome: (row) =>
    oneStep.outcome(row, ({ report }) => {
      const { CONFLICT: conflicts = 0, CONFIRMED: confirmed = 0 } = report?.verdicts ?? {};
      return [
        `${groupedNumber(conflicts)} children in conflict with their pedigree, ${groupedNumber(confirmed)} confirmed.`,
      ];
    }),

  keyFigure: PARENTAGE_KEY_FIGURE,
  reportParts: parentageReport,

  repeat: (services, trx, row, by) => oneStep.repeat(services, trx, parentageChecks, { row, by }),
};

const toParentageCheck = (row: ParentageCheckRow, runs: readonly Run[]): ParentageCheck => ({
  ...oneStep.item(row, runs),
  ...inputs.columns(row, 'genotype_id', 'pedigree_id', 'genotype_name', 'pedigree_name'),
});
