import type { PassportPhoto } from '@heterosis/contracts/data/passports';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDateTime, formatDay } from '../../lib/format/format.ts';
import { ModalFrame } from '../dialog/modal-frame.tsx';
import classes from './photo-strip.module.css';
import { Picture } from './picture.tsx';

/** Photos of plots as small pictures with what they show, where and when; each opens large, with those beside it. */
export function PhotoStrip(props: { projectId: string; label: string; photos: readonly PassportPhoto[] }) {
  const { projectId, label, photos } = props;
  const { t } = useTranslation();
  const [shown, setShown] = useState<string>();
  const at = photos.findIndex(({ id }) => id === shown);
  const open = photos[at];
  return (
    <>
      <ul className={classes.strip} aria-label={label}>
        {photos.map((photo) => (
          <li key={photo.id}>
            <button type="button" onClick={() => setShown(photo.id)}>
              <span className={classes.picture}>
                <Picture projectId={projectId} photo={photo} size="thumbnail" label={photo.note ?? placeOf(photo)} />
              </span>
              {photo.note !== null && <span className={classes.note}>{photo.note}</span>}
              <span className={classes.place}>{placeOf(photo)}</span>
              <span className={classes.place}>{formatDay(photo.taken_at)}</span>
            </button>
          </li>
        ))}
      </ul>
      {open && (
        <ModalFrame title={placeOf(open)} onClose={() => setShown(undefined)} size="64rem" unsaved={{ isDirty: false }}>
          <div className={classes.whole}>
            <Picture key={open.id} projectId={projectId} photo={open} size="full" label={open.note ?? placeOf(open)} />
            {open.note !== null && <p>{open.note}</p>}
            <p className="hx-muted">
              {[t('trials.plotNumber', { number: open.plot }), open.season, open.location_name, open.created_by]
                .concat(formatDateTime(open.taken_at))
                .filter(Boolean)
                .join(' · ')}
            </p>
            <div className={classes.buttons}>
              <Button variant="default" disabled={at === 0} onClick={() => setShown(photos[at - 1]?.id)}>
                {t('photos.previous')}
              </Button>
              <Link
                to="/projects/$projectId/trials/$trialId"
                params={{ projectId, trialId: open.trial_id }}
                className="hx-link"
              >
                {t('photos.toTrial')}
              </Link>
              <Button
                variant="default"
                disabled={at === photos.length - 1}
                onClick={() => setShown(photos[at + 1]?.id)}
              >
                {t('photos.next')}
              </Button>
            </div>
          </div>
        </ModalFrame>
      )}
    </>
  );

  function placeOf({ trial, plot }: PassportPhoto): string {
    return t('photos.ofPlot', { trial, plot });
  }
}
