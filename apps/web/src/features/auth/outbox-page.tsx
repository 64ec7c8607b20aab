import { type OutboxMail, outboxMail } from '@heterosis/contracts/auth';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ResultsSkeleton } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { api } from '../../lib/api-client.ts';
import classes from './outbox-page.module.css';

const outbox = z.object({ data: z.array(outboxMail) });
const REFRESH_MS = 3_000;

export function OutboxPage() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey: ['outbox'],
    queryFn: ({ signal }) => api.get(outbox, '/dev/outbox', { signal }),
    refetchInterval: REFRESH_MS,
  });
  const mails = data?.data;
  return (
    <Page title={t('outbox.title')} width="text">
      <p>{t('outbox.note')}</p>
      {error && !mails && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!mails && !error && <ResultsSkeleton />}
      {mails?.length === 0 && <EmptyState title={t('outbox.emptyTitle')}>{t('outbox.emptyText')}</EmptyState>}
      {mails && mails.length > 0 && (
        <ul className={classes.mails}>
          {[...mails]
            .sort((a, b) => b.created_at.localeCompare(a.created_at))
            .map((mail) => (
              <Mail key={`${mail.created_at} ${mail.to} ${mail.link}`} mail={mail} />
            ))}
        </ul>
      )}
    </Page>
  );
}

function Mail({ mail }: { mail: OutboxMail }) {
  const { t } = useTranslation();
  return (
    <li>
      <div className={classes.head}>
        <div>
          <p className={classes.subject}>{mail.subject}</p>
          <p className="hx-muted">
            {t('outbox.to', { address: mail.to })} · <RelativeTime date={mail.created_at} />
          </p>
        </div>
        {mail.link && (
          <Button
            component="a"
            href={mail.link}
            variant="default"
            aria-label={t('outbox.openLinkOf', { address: mail.to })}
          >
            {t('outbox.openLink')}
          </Button>
        )}
      </div>
      <details>
        <summary>{t('outbox.text')}</summary>
        <pre className={classes.text}>{mail.text}</pre>
      </details>
    </li>
  );
}
