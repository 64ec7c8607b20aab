import type { Role } from '@heterosis/contracts/common';
import type { OrganizationMember } from '@heterosis/contracts/people/organizations';
import { Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../components/dialog/confirm-dialog.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { rowsOf } from '../../../components/table/rows-of.ts';
import { queryClient } from '../../../lib/api/query-client.ts';
import type { Place } from '../../../lib/browser/place.ts';
import { lastActive, memberId, nameOf } from './member-columns.tsx';
import { membersQuery, useChangeRole, useRemoveMember } from './people.api.ts';
import { mayHandOver, mayRemove, rolesToGive, type Standing } from './rights.ts';

type Action = { do: 'remove' | 'hand-over' } | { do: 'change'; role: Role };

interface MembersProps {
  place: Place;
  name: string;
  standing: Standing;
  onLeft: () => void;
}

/** The members of a place, with what this person may do about each. */
export function Members({ place, name, standing, onLeft }: MembersProps) {
  const { t } = useTranslation();
  const list = useQuery(membersQuery(place));
  const { data: members } = list;
  const [asked, setAsked] = useState<{ member: OrganizationMember; action: Action }>();
  const columns: DataColumn<OrganizationMember>[] = [
    {
      id: 'name',
      header: t('column.name'),
      value: nameOf,
      cell: (member) =>
        member.user_id === standing.userId ? t('people.you', { name: nameOf(member) }) : nameOf(member),
    },
    { id: 'email', header: t('column.email'), value: (member) => member.email },
    { id: 'role', header: t('column.role'), value: (member) => t(`role.${member.role}`), width: 100, narrow: true },
    lastActive(t),
    {
      id: 'created_at',
      header: t('column.since'),
      value: (member) => member.created_at,
      cell: (member) => <RelativeTime date={member.created_at} />,
      width: 140,
      hidden: true,
    },
  ];
  return (
    <>
      <p className="hx-muted">{t(`people.${place.kind}Note`)}</p>
      <DataTable
        id={`${place.kind}-members`}
        label={t('nav.members')}
        columns={columns}
        {...rowsOf(list)}
        rowId={memberId}
        hasTools={(members?.length ?? 0) > 8}
        defaultSort={{ column: 'name', descending: false }}
        rowMenu={(member) =>
          hasMenu(standing, member, members ?? []) ? (
            <MemberMenu
              standing={standing}
              member={member}
              members={members ?? []}
              ask={(action) => setAsked({ member, action })}
            />
          ) : null
        }
        empty={<EmptyState title={t('people.noMembers')}>{t('people.noMembersText')}</EmptyState>}
      />
      {asked && (
        <MemberDialog
          place={place}
          placeName={name}
          standing={standing}
          {...asked}
          onClose={() => setAsked(undefined)}
          onLeft={onLeft}
        />
      )}
    </>
  );
}

interface MemberMenuProps {
  standing: Standing;
  member: OrganizationMember;
  members: OrganizationMember[];
  ask: (action: Action) => void;
}

const hasMenu = (standing: Standing, member: OrganizationMember, members: OrganizationMember[]): boolean =>
  rolesToGive(standing, member, members).length > 0 || mayRemove(standing, member, members);

function MemberMenu({ standing, member, members, ask }: MemberMenuProps) {
  const { t } = useTranslation();
  const verb = member.user_id === standing.userId ? 'leave' : 'remove';
  return (
    <>
      {rolesToGive(standing, member, members).map((role) => (
        <Menu.Item key={role} onClick={() => ask({ do: 'change', role })}>
          {t(`people.make.${role}`)}
        </Menu.Item>
      ))}
      {mayHandOver(standing, member) && (
        <Menu.Item onClick={() => ask({ do: 'hand-over' })}>{t('people.handOver')}</Menu.Item>
      )}
      {mayRemove(standing, member, members) && (
        <Menu.Item className="hx-danger" onClick={() => ask({ do: 'remove' })}>
          {t(`people.${verb}.${standing.kind}`)}
        </Menu.Item>
      )}
    </>
  );
}

interface MemberDialogProps {
  place: Place;
  placeName: string;
  standing: Standing;
  member: OrganizationMember;
  action: Action;
  onClose: () => void;
  onLeft: () => void;
}

/** Says what a change of a member means before it is made. */
function MemberDialog({ place, placeName, standing, member, action, onClose, onLeft }: MemberDialogProps) {
  const { t } = useTranslation();
  const { data: members } = useQuery(membersQuery(place));
  const changeRole = useChangeRole(place);
  const remove = useRemoveMember(place);
  const isSelf = member.user_id === standing.userId;
  const names = { name: nameOf(member), place: placeName };
  if (action.do === 'change') {
    return (
      <ConfirmDialog
        title={t(isSelf ? 'people.changeOwnTitle' : 'people.changeTitle', { ...names, role: t(`role.${action.role}`) })}
        confirmLabel={t(`people.make.${action.role}`)}
        isHarmless
        onConfirm={() => changeRole.mutateAsync({ id: member.id, role: action.role })}
        onClose={onClose}
      >
        {t(`people.${place.kind}Role.${action.role}`)}
      </ConfirmDialog>
    );
  }
  if (action.do === 'hand-over') {
    const own = members?.find(({ user_id }) => user_id === standing.userId);
    return (
      <ConfirmDialog
        title={t('people.handOverTitle', names)}
        confirmLabel={t('people.handOver')}
        onConfirm={async () => {
          await changeRole.mutateAsync({ id: member.id, role: 'OWNER' });
          if (own) await changeRole.mutateAsync({ id: own.id, role: 'MANAGER' });
        }}
        onClose={onClose}
      >
        {t('people.handOverText', names)}
      </ConfirmDialog>
    );
  }
  const verb = isSelf ? 'leave' : 'remove';
  return (
    <ConfirmDialog
      title={t(`people.${verb}Title`, names)}
      confirmLabel={t(`people.${verb}.${place.kind}`)}
      onConfirm={async () => {
        if (!isSelf) return remove.mutateAsync(member.id);
        // The place ends for who leaves it.
        await queryClient.end(place.id, () => remove.mutateAsync(member.id));
        return onLeft();
      }}
      onClose={onClose}
    >
      {t(`people.${verb}Text.${place.kind}`, names)}
    </ConfirmDialog>
  );
}
