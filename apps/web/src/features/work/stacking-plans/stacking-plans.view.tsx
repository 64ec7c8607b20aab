import { STACK_OPTIONS } from '@heterosis/contracts/options/stacking';
import {
  createStackingPlanBody,
  type StackingPlan,
  type StackingPlanDetail,
} from '@heterosis/contracts/work/stacking-plans';
import type { Fact } from '../../../components/page/facts-strip.tsx';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { formatCount, formatShare } from '../../../lib/format/format.ts';
import { CROSSING_STAGES, DownloadCsv, type FactMakers, type RunView } from '../runs/index.ts';
import { stackingPlanRuns } from './stacking-plans.api.ts';

export const STACKING_PLAN_VIEW: RunView<StackingPlan, StackingPlanDetail> = {
  ...stackingPlanRuns,
  body: createStackingPlanBody,
  inputs: ['genotype'],
  stages: () => CROSSING_STAGES,
  useFacts,
  Action: ({ run }) => <DownloadCsv url={run.schedule_url} />,
};

function useFacts(plan: StackingPlanDetail, { t, file, linkageMap }: FactMakers): Fact[] {
  const textOf = useOptionText('stacking_plans', STACK_OPTIONS);
  const { targets = [], donors, recurrent, probability, ending, backcrosses, bp_per_cm } = plan.provenance.parameters;
  // A map that was deleted has left its hash.
  const isMapped = 'linkage_map' in plan.provenance.input_sha256;
  return [
    file(t('word.genotypeFile'), plan.genotype),
    linkageMap(plan.linkage_map, isMapped ? null : (bp_per_cm ?? STACK_OPTIONS.bp_per_cm.default)),
    { label: t('stacking_plans.targets'), value: formatCount(targets.length) },
    { label: t('stacking_plans.donors'), value: (plan.report?.donors ?? donors).join(', ') },
    ...(recurrent === undefined
      ? []
      : [
          { label: t('stacking_plans.recurrent'), value: recurrent },
          { label: textOf('backcrosses', 'label'), value: formatCount(backcrosses) },
        ]),
    { label: textOf('ending', 'label'), value: textOf('ending', 'labels', ending) },
    { label: textOf('probability', 'label'), value: formatShare(probability) },
  ];
}
