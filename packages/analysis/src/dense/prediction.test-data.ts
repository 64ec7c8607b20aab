// Training and cross-validation from their definitions: kinships, generalised least squares and REML as they are
// written.
import { fitKnownErrors } from '@heterosis/statgen/mixed-model/fit-known-errors';
import { fitTwoKernels } from '@heterosis/statgen/mixed-model/fit-two-kernels';
import {
  centredDosages,
  covariateColumns,
  independent,
  leadingAxes,
  markersWithin,
  matrixOfColumns,
  ones,
} from './design.test-data.ts';
import { leaveOut } from './leave-out.test-data.ts';
import {
  correlation,
  type DenseModel,
  dot,
  fitOneKernel,
  invert,
  meanEigenvalue,
  profiledLogLikelihood,
  projectionOf,
  type Rows,
  remlLogLikelihood,
  transposed,
} from './mixed-model.test-data.ts';
import { pedigreeRelationships } from './plan.test-data.ts';
import {
  type DenseErrors,
  type DenseKinship,
  type DenseLeaveOut,
  type DensePanel,
  type DenseWorld,
  indexes,
  partOfPanel,
} from './world.test-data.ts';

export interface DenseTraining {
  world: DenseWorld;
  leaveOut: DenseLeaveOut;
  trait: string;
  fixed: number;
  covariates: string[];
  maf: number;
  callRate: number;
  method: 'vanraden1' | 'standardized';
  kinship: DenseKinship | null;
  dominance: boolean;
  /** Names with female and male parent, whose relationships and those by markers make H of single-step prediction. */
  pedigree?: readonly (readonly [string, string, string])[];
  errors: DenseErrors | null;
  /** Further individuals, who define no frequency: they are predicted. */
  candidates?: DensePanel;
}

/** A model of all genotyped individuals before it is fitted. */
export interface DensePrepared {
  individuals: string[];
  markers: string[];
  /** Among all individuals: additive, then dominance. */
  kernels: Rows[];
  /** Places of the individuals with a value and covariates. */
  observed: number[];
  /** Of all individuals; NaN where there is none. */
  y: number[];
  /** Principal components, and other columns, of all individuals. */
  axes: number[][];
  covariates: number[][];
  errors: DenseErrors | null;
}

export function prepareDense(asked: DenseTraining): DensePrepared {
  const left = leaveOut(asked.world.panel, asked.leaveOut);
  const { kinship } = asked;
  const known = indexes(left.individuals.length).filter(
    (i) => kinship === null || kinship.individuals.includes(left.individuals[i]),
  );
  const panel = partOfPanel(left, known, indexes(left.markers.length));
  const places = markersWithin(left, asked);
  const genotyped = indexes(panel.individuals.length);
  if (asked.pedigree !== undefined) {
    const [genomic] = markerKernels(panel, places, { genotyped, observed: [] }, asked);
    const { names, h } = blendedRelationships(panel.individuals, genomic, asked.pedigree);
    return preparedOf(asked, { individuals: names, trained: names.length, markers: places, left, kernels: [h] });
  }
  const individuals = [...panel.individuals, ...(asked.candidates?.individuals ?? [])];
  const everybody = asked.candidates === undefined ? panel : withCandidates(panel, asked.candidates);
  const observed = observedAmong(asked, panel.individuals);
  const kernels =
    kinship !== null
      ? [
          submatrix(
            kinship.values,
            individuals.map((name) => kinship.individuals.indexOf(name)),
          ),
        ]
      : markerKernels(everybody, places, { genotyped, observed }, asked);
  return preparedOf(asked, { individuals, trained: panel.individuals.length, markers: places, left, kernels });
}

function valueIn({ world: { phenotype } }: DenseTraining, name: string, individual: string): number | string | null {
  return phenotype.columns.get(name)?.[phenotype.individuals.indexOf(individual)] ?? null;
}

