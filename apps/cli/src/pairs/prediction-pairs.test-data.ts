import { readFileSync } from 'node:fs';
import { correlation } from '@heterosis/analysis/dense/mixed-model.test-data';
import { type DenseFold, fitAt, predictFold, prepareDense } from '@heterosis/analysis/dense/prediction.test-data';
import type { TrainedModel } from '@heterosis/analysis/prediction/trained-model';
import type { Asked } from './asked.test-data.ts';
import { type Comparison, rowsOfCsv } from './compare.test-data.ts';
import { SINGLE_STEP } from './settings.test-data.ts';

const TOLERANCE = 1e-6;
/** A log-likelihood that could be larger by less than this is at its maximum. */
const GAIN = 1e-5;

/** The model of `train` against the definition: at its variances, which no others may beat. */
export function compareTraining(asked: Asked, _: unknown, out: string, found: Comparison): void {
  if (asked.notCompared.includes(SINGLE_STEP)) return;
  const model = JSON.parse(readFileSync(out, 'utf8')) as TrainedModel;
  const prepared = prepareDense(asked);
  found.same('individuals', model.individuals, prepared.individuals);
  if (asked.kinship === null) found.same('markers', model.markers.id, prepared.markers);
  const fit = model.traits[0]?.fit;
  if (fit == null) throw new Error(`no model: ${model.traits[0]?.error?.message}`);
  const { additive, dominance, residual, h2, kinship_pve, dominance_pve } = fit.variance;
  const variances = [additive, ...(dominance === null ? [] : [dominance])];
  const dense = fitAt(prepared, variances, residual);
  found.same('n', fit.n, dense.n);
  found.close('log-likelihood', fit.logLikelihood, dense.logLikelihood, TOLERANCE, 1);
  if (dense.gain > GAIN) throw new Error(`variances: others have a log-likelihood larger by ${dense.gain}`);
  found.same('REML maximum', true, true);
  const total = variances.reduce((sum, value) => sum + value, residual);
  found.close('h2', h2, additive / total, TOLERANCE);
  const parts = [...variances.map((value, k) => value * (dense.meanEigenvalues[k] ?? 0)), residual];
  const phenotypic = parts.reduce((sum, value) => sum + value, 0);
  found.close('kinship_pve', kinship_pve, (parts[0] ?? 0) / phenotypic, TOLERANCE, 1);
  if (dominance_pve !== null) found.close('dominance_pve', dominance_pve, (parts[1] ?? 0) / phenotypic, TOLERANCE, 1);
  closeAll(found, 'GEBV', fit.gebv, dense.breedingValue, Math.sqrt(phenotypic));
  closeAll(found, 'reliability', fit.reliability, dense.reliability, 1);
  if (fit.genotypic !== null) {
    closeAll(found, 'genotypic value', fit.genotypic.value, dense.genotypicValue, Math.sqrt(phenotypic));
    closeAll(found, 'genotypic reliability', fit.genotypic.reliability, dense.genotypicReliability, 1);
  }
}

function closeAll(
  found: Comparison,
  figure: string,
  actual: ArrayLike<number>,
  expected: readonly number[],
  size: number,
): void {
  for (const [i, value] of expected.entries()) found.close(figure, actual[i] ?? Number.NaN, value, TOLERANCE, size);
}

/** The predictions of candidates against a training in which they define nothing. */
export function comparePredictions(
  asked: Asked,
  summary: Record<string, unknown>,
  out: string,
  found: Comparison,
): void {
  const { candidates } = asked;
  if (candidates === undefined) throw new TypeError('there are no candidates');
  const model = JSON.parse(readFileSync(String(summary['model']), 'utf8')) as TrainedModel;
  const fit = model.traits[0]?.fit;
  if (fit == null) throw new Error('no model');
  const prepared = prepareDense({ ...asked, leaveOut: {}, candidates });
  const dense = fitAt(prepared, [fit.variance.additive], fit.variance.residual);
  const rows = rowsOfCsv(readFileSync(out, 'utf8'));
  found.same(
    'individuals',
    rows.map((row) => row['id']),
    candidates.individuals,
  );
  const trained = new Set(model.individuals);
  const size = Math.sqrt(fit.variance.additive + fit.variance.residual);
  for (const [k, name] of candidates.individuals.entries()) {
    const i = model.individuals.length + k;
    found.close('GEBV', Number(rows[k]?.[`gebv_${asked.trait}`]), dense.breedingValue[i] ?? 0, TOLERANCE, size);
    const reliability = rows[k]?.[`reliability_${asked.trait}`] ?? '';
    found.same(
      'reliability known',
      `${name} ${reliability !== ''}`,
      `${name} ${asked.withTraining || trained.has(name)}`,
    );
    if (reliability === '') continue;
    found.close('reliability', Number(reliability), dense.reliability[i] ?? 0, TOLERANCE, 1);
  }
}

interface EvaluatedTrait {
  n: number;
  evaluation: { pearson_r: { mean: number | null }; phenotype_r: { mean: number | null } | null };
}

/** The folds of `evaluate`, each refitted. Two kinships are searched by turns, which is less exact. */
export function compareEvaluation(
  asked: Asked,
  summary: Record<string, unknown>,
  out: string,
  found: Comparison,
): void {
  if (asked.notCompared.includes(SINGLE_STEP)) return;
  const tolerance = asked.dominance ? 1e-3 : 1e-5;
  const prepared = prepareDense(asked);
  const trait = (summary['traits'] as EvaluatedTrait[])[0];
  found.same('n', trait?.n, prepared.observed.length);
  const rows = rowsOfCsv(readFileSync(out, 'utf8'));
  const table = rowsOfCsv(readFileSync(String(summary['folds']), 'utf8'));
  const pooled: number[] = [];
  const repetitions = Math.max(...rows.map((row) => Number(row['repetition'])));
  for (let r = 1; r <= repetitions; r++) {
    const folds: DenseFold[] = [];
    for (const row of rows.filter((one) => Number(one['repetition']) === r)) {
      const members = table.filter((line) => line[`rep${r}`] === row['fold']).map((line) => line['individual'] ?? '');
      const test = members.map((name) => prepared.individuals.indexOf(name));
      const fold = predictFold(prepared, test);
      found.same('n of folds', Number(row['n']), fold.n);
      folds.push(fold);
      if (row['r'] === '') continue;
      found.close('r of folds', Number(row['r']), fold.r, tolerance, 1);
    }
    pooled.push(
      correlation(
        folds.flatMap(({ genetic }) => genetic),
        folds.flatMap(({ corrected }) => corrected),
      ),
    );
  }
  const mean = pooled.reduce((sum, value) => sum + value, 0) / pooled.length;
  const given = trait?.evaluation.pearson_r.mean ?? null;
  if (given !== null) found.close('predictive ability', given, mean, tolerance, 1);
}
