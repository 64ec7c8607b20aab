import { formatStatistic } from './format.ts';

/** `−0.0166 EarHT + 0.154 EarDia`: what a unit of each trait counts in an index; traits without weight are left out. */
export function indexFormula(traits: readonly string[], weights: readonly number[]): string {
  const terms = traits.flatMap((trait, at) => {
    const weight = weights[at] ?? 0;
    return weight === 0
      ? []
      : [{ sign: weight < 0 ? '−' : '+', text: `${formatStatistic(Math.abs(weight))} ${trait}` }];
  });
  return terms.map(({ sign, text }, at) => (at > 0 ? `${sign} ${text}` : sign === '−' ? `−${text}` : text)).join(' ');
}
