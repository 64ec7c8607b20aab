import { AUDIT_ACTIONS, AUDIT_AREAS, type AuditEntry, auditActions } from '@heterosis/contracts/people/audit';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { type Crumb, Page } from '../../../components/page/page.tsx';
import { PageNotFound } from '../../../components/page/page-not-found.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { endlessRowsOf } from '../../../components/table/rows-of.ts';
import { isNotFound } from '../../../lib/api/problem.ts';
import type { Place } from '../../../lib/browser/place.ts';
import { auditListQuery, downloadAudit } from './audit.api.ts';
import { type AuditSearch, filterOf } from './audit-filter.ts';
import classes from './audit-page.module.css';
import { useActionName, useSentence } from './use-sentence.ts';

const rowId = (entry: AuditEntry): string => entry.id;
const TYPING_MS = 300;

/** Who did what in an organization, in a project, or in the whole installation. The filters stand in the address. */
export function AuditPage({
  place,
  crumbs,
  links,
  search,
  onSearch,
}: {
  /** Undefined: the whole installation, for operators. */
  place: Place | undefined;
  crumbs: Crumb[];
  /** To the pages beside this one. */
  links?: ReactNode;
  search: AuditSearch;
  onSearch: (search: AuditSearch) => void;
}) {
  const { t } = useTranslation();
  const [settled] = useDebouncedValue(search, TYPING_MS);
  const filter = filterOf(settled);
  const list = useInfiniteQuery(auditListQuery(place, filter));
  const download = useMutation({ mutationFn: () => downloadAudit(place, filterOf(search)) });
  const columns = useColumns({ withProject: place?.kind !== 'project' });
  const isFiltered = Object.keys(filter).length > 0;
  if (isNotFound(list.error)) return <PageNotFound />;
  return (
    <Page
      title={t('audit.title')}
      crumbs={crumbs}
      action={
        <Button variant="default" loading={download.isPending} onClick={() => download.mutate()}>
          {t('action.downloadCsv')}
        </Button>
      }
    >
      {links}
      <p className="hx-muted" style={{ margin: 0 }}>
        {t(place?.kind === 'project' ? 'audit.projectNote' : 'audit.note')}
      </p>
      {download.error && <ErrorNotice error={download.error} />}
      <Filters search={search} onSearch={onSearch} />
      <DataTable
        id="audit"
        label={t('audit.title')}
        columns={columns}
        {...endlessRowsOf(list)}
        rowId={rowId}
        hasTools={false}
        empty={<p className="hx-muted">{t(isFiltered ? 'audit.noneFits' : 'audit.none')}</p>}
      />
    </Page>
  );
}

function Filters({ search, onSearch }: { search: AuditSearch; onSearch: (search: AuditSearch) => void }) {
  const { t } = useTranslation();
  const actionName = useActionName();
  // The address follows what is typed, and not the other way round: it arrives later than the next letter.
  const [person, setPerson] = useState(search.person ?? '');
  const isFiltered = Object.values(search).some((value) => value !== undefined && value !== '');
  return (
    <search className={classes.filters}>
      <TextInput
        label={t('audit.person')}
        placeholder={t('audit.personHint')}
        maxLength={254}
        value={person}
        onChange={({ currentTarget: { value } }) => {
          setPerson(value);
          onSearch({ ...search, person: value });
        }}
      />
      <NativeSelect
        label={t('audit.what')}
        value={search.what ?? ''}
        onChange={({ currentTarget: { value } }) => onSearch({ ...search, what: value })}
        data={[
          { value: '', label: t('audit.everything') },
          ...AUDIT_AREAS.map((area) => ({
            group: t(`audit.areas.${area}`),
            items: [
              { value: area, label: t('audit.allOf', { area: t(`audit.areas.${area}`) }) },
              ...auditActions
                .filter((action) => AUDIT_ACTIONS[action] === area)
                .map((action) => ({ value: action, label: actionName(action) })),
            ],
          })),
        ]}
      />
      {(['from', 'to'] as const).map((end) => (
        <TextInput
          key={end}
          type="date"
          label={t(`audit.${end}`)}
          value={search[end] ?? ''}
          onChange={({ currentTarget: { value } }) => onSearch({ ...search, [end]: value })}
        />
      ))}
      {isFiltered && (
        <Button
          variant="default"
          onClick={() => {
            setPerson('');
            onSearch({});
          }}
        >
          {t('audit.clear')}
        </Button>
      )}
    </search>
  );
}

function useColumns({ withProject }: { withProject: boolean }): DataColumn<AuditEntry>[] {
  const { t } = useTranslation();
  const sentence = useSentence();
  const actorName = ({ actor }: AuditEntry): string =>
    actor === null ? t('audit.system') : (actor.name ?? actor.email ?? '–');
  return [
    {
      id: 'created_at',
      header: t('audit.when'),
      value: (entry) => entry.created_at,
      cell: (entry) => <RelativeTime date={entry.created_at} />,
      width: 120,
      sortable: false,
    },
    {
      id: 'actor',
      header: t('audit.who'),
      value: actorName,
      cell: (entry) => (
        <span className={classes.actor} title={entry.actor?.email ?? undefined}>
          {actorName(entry)}
        </span>
      ),
      width: 170,
      sortable: false,
    },
    { id: 'action', header: t('audit.did'), value: sentence, wrap: true, narrow: true, sortable: false, minWidth: 260 },
    ...(withProject
      ? [
          {
            id: 'project',
            header: t('audit.project'),
            value: (entry: AuditEntry) => entry.project?.name ?? null,
            width: 160,
            sortable: false,
          },
        ]
      : []),
  ];
}
