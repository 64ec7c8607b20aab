import { PLAN_OPTIONS } from '@heterosis/contracts/options/crossing';
import type { CrossingPlanDetail } from '@heterosis/contracts/work/crossing-plans';
import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../components/page/notice.tsx';
import { NameText } from '../../../components/table/name-text.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { formatCount, formatDuration, formatTick } from '../../../lib/format/format.ts';
import { CROSSING_STAGES, InputFile, ProvenanceSection, RunLoader, RunPage, type WithState } from '../runs/index.ts';
import { crossingPlanQuery, useCrossingPlanMutations } from './crossing-plans.api.ts';
import { PlanWorkbench } from './plan-workbench.tsx';

type PlanText = ReturnType<typeof useOptionText<typeof PLAN_OPTIONS>>;

/** What pairs already made are known from, and how many there are. */
function madeFacts(
  projectId: string,
  { crossing_table: table, report, provenance }: CrossingPlanDetail,
  t: TFunction,
  textOf: PlanText,
) {
  const { made_from: from } = provenance.parameters;
  if (table === null && from.length === 0) return [];
  const sources = from.map((one) => textOf('made_from', 'labels', one)).join(', ');
  const count = report === null ? '' : t('crossing_plans.madeCount', { count: report.made_pairs });
  return [
    {
      label: textOf('made_from', 'label'),
      value: (
        <>
          {table && !from.includes('crossing_tables') && <InputFile projectId={projectId} file={table} />}{' '}
          {[sources, count].filter((text) => text !== '').join(': ')}
        </>
      ),
    },
  ];
}

/** The linkage map, or the rate by which distances follow from base pairs. */
function mapFact(projectId: string, { linkage_map, provenance }: CrossingPlanDetail, t: TFunction) {
  const { bp_per_cm: bpPerCm } = provenance.parameters;
  return {
    label: t('crossing_simulations.linkageMap'),
    value:
      bpPerCm === null ? (
        <InputFile projectId={projectId} file={linkage_map} />
      ) : (
        t('crossing_simulations.byPosition', { mb: formatTick(bpPerCm / 1e6) })
      ),
  };
}

export function CrossingPlanDetailPage(props: { projectId: string; crossingPlanId: string }) {
  const { projectId, crossingPlanId } = props;
  const query = useQuery(crossingPlanQuery(projectId, crossingPlanId));
  return (
    <RunLoader projectId={projectId} kind="crossing_plan" query={query}>
      {(plan) => <LoadedPlan projectId={projectId} plan={plan} />}
    </RunLoader>
  );
}

function LoadedPlan({ projectId, plan }: { projectId: string; plan: WithState<CrossingPlanDetail> }) {
  const { t } = useTranslation();
  const textOf = useOptionText('crossing_plans', PLAN_OPTIONS);
  const mutations = useCrossingPlanMutations(projectId);
  const { model, report, provenance } = plan;
  const { parameters } = provenance;
  const downloads = [
    ['candidates', plan.candidates_url],
    ['pairs', plan.pairs_url],
    ['curve', plan.curve_url],
    ['made', plan.made_url],
  ] as const;
  return (
    <RunPage
      projectId={projectId}
      kind="crossing_plan"
      run={plan}
      stages={CROSSING_STAGES}
      mutations={mutations}
      againWith={plan.id}
      action={
        plan.crosses_url && (
          <Button component="a" href={plan.crosses_url} download variant="default">
            {t('action.downloadCsv')}
          </Button>
        )
      }
      menu={downloads.map(
        ([kind, url]) =>
          url && (
            <Menu.Item key={kind} component="a" href={url} download>
              {t(`crossing_plans.downloads.${kind}`)}
            </Menu.Item>
          ),
      )}
      facts={[
        {
          label: t('predictions.model'),
          value: model ? (
            <Link
              to="/projects/$projectId/models/$modelId"
              params={{ projectId, modelId: model.id }}
              className="hx-link"
            >
              <NameText name={model.name} />
            </Link>
          ) : (
            t('predictions.deletedModel')
          ),
        },
        {
          label: t('crossing_plans.genotype'),
          value:
            parameters.candidates_from === 'model' ? (
              t('crossing_plans.noGenotype')
            ) : (
              <InputFile projectId={projectId} file={plan.genotype} />
            ),
        },
        {
          label: t('crossing_plans.coancestryFrom'),
          value:
            parameters.coancestry === 'pedigree' ? (
              <InputFile projectId={projectId} file={plan.pedigree} />
            ) : (
              t('crossing_plans.markers')
            ),
        },
        { label: t('crossing_plans.traits'), value: plan.traits.join(', ') },
        ...(parameters.low_traits.length > 0
          ? [{ label: textOf('low_traits', 'label'), value: parameters.low_traits.join(', ') }]
          : []),
        ...(parameters.candidates_from === 'model' ? [] : [mapFact(projectId, plan, t)]),
        ...madeFacts(projectId, plan, t, textOf),
        {
          label: textOf('population', 'label'),
          value: textOf('population', 'labels', parameters.population),
        },
        ...(report ? [{ label: t('crossing_plans.candidates'), value: formatCount(report.candidates) }] : []),
        { label: t('column.created'), value: <RelativeTime date={plan.created_at} /> },
        { label: t('runs.took'), value: formatDuration(provenance.seconds) },
      ]}
    >
      {report?.warnings.map(({ code, message, suggestion }) => (
        <Notice key={`${code} ${message}`} kind="warning">
          {message} {suggestion}
        </Notice>
      ))}
      {plan.status === 'SUCCESS' && <PlanWorkbench projectId={projectId} run={plan} />}
      <ProvenanceSection kind="crossing_plan" provenance={provenance} />
    </RunPage>
  );
}
