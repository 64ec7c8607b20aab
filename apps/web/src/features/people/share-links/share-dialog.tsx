import {
  DEFAULT_SHARE_LINK_DAYS,
  MAX_SHARE_LINK_DAYS,
  SHARE_LIFETIMES_DAYS,
  type ShareLink,
} from '@heterosis/contracts/people/share-links';
import { Button, CopyButton, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import formClasses from '../../../components/form/form.module.css';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { formatDay } from '../../../lib/format/format.ts';
import { organizationQuery } from '../organizations/index.ts';
import { projectQuery, useProjectRights } from '../projects/index.ts';
import { RevokeDialog } from './revoke-dialog.tsx';
import classes from './share-dialog.module.css';
import { ShareLinkState } from './share-link-state.tsx';
import { type SharedItem, shareLinksOfQuery, useCreateShareLink } from './share-links.api.ts';

/** Makes a link that shows a result without an account, and lists those that there are. */
export function ShareDialog({ item, name, onClose }: { item: SharedItem; name: string; onClose: () => void }) {
  const { t } = useTranslation();
  const create = useCreateShareLink(item);
  const most = useMostDays(item.projectId);
  const lifetimes = [...new Set([...SHARE_LIFETIMES_DAYS.filter((days) => days <= most), ...(most > 0 ? [most] : [])])];
  const [chosen, setChosen] = useState<number>();
  const days = chosen ?? Math.min(DEFAULT_SHARE_LINK_DAYS, most);
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate(days);
  };
  return (
    <ModalFrame
      title={t('share.title', { name })}
      help="sharing"
      size="lg"
      onClose={onClose}
      busy={create.isPending}
      unsaved={{ isDirty: false }}
    >
      <div className={formClasses.form}>
        <p className={classes.about}>{t('share.about')}</p>
        {most === 0 ? (
          <Notice kind="warning">{t('share.forbidden')}</Notice>
        ) : (
          <form className={classes.make} onSubmit={handleSubmit}>
            <NativeSelect
              label={t('token.expires')}
              value={String(days)}
              onChange={({ currentTarget: { value } }) => setChosen(Number(value))}
              data={lifetimes.map((count) => ({ value: String(count), label: t('token.inDays', { count }) }))}
              data-autofocus
            />
            <Button type="submit" loading={create.isPending} variant={create.data ? 'default' : 'filled'}>
              {t(create.data ? 'share.another' : 'share.make')}
            </Button>
          </form>
        )}
        {create.error && <ErrorNotice error={create.error} />}
        {create.data && <NewLink key={create.data.id} url={create.data.url} until={create.data.expires_at} />}
        <Links item={item} />
      </div>
    </ModalFrame>
  );
}

/** Project guests are not told what the organization allows; the server refuses what is too long. */
function useMostDays(projectId: string): number {
  const { data: project } = useQuery(projectQuery(projectId));
  const organizationId = project?.organization?.id;
  const { data: organization } = useQuery({
    ...organizationQuery(organizationId ?? ''),
    enabled: organizationId !== undefined,
  });
  return organization?.share_link_days ?? MAX_SHARE_LINK_DAYS;
}

function NewLink({ url, until }: { url: string; until: string }) {
  const { t } = useTranslation();
  return (
    <div className={classes.made} role="status">
      <TextInput
        label={t('share.link')}
        description={t('share.shownOnce', { date: formatDay(until) })}
        value={url}
        readOnly
        ref={(input) => input?.select()}
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton value={url}>
        {({ copied, copy }) => <Button onClick={copy}>{copied ? t('word.copied') : t('share.copy')}</Button>}
      </CopyButton>
    </div>
  );
}

function Links({ item }: { item: SharedItem }) {
  const { t } = useTranslation();
  const { data: links, error, refetch } = useQuery(shareLinksOfQuery(item));
  const { mayDelete } = useProjectRights(item.projectId);
  const [revoking, setRevoking] = useState<ShareLink>();
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!links || links.length === 0) return null;
  return (
    <section aria-labelledby="share-links-of">
      <h3 id="share-links-of" className={classes.heading}>
        {t('share.existing')}
      </h3>
      <ul className={classes.links}>
        {links.map((link) => (
          <li key={link.id}>
            <div>
              <ShareLinkState state={link.state} />
              <p className={classes.facts}>
                {t('share.madeBy', { name: link.created_by?.name ?? t('person.deleted') })}{' '}
                <RelativeTime date={link.created_at} />
                {link.state === 'OPEN' && ` · ${t('share.until', { date: formatDay(link.expires_at) })}`}
                {' · '}
                {t('share.opened', { count: link.opened_count })}
              </p>
            </div>
            {link.state === 'OPEN' && mayDelete({ created_by_id: link.created_by?.id ?? null }) && (
              <Button size="compact-sm" variant="default" onClick={() => setRevoking(link)}>
                {t('token.revoke')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {revoking && <RevokeDialog link={revoking} onClose={() => setRevoking(undefined)} />}
    </section>
  );
}
