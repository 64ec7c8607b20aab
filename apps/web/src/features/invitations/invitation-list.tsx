import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { SkeletonLines } from '../../components/loading.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import classes from './invitation-list.module.css';
import { invitationsQuery } from './invitations.api.ts';

/** Invitations received: to projects, to organizations, or both. */
export function InvitationList({ kind, emptyText }: { kind: 'project' | 'organization' | 'any'; emptyText?: string }) {
  const { t } = useTranslation();
  const { data: invitations, error, refetch } = useQuery(invitationsQuery());
  if (error && !invitations) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!invitations) return <SkeletonLines />;
  const shown = invitations.filter((one) => kind === 'any' || one[kind] !== null);
  if (shown.length === 0) return <p className="hx-muted">{emptyText ?? t('invitation.noneFound')}</p>;
  return (
    <ul className={classes.list}>
      {shown.map((one) => (
        <li key={one.id}>
          <span className={classes.name}>{one.project?.name ?? one.organization?.name}</span>
          <span className="hx-muted">
            {t('invitation.line', { sender: one.sender, role: t(`role.${one.role}`) })} ·{' '}
            <RelativeTime date={one.created_at} />
          </span>
        </li>
      ))}
    </ul>
  );
}