/** Places of those with a value and all covariates. */
function observedAmong(asked: DenseTraining, individuals: readonly string[]): number[] {
  const needed = [asked.trait, ...asked.covariates.map((choice) => choice.split(':')[0])];
  return indexes(individuals.length).filter((i) =>
    needed.every((name) => valueIn(asked, name, individuals[i]) !== null),
  );
}

function preparedOf(
  asked: DenseTraining,
  of: { individuals: string[]; trained: number; markers: readonly number[]; left: DensePanel; kernels: Rows[] },
): DensePrepared {
  const { individuals, trained, kernels } = of;
  return {
    individuals,
    markers: of.markers.map((j) => of.left.markers[j].id),
    kernels,
    observed: observedAmong(asked, individuals.slice(0, trained)),
    y: individuals.map((name) => Number(valueIn(asked, asked.trait, name) ?? Number.NaN)),
    axes: extendedAxes(kernels[0], trained, asked.fixed),
    covariates: asked.covariates.flatMap((choice) => covariateColumns(asked.world.phenotype, choice, individuals)),
    errors: asked.errors,
  };
}

/**
 * H of the genotyped, then of the others of a pedigree: H⁻¹ = A⁻¹ + [0 0; 0 G*⁻¹ − A22⁻¹] (Aguilar et al. 2010,
 * equation 3) with G* = 0.95(a + bG) + 0.05·A22, where a + bG has the mean and the mean diagonal of A22 (Christensen et
 * al. 2012).
 */
function blendedRelationships(
  genotyped: readonly string[],
  genomic: Rows,
  pedigree: readonly (readonly [string, string, string])[],
): { names: string[]; h: Rows } {
  const named = new Set(pedigree.map(([name]) => name));
  const founders = [...new Set([...pedigree.flatMap(([, female, male]) => [female, male]), ...genotyped])].filter(
    (name) => name !== '' && !named.has(name),
  );
  const all = [...founders.map((name): [string, string, string] => [name, '', '']), ...pedigree];
  const order = [...genotyped, ...all.map(([name]) => name).filter((name) => !genotyped.includes(name))];
  const byPedigree = pedigreeRelationships(all);
  const placeOf = new Map(all.map(([name], i) => [name, i]));
  const a = submatrix(
    byPedigree,
    order.map((name) => placeOf.get(name) ?? -1),
  );
  const first = indexes(genotyped.length);
  const a22 = submatrix(a, first);
  const meansOf = (rows: Rows) => ({
    all: rows.flat().reduce((sum, value) => sum + value, 0) / rows.length ** 2,
    diagonal: rows.reduce((sum, row, i) => sum + row[i], 0) / rows.length,
  });
  const [g, p] = [meansOf(genomic), meansOf(a22)];
  const factor = (p.diagonal - p.all) / (g.diagonal - g.all);
  const shift = p.all - factor * g.all;
  const tuned = a22.map((row, i) => row.map((value, k) => 0.95 * (shift + factor * genomic[i][k]) + 0.05 * value));
  const inverse = invert(a).inverse;
  const [ofTuned, ofPedigree] = [invert(tuned).inverse, invert(a22).inverse];
  for (const i of first) for (const k of first) inverse[i][k] += ofTuned[i][k] - ofPedigree[i][k];
  return { names: order, h: invert(inverse).inverse };
}

/** Principal components of the kinship of the first `trained` individuals: for the others v = K·v/λ. */
function extendedAxes(kinship: Rows, trained: number, count: number): number[][] {
  const own = indexes(trained);
  return leadingAxes(submatrix(kinship, own), count).map((axis) => {
    const eigenvalue = dot(
      axis,
      own.map((i) => dot(kinship[i].slice(0, trained), axis)),
    );
    return kinship.map((row, i) => (i < trained ? axis[i] : dot(row.slice(0, trained), axis) / eigenvalue));
  });
}

const submatrix = (rows: Rows, places: readonly number[], columns = places): Rows =>
  places.map((i) => columns.map((k) => rows[i][k]));

