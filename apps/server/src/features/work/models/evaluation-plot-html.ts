import type { ModelEvaluation } from '@heterosis/contracts/work/models';
import { escapeMarkup } from '../../../platform/http/document/escape-markup.ts';

export interface EvaluationPlotLabels {
  modelName: string;
  folds: number;
  repetitions: number;
  /** The column whose groups were left out; null for random folds. */
  leaveOut: string | null;
}

const WIDTH = 640;
const HEIGHT = 560;
const MARGIN = { left: 72, right: 24, top: 24, bottom: 56 };
const TICKS = 6;
const BASIS = {
  cullis: 'Cullis’ H² of the means',
  'entry-mean': 'H² of the entry means',
  genomic: 'genomic heritability',
};
/** Okabe & Ito (2008). Beyond eight folds the colours repeat; the title of each point names its fold. */
const COLOURS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#7a6a00', '#333333'];

/**
 * A self-contained page of predicted versus observed values of one trait: a plot, the figures, and a table with the
 * accuracy of every repetition. It has no script and loads nothing, so it can be kept, mailed and printed. The same
 * evaluation gives the same bytes.
 */
export function evaluationPlotHtml(evaluation: ModelEvaluation, labels: EvaluationPlotLabels): string {
  const { trait, seed, per_repetition } = evaluation;
  const { pearson_r, phenotype_r, spearman_r, rmse, r2, slope, accuracy } = evaluation.evaluation;
  const figures: (readonly [string, { mean: number | null; sd: number | null }])[] = [
    ['Pearson r (predictive ability)', pearson_r],
    ['Spearman r', spearman_r],
    ['Root mean squared error', rmse],
    ['R²', r2],
    ['Slope of observed on predicted', slope],
    ...(phenotype_r === null ? [] : [['r of phenotypes, fixed effects included', phenotype_r] as const]),
    ...(accuracy === null
      ? []
      : [
          [
            `Accuracy, r/√H² with ${BASIS[accuracy.basis]} ${shown(accuracy.h2)}`,
            { mean: accuracy.value, sd: null },
          ] as const,
        ]),
  ];
  const title = `${escapeMarkup(trait)} – ${escapeMarkup(labels.modelName)}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; color: #1f2328; margin: 24px auto; max-width: 720px; padding: 0 16px; }
h1 { font-size: 20px; margin: 0 0 4px; }
p { margin: 0 0 16px; color: #57606a; }
svg { width: 100%; height: auto; }
table { border-collapse: collapse; margin: 16px 0; font-size: 14px; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid #d0d7de; padding: 4px 12px 4px 0; text-align: right; font-weight: normal; }
th:first-child, td:first-child { text-align: left; }
thead th { font-weight: 600; }
</style>
</head>
<body>
<h1>${title}</h1>
<p>${escapeMarkup([designInWords(labels, seed), ...(phenotype_r === null ? [] : [WITHOUT_FIXED])].join(' '))}</p>
${scatterSvg(evaluation)}
<table>
<thead><tr><th scope="col">Figure</th><th scope="col">Mean over repetitions</th><th scope="col">SD</th></tr></thead>
<tbody>
${figures.map(([name, { mean, sd }]) => `<tr><th scope="row">${name}</th><td>${shown(mean)}</td><td>${shown(sd)}</td></tr>`).join('\n')}
</tbody>
</table>
${accuracy === null || accuracy.note === null ? '' : `<p>Accuracy: ${escapeMarkup(accuracy.note)}</p>`}
<table>
<thead><tr><th scope="col">Repetition</th><th scope="col">Pearson r</th><th scope="col">Spearman r</th><th scope="col">RMSE</th><th scope="col">R²</th><th scope="col">Slope</th></tr></thead>
<tbody>
${per_repetition.map((row) => `<tr><th scope="row">${row.repetition}</th><td>${shown(row.pearson_r)}</td><td>${shown(row.spearman_r)}</td><td>${shown(row.rmse)}</td><td>${shown(row.r2)}</td><td>${shown(row.slope)}</td></tr>`).join('\n')}
</tbody>
</table>
${groupTable(evaluation)}
</body>
</html>
`;
}

const WITHOUT_FIXED =
  'Observed values are those without the fixed effects, as the other folds estimate them, and predictions are of the genetic part.';

function designInWords({ folds, repetitions, leaveOut }: EvaluationPlotLabels, seed: number): string {
  return leaveOut === null
    ? `Cross-validation, ${folds} folds × ${repetitions} repetitions, seed ${seed}. Each point is one individual; its prediction is the mean over repetitions, made while it was in the test part.`
    : `Each group of ${leaveOut} was predicted from all others. Each point is one individual.`;
}

