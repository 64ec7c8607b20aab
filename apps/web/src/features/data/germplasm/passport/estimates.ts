import type { GermplasmValue } from '@heterosis/contracts/data/germplasm';
import { formatStatistic } from '../../../../lib/format/format.ts';

/** Half the width of a 95 % interval in standard errors. */
export const INTERVAL = 1.96;

/** `71.2 ± 3.4`, the half width of the 95 % interval; without a standard error the value alone. */
export const inInterval = (value: number | null, se: number | null): string =>
  se === null ? formatStatistic(value) : `${formatStatistic(value)} ± ${formatStatistic(INTERVAL * se)}`;

/** The newest value of each trait that says where the line stands: over all environments, with its percentile. */
export function newestStandings(values: readonly GermplasmValue[]): GermplasmValue[] {
  const byTrait = new Map<string, GermplasmValue>();
  for (const value of values)
    if (value.percentile !== null && value.environment === null && !byTrait.has(value.trait))
      byTrait.set(value.trait, value);
  return [...byTrait.values()];
}