/** The candidates after the individuals of the panel, at its markers; a marker that they lack is missing. */
function withCandidates(panel: DensePanel, candidates: DensePanel): DensePanel {
  const byId = new Map(candidates.markers.map((marker) => [marker.id, marker.dosages]));
  return {
    individuals: [...panel.individuals, ...candidates.individuals],
    markers: panel.markers.map((marker) => ({
      ...marker,
      dosages: [...marker.dosages, ...(byId.get(marker.id) ?? candidates.individuals.map(() => null))],
    })),
  };
}

/**
 * Additive and dominance kinship (VanRaden 2008; Vitezica et al. 2013). p is that of all genotyped, with dominance of
 * those observed; a missing call counts as the mean of all genotyped.
 */
function markerKernels(
  panel: DensePanel,
  places: readonly number[],
  { genotyped, observed }: { genotyped: readonly number[]; observed: readonly number[] },
  { method, dominance: isDominant }: DenseTraining,
): Rows[] {
  const n = panel.individuals.length;
  const zero = (): Rows => indexes(n).map(() => indexes(n).map(() => 0));
  const [additive, dominance] = [zero(), zero()];
  let divisors = [method === 'standardized' ? -1 : 0, 0];
  for (const j of places) {
    const { dosages } = panel.markers[j];
    const meanOf = (among: readonly number[]): number => centredDosages(partOfPanel(panel, among, [j]), 0).mean;
    const [filled, centre] = [meanOf(genotyped), meanOf(isDominant ? observed : genotyped)];
    const p = centre / 2;
    const calls = genotyped.flatMap((i) => dosages[i] ?? []);
    const variance = 2 * p * (1 - p);
    const scale = method === 'standardized' ? (variance > 0 ? 1 / variance : 0) : 1;
    const w = (dosage: number): number => [-2 * p * p, 2 * p * (1 - p), -2 * (1 - p) ** 2][dosage];
    const middle = calls.reduce((sum, dosage) => sum + w(dosage), 0) / calls.length;
    const isHeterozygous = observed.flatMap((i) => dosages[i] ?? []).every((dosage) => dosage === 1);
    const x = dosages.map((dosage) => (dosage ?? filled) - centre);
    const d = dosages.map((dosage) => (isHeterozygous ? 0 : dosage === null ? middle : w(dosage)));
    divisors = [
      divisors[0] + (method === 'standardized' ? 1 : variance),
      divisors[1] + (isHeterozygous ? 0 : variance ** 2),
    ];
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < n; k++) {
        additive[i][k] += scale * x[i] * x[k];
        dominance[i][k] += d[i] * d[k];
      }
    }
  }
  return (isDominant ? [additive, dominance] : [additive]).map((kernel, k) =>
    kernel.map((row) => row.map((value) => value / divisors[k])),
  );
}

/** A model of some of the individuals observed, its columns centred among them. */
interface DenseDesign {
  training: number[];
  model: DenseModel;
  /** Columns beside the intercept, of all individuals, centred as in the model; axes first. */
  columns: number[][];
  axes: number;
}

function designOf(prepared: DensePrepared, training: readonly number[]): DenseDesign {
  const centred = (values: readonly number[]): number[] => {
    const mean = training.reduce((sum, i) => sum + values[i], 0) / training.length;
    return values.map((value) => value - mean);
  };
  const candidates = [...prepared.axes, ...prepared.covariates].map(centred);
  const among = (values: readonly number[]): number[] => training.map((i) => values[i]);
  const kept = independent([ones(training.length), ...candidates.map(among)]);
  const columns = candidates.filter((values) => {
    const own = among(values);
    return kept.some((column) => column.every((value, i) => value === own[i]));
  });
  const axes = columns.filter((values) => candidates.indexOf(values) < prepared.axes.length).length;
  return {
    training: [...training],
    columns,
    axes,
    model: {
      kernels: prepared.kernels.map((kernel) => submatrix(kernel, training)),
      x: transposed([ones(training.length), ...columns.map(among)]),
      y: training.map((i) => prepared.y[i]),
      errors: errorsAmong(prepared, training),
    },
  };
}

