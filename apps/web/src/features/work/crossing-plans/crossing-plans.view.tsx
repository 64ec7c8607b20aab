import { PLAN_OPTIONS } from '@heterosis/contracts/options/crossing';
import {
  type CrossingPlan,
  type CrossingPlanDetail,
  createCrossingPlanBody,
} from '@heterosis/contracts/work/crossing-plans';
import type { Fact } from '../../../components/page/facts-strip.tsx';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { formatCount } from '../../../lib/format/format.ts';
import { CROSSING_STAGES, DownloadCsv, type FactMakers, type RunView } from '../runs/index.ts';
import { crossingPlanRuns } from './crossing-plans.api.ts';

export const CROSSING_PLAN_VIEW: RunView<CrossingPlan, CrossingPlanDetail> = {
  ...crossingPlanRuns,
  body: createCrossingPlanBody,
  inputs: ['model', 'genotype'],
  inputsOf: (plan) => (plan.candidates_from === 'model' ? ['model'] : ['model', 'genotype']),
  stages: () => CROSSING_STAGES,
  useFacts,
  Action: ({ run }) => <DownloadCsv url={run.crosses_url} isAside />,
  downloads: (plan, t) =>
    (['candidates', 'pairs', 'curve', 'made'] as const).map((table) => [
      t(`crossing_plans.downloads.${table}`),
      plan[`${table}_url`],
    ]),
};

type PlanText = ReturnType<typeof useOptionText<typeof PLAN_OPTIONS>>;

function useFacts(plan: CrossingPlanDetail, make: FactMakers): Fact[] {
  const textOf = useOptionText('crossing_plans', PLAN_OPTIONS);
  const { t, file, model, linkageMap } = make;
  const { report, provenance } = plan;
  const { candidates_from: from, coancestry, population, bp_per_cm, low_traits } = provenance.parameters;
  return [
    model(plan.model),
    from === 'model'
      ? { label: t('crossing_plans.genotype'), value: t('crossing_plans.noGenotype') }
      : file(t('crossing_plans.genotype'), plan.genotype),
    coancestry === 'pedigree'
      ? file(t('crossing_plans.coancestryFrom'), plan.pedigree)
      : { label: t('crossing_plans.coancestryFrom'), value: t('crossing_plans.markers') },
    { label: t('crossing_plans.traits'), value: plan.traits.join(', ') },
    ...(low_traits.length > 0 ? [{ label: textOf('low_traits', 'label'), value: low_traits.join(', ') }] : []),
    ...(from === 'model' ? [] : [linkageMap(plan.linkage_map, bp_per_cm)]),
    ...madeFacts(plan, make, textOf),
    {
      label: textOf('population', 'label'),
      value: textOf('population', 'labels', population),
    },
    ...(report ? [{ label: t('crossing_plans.candidates'), value: formatCount(report.candidates) }] : []),
  ];
}

/** What pairs already made are known from, and how many there are. */
function madeFacts(
  { crossing_table: table, report, provenance }: CrossingPlanDetail,
  { t, file }: FactMakers,
  textOf: PlanText,
): Fact[] {
  const { made_from: from } = provenance.parameters;
  if (table === null && from.length === 0) return [];
  const sources = from.map((one) => textOf('made_from', 'labels', one)).join(', ');
  const count = report === null ? '' : t('crossing_plans.madeCount', { count: report.made_pairs });
  return [
    {
      label: textOf('made_from', 'label'),
      value: (
        <>
          {table && !from.includes('crossing_tables') && file('', table).value}{' '}
          {[sources, count].filter((text) => text !== '').join(': ')}
        </>
      ),
    },
  ];
}
