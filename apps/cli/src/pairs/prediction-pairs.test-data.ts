import { readFileSync } from 'node:fs';
import { correlation } from '@heterosis/analysis/dense/mixed-model.test-data';
import {
  type DenseFold,
  type DensePrepared,
  explainedShare,
  fitAt,
  predictFold,
  prepareDense,
} from '@heterosis/analysis/dense/prediction.test-data';
import type { TrainedModel } from '@heterosis/analysis/prediction/trained-model';
import type { Asked } from './asked.test-data.ts';
import { type Comparison, rowsOfCsv } from './compare.test-data.ts';

const TOLERANCE = 1e-6;
/** A log-likelihood that could be larger by less than this is at its maximum. */
const GAIN = 1e-5;

/** The model of `train` against the definition: at its variances, which no others may beat. */
export function compareTraining(asked: Asked, _: unknown, out: string, found: Comparison): void {
  const model = JSON.parse(readFileSync(out, 'utf8')) as TrainedModel;
  const prepared = inOrder(prepareDense(asked), model.individuals);
  found.same('individuals', model.individuals, prepared.individuals);
  if (asked.kinship === null) found.same('markers', model.markers.id, prepared.markers);
  const fit = model.traits[0]?.fit;
  if (fit == null) throw new Error(`no model: ${model.traits[0]?.error?.message}`);
  const { additive, dominance, residual, h2, kinship_pve, dominance_pve } = fit.variance;
  const variances = [additive, ...(dominance === null ? [] : [dominance])];
  const lines = fit.errors?.residual_lines?.value ?? 0;
  const dense = fitAt(prepared, variances, asked.errors === null ? residual : lines);
  found.close('residual', residual, dense.residual, TOLERANCE);
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

/** The individuals that only the pedigree knows stand in any order behind the genotyped. */
function inOrder(prepared: DensePrepared, names: readonly string[]): DensePrepared {
  const { individuals, kernels, y, axes, covariates } = prepared;
  const places = names.map((name) => individuals.indexOf(name));
  if (places.includes(-1) || names.length !== individuals.length) return prepared;
  const moved = <Value>(values: readonly Value[]): Value[] => places.map((i) => values[i] as Value);
  return {
    ...prepared,
    individuals: moved(individuals),
    kernels: kernels.map((kernel) => moved(kernel).map((row) => moved(row))),
    observed: prepared.observed.map((i) => places.indexOf(i)).sort((a, b) => a - b),
    y: moved(y),
    axes: axes.map(moved),
    covariates: covariates.map(moved),
  };
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
  mean_fold_r: { mean: number | null };
  accuracy: { value: number; h2: number; basis: string } | null;
  groups?: { group: string; n: number }[];
}

/** An explained share this small may be none. */
const NO_SHARE = 1e-4;

/** The folds of `evaluate`, each refitted. Two kinships are searched by turns, which is less exact. */
export function compareEvaluation(
  asked: Asked,
  summary: Record<string, unknown>,
  out: string,
  found: Comparison,
): void {
  const tolerance = asked.dominance ? 1e-3 : 1e-5;
  const prepared = prepareDense(asked);
  const trait = (summary['traits'] as EvaluatedTrait[])[0];
  if (trait === undefined) throw new Error('no evaluation');
  found.same('n', trait.n, prepared.observed.length);
  const hasFixed = prepared.axes.length + prepared.covariates.length > 0;
  found.same('cor(ŷ, y) given', trait.evaluation.phenotype_r !== null, hasFixed);
  const rows = rowsOfCsv(readFileSync(out, 'utf8'));
  const table = rowsOfCsv(readFileSync(String(summary['folds']), 'utf8'));
  const pooled: number[] = [];
  const pooledPhenotype: number[] = [];
  const repetitions = Math.max(...rows.map((row) => Number(row['repetition'])));
  for (let r = 1; r <= repetitions; r++) {
    const folds: DenseFold[] = [];
    for (const row of rows.filter((one) => Number(one['repetition']) === r)) {
      const members = table.filter((line) => line[`rep${r}`] === row['fold']).map((line) => line['individual'] ?? '');
      if (asked.groups !== null) compareGroup(asked, prepared, row['group'] ?? '', members, found);
      const test = members.map((name) => prepared.individuals.indexOf(name));
      const fold = predictFold(prepared, test);
      found.same('n of folds', Number(row['n']), fold.n);
      folds.push(fold);
      if (row['r'] !== '') found.close('r of folds', Number(row['r']), fold.r, tolerance, 1);
      const phenotypeR = row['phenotype_r'] ?? '';
      if (phenotypeR !== '') found.close('cor(ŷ, y) of folds', Number(phenotypeR), fold.phenotypeR, tolerance, 1);
    }
    const over = (pick: (fold: DenseFold) => number[]): number[] => folds.flatMap(pick);
    pooled.push(
      correlation(
        over(({ genetic }) => genetic),
        over(({ corrected }) => corrected),
      ),
    );
    pooledPhenotype.push(
      correlation(
        over(({ predicted }) => predicted),
        over(({ observed }) => observed),
      ),
    );
  }
  const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const { pearson_r, phenotype_r } = trait.evaluation;
  if (pearson_r.mean !== null) found.close('predictive ability', pearson_r.mean, meanOf(pooled), tolerance, 1);
  if (phenotype_r?.mean != null) found.close('cor(ŷ, y)', phenotype_r.mean, meanOf(pooledPhenotype), tolerance, 1);
  compareAccuracy(asked, trait, prepared, found);
}

/** Everybody of the group who takes part, and nobody else. */
function compareGroup(
  { world: { phenotype }, groups }: Asked,
  { individuals, observed }: DensePrepared,
  group: string,
  members: readonly string[],
  found: Comparison,
): void {
  const groupOf = (name: string) => phenotype.columns.get(groups ?? '')?.[phenotype.individuals.indexOf(name)];
  const expected = observed.map((i) => individuals[i] ?? '').filter((name) => groupOf(name) === group);
  found.same('members of groups', [...members].sort(), expected.sort());
}

/** r over the root of the share that the kinships explain, or of H² of two values an individual. */
function compareAccuracy(asked: Asked, trait: EvaluatedTrait, prepared: DensePrepared, found: Comparison): void {
  const { accuracy } = trait;
  const r = asked.groups === null ? trait.evaluation.pearson_r.mean : trait.mean_fold_r.mean;
  const hasFixed = prepared.axes.length + prepared.covariates.length > 0;
  const isOfMeans = asked.style.repeated && !asked.ofMeans && !hasFixed;
  const h2 = isOfMeans ? heritabilityOfPairs(asked) : explainedShare(prepared);
  if (accuracy === null) {
    found.same('no accuracy', r === null || h2 < NO_SHARE, true);
    return;
  }
  found.same('basis of the accuracy', accuracy.basis !== 'genomic', isOfMeans);
  // The top of the likelihood of two kinships is flat.
  found.close('h² of the accuracy', accuracy.h2, h2, asked.dominance ? 1e-2 : 1e-4, 1);
  found.close('accuracy', accuracy.value, (r ?? Number.NaN) / Math.sqrt(accuracy.h2), 1e-12, 1);
}

/** 1 − MSE/MSG of a one-way analysis of variance: half of each individual's values are ½ above its mean. */
function heritabilityOfPairs({ world: { phenotype }, trait }: Asked): number {
  const values = (phenotype.columns.get(trait) ?? []).filter((value) => typeof value === 'number');
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const between = (2 * values.reduce((sum, value) => sum + (value - mean) ** 2, 0)) / (values.length - 1);
  const within = (values.length * 0.5) / values.length;
  return 1 - within / between;
}
