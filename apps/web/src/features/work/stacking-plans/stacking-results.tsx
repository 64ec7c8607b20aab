import type { StackingPlanDetail, StackingReport } from '@heterosis/contracts/work/stacking-plans';
import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { Headline } from '../../../components/page/headline.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { Section } from '../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { NumberCell } from '../../../components/table/number-cell.tsx';
import { toCsv } from '../../../lib/format/csv.ts';
import { formatCount, formatDecimals, formatShare } from '../../../lib/format/format.ts';
import { useSaveCrossingTable } from '../../data/files/index.ts';
import { KeepAsList } from '../../data/lists/index.ts';
import { useMayWrite } from '../../people/projects/index.ts';
import { ProvenanceSection, type RunPartProps } from '../runs/index.ts';
import { StackPipeline } from './stack-pipeline.tsx';

export function StackingResults({ projectId, run: plan }: RunPartProps<StackingPlanDetail>) {
  const { report } = plan;
  return (
    <>
      {report && (
        <>
          <Summary report={report} />
          <Schedule projectId={projectId} plan={plan} report={report} />
          <Targets report={report} name={plan.name} />
          <Alternatives report={report} name={plan.name} />
        </>
      )}
      <ProvenanceSection kind="stacking_plan" provenance={plan.provenance} />
    </>
  );
}

function Summary({ report }: { report: StackingReport }) {
  const { t } = useTranslation();
  const { success_se: se, recurrent, recurrent_share: share, recurrent_share_se: shareSe, drag_cm: drag } = report;
  return (
    <>
      <Headline>
        {t('stacking_plans.headline', {
          generations: report.generations,
          plants: formatCount(report.plants),
          largest: formatCount(report.largest),
          cost: formatCount(Math.round(report.cost)),
          success: formatShare(report.success),
        })}{' '}
        {se > 0 && t('stacking_plans.headlineSimulated', { se: formatShare(se) })}{' '}
        {recurrent !== null &&
          share !== null &&
          t('stacking_plans.headlineShare', {
            ...{ recurrent, share: formatShare(share), se: formatShare(shareSe ?? 0) },
            drag: formatDecimals(drag ?? 0, 1),
          })}
      </Headline>
      {!report.fits && <Notice kind="warning">{t('stacking_plans.tooLarge')}</Notice>}
      {report.unused_donors.length > 0 && (
        <Notice kind="info">{t('stacking_plans.unused', { names: report.unused_donors.join(', ') })}</Notice>
      )}
      {report.unclear.length > 0 && (
        <Notice kind="warning">
          {t('stacking_plans.unclear', {
            list: report.unclear.map(({ name, marker }) => `${name} (${marker})`).join(', '),
          })}
        </Notice>
      )}
    </>
  );
}

/** The populations by generation; the crosses of lines are kept as a crossing table. */
function Schedule({
  projectId,
  plan,
  report,
}: {
  projectId: string;
  plan: StackingPlanDetail;
  report: StackingReport;
}) {
  const { t } = useTranslation();
  const mayWrite = useMayWrite(projectId);
  const saveTable = useSaveCrossingTable(projectId);
  const lines = new Set([...report.donors, ...(report.recurrent === null ? [] : [report.recurrent])]);
  const first = report.steps.filter(
    ({ kind, parents }) => kind === 'cross' && parents.every((parent) => lines.has(parent)),
  );
  const saving = useMutation({
    mutationFn: () =>
      saveTable(
        { proposed: t('stacking_plans.tableName', { name: plan.name }) },
        toCsv(
          ['cross', 'female', 'male'],
          first.map(({ step, parents: [female = '', male = ''] }) => [step, female, male]),
        ),
      ),
  });
  return (
    <Section
      title={t('stacking_plans.schedule')}
      note={t('stacking_plans.scheduleNote')}
      action={
        <Group gap="xs">
          {mayWrite && first.length > 0 && (
            <Button size="xs" loading={saving.isPending} onClick={() => saving.mutate()}>
              {t('stacking_plans.saveCrosses')}
            </Button>
          )}
          <KeepAsList projectId={projectId} kind="germplasm" names={lines} label={t('stacking_plans.keepParents')} />
        </Group>
      }
    >
      {saving.error && <ErrorNotice error={saving.error} />}
      {saving.data !== undefined && (
        <Notice kind="success">{t('crossing_plans.saved', { name: saving.data.name })}</Notice>
      )}
      <StackPipeline report={report} />
    </Section>
  );
}

type Target = StackingReport['targets'][number];

function Targets({ report, name }: { report: StackingReport; name: string }) {
  const { t } = useTranslation();
  const title = t('stacking_plans.targets');
  const columns: DataColumn<Target>[] = [
    { id: 'marker', header: t('word.marker'), value: (row) => row.marker },
    { id: 'allele', header: t('stacking_plans.allele'), value: (row) => row.allele, width: 110 },
    { id: 'chromosome', header: t('word.chromosome'), value: (row) => row.chromosome, width: 130, narrow: true },
    {
      id: 'position',
      header: t('stacking_plans.position'),
      value: (row) => row.position_cm,
      cell: (row) => formatDecimals(row.position_cm, 1),
      numeric: true,
      width: 130,
    },
    {
      id: 'carriers',
      header: t('stacking_plans.carriedBy'),
      value: (row) => [...row.donors, ...(row.in_recurrent ? [report.recurrent ?? ''] : [])].join(', '),
    },
  ];
  return (
    <Section title={title}>
      <DataTable
        fills
        id="stack-targets"
        label={title}
        columns={columns}
        rows={report.targets}
        rowId={(row) => row.marker}
        csvName={`${name} targets`}
        maxHeight="24rem"
      />
    </Section>
  );
}

type Alternative = StackingReport['alternatives'][number];

function Alternatives({ report, name }: { report: StackingReport; name: string }) {
  const { t } = useTranslation();
  const title = t('stacking_plans.alternatives');
  const counted = (id: 'generations' | 'plants' | 'largest' | 'fixing'): DataColumn<Alternative> => ({
    id,
    header: t(`stacking_plans.column.${id}`),
    value: (row) => row[id],
    cell: (row) => <NumberCell value={row[id]} kind="count" />,
    numeric: true,
  });
  return (
    <Section title={title} note={t('stacking_plans.alternativesNote')}>
      <DataTable
        fills
        id="stack-alternatives"
        label={title}
        columns={[counted('generations'), counted('plants'), counted('largest'), counted('fixing')]}
        rows={report.alternatives}
        rowId={(row) => String(row.generations)}
        hasSearch={false}
        csvName={`${name} alternatives`}
        maxHeight="18rem"
      />
    </Section>
  );
}
