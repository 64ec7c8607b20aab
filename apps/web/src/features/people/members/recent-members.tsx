import type { OrganizationMember } from '@heterosis/contracts/people/organizations';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { rowsOf } from '../../../components/table/rows-of.ts';
import type { Place } from '../../../lib/browser/place.ts';
import { useSession } from '../../../lib/session/browser-session.ts';
import { lastActive, memberId, nameOf } from './member-columns.tsx';
import { membersQuery } from './people.api.ts';

/** Members shown before the rest is left to the page of members. */
const SHOWN = 8;

interface RecentMembersProps {
  place: Place;
  /** How many members there are, where that is known before their list is. */
  expected: number | null;
  action: ReactNode;
}

/** The members of a place who were active last. */
export function RecentMembers({ place, expected, action }: RecentMembersProps) {
  const { t } = useTranslation();
  const state = useSession();
  const own = state.status === 'signed-in' ? state.user.uid : undefined;
  const list = useQuery(membersQuery(place));
  const { data: members } = list;
  const rows = members && [...members].sort(byActivity).slice(0, SHOWN);
  const left = (members?.length ?? 0) - (rows?.length ?? 0);
  const columns: DataColumn<OrganizationMember>[] = [
    {
      id: 'name',
      header: t('column.name'),
      value: nameOf,
      cell: (member) => (member.user_id === own ? t('people.you', { name: nameOf(member) }) : nameOf(member)),
    },
    { id: 'role', header: t('column.role'), value: (member) => t(`role.${member.role}`), width: 120, narrow: true },
    lastActive(t),
  ];
  return (
    <Section
      title={t('nav.members')}
      action={action}
      {...(left > 0 ? { note: t('people.moreMembers', { count: left }) } : {})}
    >
      <DataTable
        fills
        id={`${place.kind}-recent-members`}
        label={t('nav.members')}
        columns={columns}
        {...rowsOf(list)}
        rows={rows}
        expectedRows={Math.min(Math.max(expected ?? 1, 1), SHOWN)}
        rowId={memberId}
        hasTools={false}
      />
    </Section>
  );
}

const timeOf = ({ last_active_at, created_at }: OrganizationMember): number => Date.parse(last_active_at ?? created_at);
const byActivity = (a: OrganizationMember, b: OrganizationMember): number => timeOf(b) - timeOf(a);
