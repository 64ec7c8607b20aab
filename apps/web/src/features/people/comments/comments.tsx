import type { Comment } from '@heterosis/contracts/people/comments';
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../components/dialog/confirm-dialog.tsx';
import { IconButton } from '../../../components/form/icon-button.tsx';
import { IconTrash } from '../../../components/icons.tsx';
import { useOnceComplete } from '../../../components/page/arriving-parts.ts';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { Section } from '../../../components/page/section.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { useProjectRights } from '../projects/index.ts';
import { CommentForm } from './comment-form.tsx';
import { type About, commentsQuery, useDeleteComment } from './comments.api.ts';
import classes from './comments.module.css';
import { textParts } from './text-parts.ts';

/** Where a notification leads on the page. */
const PLACE = 'comments';

/**
 * What people say about a line, file, run or trial, as a section of its page. It comes once the page above is complete,
 * which would push it down.
 */
export function Comments(about: About) {
  const { t } = useTranslation();
  const { isPending } = useInfiniteQuery(commentsQuery(about));
  const isComplete = useOnceComplete(!isPending);
  useEffect(() => {
    if (isComplete && window.location.hash === `#${PLACE}`) document.getElementById(PLACE)?.scrollIntoView();
  }, [isComplete]);
  if (!isComplete) return null;
  return (
    <Section place={PLACE} title={t('comments.title')}>
      <CommentThread {...about} />
    </Section>
  );
}

/** The same in a panel, which brings its own title. */
export function CommentThread(about: About) {
  const { t } = useTranslation();
  const { may, mayDelete } = useProjectRights(about.projectId);
  const list = useInfiniteQuery(commentsQuery(about));
  const comments = list.data?.pages.flatMap(({ data }) => data).toReversed();
  const mayWrite = may('write');
  return (
    <div className={classes.thread}>
      {list.error && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
      {list.hasNextPage && (
        <Button
          size="compact-sm"
          variant="subtle"
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {t('comments.earlier')}
        </Button>
      )}
      {comments?.length === 0 && !mayWrite && <p className="hx-muted">{t('comments.none')}</p>}
      {comments && comments.length > 0 && (
        <ol className={classes.list}>
          {comments.map((one) => (
            <CommentItem
              key={one.id}
              comment={one}
              about={about}
              mayDelete={mayDelete({ created_by_id: one.author?.id ?? null })}
            />
          ))}
        </ol>
      )}
      {mayWrite && <CommentForm about={about} />}
    </div>
  );
}

function CommentItem({ comment, about, mayDelete }: { comment: Comment; about: About; mayDelete: boolean }) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const remove = useDeleteComment(about.projectId);
  const { author, part, created_at, text, mentions } = comment;
  const names = mentions.map(({ name }) => name);
  const who = author?.name ?? t('person.deleted');
  return (
    <li>
      <div className={classes.head}>
        <strong>{who}</strong>
        <span className={classes.note}>
          <RelativeTime date={created_at} />
          {part !== null && about.part === undefined && (
            <> · {t(`comments.part.${comment.entity_kind === 'trial' ? 'trial' : 'file'}`, { part })}</>
          )}
        </span>
        {mayDelete && (
          <IconButton label={t('comments.deleteOf', { name: who })} size="sm" onClick={() => setAsking(true)}>
            <IconTrash size={14} />
          </IconButton>
        )}
      </div>
      <p className={classes.text}>
        {textParts(text, names).map(({ kind, text: piece }, at) => {
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never change
          const key = at;
          if (kind === 'link')
            return (
              <a key={key} href={piece} className="hx-link" target="_blank" rel="noopener noreferrer nofollow">
                {piece}
              </a>
            );
          return kind === 'mention' ? <strong key={key}>{piece}</strong> : piece;
        })}
      </p>
      {isAsking && (
        <ConfirmDialog
          title={t('comments.deleteTitle')}
          confirmLabel={t('comments.delete')}
          onConfirm={() => remove.mutateAsync(comment.id)}
          onClose={() => setAsking(false)}
        >
          {t('comments.deleteText')}
        </ConfirmDialog>
      )}
    </li>
  );
}
