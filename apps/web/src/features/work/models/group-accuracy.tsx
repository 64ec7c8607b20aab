import type { ModelEvaluation } from '@heterosis/contracts/work/models';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { NumberCell } from '../../../components/table/number-cell.tsx';
import { formatMeanSd } from '../../../lib/format/format.ts';

type Group = ModelEvaluation['per_fold'][number];

const SEARCH_FROM = 8;
const N_PX = 110;
const R_PX = 110;

/** How well each group that was left out is predicted from the others. */
export function GroupAccuracy({
  evaluation,
  column,
  fileName,
}: {
  evaluation: ModelEvaluation;
  column: string;
  fileName: string;
}) {
  const { t } = useTranslation();
  const { per_fold: groups } = evaluation;
  const columns: DataColumn<Group>[] = [
    { id: 'group', header: column, value: ({ group }) => group },
    {
      id: 'n',
      header: t('word.individuals'),
      value: ({ n }) => n,
      cell: ({ n }) => <NumberCell value={n} kind="count" />,
      numeric: true,
      width: N_PX,
    },
    {
      id: 'r',
      header: 'r',
      value: ({ r }) => r,
      cell: ({ r }) => <NumberCell value={r} />,
      numeric: true,
      width: R_PX,
      narrow: true,
    },
    ...(groups.some(({ reason }) => reason !== null)
      ? [{ id: 'reason', header: t('models.noRWhy'), value: ({ reason }: Group) => reason, wrap: true }]
      : []),
  ];
  return (
    <Section
      title={t('models.groupsTitle')}
      note={t('models.groupsNote', { column, r: formatMeanSd(evaluation.evaluation.within_group_r ?? undefined) })}
    >
      <DataTable
        id="left-out-groups"
        label={t('models.groupsTitle')}
        columns={columns}
        rows={groups}
        rowId={({ fold }) => String(fold)}
        hasSearch={groups.length > SEARCH_FROM}
        csvName={fileName}
        maxHeight="28rem"
      />
    </Section>
  );
}
