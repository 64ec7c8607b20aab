import type { TrialAnalysis, TrialAnalysisDetail } from '@heterosis/contracts/work/trial-analyses';
import type { Services } from '../../../platform/http/app.ts';
import { beginStep, inputs, type RunKindDefinition } from '../runs/kind/index.ts';
import { perTrait, provenanceOf } from '../runs/results/index.ts';
import { progressOf, type Run } from '../runs/work/index.ts';
import { runTrialAnalysisJob } from './jobs.ts';
import { trialMethods } from './methods-paragraph.ts';
import {
  TRIAL_KEY_FIGURE,
  type TrialAnalysisRow,
  type TrialFile,
  trialAnalysisSelection,
  updateTrialTrait,
} from './trial-analyses.queries.ts';
import { trialAnalysisReport } from './trial-analysis-report.ts';
import { valuesOfLines } from './values-of-lines.ts';

export const trialAnalyses: RunKindDefinition<TrialAnalysisRow, TrialAnalysis, TrialAnalysisDetail, 'trial_analysis'> =
  {
    ...trialAnalysisSelection,
    unused: ({ has_genotype, has_pedigree }) => [
      ...(has_genotype ? [] : ['genotype']),
      ...(has_pedigree ? [] : ['pedigree']),
    ],
    firstStep: () => ({ job: runTrialAnalysisJob, step: 'analyse trials' }),
    toItem: async (_services, row, runs) => toTrialAnalysis(row, runs),

    async toDetail({ storage }, row, runs) {
      return {
        ...toTrialAnalysis(row, runs),
        description: row.description,
        phenotypes: inputs.several(row, 'phenotype'),
        ...inputs.references(row, 'genotype', 'pedigree'),
        means_urls: await csvUrls(storage, row, 'means'),
        covariance_urls: await csvUrls(storage, row, 'covariance'),
        plots_urls: await csvUrls(storage, row, 'plots'),
        report_urls: await jsonUrls(storage, row, 'report', 'trial'),
        series_urls: await csvUrls(storage, row, 'series'),
        series_report_urls: await jsonUrls(storage, row, 'series_report', 'series'),
        methods: trialMethods(row),
        provenance: provenanceOf(runs, { createdBy: row.creator, seed: null, parameters: row.parameters }),
      };
    },

    toBundle({ trait_rows }, detail) {
      const { summary: results, provenance, phenotypes } = detail;
      const names = {
        ...Object.fromEntries(phenotypes.map(({ name }, i) => [i === 0 ? 'phenotype' : `phenotype_${i + 1}`, name])),
        ...inputs.names(detail, 'genotype', 'pedigree'),
      };
      return { inputs: names, results, provenance, files: perTrait.files(trait_rows, FILE_NAMES) };
    },

    methods: trialMethods,

    outcome: ({ trait_rows }) =>
      perTrait.outcome(
        trait_rows,
        ({ status }) => status === 'PROCESSING',
        ({ trait, summary }) => summary?.sentence.slice(trait.length + 2) ?? 'done',
      ),

    valuesOf: (services, row, names) => valuesOfLines(services, row, names),

    keyFigure: TRIAL_KEY_FIGURE,
    reportParts: trialAnalysisReport,

    /** The failed traits, on the same inputs. */
    async repeat(services, trx, row, requested) {
      const failed = perTrait.failed(row.trait_rows, (status) => status === 'PROCESSING');
      for (const { trait } of failed) await updateTrialTrait(trx, row.id, trait, { status: 'PROCESSING' });
      await beginStep(services, trx, trialAnalyses, { row, by: requested });
    },
  };

/** As the command line calls them. */
const FILE_NAMES: Record<TrialFile, string> = {
  means: 'means.csv',
  covariance: 'covariance.csv',
  plots: 'plots.csv',
  report: 'trial.json',
  series: 'series.csv',
  series_report: 'series.json',
};

/** Traits without a result, in the requested order. */
export const unfinishedTraits = ({ trait_rows }: TrialAnalysisRow): string[] =>
  trait_rows.filter(({ status }) => status === 'PROCESSING').map(({ trait }) => trait);

const csvUrls = (storage: Services['storage'], row: TrialAnalysisRow, kind: TrialFile) =>
  perTrait.urls(storage, row, kind, { ending: `_${kind}.csv`, contentType: 'text/csv; charset=utf-8' });
const jsonUrls = (storage: Services['storage'], row: TrialAnalysisRow, kind: TrialFile, ending: string) =>
  perTrait.urls(storage, row, kind, { ending: `_${ending}.json`, contentType: 'application/json' });

function toTrialAnalysis(row: TrialAnalysisRow, [run]: readonly Run[]): TrialAnalysis {
  const progress = progressOf(run);
  return {
    ...{ id: row.id, name: row.name, project_id: row.project_id, traits: row.traits },
    ...inputs.columns(row, 'phenotype_ids', 'phenotype_names'),
    ...inputs.columns(row, 'genotype_id', 'genotype_name', 'pedigree_id', 'pedigree_name'),
    status: perTrait.values(row.trait_rows, ({ status }) => status),
    error_extras: perTrait.values(row.trait_rows, ({ error_extra }) => error_extra),
    progress: perTrait.values(row.trait_rows, ({ status }) => (status === 'PROCESSING' ? progress : null)),
    summary: perTrait.values(row.trait_rows, ({ summary }) => summary),
    ...{ created_by: row.creator, created_by_id: row.created_by, created_at: row.created_at },
    updated_at: row.updated_at,
  };
}
