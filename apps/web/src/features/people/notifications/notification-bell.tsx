import type { Notification } from '@heterosis/contracts/people/notifications';
import { Button, Indicator, Popover } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../components/form/icon-button.tsx';
import { IconBell } from '../../../components/icons.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import classes from './notification-bell.module.css';
import { notificationsQuery, useMarkRead } from './notifications.api.ts';

/** How many things one has not read of, and what they are. */
export function NotificationBell() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { data, error, refetch } = useQuery(notificationsQuery());
  const markRead = useMarkRead();
  const unread = data?.unread ?? 0;
  const toggle = (): void => {
    // What was deleted since is told by no event.
    if (!isOpen) void refetch();
    setOpen(!isOpen);
  };
  return (
    <Indicator label={unread > 99 ? '99+' : unread} size={15} offset={5} disabled={unread === 0} color="red.8">
      <Popover
        opened={isOpen}
        onChange={setOpen}
        position="bottom-end"
        width="min(24rem, calc(100vw - 1rem))"
        trapFocus
        returnFocus
      >
        <Popover.Target>
          <IconButton
            label={unread > 0 ? t('notifications.unread', { count: unread }) : t('notifications.title')}
            onClick={toggle}
          >
            <IconBell size={18} />
          </IconButton>
        </Popover.Target>
        <Popover.Dropdown p={0}>
          <div className={classes.head}>
            <h2>{t('notifications.title')}</h2>
            <Button
              size="compact-xs"
              variant="subtle"
              disabled={unread === 0}
              onClick={() => markRead.mutate(undefined)}
            >
              {t('notifications.markAll')}
            </Button>
          </div>
          {(error ?? markRead.error) && <ErrorNotice error={error ?? markRead.error} />}
          {data?.data.length === 0 && <p className={classes.none}>{t('notifications.none')}</p>}
          <ul className={classes.list}>
            {data?.data.map((one) => (
              <NotificationLine
                key={one.id}
                notification={one}
                onFollow={() => {
                  setOpen(false);
                  if (one.read_at === null) markRead.mutate([one.id]);
                }}
              />
            ))}
          </ul>
          <p className={classes.foot}>
            <Link to="/account" hash="notifications" className="hx-link" onClick={() => setOpen(false)}>
              {t('notifications.settings')}
            </Link>
          </p>
        </Popover.Dropdown>
      </Popover>
    </Indicator>
  );
}

function NotificationLine({ notification, onFollow }: { notification: Notification; onFollow: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { path, details, project, created_at, read_at } = notification;
  return (
    <li className={classes.line} data-unread={read_at === null || undefined}>
      <a
        href={path}
        onClick={(event) => {
          onFollow();
          // In a tab of its own, as the browser does it.
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          void navigate({ href: path });
        }}
      >
        {read_at === null && <span className="hx-visually-hidden">{t('notifications.isUnread')}</span>}
        {inWords(notification, t)}
      </a>
      {details.text && <span className={classes.text}>{details.text}</span>}
      <span className={classes.note}>
        {project && `${project.name} · `}
        <RelativeTime date={created_at} />
      </span>
    </li>
  );
}

function inWords({ kind, details }: Notification, t: TFunction): string {
  const { name, subject = '', by = '', state = 'succeeded' } = details;
  switch (kind) {
    case 'run':
      return t(`notifications.run.${state}`, { subject, name });
    case 'invitation':
      return t('notifications.invitation', { by, name });
    case 'mention':
      return t('notifications.mention', { by, name });
    case 'comment':
      return t('notifications.comment', { by, name });
  }
}
