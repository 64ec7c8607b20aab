import type { GwasDetail } from '@heterosis/contracts/work/gwas';
import { resultNames } from '@heterosis/contracts/work/gwas-names';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModalAboutProps } from '../../../lib/browser/modal.ts';
import { formatDecimals, formatPValue } from '../../../lib/format/format.ts';
import { useRequiredProjectId } from '../../../lib/session/current.ts';
import { CompareDialog, TraitSelect } from '../runs/index.ts';
import { gwasRuns } from './gwas.api.ts';
import { StackedManhattans } from './stacked-manhattans.tsx';

/** `id` names the GWAS, with commas between them. */
export function CompareGwasModal({ close, id }: ModalAboutProps) {
  const { t } = useTranslation();
  const projectId = useRequiredProjectId();
  return (
    <CompareDialog
      runs={gwasRuns}
      ids={id}
      close={close}
      figureName={t('gwas.compared')}
      figure={(gwas, trait) => {
        const summary = gwas.summary[trait];
        if (!summary) return '–';
        return t('gwas.comparedFigure', {
          count: summary.hits,
          lambda: formatDecimals(summary.lambda, 2),
          marker: summary.top?.id ?? '–',
          p: formatPValue(summary.top?.p),
        });
      }}
    >
      {(runs) => <SharedTraits projectId={projectId} runs={runs} />}
    </CompareDialog>
  );
}

/** Runs of one name are told apart by their places in the table above. */
function distinctName(runs: readonly GwasDetail[], place: number): string {
  const name = runs[place]?.name ?? '';
  return runs.some((run, other) => other !== place && run.name === name) ? `${name} (${place + 1})` : name;
}

/** The Manhattan plots of a trait that all runs have: two on the same axes, more under each other. */
function SharedTraits({ projectId, runs }: { projectId: string; runs: GwasDetail[] }) {
  const { t } = useTranslation();
  const shared = (runs[0] === undefined ? [] : resultNames(runs[0])).filter((trait) =>
    runs.every((run) => run.status[trait] === 'SUCCESS'),
  );
  const [chosen, setChosen] = useState<string>();
  const trait = shared.find((one) => one === chosen) ?? shared[0];
  if (trait === undefined) return null;
  return (
    <>
      <TraitSelect traits={shared} value={trait} onChange={setChosen} />
      <StackedManhattans
        key={trait}
        projectId={projectId}
        title={t('gwas.manhattanTitle', { trait })}
        fileName={runs.map(({ name }) => name).join(' and ')}
        plots={runs.map((gwas, place) => ({ gwas, trait, name: distinctName(runs, place) }))}
        isOverlaid={runs.length === 2}
      />
    </>
  );
}