/** r within each group that was left out. */
function groupTable({ per_fold }: ModelEvaluation): string {
  const rows = per_fold.flatMap(({ group, n, r }) =>
    group === null ? [] : [`<tr><th scope="row">${escapeMarkup(group)}</th><td>${n}</td><td>${shown(r)}</td></tr>`],
  );
  if (rows.length === 0) return '';
  return `<table>
<thead><tr><th scope="col">Group</th><th scope="col">n</th><th scope="col">r within the group</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`;
}

function scatterSvg({ trait, points, per_fold }: ModelEvaluation): string {
  const groupOf = new Map(per_fold.map(({ fold, group }) => [fold, group]));
  const x = scale(
    points.map(({ predicted }) => predicted),
    MARGIN.left,
    WIDTH - MARGIN.right,
  );
  const y = scale(
    points.map(({ observed }) => observed),
    HEIGHT - MARGIN.bottom,
    MARGIN.top,
  );
  const ends = [Math.max(x.min, y.min), Math.min(x.max, y.max)] as const;
  const diagonal =
    ends[0] < ends[1]
      ? `<line x1="${at(x, ends[0])}" y1="${at(y, ends[0])}" x2="${at(x, ends[1])}" y2="${at(y, ends[1])}" stroke="#57606a" stroke-dasharray="4 4"><title>Observed equals predicted</title></line>`
      : '';
  const marks = points
    .map(
      ({ individual, observed, predicted, fold }) =>
        `<circle cx="${at(x, predicted)}" cy="${at(y, observed)}" r="3.5" fill="${COLOURS[(fold - 1) % COLOURS.length]}" fill-opacity="0.7"><title>${escapeMarkup(individual)}: predicted ${shown(predicted)}, observed ${shown(observed)}, ${escapeMarkup(groupOf.get(fold) ?? `fold ${fold}`)}</title></circle>`,
    )
    .join('\n');
  const bottom = HEIGHT - MARGIN.bottom;
  const xTicks = x.ticks
    .map(
      (tick) =>
        `<line x1="${at(x, tick)}" y1="${bottom}" x2="${at(x, tick)}" y2="${bottom + 5}" stroke="#57606a"/><text x="${at(x, tick)}" y="${bottom + 20}" text-anchor="middle">${shown(tick)}</text>`,
    )
    .join('');
  const yTicks = y.ticks
    .map(
      (tick) =>
        `<line x1="${MARGIN.left - 5}" y1="${at(y, tick)}" x2="${MARGIN.left}" y2="${at(y, tick)}" stroke="#57606a"/><text x="${MARGIN.left - 9}" y="${at(y, tick)}" dy="0.35em" text-anchor="end">${shown(tick)}</text>`,
    )
    .join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Observed against predicted ${escapeMarkup(trait)}, ${points.length} individuals" font-family="system-ui, sans-serif" font-size="12" fill="#1f2328">
<rect x="${MARGIN.left}" y="${MARGIN.top}" width="${WIDTH - MARGIN.left - MARGIN.right}" height="${bottom - MARGIN.top}" fill="none" stroke="#d0d7de"/>
${xTicks}
${yTicks}
<text x="${(MARGIN.left + WIDTH - MARGIN.right) / 2}" y="${HEIGHT - 12}" text-anchor="middle">Predicted ${escapeMarkup(trait)}</text>
<text transform="translate(16 ${(MARGIN.top + bottom) / 2}) rotate(-90)" text-anchor="middle">Observed ${escapeMarkup(trait)}</text>
${diagonal}
${marks}
</svg>`;
}

interface Scale {
  min: number;
  max: number;
  from: number;
  to: number;
  ticks: number[];
}

/** An axis with round ticks that covers all values. */
function scale(values: readonly number[], from: number, to: number): Scale {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  if (min > max) [min, max] = [0, 1];
  if (min === max) [min, max] = [min - 0.5, max + 0.5];
  const step = niceStep((max - min) / TICKS);
  min = Math.floor(min / step) * step;
  max = Math.ceil(max / step) * step;
  const ticks = Array.from({ length: Math.round((max - min) / step) + 1 }, (_, k) => min + k * step);
  return { min, max, from, to, ticks };
}

/** 1, 2 or 5 times a power of ten. */
function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const share = rough / power;
  return (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10) * power;
}

const at = ({ min, max, from, to }: Scale, value: number): string =>
  (from + ((value - min) / (max - min)) * (to - from)).toFixed(1);

/** Three significant digits, as usual in a paper's tables. */
const shown = (value: number | null): string => (value === null ? '–' : String(Number(value.toPrecision(3))));
