import { authApi } from '@heterosis/contracts/endpoints/people/auth';
import type { OutboxMail } from '@heterosis/contracts/people/auth';
import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { ResultsSkeleton } from '../../../components/page/loading.tsx';
import { Page } from '../../../components/page/page.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { call } from '../../../lib/api/api-client.ts';
import { isNotFound } from '../../../lib/api/problem.ts';
import classes from './outbox-page.module.css';

const REFRESH_MS = 3_000;

export function OutboxPage() {
  const { t } = useTranslation();
  const [key, setKey] = useState(takeKey);
  const { data, error, refetch } = useQuery({
    queryKey: ['outbox', key],
    queryFn: ({ signal }) => call(authApi.listMails, { query: { key } }, { signal }),
    refetchInterval: REFRESH_MS,
    enabled: key !== '',
    retry: false,
  });
  const isLocked = key === '' || isNotFound(error);
  const open = (text: string): void => {
    keepKey(text);
    setKey(text);
  };
  const mails = data?.data;
  return (
    <Page title={t('outbox.title')} width="text">
      <p>{t('outbox.note')}</p>
      {isLocked && !mails && <AskForKey wasWrong={key !== ''} onKey={open} />}
      {error && !mails && !isLocked && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!mails && !error && !isLocked && <ResultsSkeleton />}
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

const KEY = 'heterosis.outbox-key';

/** The key of the address that was printed; it leaves the address, and this browser keeps it. */
function takeKey(): string {
  const search = new URLSearchParams(window.location.search);
  const given = search.get('key');
  if (given === null) return window.localStorage.getItem(KEY) ?? '';
  window.history.replaceState(window.history.state, '', window.location.pathname);
  keepKey(given);
  return given;
}

const keepKey = (key: string): void => window.localStorage.setItem(KEY, key);

/** Who sees the terminal may read the mails, so the key is asked for and not told. */
function AskForKey({ wasWrong, onKey }: { wasWrong: boolean; onKey: (key: string) => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // The whole address may be pasted too.
    const text = typed.trim();
    onKey(URL.canParse(text) ? (new URL(text).searchParams.get('key') ?? text) : text);
  };
  return (
    <form onSubmit={submit} className={classes.key}>
      <p>{t('outbox.locked')}</p>
      <TextInput
        label={t('outbox.key')}
        value={typed}
        error={wasWrong ? t('outbox.wrongKey') : undefined}
        autoComplete="off"
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit" disabled={typed.trim() === ''}>
        {t('word.openTheOutbox')}
      </Button>
    </form>
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