function errorsAmong({ errors, individuals }: DensePrepared, places: readonly number[]): Rows | undefined {
  if (errors === null) return undefined;
  return places.map((i) => places.map((k) => errors.covarianceOf(individuals[i], individuals[k])));
}

export interface DenseFit {
  n: number;
  logLikelihood: number;
  /** Of variances near those given, or far from them: how much better the best is. */
  gain: number;
  /** Mean eigenvalue of each kinship, and of R, among the error contrasts. */
  meanEigenvalues: number[];
  residual: number;
  /** Of all individuals: mean, principal components and additive part. */
  breedingValue: number[];
  reliability: number[];
  /** With the dominance part; without dominance the same. */
  genotypicValue: number[];
  genotypicReliability: number[];
}

/**
 * What follows from the variances that the product found, and whether REML has better ones; with known errors
 * `residual` is that of lines.
 */
export function fitAt(prepared: DensePrepared, variances: readonly number[], residual: number): DenseFit {
  const design = designOf(prepared, prepared.observed);
  const { model } = design;
  const logLikelihood = remlLogLikelihood(model, variances, residual);
  const nearby = [...variances, residual].flatMap((_, k) =>
    [0.98, 1.02].map((factor) => {
      const changed = [...variances, residual].map((value, l) => (l === k ? value * factor : value));
      return remlLogLikelihood(model, changed.slice(0, -1), changed[variances.length]);
    }),
  );
  const grid = model.errors === undefined ? [0.02, 0.2, 0.5, 0.8, 0.97] : [];
  const far = grid.flatMap((a) =>
    (variances.length === 1 ? [0] : [0, 0.1, 0.4, 0.8]).flatMap((d) => {
      const shares = variances.length === 1 ? [a] : [a * (1 - d), (1 - a) * d];
      const rest = 1 - shares.reduce((sum, share) => sum + share, 0);
      const scaled = shares.map((share, k) => share / meanEigenvalue(model.kernels[k], model.x));
      return profiledLogLikelihood(model, scaled, rest);
    }),
  );
  const { p, b, weights } = projectionOf(model, variances, residual);
  const values = valuesOf(prepared, design, variances, weights, b);
  const reliabilities = [variances.map((variance, k) => (k === 0 ? variance : 0)), variances].map((counted) =>
    indexes(prepared.individuals.length).map((i) => {
      const covariance = design.training.map((k) =>
        dot(
          counted,
          prepared.kernels.map((kernel) => kernel[i][k]),
        ),
      );
      const own = dot(
        counted,
        prepared.kernels.map((kernel) => kernel[i][i]),
      );
      const explained = dot(
        covariance,
        p.map((row) => dot(row, covariance)),
      );
      return own > 0 ? Math.min(1, Math.max(0, explained / own)) : 0;
    }),
  );
  return {
    n: design.training.length,
    logLikelihood,
    gain: Math.max(...nearby, ...far) - logLikelihood,
    meanEigenvalues: model.kernels.map((kernel) => meanEigenvalue(kernel, model.x)),
    residual: residual + (model.errors === undefined ? 0 : meanEigenvalue(model.errors, model.x)),
    breedingValue: values.additive,
    reliability: reliabilities[0],
    genotypicValue: values.genotypic,
    genotypicReliability: reliabilities[1],
  };
}

function valuesOf(
  prepared: DensePrepared,
  { training, columns, axes }: DenseDesign,
  variances: readonly number[],
  weights: readonly number[],
  b: readonly number[],
): { additive: number[]; genotypic: number[]; fixedPart: number[] } {
  const part = (k: number, i: number): number =>
    variances[k] *
    dot(
      training.map((place) => prepared.kernels[k][i][place]),
      weights,
    );
  const sumOf = (from: number, to: number, i: number): number =>
    columns.slice(from, to).reduce((sum, values, c) => sum + b[1 + from + c] * values[i], 0);
  const everyone = indexes(prepared.individuals.length);
  const additive = everyone.map((i) => b[0] + sumOf(0, axes, i) + part(0, i));
  return {
    additive,
    genotypic: additive.map((value, i) => variances.slice(1).reduce((sum, _, k) => sum + part(k + 1, i), value)),
    fixedPart: everyone.map((i) => sumOf(axes, columns.length, i)),
  };
}

