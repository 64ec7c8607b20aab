import { TRIAL_ANALYSIS_OPTIONS } from '@heterosis/contracts/options/trials';
import type { TrialAnalysisDetail } from '@heterosis/contracts/work/trial-analyses';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import type { ModalAboutProps } from '../../../lib/browser/modal.ts';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { formatDecimals } from '../../../lib/format/format.ts';
import { useRequiredProjectId } from '../../../lib/session/current.ts';
import { CompareDialog, TraitSelect } from '../runs/index.ts';
import { trialAnalysisRuns, trialStripsQuery } from './trial-analyses.api.ts';

const DECIMALS = 2;

/** `id` names the analyses, with commas between them. */
export function CompareTrialAnalysesModal({ close, id }: ModalAboutProps) {
  const { t } = useTranslation();
  const projectId = useRequiredProjectId();
  return (
    <CompareDialog
      runs={trialAnalysisRuns}
      ids={id}
      close={close}
      figureName={t('trial_analyses.compared')}
      figure={(run, trait) => {
        const summary = run.summary[trait];
        return summary ? summary.sentence : '–';
      }}
    >
      {(runs) => <SharedTrials projectId={projectId} runs={runs} />}
    </CompareDialog>
  );
}

/** The trials of a trait that all runs have: model, heritability and outliers of each run beside each other. */
function SharedTrials({ projectId, runs }: { projectId: string; runs: TrialAnalysisDetail[] }) {
  const { t } = useTranslation();
  const textOf = useOptionText('trial_analyses', TRIAL_ANALYSIS_OPTIONS);
  const shared = (runs[0]?.traits ?? []).filter((trait) => runs.every((run) => run.summary[trait]));
  const [chosen, setChosen] = useState<string>();
  const trait = shared.find((one) => one === chosen) ?? shared[0] ?? '';
  const queries = useQueries({
    queries: runs.map((run) => ({ ...trialStripsQuery(projectId, run.id, trait), enabled: trait !== '' })),
  });
  if (trait === '') return null;
  const byRun = queries.map(({ data }) => new Map(data?.data.map((strip) => [strip.environment, strip])));
  const environments = [...new Set(byRun.flatMap((strips) => [...strips.keys()]))];
  const columns: DataColumn<string>[] = [
    { id: 'environment', header: t('trial_analyses.trial'), value: (environment) => environment },
    ...runs.map((run, place): DataColumn<string> => {
      const stripOf = (environment: string) => byRun[place]?.get(environment);
      return {
        id: run.id,
        header: run.name,
        value: (environment) => stripOf(environment)?.h2?.cullis ?? null,
        cell: (environment) => {
          const strip = stripOf(environment);
          if (!strip?.model) return strip?.reason ?? '–';
          return t('trial_analyses.comparedFigure', {
            model: textOf('model', 'labels', strip.model),
            h2: formatDecimals(strip.h2?.cullis ?? null, DECIMALS),
            count: strip.outliers.length,
          });
        },
        wrap: true,
      };
    }),
  ];
  return (
    <>
      <TraitSelect traits={shared} value={trait} onChange={setChosen} />
      <DataTable
        id="compared-trials"
        label={t('trial_analyses.trials')}
        columns={columns}
        rows={environments}
        rowId={(environment) => environment}
        hasSearch={environments.length > 10}
        csvName="compared trials"
        maxHeight="18rem"
      />
    </>
  );
}
