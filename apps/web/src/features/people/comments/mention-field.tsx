import { MAX_MENTIONS } from '@heterosis/contracts/people/comments';
import { Combobox, Textarea, useCombobox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { guestProject } from '../../../lib/session/browser-session.ts';
import { membersQuery } from '../members/index.ts';
import classes from './comments.module.css';
import { typedName } from './text-parts.ts';

const MOST_OFFERED = 8;

interface Mentioned {
  id: string;
  name: string;
  email: string;
}

/** What somebody is writing, in which `@` names members of the project. */
export interface Draft {
  text: string;
  setText: (text: string) => void;
  /** Ids of those whom the text names. */
  mentions: () => string[];
  clear: () => void;
  people: readonly Mentioned[];
  /** Somebody may be named: the members are needed. */
  open: () => void;
  choose: (id: string) => void;
}

export function useDraft(projectId: string): Draft {
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { data: members = [] } = useQuery({
    ...membersQuery({ kind: 'project', id: projectId }),
    enabled: isOpen && guestProject() === undefined,
  });
  const people = members.map(({ user_id, name, email }) => ({ id: user_id, name: name ?? email, email }));
  // Who was chosen, and whoever is named by typing alone, if there is one of the name.
  const isMeant = ({ id, name }: Mentioned): boolean =>
    chosen.has(id) || people.every((other) => other.id === id || other.name !== name);
  return {
    ...{ text, setText, people },
    mentions: () =>
      people
        .filter((one) => text.includes(`@${one.name}`) && isMeant(one))
        .slice(0, MAX_MENTIONS)
        .map(({ id }) => id),
    clear: () => {
      setText('');
      setChosen(new Set());
    },
    open: () => setOpen(true),
    choose: (id) => setChosen((before) => new Set(before).add(id)),
  };
}

/** Where a draft is written; `@` offers the members of the project. */
export function MentionField(props: {
  draft: Draft;
  label: string;
  /** Whether the label stands above, instead of for readers of screens alone. */
  isLabelled?: boolean;
  description?: ReactNode;
  placeholder?: string;
  maxLength: number;
  maxRows: number;
  onSubmit?: (event: KeyboardEvent) => void;
}) {
  const { draft, label, isLabelled = false, description, placeholder, maxLength, maxRows, onSubmit } = props;
  const { t } = useTranslation();
  const { text, people } = draft;
  const [caret, setCaret] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const typing = isOpen ? typedName(text, caret) : undefined;
  const wanted = typing?.typed.toLocaleLowerCase() ?? '';
  const offered =
    typing === undefined
      ? []
      : people
          .filter(({ name, email }) => `${name} ${email}`.toLocaleLowerCase().includes(wanted))
          .slice(0, MOST_OFFERED);
  const isOffering = offered.length > 0;
  const combobox = useCombobox({ opened: isOffering, onDropdownClose: () => setOpen(false) });
  const { selectFirstOption } = combobox;
  useEffect(() => {
    // The members may come after the `@`.
    if (isOffering) selectFirstOption();
  }, [isOffering, selectFirstOption]);
  const choose = (id: string): void => {
    const person = people.find((one) => one.id === id);
    if (person === undefined || typing === undefined) return;
    const head = `${text.slice(0, typing.from)}@${person.name} `;
    draft.setText(head + text.slice(caret));
    draft.choose(id);
    setOpen(false);
    // After the text has been drawn.
    requestAnimationFrame(() => field.current?.setSelectionRange(head.length, head.length));
    field.current?.focus();
  };
  return (
    <Combobox store={combobox} onOptionSubmit={choose} position="top-start" width={280}>
      <Combobox.Target withKeyboardNavigation={isOffering} withAriaAttributes={isOffering}>
        <Textarea
          ref={field}
          {...(isLabelled ? { label } : { 'aria-label': label })}
          {...(description === undefined ? {} : { description })}
          {...(placeholder === undefined ? {} : { placeholder })}
          autosize
          minRows={1}
          maxRows={maxRows}
          maxLength={maxLength}
          value={text}
          onChange={({ currentTarget: { value, selectionStart } }) => {
            draft.setText(value);
            draft.open();
            setCaret(selectionStart);
            setOpen(true);
            selectFirstOption();
          }}
          onSelect={({ currentTarget: { selectionStart } }) => setCaret(selectionStart)}
          onBlur={() => setOpen(false)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) onSubmit?.(event);
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={!isOffering}>
        <Combobox.Options aria-label={t('comments.people')}>
          {offered.map(({ id, name, email }) => (
            <Combobox.Option key={id} value={id}>
              {name}
              {name !== email && <span className={classes.email}>{email}</span>}
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
