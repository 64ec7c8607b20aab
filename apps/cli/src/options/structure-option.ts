import { type SeriesStructure, structureNamed } from '@heterosis/analysis/trial-series/series-tables';
import { inputError } from '../command.ts';

/** `--structure`: the covariance between environments. */
export function structureOf(text: string): SeriesStructure | 'auto' {
  const structure = structureNamed(text);
  if (structure !== null) return structure;
  throw inputError(
    'E-CLI-VALUE',
    `--structure takes cs, diag, fa1, fa2, … or auto, not "${text}".`,
    'fa2 has two factors.',
  );
}
