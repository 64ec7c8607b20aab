import type { Photo } from '@heterosis/contracts/data/photos';
import { PHOTO_TYPES } from '@heterosis/contracts/people/auth';
import { Button, FileButton, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../../components/dialog/modal-frame.tsx';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { BlobPicture, Picture } from '../../../../components/photos/picture.tsx';
import { asProblem, isNoAnswer } from '../../../../lib/api/problem.ts';
import { formatDateTime } from '../../../../lib/format/format.ts';
import { useProjectRights } from '../../../people/projects/index.ts';
import { PhotosFull } from './photo-store.ts';
import { plotPhotosQuery, usePhotoMutations } from './photos.api.ts';
import classes from './photos.module.css';
import { useWaitingPhotos } from './use-waiting-photos.ts';

/**
 * The photos of a plot as small pictures, each opening its whole, and a button that takes or chooses more. It stands
 * wherever a plot is shown.
 */
export function PlotPhotos(props: { projectId: string; trialId: string; plot: number; mayAdd: boolean }) {
  const { projectId, trialId, plot, mayAdd } = props;
  const { t } = useTranslation();
  const { data, error: unread } = useQuery(plotPhotosQuery(projectId, trialId, plot));
  // Values are typed without a connection too, and nothing is lost with pictures that are not seen there.
  const error = unread && !isNoAnswer(asProblem(unread)) ? unread : undefined;
  const { add, discard, waiting } = useWaitingPhotos(projectId, trialId);
  const own = waiting.filter((one) => one.plot === plot);
  const kept = waiting.filter(({ refused }) => refused === undefined).length;
  const [shown, setShown] = useState<string>();
  const open = data?.find(({ id }) => id === shown);
  if (!mayAdd && (data ?? []).length + own.length === 0 && !error) return null;
  return (
    <div className={classes.photos} data-photos={plot}>
      {error && <ErrorNotice error={error} />}
      {add.error instanceof PhotosFull ? (
        <Notice kind="warning">{t('trials.photos.full')}</Notice>
      ) : (
        add.error && <ErrorNotice error={add.error} onRetry={() => add.mutate(add.variables)} />
      )}
      {own.map(
        ({ id, name, refused }) =>
          refused !== undefined && (
            <Notice key={id} kind="warning">
              {name}: {refused}{' '}
              <Button size="compact-xs" variant="default" onClick={() => discard.mutate(id)}>
                {t('action.delete')}
              </Button>
            </Notice>
          ),
      )}
      <ul className={classes.strip} aria-label={t('trials.photos.of', { plot })}>
        {(data ?? []).map((photo) => (
          <li key={photo.id}>
            {/* The picture comes later than its button. */}
            <button type="button" aria-label={labelOf(photo)} onClick={() => setShown(photo.id)}>
              <Picture projectId={projectId} photo={photo} size="thumbnail" label={labelOf(photo)} />
            </button>
          </li>
        ))}
        {own.map(({ id, name, photo, thumbnail }) => (
          <li key={id} className={classes.waiting}>
            <BlobPicture data={thumbnail ?? photo} label={t('trials.photos.waits', { name })} />
          </li>
        ))}
      </ul>
      {kept > 0 && (
        <p className="hx-muted" role="status" data-waiting-photos={kept}>
          {t('trials.photos.kept', { count: kept })}
        </p>
      )}
      {mayAdd && (
        <FileButton
          multiple
          accept={PHOTO_TYPES.join(',')}
          onChange={(files) => files.length > 0 && add.mutate({ files, plot })}
          inputProps={{
            'aria-label': t('trials.photos.add'),
            // Otherwise the same file could not be chosen again.
            onClick: (event) => {
              event.currentTarget.value = '';
            },
          }}
        >
          {(button) => (
            <Button variant="default" loading={add.isPending} {...button}>
              {t('trials.photos.add')}
            </Button>
          )}
        </FileButton>
      )}
      {open && (
        <PhotoDialog
          key={open.id}
          projectId={projectId}
          photo={open}
          mayChange={mayAdd}
          onClose={() => setShown(undefined)}
        />
      )}
    </div>
  );
}

const labelOf = ({ note, name }: Photo): string => note ?? name;

/** The whole photo, with who took it when, and a note that may be changed. */
function PhotoDialog(props: { projectId: string; photo: Photo; mayChange: boolean; onClose: () => void }) {
  const { projectId, photo, mayChange, onClose } = props;
  const { t } = useTranslation();
  const { mayChange: isMine } = useProjectRights(projectId);
  const { change, remove } = usePhotoMutations(projectId, photo.trial_id, photo.plot);
  const [note, setNote] = useState(photo.note ?? '');
  const mayEdit = mayChange && isMine(photo);
  const isChanged = note.trim() !== (photo.note ?? '');
  const problem = change.error ?? remove.error;
  return (
    <ModalFrame
      title={t('trials.plotNumber', { number: photo.plot })}
      onClose={onClose}
      size="64rem"
      busy={change.isPending || remove.isPending}
      unsaved={{ isDirty: isChanged }}
    >
      <div className={classes.whole}>
        <Picture projectId={projectId} photo={photo} size="full" label={labelOf(photo)} />
        <p className="hx-muted">
          {[photo.created_by, formatDateTime(photo.taken_at), photo.name].filter(Boolean).join(' · ')}
        </p>
        {problem && <ErrorNotice error={problem} />}
        {mayEdit ? (
          <>
            <Textarea
              label={t('trials.note')}
              autosize
              maxLength={1_000}
              value={note}
              onChange={(event) => setNote(event.currentTarget.value)}
            />
            <div className={classes.buttons}>
              <Button
                variant="subtle"
                color="red"
                className="hx-danger"
                loading={remove.isPending}
                onClick={() => remove.mutate(photo.id, { onSuccess: onClose })}
              >
                {t('action.delete')}
              </Button>
              <Button
                disabled={!isChanged}
                loading={change.isPending}
                onClick={() => change.mutate({ id: photo.id, note: note.trim() || null }, { onSuccess: onClose })}
              >
                {t('action.saveChanges')}
              </Button>
            </div>
          </>
        ) : (
          photo.note && <p>{photo.note}</p>
        )}
      </div>
    </ModalFrame>
  );
}
