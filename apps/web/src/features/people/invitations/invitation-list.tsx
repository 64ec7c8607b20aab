import type { Invitation } from '@heterosis/contracts/people/invitations';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../components/page/loading.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { asProblem, type Problem } from '../../../lib/api/problem.ts';
import { formatDay } from '../../../lib/format/format.ts';
import classes from './invitation-list.module.css';
import { invitationsQuery, useAcceptInvitation, useDeclineInvitation } from './invitations.api.ts';

export type JoinedLink = Pick<LinkProps, 'to' | 'params'>;

interface InvitationListProps {
  kind: 'project' | 'organization';
  emptyText: string;
  declineLabel: string;
  /** Instead of saying here what was joined. */
  onJoined?: (link: JoinedLink) => void;
}

/** Invitations received to projects or to organizations, to accept or decline. */
export function InvitationList({ kind, emptyText, declineLabel, onJoined }: InvitationListProps) {
  const { t } = useTranslation();
  const { data: invitations, error, refetch } = useQuery(invitationsQuery());
  const [joined, setJoined] = useState<{ name: string; link: JoinedLink }[]>([]);
  // By name, as an invitation that turns out to be gone takes its entry with it.
  const [failure, setFailure] = useState<{ name: string; problem: Problem }>();
  if (error && !invitations) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!invitations) return <SkeletonLines />;
  const shown = invitations.filter((one) => one[kind] !== null);
  return (
    <div className={classes.place}>
      {joined.map(({ name, link }) => (
        <Notice key={name} kind="success">
          <p>
            {t('invitation.joined', { name })}{' '}
            <Link {...(link as LinkProps)} search={{}} className="hx-link">
              {t('invitation.open', { name })}
            </Link>
          </p>
        </Notice>
      ))}
      {failure && (
        <div>
          <p>
            <strong>{failure.name}</strong>
          </p>
          <ErrorNotice error={failure.problem} />
        </div>
      )}
      {shown.length === 0 && joined.length === 0 && <p className="hx-muted">{emptyText}</p>}
      <ul className={classes.list}>
        {shown.map((one) => (
          <Entry
            key={one.id}
            invitation={one}
            declineLabel={declineLabel}
            onStart={() => setFailure(undefined)}
            onFailed={(problem) => setFailure({ name: nameOf(one), problem })}
            onJoined={(link) => (onJoined ? onJoined(link) : setJoined([...joined, { name: nameOf(one), link }]))}
          />
        ))}
      </ul>
    </div>
  );
}

const nameOf = ({ project, organization }: Invitation): string => (project ?? organization)?.name ?? '';

function linkOf({ organization_id, project_id }: { organization_id: string; project_id: string | null }): JoinedLink {
  return project_id === null
    ? { to: '/organizations/$organizationId', params: { organizationId: organization_id } }
    : { to: '/projects/$projectId', params: { projectId: project_id } };
}

interface EntryProps {
  invitation: Invitation;
  declineLabel: string;
  onStart: () => void;
  onFailed: (problem: Problem) => void;
  onJoined: (link: JoinedLink) => void;
}

function Entry({ invitation, declineLabel, onStart, onFailed, onJoined }: EntryProps) {
  const { t } = useTranslation();
  const accept = useAcceptInvitation();
  const decline = useDeclineInvitation();
  const isPending = accept.isPending || decline.isPending;
  const name = nameOf(invitation);
  /** Awaited rather than told by callbacks, which would be lost when the entry leaves the list. */
  const answer = async (send: () => Promise<void>): Promise<void> => {
    if (isPending) return;
    onStart();
    try {
      await send();
    } catch (error) {
      onFailed(asProblem(error));
    }
  };
  return (
    <li>
      <div className={classes.text}>
        <span className={classes.name}>{name}</span>
        <span className="hx-muted">
          {t('invitation.line', { sender: invitation.sender, role: t(`role.${invitation.role}`) })} ·{' '}
          <RelativeTime date={invitation.created_at} /> ·{' '}
          {t('invitation.validUntil', { date: formatDay(invitation.expires_at) })}
        </span>
      </div>
      <div className={classes.buttons}>
        <Button
          size="xs"
          variant="default"
          aria-label={t('invitation.answerTo', { answer: declineLabel, name })}
          aria-busy={decline.isPending}
          onClick={() => void answer(() => decline.mutateAsync(invitation.id))}
        >
          {declineLabel}
        </Button>
        <Button
          size="xs"
          aria-label={t('invitation.answerTo', { answer: t('invitation.accept'), name })}
          aria-busy={accept.isPending}
          onClick={() => void answer(async () => onJoined(linkOf(await accept.mutateAsync(invitation.id))))}
        >
          {t('invitation.accept')}
        </Button>
      </div>
    </li>
  );
}
