import type { UseFormReturnType } from '@mantine/form';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import type * as z from 'zod';
import { asProblem, type Problem, splitInvalidParams } from '../api/problem.ts';
import { formatCount, formatTick } from '../format/format.ts';
import { type FieldNumber, isFieldText, numberOf, readingsOf } from './field-number.ts';

/** Field → first complaint of a contract schema about the values; for `validate` of Mantine's `useForm`. */
export function schemaErrors(schema: z.ZodType, values: unknown): Record<string, string> {
  const result = schema.safeParse(values);
  const errors: Record<string, string> = {};
  for (const issue of result.error?.issues ?? []) errors[issue.path.join('.')] ??= issue.message;
  return errors;
}

export interface NumberLimits {
  min: number;
  max: number;
  isWhole?: boolean;
}

/**
 * What is wrong with a number of a form, as a sentence; undefined where nothing is. An empty field is no zero, and a
 * number out of range is refused rather than changed.
 */
export function numberError(t: TFunction, value: FieldNumber, limits: NumberLimits): string | undefined {
  if (isWithin(numberOf(value), limits)) return undefined;
  const choices = numbersMeant(value, limits).length;
  if (choices > 0) return t(choices === 1 ? 'form.isNumberMeant' : 'form.whichNumberIsMeant');
  const range = { min: limitInWords(limits.min), max: limitInWords(limits.max) };
  return limits.isWhole ? t('form.wholeNumberBetween', range) : t('form.numberBetween', range);
}

/** The same where an empty field is as good as a number. */
export const optionalNumberError = (t: TFunction, value: FieldNumber, limits: NumberLimits): string | undefined =>
  value === '' ? undefined : numberError(t, value, limits);

/** What a text with separators of thousands may mean in a field with these limits. */
export const numbersMeant = (value: FieldNumber, limits: NumberLimits): number[] =>
  isFieldText(value) ? readingsOf(value.text).filter((number) => isWithin(number, limits)) : [];

const isWithin = (number: number, { min, max, isWhole = false }: NumberLimits): boolean =>
  number >= min && number <= max && Number.isFinite(number) && (!isWhole || Number.isInteger(number));

/** A limit as one would type it: 1,000,000,000, not 1 × 10⁹. */
const limitInWords = (limit: number): string => (Number.isInteger(limit) ? formatCount(limit) : formatTick(limit));

export interface Submission<Values> {
  /** For `onSubmit` of the form element. */
  handleSubmit: (event?: React.FormEvent<HTMLFormElement>) => void;
  isPending: boolean;
  /** What no field could show; undefined before the first failure and while sending. */
  problem: Problem | undefined;
  values: Values;
}

/**
 * Sends a form, never twice at a time. Invalid parameters that the server names are shown on their fields, everything
 * else in `problem`. `done` runs only after the server has accepted, and is awaited: a second click while the page
 * changes must not send the form again.
 */
export function useSubmission<Values extends Record<string, unknown>, Result>(
  form: UseFormReturnType<Values>,
  sendValues: (values: Values) => Promise<Result>,
  done: (result: Result) => unknown,
): Submission<Values> {
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<Problem>();

  const submit = async (values: Values): Promise<void> => {
    if (isPending) return;
    setPending(true);
    setProblem(undefined);
    try {
      const result = await sendValues(values);
      await done(result);
    } catch (error) {
      const failure = asProblem(error);
      const { byField, rest } = splitInvalidParams(failure, Object.keys(values));
      form.setErrors(byField as Parameters<typeof form.setErrors>[0]);
      const isShownByFields = Object.keys(byField).length > 0 && rest.length === 0;
      setProblem(isShownByFields ? undefined : failure);
    } finally {
      setPending(false);
    }
  };

  const handleSubmit = form.onSubmit((values) => void submit(values as Values)) as Submission<Values>['handleSubmit'];
  return { handleSubmit, isPending, problem, values: form.values };
}
