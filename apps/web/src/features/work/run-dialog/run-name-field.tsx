import { RUN_KINDS, type RunKind } from '@heterosis/contracts/work/run-kinds';
import { TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NameInHand } from './name-in-hand.ts';

/** The name of a run, kept at what the dialog proposes until somebody writes something else into it. */
export function RunNameField(props: {
  kind: RunKind;
  /** What the form says of the field. */
  input: { value?: string; error?: ReactNode };
  proposal: string;
  propose: (values: { name: string }) => void;
}) {
  const { kind, input, proposal, propose } = props;
  const { t } = useTranslation();
  const name = input.value ?? '';
  const field = useRef<HTMLInputElement>(null);
  const [inHand] = useState(() => new NameInHand());
  const offer = (): void => {
    if (inHand.takes(name, proposal)) propose({ name: proposal });
  };
  useEffect(offer, [name, proposal]);
  const show = (): void => {
    if (field.current !== null && field.current === document.activeElement) inHand.showIn(field.current);
  };
  useLayoutEffect(show, [name]);
  return (
    <TextInput
      ref={field}
      label={t(`${RUN_KINDS[kind].path}.name`)}
      data-autofocus
      maxLength={255}
      {...input}
      onKeyDown={(event) => inHand.press(event.key)}
      onPointerDown={() => inHand.touch()}
      // What is dictated or filled in comes without a key.
      onInput={() => inHand.touch()}
      onFocus={show}
      onBlur={() => {
        inHand.leave();
        offer();
      }}
    />
  );
}
