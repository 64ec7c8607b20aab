import type { OrganizationMember } from '@heterosis/contracts/people/organizations';
import type { TFunction } from 'i18next';
import type { DataColumn } from '../../../components/table/data-table.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';

export const memberId = (member: OrganizationMember): string => member.id;
export const nameOf = ({ name, email }: OrganizationMember): string => name ?? email;

export const lastActive = (t: TFunction): DataColumn<OrganizationMember> => ({
  id: 'last_active_at',
  header: t('column.lastActive'),
  value: (member) => member.last_active_at ?? '',
  cell: ({ last_active_at }) =>
    last_active_at === null ? t('people.neverActive') : <RelativeTime date={last_active_at} />,
  width: 120,
});
