import { inputError } from '../command.ts';

/** `--structure`: the covariance between environments. */
export function structureOf(
  text: string,
): { kind: 'cs' } | { kind: 'diag' } | { kind: 'fa'; factors: number } | 'auto' {
  if (text === 'auto') return 'auto';
  if (text === 'cs' || text === 'diag') return { kind: text };
  const factors = Number(/^fa([1-9]\d?)$/.exec(text)?.[1]);
  if (Number.isInteger(factors)) return { kind: 'fa', factors };
  throw inputError(
    'E-CLI-VALUE',
    `--structure takes cs, diag, fa1, fa2, … or auto, not "${text}".`,
    'fa2 has two factors.',
  );
}
