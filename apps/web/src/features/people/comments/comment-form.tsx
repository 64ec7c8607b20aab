import { MAX_COMMENT_LENGTH, MAX_MENTIONS } from '@heterosis/contracts/people/comments';
import { Button, Combobox, Textarea, useCombobox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { guestProject } from '../../../lib/session/browser-session.ts';
import { membersQuery } from '../members/index.ts';
import { type About, useAddComment } from './comments.api.ts';
import classes from './comments.module.css';
import { typedName } from './text-parts.ts';

const MOST_OFFERED = 8;

/** Where one writes; `@` offers the members of the project. What could not be sent stays. */
export function CommentForm({ about }: { about: About }) {
  const { t } = useTranslation();
  const add = useAddComment(about);
  const [text, setText] = useState('');
  const [caret, setCaret] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const field = useRef<HTMLTextAreaElement>(null);
  const { data: members = [] } = useQuery({
    ...membersQuery({ kind: 'project', id: about.projectId }),
    enabled: isOpen && guestProject() === undefined,
  });
  const people = members.map(({ user_id, name, email }) => ({ id: user_id, name: name ?? email, email }));
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

  const choose = (id: string): void => {
    const person = people.find((one) => one.id === id);
    if (person === undefined || typing === undefined) return;
    const head = `${text.slice(0, typing.from)}@${person.name} `;
    setText(head + text.slice(caret));
    setChosen((before) => new Set(before).add(id));
    setOpen(false);
    // After the text has been drawn.
    requestAnimationFrame(() => field.current?.setSelectionRange(head.length, head.length));
    field.current?.focus();
  };
  const submit = (event?: FormEvent): void => {
    event?.preventDefault();
    if (text.trim() === '' || add.isPending) return;
    // Who was chosen, and whoever is named by typing alone, if there is one of the name.
    const isMeant = ({ id, name }: (typeof people)[number]): boolean =>
      chosen.has(id) || people.every((other) => other.id === id || other.name !== name);
    const named = people.filter((one) => text.includes(`@${one.name}`) && isMeant(one)).slice(0, MAX_MENTIONS);
    add.mutate(
      { text, mentions: named.map(({ id }) => id) },
      {
        onSuccess: () => {
          setText('');
          setChosen(new Set());
        },
      },
    );
  };

  return (
    <form className={classes.form} onSubmit={submit}>
      <Combobox store={combobox} onOptionSubmit={choose} position="top-start" width={280}>
        <Combobox.Target withKeyboardNavigation={isOffering} withAriaAttributes={isOffering}>
          <Textarea
            ref={field}
            aria-label={t('comments.write')}
            placeholder={t('comments.placeholder')}
            autosize
            minRows={1}
            maxRows={12}
            maxLength={MAX_COMMENT_LENGTH}
            value={text}
            onChange={({ currentTarget: { value, selectionStart } }) => {
              setText(value);
              setCaret(selectionStart);
              setOpen(true);
              combobox.selectFirstOption();
            }}
            onSelect={({ currentTarget: { selectionStart } }) => setCaret(selectionStart)}
            onBlur={() => setOpen(false)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit(event);
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
      {text !== '' && (
        <Button type="submit" size="xs" loading={add.isPending} disabled={text.trim() === ''}>
          {t('comments.send')}
        </Button>
      )}
      {add.error && <ErrorNotice error={add.error} />}
    </form>
  );
}
