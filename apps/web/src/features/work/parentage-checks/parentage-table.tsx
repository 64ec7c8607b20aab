import {
  type ParentageCheckDetail,
  type ParentageReport,
  type ParentageRow,
  type ParentageVerdict,
  parentageVerdict,
} from '@heterosis/contracts/work/parentage-checks';
import { NativeSelect } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { NumberCell } from '../../../components/table/number-cell.tsx';
import { StateBadge, type StateKind } from '../../../components/table/state-badge.tsx';
import { useEndlessTable } from '../../../components/table/use-endless-table.ts';
import { formatCount, formatShare } from '../../../lib/format/format.ts';
import { parentageResultsQuery } from './parentage-checks.api.ts';

const SHAPES: Record<ParentageVerdict, StateKind> = {
  CONFLICT: 'error',
  DOUBTFUL: 'warning',
  UNTESTABLE: 'waiting',
  PLAUSIBLE: 'processing',
  CONFIRMED: 'success',
};

/** Every genotyped individual: its parents in the pedigree, the verdict, and the most likely parents. */
export function ParentageTable(props: { projectId: string; check: ParentageCheckDetail; report: ParentageReport }) {
  const { projectId, check, report } = props;
  const { t } = useTranslation();
  const [verdict, setVerdict] = useState<ParentageVerdict>();
  const { table, first } = useEndlessTable({
    defaultSort: { column: 'verdict', descending: false },
    query: ({ search, sortText }) => parentageResultsQuery(projectId, check.id, { search, sort: sortText, verdict }),
  });
  const columns = useColumns(report);
  const present = parentageVerdict.options.filter((one) => report.verdicts[one] > 0);
  return (
    <Section
      title={t('word.individuals')}
      note={t('parentage_checks.individualsNote')}
      action={
        present.length > 0 && (
          <NativeSelect
            size="xs"
            aria-label={t('parentage_checks.show')}
            value={verdict ?? ''}
            onChange={(event) => setVerdict(parentageVerdict.safeParse(event.currentTarget.value).data)}
            data={[
              { value: '', label: t('parentage_checks.showAll') },
              ...present.map((one) => ({
                value: one,
                label: `${t(`parentage_checks.verdicts.${one}`)} (${formatCount(report.verdicts[one])})`,
              })),
            ]}
          />
        )
      }
    >
      <DataTable
        fills
        id="parentage-results"
        label={t('word.individuals')}
        searchLabel={t('models.searchIndividuals')}
        columns={columns}
        {...table}
        rowId={(row) => row.individual}
        total={first?.total}
        csvName={check.name}
        maxHeight="34rem"
      />
    </Section>
  );
}

function useColumns(report: ParentageReport): DataColumn<ParentageRow>[] {
  const { t } = useTranslation();
  return useMemo((): DataColumn<ParentageRow>[] => {
    const parent = (name: string | null, tested: string | null): ReactNode => {
      if (name === null) return '–';
      if (name === tested) return name;
      const hint = tested === null ? t('parentage_checks.notGenotyped') : t('parentage_checks.through', { tested });
      return <span title={hint}>{name} *</span>;
    };
    const hasPedigree = report.in_pedigree !== null;
    const ofPedigree: DataColumn<ParentageRow>[] = [
      {
        id: 'verdict',
        header: t('parentage_checks.verdict'),
        hint: t('parentage_checks.verdictHint'),
        value: (row) => row.verdict,
        cell: (row) =>
          row.verdict === null ? (
            <span className="hx-muted">{t('parentage_checks.noParents')}</span>
          ) : (
            <StateBadge kind={SHAPES[row.verdict]} label={t(`parentage_checks.verdicts.${row.verdict}`)} />
          ),
        width: 130,
        narrow: true,
      },
      {
        id: 'female',
        header: t('word.female'),
        value: (row) => row.female,
        cell: (row) => parent(row.female, row.tested_female),
        sortable: false,
      },
      {
        id: 'male',
        header: t('word.male'),
        value: (row) => row.male,
        cell: (row) => parent(row.male, row.tested_male),
        sortable: false,
      },
      {
        id: 'conflict_share',
        header: t('parentage_checks.conflicts'),
        hint: t('parentage_checks.conflictsHint'),
        value: (row) => row.conflicts,
        cell: (row) => <Conflicts conflicts={row.conflicts} markers={row.markers} />,
        numeric: true,
        width: 158,
      },
      {
        id: 'others',
        header: t('parentage_checks.ofOthers'),
        hint: t('parentage_checks.ofOthersHint'),
        value: (row) => row.conflict_share_of_others,
        cell: (row) => <NumberCell value={row.conflict_share_of_others} kind="share" />,
        numeric: true,
        width: 96,
        sortable: false,
      },
      {
        id: 'support',
        header: t('parentage_checks.support'),
        hint: t('parentage_checks.supportHint'),
        value: (row) => row.support,
        cell: (row) => <NumberCell value={row.support} decimals={0} />,
        numeric: true,
        width: 120,
        sortable: false,
      },
      {
        id: 'score',
        header: t('parentage_checks.score'),
        hint: t('parentage_checks.scoreHint'),
        value: (row) => row.score,
        cell: (row) => <NumberCell value={row.score} decimals={0} />,
        numeric: true,
        width: 110,
        hidden: true,
      },
    ];
    return [
      { id: 'individual', header: t('word.individual'), value: (row) => row.individual },
      ...(hasPedigree ? ofPedigree : []),
      {
        id: 'likely',
        header: t('parentage_checks.likely'),
        hint: t('parentage_checks.likelyHint'),
        value: (row) => row.likely_parents.join(' × '),
        cell: (row) => <Likely row={row} />,
        width: 200,
        sortable: false,
        narrow: !hasPedigree,
      },
      {
        id: 'likely_conflicts',
        header: t('parentage_checks.likelyConflicts'),
        value: (row) => row.likely_conflicts,
        cell: (row) => <Conflicts conflicts={row.likely_conflicts} markers={row.likely_markers} />,
        numeric: true,
        width: 158,
        sortable: false,
      },
      {
        id: 'likely_score',
        header: t('parentage_checks.likelyScore'),
        hint: t('parentage_checks.scoreHint'),
        value: (row) => row.likely_score,
        cell: (row) => <NumberCell value={row.likely_score} decimals={0} />,
        numeric: true,
        width: 130,
        sortable: false,
        hidden: true,
      },
    ];
  }, [report, t]);
}

function Conflicts({ conflicts, markers }: { conflicts: number | null; markers: number | null }) {
  if (conflicts === null || markers === null || markers === 0) return <span className="hx-muted">–</span>;
  return (
    <span className="hx-tabular" title={`${conflicts} / ${markers}`}>
      {formatCount(conflicts)} / {formatCount(markers)} ({formatShare(conflicts / markers)})
    </span>
  );
}

/** Parents that the markers suggest; those that do not fit are grey. */
function Likely({ row }: { row: ParentageRow }) {
  const { t } = useTranslation();
  if (row.likely_parents.length === 0) return <span className="hx-muted">–</span>;
  const text = row.likely_parents.join(' × ');
  return row.likely_fits === true ? (
    <span>{text}</span>
  ) : (
    <span className="hx-muted" title={t('parentage_checks.doesNotFit')}>
      {t('parentage_checks.none', { nearest: text })}
    </span>
  );
}
