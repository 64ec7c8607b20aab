import { TRIAL_OPTIONS } from '@heterosis/contracts/options/trials';
import type { TrialStrip, TrialTraitSummary } from '@heterosis/contracts/work/trial-analyses';

const NUMBERS = [
  'no',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];

const counted = (count: number, one: string, several: string): string =>
  `${NUMBERS[count] ?? String(count)} ${count === 1 ? one : several}`;

export const modelInWords = (model: keyof typeof TRIAL_OPTIONS.model.labels): string => {
  const label = TRIAL_OPTIONS.model.labels[model];
  return model.startsWith('ar1') ? label : `${label.charAt(0).toLowerCase()}${label.slice(1)}`;
};

/** Heritability after Cullis where there is one, otherwise another one under its name. */
function heritability({ h2 }: Pick<TrialStrip, 'h2'>): string {
  if (h2?.cullis != null) return `H² ${h2.cullis.toFixed(2)} (Cullis)`;
  if (h2?.piepho != null) return `H² ${h2.piepho.toFixed(2)} (Piepho and Möhring)`;
  return 'no heritability';
}

const wrong = (outliers: number, suspicions: number): string[] => [
  ...(outliers === 0 ? [] : [counted(outliers, 'plot looks wrong', 'plots look wrong')]),
  ...(suspicions === 0 ? [] : [counted(suspicions, 'thing on the map looks wrong', 'things on the map look wrong')]),
];

/** The main figures of a trial. */
export const sentenceOfTrial = (strip: Pick<TrialStrip, 'h2' | 'model' | 'outliers' | 'suspicions'>): string =>
  [
    heritability(strip),
    ...(strip.model === null ? [] : [modelInWords(strip.model)]),
    ...wrong(strip.outliers.length, strip.suspicions.length),
  ].join('; ');

/** Of a trait over all its trials: "Yield: H² 0.82 (Cullis); AR1 × AR1 + units; three plots look wrong". */
export function sentenceOfTrait(
  trait: string,
  strips: readonly TrialStrip[],
  { h2, outliers, suspicions, structure }: Omit<TrialTraitSummary, 'sentence'>,
): string {
  const analysed = strips.filter(({ state }) => state === 'ANALYSED');
  const [only] = analysed;
  if (only === undefined) return `${trait}: no trial could be analysed`;
  if (analysed.length === 1) return `${trait}: ${sentenceOfTrial(only)}`;
  const models = Map.groupBy(
    analysed.flatMap(({ model }) => model ?? []),
    (model) => model,
  );
  const [[most, times] = [null, []]] = [...models].sort((a, b) => b[1].length - a[1].length);
  return [
    h2 === null
      ? `${trait}: ${analysed.length} trials`
      : `${trait}: H² ${h2.min.toFixed(2)}–${h2.max.toFixed(2)} (Cullis) in ${analysed.length} trials`,
    ...(most === null
      ? []
      : [`${modelInWords(most)}${models.size === 1 ? '' : ` in ${NUMBERS[times.length] ?? times.length} of them`}`]),
    ...(structure === null ? [] : [`all together: ${structureInWords(structure)}`]),
    ...wrong(outliers, suspicions),
  ].join('; ');
}

function structureInWords(structure: string): string {
  if (structure === 'cs') return 'compound symmetry';
  if (structure === 'diag') return 'a variance for each environment';
  return counted(Number(structure.slice(2)), 'factor', 'factors');
}
