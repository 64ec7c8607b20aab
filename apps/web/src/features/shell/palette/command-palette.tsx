import { Modal } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconSearch } from '../../../components/icons.tsx';
import { useOrganizationId, useProjectId } from '../../../lib/session/current.ts';
import classes from './command-palette.module.css';
import { rankEntries } from './rank-entries.ts';
import {
  type PaletteEntries,
  type PaletteEntry,
  useEntriesEverywhere,
  useOrganizationEntries,
  useProjectEntries,
} from './use-palette-entries.ts';

/** The server is asked when typing pauses. */
const PAUSE_MS = 120;

interface PaletteProps {
  close: () => void;
  showShortcuts: () => void;
}

/** One field that leads to every page, run, file and line, and starts runs. */
export function CommandPalette(props: PaletteProps) {
  const { t } = useTranslation();
  const projectId = useProjectId();
  const organizationId = useOrganizationId();
  return (
    <Modal
      opened
      onClose={props.close}
      withCloseButton={false}
      size="36rem"
      padding={0}
      attributes={{ content: { 'aria-label': t('word.searchGoToAPageOr') } }}
      classNames={{ body: classes.body ?? '' }}
    >
      {projectId !== undefined ? (
        <ProjectPalette key={projectId} projectId={projectId} {...props} />
      ) : organizationId !== undefined ? (
        <OrganizationPalette key={organizationId} organizationId={organizationId} {...props} />
      ) : (
        <PlainPalette {...props} />
      )}
    </Modal>
  );
}

function useTyped() {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), PAUSE_MS);
  return { typed, setTyped, search, isPending: search !== typed.trim() };
}

function ProjectPalette({ projectId, ...props }: PaletteProps & { projectId: string }) {
  const { search, isPending, ...field } = useTyped();
  const { entries, isSearching } = useProjectEntries(projectId, search);
  const found = { entries, isSearching: isSearching || isPending };
  return <PaletteField {...field} {...found} {...props} elsewhere={{ projectId }} />;
}

function OrganizationPalette({ organizationId, ...props }: PaletteProps & { organizationId: string }) {
  const { search, isPending, ...field } = useTyped();
  const { entries, isSearching } = useOrganizationEntries(organizationId, search);
  const found = { entries, isSearching: isSearching || isPending };
  return <PaletteField {...field} {...found} {...props} elsewhere={{ organizationId }} />;
}

function PlainPalette(props: PaletteProps) {
  const { typed, setTyped } = useTyped();
  return <PaletteField typed={typed} setTyped={setTyped} entries={[]} isSearching={false} {...props} elsewhere={{}} />;
}

interface FieldProps extends PaletteProps, PaletteEntries {
  typed: string;
  setTyped: (typed: string) => void;
  /** The place that the entries are of: it is not elsewhere. */
  elsewhere: { projectId?: string; organizationId?: string };
}

/** A combobox: the focus stays in the field, and the arrow keys move among the options. */
function PaletteField({ typed, setTyped, entries, isSearching, elsewhere, close, showShortcuts }: FieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const others = useEntriesEverywhere({ ...elsewhere, showShortcuts });
  const groups = rankEntries([...entries, ...others], typed);
  const options = groups.flatMap((group) => group.entries);
  const active = Math.min(at, options.length - 1);
  const chosen = options[active];
  // Enter that comes before the first result opens it when it comes.
  const [isEntered, setEntered] = useState(false);
  const optionId = (index: number): string => `${id}-option-${index}`;

  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  });
  const choose = (entry: PaletteEntry): void => {
    close();
    entry.run();
  };
  useEffect(() => {
    if (!isEntered) return;
    if (chosen) choose(chosen);
    else if (!isSearching) setEntered(false);
  });
  const handleKeyDown = (event: KeyboardEvent): void => {
    const count = options.length;
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && chosen) choose(chosen);
    else if (event.key === 'Enter' && isSearching) setEntered(true);
    else if (event.key === 'ArrowDown' && count > 0) setAt((active + 1) % count);
    else if (event.key === 'ArrowUp' && count > 0) setAt((active + count - 1) % count);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className={classes.field}>
        <IconSearch size={18} aria-hidden="true" />
        <input
          autoFocus
          data-autofocus
          className={classes.input}
          role="combobox"
          aria-label={t('word.searchGoToAPageOr')}
          aria-expanded={options.length > 0}
          aria-autocomplete="list"
          aria-controls={`${id}-list`}
          aria-activedescendant={active >= 0 ? optionId(active) : undefined}
          placeholder={t('palette.placeholder')}
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setAt(0);
            setEntered(false);
          }}
          onKeyDown={handleKeyDown}
        />
        <kbd className={classes.key}>Esc</kbd>
      </div>
      <div
        ref={list}
        id={`${id}-list`}
        className={classes.list}
        {...(options.length > 0 ? { role: 'listbox', 'aria-label': t('word.results') } : {})}
      >
        {groups.map((group, groupIndex) => (
          <div key={group.name} role="group" aria-labelledby={`${id}-group-${groupIndex}`}>
            <div id={`${id}-group-${groupIndex}`} role="presentation" className={classes.group}>
              {group.name}
            </div>
            {group.entries.map((entry) => {
              const index = options.indexOf(entry);
              return (
                <Option
                  key={entry.id}
                  id={optionId(index)}
                  entry={entry}
                  isActive={index === active}
                  onPoint={() => setAt(index)}
                  onChoose={() => choose(entry)}
                />
              );
            })}
          </div>
        ))}
      </div>
      <p className={classes.foot} role="status">
        {options.length === 0 && !isSearching
          ? t('palette.nothing', { text: typed.trim() })
          : isSearching
            ? t('palette.searching')
            : t('palette.count', { count: options.length })}
      </p>
    </>
  );
}

function Option(props: {
  id: string;
  entry: PaletteEntry;
  isActive: boolean;
  onPoint: () => void;
  onChoose: () => void;
}) {
  const { entry } = props;
  const Glyph = entry.icon;
  return (
    // The keys are those of the field, which keeps the focus.
    <div
      id={props.id}
      role="option"
      aria-selected={props.isActive}
      className={classes.option}
      onPointerMove={props.onPoint}
      onMouseDown={(event) => event.preventDefault()}
      onClick={props.onChoose}
    >
      <Glyph size={18} stroke={1.6} aria-hidden="true" />
      <span className={classes.label}>{entry.label}</span>
      {entry.note !== undefined && <span className={classes.note}>{entry.note}</span>}
    </div>
  );
}
