import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsSilent } from '../../lib/api/silence.ts';
import { tryAgainNow, useConnection } from '../../lib/events/live.ts';
import classes from './connection-notice.module.css';

/** A server that restarts, or a lift: nobody needs to hear of it. */
const PATIENCE_MS = 4_000;

/** Says that the server is away or does not answer, and that the page goes on by itself when it does. */
export function ConnectionNotice() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const isLost = useConnection() === 'lost';
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!isLost) return undefined;
    const timer = setTimeout(() => setShown(true), PATIENCE_MS);
    return () => {
      clearTimeout(timer);
      setShown(false);
    };
  }, [isLost]);
  const isSilent = useIsSilent();
  const isGone = isLost && isShown;
  return (
    <div role="status" className={classes.place}>
      {(isGone || isSilent) && (
        <div className={classes.notice}>
          <span>{t(isGone ? 'connection.lost' : 'connection.silent')}</span>
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => {
              tryAgainNow();
              void client.invalidateQueries();
            }}
          >
            {t('word.tryNow')}
          </Button>
        </div>
      )}
    </div>
  );
}
