import { SHARED_KINDS, type ShareLink } from '@heterosis/contracts/people/share-links';
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { HelpLink } from '../../../components/page/help-link.tsx';
import { type Crumb, Page } from '../../../components/page/page.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { endlessRowsOf } from '../../../components/table/rows-of.ts';
import type { Place } from '../../../lib/browser/place.ts';
import { formatDay } from '../../../lib/format/format.ts';
import { useProjectRights } from '../projects/index.ts';
import { RevokeDialog } from './revoke-dialog.tsx';
import { ShareLinkState } from './share-link-state.tsx';
import { shareLinksQuery } from './share-links.api.ts';

const rowId = (link: ShareLink): string => link.id;

/** All share links of a project, or of an organization: what is out, until when, and how often it was opened. */
export function ShareLinksPage({ place, crumbs }: { place: Place; crumbs: Crumb[] }) {
  const { t } = useTranslation();
  const list = useInfiniteQuery(shareLinksQuery(place));
  const [revoking, setRevoking] = useState<ShareLink>();
  const columns = useColumns({ withProject: place.kind !== 'project', onRevoke: setRevoking });
  return (
    <Page title={t('nav.shareLinks')} crumbs={crumbs}>
      <p className="hx-muted">
        {t('share.pageNote')} <HelpLink topic="sharing">{t('help.title')}</HelpLink>
      </p>
      <DataTable
        id="share-links"
        label={t('nav.shareLinks')}
        columns={columns}
        {...endlessRowsOf(list)}
        rowId={rowId}
        hasTools={false}
        empty={<EmptyState title={t('share.none')}>{t('share.noneText')}</EmptyState>}
      />
      {revoking && <RevokeDialog link={revoking} onClose={() => setRevoking(undefined)} />}
    </Page>
  );
}

function useColumns({
  withProject,
  onRevoke,
}: {
  withProject: boolean;
  onRevoke: (link: ShareLink) => void;
}): DataColumn<ShareLink>[] {
  const { t } = useTranslation();
  return [
    {
      id: 'name',
      header: t('share.shows'),
      value: ({ name }) => name ?? '',
      cell: (link) => <SharedName link={link} />,
      wrap: true,
      minWidth: 220,
      sortable: false,
    },
    ...(withProject
      ? [
          {
            id: 'project',
            header: t('nav.project'),
            value: ({ project }: ShareLink) => project.name,
            wrap: true,
            minWidth: 120,
            sortable: false,
          },
        ]
      : []),
    {
      id: 'state',
      header: t('column.state'),
      value: ({ state }) => t(`share.state.${state}`),
      cell: (link) => <ShareLinkState state={link.state} />,
      narrow: true,
      width: 130,
      sortable: false,
    },
    {
      id: 'expires_at',
      header: t('token.expires'),
      value: ({ expires_at }) => expires_at,
      cell: ({ expires_at }) => formatDay(expires_at),
      width: 115,
      sortable: false,
    },
    {
      id: 'opened',
      header: t('share.openings'),
      value: ({ opened_count }) => opened_count,
      cell: ({ opened_count, last_opened_at }) => (
        <>
          {t('share.times', { count: opened_count })}
          {last_opened_at !== null && (
            <span className="hx-muted">
              {' · '}
              <RelativeTime date={last_opened_at} />
            </span>
          )}
        </>
      ),
      wrap: true,
      width: 130,
      sortable: false,
    },
    {
      id: 'created_by',
      header: t('share.who'),
      value: ({ created_by }) => created_by?.name ?? t('person.deleted'),
      wrap: true,
      width: 120,
      sortable: false,
    },
    {
      id: 'revoke',
      header: t('table.actions'),
      value: () => null,
      sortable: false,
      narrow: true,
      width: 90,
      cell: (link) => <RevokeButton link={link} isManager={withProject} onRevoke={onRevoke} />,
    },
  ];
}

function SharedName({ link: { entity_kind: kind, entity_id: id, name, project } }: { link: ShareLink }) {
  const { t } = useTranslation();
  const { noun, page } = SHARED_KINDS[kind];
  if (name === null) return <span className="hx-muted">{t('share.deletedKind', { noun })}</span>;
  return (
    <>
      <Link className="hx-link" to={`/projects/${project.id}/${page}/${id}` as '/'}>
        {name}
      </Link>{' '}
      <span className="hx-muted">{noun}</span>
    </>
  );
}

function RevokeButton({
  link,
  isManager,
  onRevoke,
}: {
  link: ShareLink;
  /** Of the organization: they alone see the links of all projects. */
  isManager: boolean;
  onRevoke: (link: ShareLink) => void;
}) {
  const { t } = useTranslation();
  const { mayDelete } = useProjectRights(link.project.id);
  if (link.state !== 'OPEN') return null;
  if (!isManager && !mayDelete({ created_by_id: link.created_by?.id ?? null })) return null;
  return (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={t('share.revokeOne', { name: link.name ?? '' })}
      onClick={() => onRevoke(link)}
    >
      {t('token.revoke')}
    </Button>
  );
}
