import { DESIGN_OPTIONS } from '@heterosis/contracts/options/design';
import { Button, FileButton, TagsInput, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { readAllPages } from '../../../../lib/api/pages.ts';
import { asProblem } from '../../../../lib/api/problem.ts';
import { showToast } from '../../../../lib/browser/toast.ts';
import { useOptionText } from '../../../../lib/form/use-option-text.ts';
import { formatCount } from '../../../../lib/format/format.ts';
import { germplasmListQuery } from '../../germplasm/index.ts';
import { TakeFromList } from '../../lists/index.ts';
import { unknownEntriesQuery } from '../trials.api.ts';
import { readEntries } from './entries.ts';
import { ENTRY_FILES, entriesOfFile } from './entries-file.ts';
import classes from './new-trial.module.css';

/** So long nothing is typed before names are looked up. */
const PAUSE_MS = 600;
/** Names that a message lists. */
const SHOWN = 5;
/** Names that the field of checks proposes at once. */
const PROPOSED = 50;

/** The entries of a trial as text, from wherever they come, and which of them are checks. */
export function EntriesField(props: {
  projectId: string;
  text: string;
  onText: (text: string) => void;
  checks: string[];
  onChecks: (checks: string[]) => void;
}) {
  const { projectId, text, onText, checks, onChecks } = props;
  const { t } = useTranslation();
  const client = useQueryClient();
  const textOf = useOptionText('design', DESIGN_OPTIONS);
  const [isLoading, setLoading] = useState(false);
  const { entries, repeated, wrong } = useMemo(() => readEntries(text), [text]);
  // As one text, which is the same when the page draws itself anew.
  const names = [...new Set([...entries.map(({ name }) => name), ...checks])].join('\n');
  const [settled] = useDebouncedValue(names, PAUSE_MS);
  const { data: matched, isPlaceholderData } = useQuery({
    ...unknownEntriesQuery(projectId, settled === '' ? [] : settled.split('\n')),
    placeholderData: keepPreviousData,
  });
  // Until the next answer, what was wrong before is said as long as it stands there.
  const stillThere = (list: readonly string[] = []): readonly string[] => {
    if (settled === names && !isPlaceholderData) return list;
    const now = new Set(names.split('\n'));
    return list.filter((name) => now.has(name));
  };
  const [unknown, ambiguous] = [stillThere(matched?.unknown), stillThere(matched?.ambiguous)];
  const germplasm = async (): Promise<void> => {
    setLoading(true);
    try {
      const query = germplasmListQuery({ kind: 'project', id: projectId }, { search: '', sort: undefined });
      onText((await readAllPages<{ name: string }>(client, query)).map(({ name }) => name).join('\n'));
    } catch (error) {
      showToast({ text: asProblem(error).message, isError: true });
    } finally {
      setLoading(false);
    }
  };
  const fromFile = useMutation({ mutationFn: (file: File) => entriesOfFile(t, projectId, file), onSuccess: onText });
  const [isOver, setOver] = useState(false);
  const dropping = {
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: (event: DragEvent) => {
      // Not when it only moves over what lies in here.
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
    },
    onDrop: (event: DragEvent) => {
      setOver(false);
      const [file] = event.dataTransfer.files;
      if (!file) return;
      event.preventDefault();
      fromFile.mutate(file);
    },
  };
  const complaints = [
    ...(repeated.length === 0
      ? []
      : [t('trials.entriesTwice', { count: repeated.length, names: repeated.slice(0, SHOWN).join(', ') })]),
    ...(unknown.length === 0 ? [] : [t('trials.entriesUnknown', { count: unknown.length, names: shortened(unknown) })]),
    ...(ambiguous.length === 0
      ? []
      : [t('trials.entriesAmbiguous', { count: ambiguous.length, names: shortened(ambiguous) })]),
    ...(wrong.length === 0 ? [] : [t('trials.entriesWrong', { lines: wrong.slice(0, SHOWN).join(', ') })]),
  ];
  const named = new Set(checks);
  const others = entries.filter(({ name }) => !named.has(name)).length;
  const ofEntries = t('trials.entriesCount', { count: others, formatted: formatCount(others) });
  const count =
    named.size === 0
      ? ofEntries
      : t('trials.entriesAndChecks', { count: named.size, formatted: formatCount(named.size), entries: ofEntries });
  return (
    // Dropping is an extra; a button does the same.
    <div className={classes.entries} data-over={isOver || undefined} {...dropping}>
      <div className={classes.loaders}>
        <TakeFromList
          projectId={projectId}
          kind="germplasm"
          label={t('trials.entries')}
          onTake={(names) => onText(names.join('\n'))}
        />
        <Button size="xs" variant="default" loading={isLoading} onClick={() => void germplasm()}>
          {t('trials.allGermplasm')}
        </Button>
        <FileButton
          accept={ENTRY_FILES}
          onChange={(file) => file && fromFile.mutate(file)}
          inputProps={{
            'aria-label': t('trials.entriesFile'),
            // Otherwise the same file could not be chosen again.
            onClick: (event) => {
              event.currentTarget.value = '';
            },
          }}
        >
          {(button) => (
            <Button {...button} size="xs" variant="default" loading={fromFile.isPending}>
              {t('trials.entriesFile')}
            </Button>
          )}
        </FileButton>
      </div>
      {fromFile.error && <ErrorNotice error={fromFile.error} />}
      <Textarea
        label={t('trials.entriesLabel')}
        description={t('trials.entriesHint')}
        autosize
        minRows={5}
        maxRows={9}
        spellCheck={false}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
        error={complaints.length > 0 && complaints.join(' ')}
      />
      <p className={classes.note} role="status">
        {count}
      </p>
      <TagsInput
        label={textOf('checks', 'label')}
        description={t('trials.checksHint')}
        data={entries.map(({ name }) => name)}
        limit={PROPOSED}
        splitChars={['\n', '\t', ';']}
        clearable
        value={checks}
        onChange={onChecks}
      />
    </div>
  );
}

const shortened = (names: readonly string[]): string =>
  `${names.slice(0, SHOWN).join(', ')}${names.length > SHOWN ? ', …' : ''}`;
