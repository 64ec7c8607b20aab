import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type NumberLimits, numberError } from '../lib/form.ts';

/** A number that takes effect while it is typed. What is no number or out of range is said, and changes nothing. */
export function LiveNumberInput({
  limits,
  value,
  onChange,
  ...rest
}: Omit<NumberInputProps, 'value' | 'onChange' | 'min' | 'max'> & {
  limits: NumberLimits;
  value: number;
  onChange: (value: number) => void;
}) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState<number | string>(value);
  const error = numberError(t, typed, limits);
  // "1." is a number already and must stay as it is typed; another number has come from elsewhere.
  const isTyped = error !== undefined || Number(typed) === value;
  return (
    <NumberInput
      {...rest}
      min={limits.min}
      max={limits.max}
      value={isTyped ? typed : value}
      error={error}
      onChange={(next) => {
        setTyped(next);
        if (numberError(t, next, limits) === undefined) onChange(Number(next));
      }}
    />
  );
}
