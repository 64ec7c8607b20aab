import type { GermplasmOccurrence, GermplasmValue } from '@heterosis/contracts/data/germplasm';
import { RUN_KINDS } from '@heterosis/contracts/work/run-kinds';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { ResultsSkeleton } from '../../../components/page/loading.tsx';
import { Section } from '../../../components/page/section.tsx';
import { type DataColumn, DataTable, type RowLink } from '../../../components/table/data-table.tsx';
import { ReliabilityBar } from '../../../components/table/reliability-bar.tsx';
import type { Place } from '../../../lib/browser/place.ts';
import { isRunKind, runLink } from '../../../lib/browser/run-kinds.ts';
import { formatStatistic } from '../../../lib/format/format.ts';
import { germplasmValuesQuery } from './germplasm.api.ts';
import { INTERVAL } from './passport/estimates.ts';

type Kind = GermplasmOccurrence['kind'];

const capitalized = (noun: string): string => noun.charAt(0).toUpperCase() + noun.slice(1);

function useKindNames(): (kind: Kind) => string {
  const { t } = useTranslation();
  return (kind) => (isRunKind(kind) ? capitalized(RUN_KINDS[kind].noun) : t(`files.type.${kind}`));
}

const linkTo = (kind: Kind, id: string, projectId: string): RowLink =>
  isRunKind(kind)
    ? runLink(kind, projectId, id)
    : { to: '/projects/$projectId/files/$fileId', params: { projectId, fileId: id } };

/** What phenotype files, models and predictions say of a line. */
export function Values({
  place,
  germplasmId,
  children,
}: {
  place: Place;
  germplasmId: string;
  /** What is below: it comes together with the values, which would move it. */
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const kindOf = useKindNames();
  const list = useInfiniteQuery(germplasmValuesQuery(place, germplasmId));
  const rows = list.data?.pages.flatMap(({ data }) => data);
  const columns: DataColumn<GermplasmValue>[] = [
    { id: 'trait', header: t('germplasm.trait'), value: (row) => row.trait },
    {
      id: 'value',
      header: t('germplasm.value'),
      value: (row) => row.value,
      cell: (row) => (
        <>
          {formatStatistic(row.value)}
          {row.unit !== null && <span className="hx-muted"> {row.unit}</span>}
        </>
      ),
      numeric: true,
      narrow: true,
      width: 130,
    },
    {
      id: 'interval',
      header: t('passport.interval'),
      value: ({ se }) => se,
      cell: ({ se }) => (se === null ? null : `± ${formatStatistic(INTERVAL * se)}`),
      numeric: true,
      width: 130,
      hidden: rows?.every(({ se }) => se === null) ?? true,
    },
    {
      id: 'environment',
      header: t('passport.environment'),
      value: ({ environment }) => environment,
      hidden: rows?.every(({ environment }) => environment === null) ?? true,
    },
    {
      id: 'reliability',
      header: t('germplasm.reliability'),
      value: (row) => row.reliability,
      cell: (row) => (row.reliability === null ? null : <ReliabilityBar value={row.reliability} />),
      width: 150,
      startsDescending: true,
    },
    {
      id: 'observations',
      header: t('germplasm.observations'),
      value: (row) => row.observations,
      numeric: true,
      width: 130,
    },
    {
      id: 'estimate',
      header: t('passport.estimate'),
      value: ({ estimate }) => t(`passport.of.${estimate}`),
      width: 110,
    },
    { id: 'source', header: t('germplasm.source'), value: (row) => row.source.name },
    { id: 'kind', header: t('germplasm.kind'), value: (row) => kindOf(row.source.kind), width: 130 },
    { id: 'written', header: t('germplasm.written'), value: (row) => row.written, hidden: true },
    {
      id: 'project',
      header: t('germplasm.project'),
      value: (row) => row.project.name,
      hidden: place.kind === 'project',
    },
  ];
  return (
    <>
      <Section title={t('germplasm.values')} note={t('germplasm.valuesNote')}>
        {list.error && !rows ? (
          <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />
        ) : rows === undefined ? (
          // What is below fills the window.
          <ResultsSkeleton />
        ) : rows.length === 0 && !list.hasNextPage ? (
          <p className="hx-muted">{t('germplasm.noValues')}</p>
        ) : (
          <DataTable
            id="germplasm-values"
            label={t('germplasm.values')}
            columns={columns}
            rows={rows}
            rowId={(row) => `${row.source.id} ${row.written} ${row.trait} ${row.environment}`}
            rowLink={({ source, project }) => linkTo(source.kind, source.id, project.id)}
            hasTools={rows.length > 10}
            error={list.error}
            onRetry={() => void list.fetchNextPage()}
            more={{
              hasMore: list.hasNextPage,
              isLoading: list.isFetchingNextPage,
              load: () => void list.fetchNextPage(),
            }}
          />
        )}
      </Section>
      {!list.isPending && children}
    </>
  );
}

/** Files that have a line, and the runs on them. */
export function Occurrences({ occurrences }: { occurrences: GermplasmOccurrence[] }) {
  const { t } = useTranslation();
  const kindOf = useKindNames();
  const columns: DataColumn<GermplasmOccurrence>[] = [
    { id: 'name', header: t('column.name'), value: (row) => row.name },
    { id: 'kind', header: t('germplasm.kind'), value: ({ kind }) => kindOf(kind), narrow: true, width: 170 },
    { id: 'written', header: t('germplasm.written'), value: (row) => row.written },
    { id: 'project', header: t('germplasm.project'), value: (row) => row.project.name },
  ];
  return (
    <Section title={t('germplasm.occurrences')} note={t('germplasm.occurrencesNote')}>
      {occurrences.length === 0 ? (
        <p className="hx-muted">{t('germplasm.noOccurrences')}</p>
      ) : (
        <DataTable
          id="germplasm-occurrences"
          label={t('germplasm.occurrences')}
          columns={columns}
          rows={occurrences}
          rowId={(row) => row.id}
          rowLink={({ kind, id, project }) => linkTo(kind, id, project.id)}
          hasTools={occurrences.length > 10}
        />
      )}
    </Section>
  );
}
