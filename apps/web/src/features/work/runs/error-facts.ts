import type { TFunction } from 'i18next';
import type { Fact } from '../../../components/page/facts-strip.tsx';

/** What is known of the errors of the values, where it was asked for. */
export function errorFacts(
  {
    weights,
    standard_errors: columns = [],
    residual_lines: hasLines = false,
  }: {
    weights?: 'none' | 'se' | 'full' | undefined;
    standard_errors?: string[] | undefined;
    residual_lines?: boolean | undefined;
  },
  textOf: (name: 'weights' | 'standard_errors' | 'residual_lines', part: 'title' | 'labels', choice?: string) => string,
  t: TFunction,
): Fact[] {
  return [
    ...(weights === 'full' ? [{ label: textOf('weights', 'title'), value: textOf('weights', 'labels', weights) }] : []),
    ...(columns.length === 0 ? [] : [{ label: textOf('standard_errors', 'title'), value: columns.join(', ') }]),
    ...(hasLines ? [{ label: textOf('residual_lines', 'title'), value: t('word.yes') }] : []),
  ];
}
