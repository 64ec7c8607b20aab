import { Button, TextInput, type TextInputProps, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type FieldNumber, numberOf, readFieldNumber } from '../../lib/form/field-number.ts';
import { type NumberLimits, numberError, numbersMeant } from '../../lib/form/form.ts';
import { IconChevronDown, IconChevronUp } from '../icons.tsx';
import classes from './number-field.module.css';

interface NumberFieldProps extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'min' | 'max'> {
  value?: FieldNumber;
  onChange: (value: FieldNumber) => void;
  limits: NumberLimits;
  /** What the arrow keys and buttons add. */
  step?: number;
  /** What they put into an empty field. */
  startValue?: number;
  /** Stands behind the number. */
  unit?: string;
}

/**
 * The field for every number. However its text arrives (typed, pasted, dropped, filled in), a decimal comma is one, and
 * separators of thousands are asked about. What is no number or out of range is said, and never changed.
 */
export function NumberField(props: NumberFieldProps) {
  const { value = '', onChange, limits, step = 1, startValue = 0, unit, ...input } = props;
  const { t } = useTranslation();
  const [typed, setTyped] = useState<string>();
  const number = numberOf(value);
  // "0,50" stays as it is typed; another number has come from elsewhere.
  const isTyped = typed !== undefined && numberOf(read(typed, limits, unit)) === number;
  const isFixed = input.disabled === true || input.readOnly === true;
  const ownError = value === '' || isFixed ? undefined : numberError(t, value, limits);
  const choices = isFixed ? [] : numbersMeant(value, limits);
  const set = (next: number): void => {
    setTyped(undefined);
    onChange(next);
  };
  const stepBy = (by: number): void => set(stepped(number, by, startValue, limits));
  return (
    <TextInput
      {...input}
      inputMode="decimal"
      autoComplete="off"
      value={isTyped ? typed : shown(value)}
      error={
        choices.length === 0 ? (
          (ownError ?? input.error)
        ) : (
          <>
            {ownError}
            <span className={classes.choices}>
              {choices.map((choice) => (
                <Button key={choice} size="compact-xs" variant="default" onClick={() => set(choice)}>
                  {choice}
                </Button>
              ))}
            </span>
          </>
        )
      }
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        onChange(read(currentTarget.value, limits, unit));
      }}
      onBlur={(event) => {
        setTyped(undefined);
        input.onBlur?.(event);
      }}
      onKeyDown={(event) => {
        input.onKeyDown?.(event);
        if (isFixed || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
        event.preventDefault();
        stepBy(event.key === 'ArrowUp' ? step : -step);
      }}
      rightSectionWidth={unit === undefined ? '1.5rem' : '3rem'}
      rightSectionProps={{ className: classes.section }}
      rightSection={
        <>
          {unit}
          {!isFixed && <Steps step={step} onStep={stepBy} />}
        </>
      }
    />
  );
}

/** For a mouse; the keyboard has the arrow keys, and a screen reader the text. */
function Steps({ step, onStep }: { step: number; onStep: (by: number) => void }) {
  const button = (by: number, Icon: typeof IconChevronUp) => (
    <UnstyledButton
      className={classes.step}
      tabIndex={-1}
      aria-hidden
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onStep(by)}
    >
      <Icon size={12} />
    </UnstyledButton>
  );
  return (
    <span className={classes.steps}>
      {button(step, IconChevronUp)}
      {button(-step, IconChevronDown)}
    </span>
  );
}

interface LiveNumberFieldProps extends Omit<NumberFieldProps, 'value' | 'onChange'> {
  value: number;
  onChange: (value: number) => void;
}

/** A number that takes effect while it is typed; what is none or out of range changes nothing. */
export function LiveNumberField({ value, onChange, ...rest }: LiveNumberFieldProps) {
  const { t } = useTranslation();
  const [held, setHeld] = useState<FieldNumber>(value);
  const error = numberError(t, held, rest.limits);
  return (
    <NumberField
      {...rest}
      value={error === undefined ? value : held}
      error={error}
      onChange={(next) => {
        setHeld(next);
        if (numberError(t, next, rest.limits) === undefined) onChange(numberOf(next));
      }}
    />
  );
}

/** Reads the text of a field; its unit may have been pasted with the number. */
const read = (text: string, { min, max }: NumberLimits, unit = ''): FieldNumber =>
  readFieldNumber(
    unit !== '' && text.trimEnd().endsWith(unit) ? text.trimEnd().slice(0, -unit.length) : text,
    max >= 1000 || min <= -1000,
  );

/** Without separators of thousands: a field that is edited would have to ask what its own mean. */
const shown = (value: FieldNumber): string => (typeof value === 'object' ? value.text : String(value));

function stepped(number: number, by: number, startValue: number, { min, max }: NumberLimits): number {
  const next = Number.isNaN(number) ? startValue : Number((number + by).toPrecision(12));
  return Math.min(max, Math.max(min, next));
}
