import { TRIAL_ANALYSIS_OPTIONS } from '@heterosis/contracts/options/trials';
import {
  createTrialAnalysisBody,
  type TrialAnalysis,
  type TrialAnalysisDetail,
} from '@heterosis/contracts/work/trial-analyses';
import { trialCommands } from '@heterosis/contracts/work/trial-commands';
import { useTranslation } from 'react-i18next';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { formatCount, formatDecimals } from '../../../lib/format/format.ts';
import { useTraitOrder } from '../../people/projects/index.ts';
import { type FactMakers, figureColumn, type RunView, TRIAL_STAGES, type WithState } from '../runs/index.ts';
import { trialAnalysisRuns } from './trial-analyses.api.ts';
import { UseMeans } from './use-means.tsx';

const H2_DECIMALS = 2;

export const TRIAL_ANALYSIS_VIEW: RunView<TrialAnalysis, TrialAnalysisDetail> = {
  ...trialAnalysisRuns,
  body: createTrialAnalysisBody,
  inputs: ['phenotype'],
  compareWith: 'compare-trial-analyses',
  stages: () => TRIAL_STAGES,
  useColumns,
  useFacts,
  Action: UseMeans,
  commands: trialCommands,
  downloads: (run, t) =>
    run.traits.flatMap((trait) =>
      (['means', 'covariance', 'plots', 'report', 'series', 'series_report'] as const).map(
        (what) => [t(`trial_analyses.download.${what}`, { trait }), run[`${what}_urls`][trait]] as const,
      ),
    ),
};

function useColumns(projectId: string, runs: readonly WithState<TrialAnalysis>[] | undefined) {
  const { t } = useTranslation();
  const inOrder = useTraitOrder(projectId);
  const figures = [
    figureColumn<WithState<TrialAnalysis>>(runs, inOrder, {
      id: 'h2',
      header: 'H²',
      hint: t('trial_analyses.h2ListHint'),
      value: (one, trait) => one.summary[trait]?.h2?.median,
      format: (h2) => formatDecimals(h2, H2_DECIMALS),
      sortedBy: (values) => Math.max(...values),
      minWidth: 220,
    }),
    figureColumn<WithState<TrialAnalysis>>(runs, inOrder, {
      id: 'trials',
      header: t('trial_analyses.trials'),
      value: (one, trait) => one.summary[trait]?.environments,
      format: formatCount,
      sortedBy: (values) => Math.max(...values),
      minWidth: 160,
    }),
  ];
  return { figures, columns: [] };
}

function useFacts(run: TrialAnalysisDetail, { t, file, files }: FactMakers) {
  const textOf = useOptionText('trial_analyses', TRIAL_ANALYSIS_OPTIONS);
  const { model, environments, checks = [], overrides = [], set_aside: aside = [] } = run.provenance.parameters;
  return [
    files(t('runs.phenotype'), run.phenotypes, run.phenotypes.length),
    ...(run.genotype ? [file(t('word.genotypeFile'), run.genotype)] : []),
    ...(run.pedigree ? [file(t('nav.pedigree'), run.pedigree)] : []),
    ...(model === 'auto' ? [] : [{ label: textOf('model', 'label'), value: textOf('model', 'labels', model) }]),
    ...(environments?.length ? [{ label: textOf('environments', 'label'), value: environments.join(', ') }] : []),
    ...(checks.length === 0 ? [] : [{ label: textOf('checks', 'label'), value: checks.join(', ') }]),
    ...(overrides.length === 0
      ? []
      : [
          {
            label: textOf('overrides', 'title'),
            value: overrides
              .map((one) => `${one.environment}, ${one.trait}: ${textOf('model', 'labels', one.model)}`)
              .join('; '),
          },
        ]),
    ...(aside.length === 0
      ? []
      : [
          {
            label: textOf('set_aside', 'title'),
            value: formatCount(aside.length),
            hint: [...new Set(aside.map(({ reason }) => reason))].join('; '),
          },
        ]),
  ];
}
