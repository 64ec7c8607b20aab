import type { UseFormReturnType } from '@mantine/form';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import type * as z from 'zod';
import { formatCount, formatTick } from './format.ts';
import { asProblem, type Problem, splitInvalidParams } from './problem.ts';

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
export function numberError(t: TFunction, value: number | string, limits: NumberLimits): string | undefined {
  const { min, max, isWhole = false } = limits;
  const number = Number(value);
  const isNumber = String(value).trim() !== '' && Number.isFinite(number);
  if (isNumber && number >= min && number <= max && (!isWhole || Number.isInteger(number))) return undefined;
  const range = { min: limitInWords(min), max: limitInWords(max) };
  return isWhole ? t('form.wholeNumberBetween', range) : t('form.numberBetween', range);
}

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
