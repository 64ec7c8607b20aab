import { MAX_COMMENT_LENGTH } from '@heterosis/contracts/people/comments';
import { Button } from '@mantine/core';
import type { SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { type About, useAddComment } from './comments.api.ts';
import classes from './comments.module.css';
import { MentionField, useDraft } from './mention-field.tsx';

/** Where one writes a comment. What could not be sent stays. */
export function CommentForm({ about }: { about: About }) {
  const { t } = useTranslation();
  const add = useAddComment(about);
  const draft = useDraft(about.projectId);
  const { text } = draft;
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (text.trim() === '' || add.isPending) return;
    add.mutate({ text, mentions: draft.mentions() }, { onSuccess: draft.clear });
  };
  return (
    <form className={classes.form} onSubmit={submit}>
      <MentionField
        draft={draft}
        label={t('comments.write')}
        placeholder={t('comments.placeholder')}
        maxLength={MAX_COMMENT_LENGTH}
        maxRows={12}
        onSubmit={submit}
      />
      {text !== '' && (
        <Button type="submit" size="xs" loading={add.isPending} disabled={text.trim() === ''}>
          {t('comments.send')}
        </Button>
      )}
      {add.error && <ErrorNotice error={add.error} />}
    </form>
  );
}
