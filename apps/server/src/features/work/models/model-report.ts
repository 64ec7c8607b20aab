import { formatMeanSd, formatStatistic } from '@heterosis/charts/format';
import type { Services } from '../../../platform/http/app.ts';
import { readObject } from '../../../platform/object-storage/stored-panel.ts';
import { breedingValueParts, type ReportPart, type ReportTraits } from '../runs/report/index.ts';
import type { ModelRow, ModelTraitRow } from './models.queries.ts';
import { completeAccuracy, completeEvaluation } from './stored-evaluations.ts';

/** Traits with figures; the first table names all. */
const TRAITS = 8;
/** Beyond this many markers their effects are on the page only. */
const MARKERS = 60_000;
const right = 'right' as const;

/** Accuracy and variance of all traits; of each the evaluation, the breeding values and the effects. */
export async function modelReport(services: Services, model: ModelRow, traits: ReportTraits): Promise<ReportPart[]> {
  const parts: ReportPart[] = [summaryOf(model)];
  for (const row of model.trait_rows.slice(0, TRAITS))
    parts.push(
      ...(await evaluationOf(services, model, row, traits)),
      ...(await breedingValuesOf(services, row, traits)),
      ...(await effectsOf(services, row, traits)),
    );
  return parts;
}

function summaryOf({ trait_rows, parameters }: ModelRow): ReportPart {
  return {
    what: 'table',
    title: 'Accuracy and variance',
    columns: [
      { title: 'Trait', stretches: true },
      ...['Individuals', 'Markers', 'r (cross-validated)', 'Slope', 'Accuracy', 'h²', 'σ²g', 'σ²e'].map((title) => ({
        title,
        align: right,
      })),
    ],
    rows: trait_rows.map(({ trait, fit, evaluation, variance }) => {
      const shown = evaluation && completeAccuracy(evaluation, parameters);
      return [
        ...[trait, String(fit?.n ?? '–'), String(fit?.m ?? '–'), formatMeanSd(shown?.pearson_r)],
        ...[formatStatistic(shown?.slope.mean), formatStatistic(shown?.accuracy?.value)],
        ...[formatStatistic(variance?.h2), formatStatistic(variance?.additive), formatStatistic(variance?.residual)],
      ];
    }),
    note: 'r: correlation of predicted and observed values of individuals left out, mean ± standard deviation over repetitions. Accuracy: r divided by the root of h².',
  };
}

async function evaluationOf(
  { storage }: Services,
  { parameters, n_repetition }: ModelRow,
  { trait, result_keys: { evaluation: key } }: ModelTraitRow,
  { withUnit }: ReportTraits,
): Promise<ReportPart[]> {
  if (key === undefined) return [];
  const stored = JSON.parse(new TextDecoder().decode(await readObject(storage, key)));
  const { points, per_repetition, per_fold, evaluation } = completeEvaluation(stored, parameters);
  const spread = per_repetition.map(({ repetition }) => ({
    name: String(repetition),
    values: per_fold.flatMap((fold) => (fold.repetition === repetition && fold.r !== null ? [fold.r] : [])),
  }));
  return [
    {
      what: 'figure',
      title: `${trait}: observed against predicted`,
      caption: `r = ${formatMeanSd(evaluation.pearson_r)}, slope ${formatStatistic(evaluation.slope.mean)}. A point is the mean of ${n_repetition} repetitions in which the individual was left out.`,
      width: 'half',
      figure: {
        chart: 'scatter',
        given: {
          ...{ x: withUnit('Predicted', trait), y: withUnit('Observed', trait), identity: true },
          points: points.map(({ individual, observed, predicted }) => ({
            name: individual,
            x: predicted,
            y: observed,
          })),
        },
      },
    },
    {
      what: 'figure',
      title: `${trait}: r of the folds`,
      caption: 'Predictive ability within each fold, by repetition; boxes from quartile to quartile.',
      width: 'half',
      figure: { chart: 'strip', given: { groups: spread, x: 'Repetition', y: 'r' } },
    },
  ];
}

interface GebvRow extends Record<string, unknown> {
  individual: string;
  gebv: number;
  reliability: number | null;
  observed: number | null;
}

async function breedingValuesOf(
  { tables }: Services,
  { trait, result_keys: { gebv_table: key } }: ModelTraitRow,
  traits: ReportTraits,
): Promise<ReportPart[]> {
  if (key === undefined) return [];
  const rows = await tables.query<GebvRow>(
    key,
    (table) => `select individual, gebv, reliability, observed from ${table} order by rank`,
  );
  return breedingValueParts(traits, trait, {
    ...{ rows, title: 'breeding values' },
    caption: `GEBVs of the ${rows.length} individuals of the genotype file.`,
    columns: [
      { title: 'Reliability', value: ({ reliability }) => reliability },
      { title: traits.withUnit('Observed', trait), value: ({ observed }) => observed },
    ],
  });
}

interface EffectRow extends Record<string, unknown> {
  chr: string;
  pos: number;
  additive: number;
}

async function effectsOf(
  { tables }: Services,
  { trait, fit, result_keys: { effects_table: key } }: ModelTraitRow,
  { withUnit }: ReportTraits,
): Promise<ReportPart[]> {
  if (key === undefined || (fit?.m ?? 0) > MARKERS) return [];
  const rows = await tables.query<EffectRow>(key, (table) => `select chr, pos, additive from ${table} order by place`);
  const chromosomes = [...new Set(rows.map(({ chr }) => chr))];
  const placeOf = new Map(chromosomes.map((name, place) => [name, place]));
  const points = new Float32Array(3 * rows.length);
  for (const [k, { chr, pos, additive }] of rows.entries())
    points.set([placeOf.get(chr) ?? 0, pos, Math.abs(additive)], 3 * k);
  return [
    {
      what: 'figure',
      title: `${trait}: marker effects along the genome`,
      caption: 'Absolute additive effect of a copy of the counted allele, shrunken as the model does.',
      width: 'whole',
      height: 170,
      figure: {
        chart: 'manhattan',
        given: { points, chromosomes, thresholds: [], y: withUnit('Absolute effect', trait) },
      },
    },
  ];
}