/**
 * REML of one kernel by golden section. With two kernels or known errors the likelihood of a few dozen individuals is
 * flat and has several maxima: the search is the product's, whose maxima `fitAt` checks.
 */
function fitVariances(model: DenseModel, residualLines: boolean): { variances: number[]; residual: number } {
  if (model.errors !== undefined) {
    const known = fitKnownErrors({
      kernels: model.kernels.map(matrixOfColumns),
      omega: matrixOfColumns(model.errors),
      residualLines,
      x: matrixOfColumns(transposed(model.x)),
      y: Float64Array.from(model.y),
    });
    return { variances: known.variances, residual: known.residualLines?.value ?? 0 };
  }
  if (model.kernels.length === 1) {
    const { genetic, residual } = fitOneKernel(model);
    return { variances: [genetic], residual };
  }
  const [additive, dominance] = model.kernels.map(matrixOfColumns);
  const fit = fitTwoKernels({
    kernels: [additive, dominance],
    x: matrixOfColumns(transposed(model.x)),
    y: Float64Array.from(model.y),
  });
  return { variances: fit.variances.slice(0, 2), residual: fit.variances[2] };
}

export interface DenseFold {
  n: number;
  /** cor(ĝ, y − Xb̂) and cor(ŷ, y); NaN where predictions are the same. */
  r: number;
  phenotypeR: number;
  genetic: number[];
  corrected: number[];
  predicted: number[];
  observed: number[];
}

/** The predictions of some individuals from the others. */
export function predictFold(prepared: DensePrepared, test: readonly number[]): DenseFold {
  const isTest = new Set(test);
  const design = designOf(
    prepared,
    prepared.observed.filter((i) => !isTest.has(i)),
  );
  const { variances, residual } = fitVariances(design.model, prepared.errors?.residualLines ?? false);
  const { b, weights } = projectionOf(design.model, variances, residual);
  // All columns are fixed effects here, principal components too, about their mean over training and test part.
  const all = [...design.training, ...test];
  const about = design.columns.map((values) => {
    const mean = all.reduce((sum, i) => sum + values[i], 0) / all.length;
    return values.map((value) => value - mean);
  });
  const plain = valuesOf(prepared, { ...design, columns: [], axes: 0 }, variances, weights, b).genotypic;
  const shift = design.columns.reduce((sum, values, c) => sum + b[1 + c] * (values[0] - about[c][0]), 0);
  const fixedPart = (i: number): number => about.reduce((sum, values, c) => sum + b[1 + c] * values[i], 0);
  const genetic = test.map((i) => plain[i] + shift);
  const corrected = test.map((i) => prepared.y[i] - fixedPart(i));
  const predicted = test.map((i, k) => genetic[k] + fixedPart(i));
  const observed = test.map((i) => prepared.y[i]);
  return {
    n: test.length,
    ...{ r: correlation(genetic, corrected), phenotypeR: correlation(predicted, observed) },
    ...{ genetic, corrected, predicted, observed },
  };
}

/** Share of the variance that the kinships explain in a fit of all observed. */
export function explainedShare(prepared: DensePrepared): number {
  const { model } = designOf(prepared, prepared.observed);
  const { variances, residual: lines } = fitVariances(model, prepared.errors?.residualLines ?? false);
  const residual = lines + (model.errors === undefined ? 0 : meanEigenvalue(model.errors, model.x));
  const explained = variances.reduce(
    (sum, variance, k) => sum + variance * meanEigenvalue(model.kernels[k], model.x),
    0,
  );
  return explained / (explained + residual);
}
