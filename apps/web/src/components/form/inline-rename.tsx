import { TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../lib/api/problem.ts';
import { announceRenamed } from '../../lib/browser/undo-toast.ts';
import { IconPencil } from '../icons.tsx';
import { NameText } from '../table/name-text.tsx';
import { IconButton } from './icon-button.tsx';
import classes from './inline-rename.module.css';

/** The name of a page as its heading; the pencil turns it into a field. Enter saves, Escape gives up. */
export function InlineRename({
  name,
  onRename,
  label,
  canRename = true,
}: {
  name: string;
  onRename: (name: string) => Promise<unknown>;
  label: string;
  canRename?: boolean;
}) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<string>();
  const [error, setError] = useState<string>();
  const [isPending, setPending] = useState(false);

  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const wanted = draft?.trim() ?? '';
    if (wanted === '') {
      setError(t('form.nameRequired'));
      return;
    }
    if (wanted !== name) {
      setPending(true);
      try {
        await onRename(wanted);
        announceRenamed(t, { from: name, to: wanted }, onRename);
      } catch (failure) {
        setError(asProblem(failure).detail);
        return;
      } finally {
        setPending(false);
      }
    }
    setDraft(undefined);
  };

  if (draft === undefined) {
    return (
      <span className={classes.shown}>
        <h1>
          <NameText name={name} />
        </h1>
        {canRename && (
          <IconButton
            label={label}
            size="sm"
            onClick={() => {
              setError(undefined);
              setDraft(name);
            }}
          >
            <IconPencil size={16} />
          </IconButton>
        )}
      </span>
    );
  }
  return (
    <form className={classes.form} onSubmit={(event) => void save(event)}>
      <TextInput
        aria-label={label}
        value={draft}
        error={error}
        disabled={isPending}
        maxLength={255}
        autoFocus
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setDraft(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setDraft(undefined);
        }}
        onBlur={(event) => {
          if (event.currentTarget.value.trim() === name) setDraft(undefined);
        }}
      />
    </form>
  );
}
