import type { AccessToken } from '@heterosis/contracts/people/auth';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../components/dialog/confirm-dialog.tsx';
import { Section } from '../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { rowsOf } from '../../../components/table/rows-of.ts';
import { accessTokensQuery, useRevokeAccessToken } from './accounts.api.ts';
import { CreateAccessTokenDialog } from './create-access-token-dialog.tsx';

const rowId = (token: AccessToken): string => token.id;

/** Personal access tokens for scripts: made here, shown once, revoked here. */
export function AccessTokens() {
  const { t } = useTranslation();
  const list = useQuery(accessTokensQuery());
  const [isCreating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<AccessToken>();
  const revoke = useRevokeAccessToken();
  const columns: DataColumn<AccessToken>[] = [
    { id: 'name', header: t('column.name'), value: (token) => token.name },
    {
      id: 'scopes',
      header: t('token.mayDo'),
      value: (token) => token.scopes.map((scope) => t(`token.scope.${scope}`)).join(', '),
      width: 120,
    },
    {
      id: 'projects',
      header: t('nav.projects'),
      value: (token) =>
        token.projects === null
          ? t('token.allProjects')
          : token.projects.map((one) => one.name).join(', ') || t('token.noProjects'),
      wrap: true,
      width: 160,
    },
    {
      id: 'last_used_at',
      header: t('token.lastUsed'),
      value: (token) => token.last_used_at,
      cell: (token) => (token.last_used_at ? <RelativeTime date={token.last_used_at} /> : t('token.neverUsed')),
      width: 130,
    },
    {
      id: 'expires_at',
      header: t('token.expires'),
      value: (token) => token.expires_at,
      cell: (token) => <RelativeTime date={token.expires_at} />,
      width: 130,
    },
    {
      id: 'revoke',
      header: t('table.actions'),
      value: () => null,
      sortable: false,
      narrow: true,
      width: 110,
      cell: (token) => (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={t('token.revokeOne', { name: token.name })}
          onClick={() => setRevoking(token)}
        >
          {t('token.revoke')}
        </Button>
      ),
    },
  ];
  return (
    <Section
      title={t('word.accessTokens')}
      note={t('token.note')}
      action={
        <Button size="xs" onClick={() => setCreating(true)}>
          {t('token.create')}
        </Button>
      }
    >
      <DataTable
        id="access-tokens"
        label={t('word.accessTokens')}
        columns={columns}
        {...rowsOf(list)}
        rowId={rowId}
        hasTools={false}
        empty={<p className="hx-muted">{t('token.none')}</p>}
      />
      {isCreating && <CreateAccessTokenDialog onClose={() => setCreating(false)} />}
      {revoking && (
        <ConfirmDialog
          title={t('token.revokeTitle', { name: revoking.name })}
          confirmLabel={t('token.revoke')}
          onConfirm={() => revoke.mutateAsync(revoking.id)}
          onClose={() => setRevoking(undefined)}
        >
          {t('token.revokeText')}
        </ConfirmDialog>
      )}
    </Section>
  );
}
