// Association tests from their definitions.
import { chiSquareP } from '@heterosis/statgen/association/chi-square-tail';
import { permutationThreshold } from '@heterosis/statgen/association/permutation/permutation-scan';
import { plainBasis, plainTester } from '@heterosis/statgen/association/plain-association.test-data';
import { type GwasNull, prepareGwas } from '@heterosis/statgen/association/prepare-gwas';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import {
  centredDosages,
  covariateColumns,
  independent,
  kinshipSum,
  leadingAxes,
  markersWithin,
  matrixOfColumns,
  ones,
} from './design.test-data.ts';
import { leaveOut } from './leave-out.test-data.ts';
import {
  cholesky,
  type DenseModel,
  dot,
  forward,
  maximise,
  meanEigenvalue,
  profiledLogLikelihood,
  profiledMaximumLikelihood,
  type Rows,
  transposed,
} from './mixed-model.test-data.ts';
import {
  type DenseErrors,
  type DenseKinship,
  type DenseLeaveOut,
  type DensePanel,
  type DenseWorld,
  indexes,
  partOfPanel,
  UNKNOWN,
} from './world.test-data.ts';

export interface DenseGwas {
  world: DenseWorld;
  leaveOut: DenseLeaveOut;
  trait: string;
  fixed: number;
  covariates: string[];
  conditionOn: string[];
  maf: number;
  callRate: number;
  kinship: DenseKinship | null;
  loco: boolean;
  dominance: boolean;
  permutations: number | null;
  seed: number;
  errors: DenseErrors | null;
  /** The variance of lines beside known errors that the product found. */
  residualLines: number;
}

/** Upper tail of χ² with one degree of freedom. */
export const pOfStatistic: (statistic: number) => number = chiSquareP;

interface DenseTest {
  statistic: number;
  effect: number;
  effect_se: number;
  h2: number;
}

export interface DenseMarkerTests {
  id: string;
  SCORE: DenseTest;
  WALD: DenseTest;
  LRT: DenseTest;
  /** Null where the marker has no heterozygotes, or too few genotypes. */
  dominance: { effect: number; se: number } | null;
}

export interface DenseGwasResult {
  n: number;
  /** Markers within the limits. */
  m: number;
  markers: DenseMarkerTests[];
  /** χ², by test; null without permutations, and where contrasts have no kinship, so that their basis is arbitrary. */
  thresholds: { SCORE: number; WALD: number; LRT: number } | null;
}

/** The individuals analysed, and the model without markers. */
export interface DenseGwasModel {
  panel: DensePanel;
  /** Markers within the limits. */
  kept: number[];
  y: number[];
  /** Columns: the intercept and the fixed effects that are independent of those before them. */
  x: number[][];
  /** The kinship without some markers, on the scale of that of all. */
  kinshipWithout: (without: readonly number[]) => Rows;
  /** Values of the individuals divided by R^½, as y, x and the kinship are. */
  divided: (values: readonly number[]) => number[];
}

export function prepareDenseGwas(asked: DenseGwas): DenseGwasModel {
  const whole = leaveOut(asked.world.panel, asked.leaveOut);
  const { phenotype } = asked.world;
  const valueOf = (column: string, name: string): number | string | null =>
    phenotype.columns.get(column)?.[phenotype.individuals.indexOf(name)] ?? null;
  const needed = [asked.trait, ...asked.covariates.map((choice) => choice.split(':')[0])];
  const analysed = indexes(whole.individuals.length).filter((i) => {
    const name = whole.individuals[i];
    const hasKinship = asked.kinship === null || asked.kinship.individuals.includes(name);
    return hasKinship && needed.every((column) => valueOf(column, name) !== null);
  });
  const panel = partOfPanel(whole, analysed, indexes(whole.markers.length));
  const names = panel.individuals;
  const kept = markersWithin(panel, asked);
  const given = asked.conditionOn.map((id) => panel.markers.findIndex((marker) => marker.id === id));
  const kinshipWithout = kinships(panel, kept, asked);
  const x = independent([
    ones(names.length),
    ...leadingAxes(kinshipWithout([]), asked.fixed),
    ...asked.covariates.flatMap((choice) => covariateColumns(phenotype, choice, names)),
    ...given.map((j) => centredDosages(panel, j).values),
  ]);
  const y = names.map((name) => Number(valueOf(asked.trait, name)));
  if (asked.errors === null) return { panel, kept, x, y, kinshipWithout, divided: (values) => [...values] };
  const { covarianceOf } = asked.errors;
  const r = names.map((a, i) => names.map((b, k) => covarianceOf(a, b) + (i === k ? asked.residualLines : 0)));
  const size = meanEigenvalue(r, transposed(x));
  const lower = cholesky(r.map((row) => row.map((value) => value / size)));
  const divided = (values: readonly number[]): number[] => forward(lower, values);
  return {
    ...{ panel, kept, divided },
    x: x.map(divided),
    y: divided(y),
    kinshipWithout: (without) => transposed(kinshipWithout(without).map(divided)).map(divided),
  };
}

/** The null model of a test at some h². */
export interface DenseNullModel {
  /** h² of the largest likelihood within the limits of the test, and how much larger that is. */
  best: number;
  gain: number;
  kinshipPve: number;
}

export function denseNullModel(
  { x, y, kinshipWithout }: DenseGwasModel,
  test: 'SCORE' | 'WALD' | 'LRT',
  h2: number,
): DenseNullModel {
  const model: DenseModel = { kernels: [kinshipWithout([])], x: transposed(x), y };
  const reml = (one: number): number => profiledLogLikelihood(model, [one], 1 - one);
  const ml = (one: number): number => profiledMaximumLikelihood(model, [one], 1 - one);
  const top = test === 'SCORE' ? LARGEST_SCORE_H2 : LARGEST_H2;
  const inside = maximise(reml, 0, top);
  const highest = [0, top].reduce((one, other) => (reml(other) > reml(one) ? other : one), inside.x);
  const [at, best] = test === 'LRT' ? [ml, uphill(ml, highest, top)] : [reml, highest];
  const part = h2 * meanEigenvalue(model.kernels[0], model.x);
  return { best, gain: at(best) - at(h2), kinshipPve: part / (part + 1 - h2) };
}

/**
 * The maximum of 0 … `top` reached uphill from a start. ML has no bound as h² → 1 with complete data, so that the
 * highest of all may be whatever limit it is given.
 */
function uphill(f: (h2: number) => number, start: number, top: number): number {
  const within = (h2: number): number => Math.min(top, Math.max(0, h2));
  const way = f(within(start + STEP)) > f(within(start - STEP)) ? STEP : -STEP;
  let [before, here] = [start, start];
  for (let next = within(here + way); next !== here && f(next) > f(here); next = within(here + way))
    [before, here] = [here, next];
  const [low, high] = [within(Math.min(before, here) - STEP), within(Math.max(before, here) + STEP)];
  const { x } = maximise(f, low, high);
  return [low, high].reduce((one, other) => (f(other) > f(one) ? other : one), x);
}

const STEP = 0.005;

/** At h² = 1 the kinship of copies has no inverse. */
const LARGEST_SCORE_H2 = 1 - 1e-9;
const LARGEST_H2 = 0.99;

/** Tests every marker; what a fixed effect explains has no test. */
export function denseGwas(asked: DenseGwas): DenseGwasResult {
  const { panel, kept, x, y, kinshipWithout, divided } = prepareDenseGwas(asked);
  const markers: DenseMarkerTests[] = [];
  let isArbitrary = false;
  const largest = { SCORE: [] as number[], WALD: [] as number[], LRT: [] as number[] };
  for (const { tested, without } of groupsOf(panel, kept, asked.loco)) {
    const kinship = kinshipWithout(without);
    const columns = tested.map((j) => ({
      ...{ id: panel.markers[j].id, j },
      values: divided(centredDosages(panel, j).values),
    }));
    const free = columns.filter(({ values }) => independent([...x, values]).length > x.length);
    markers.push(...testAll({ panel, kinship, x, y, divided, isDominant: asked.dominance }, free));
    if (asked.permutations === null) continue;
    // The signs of the eigenvectors of the divided kinship are the product's own.
    if (asked.errors !== null) isArbitrary = true;
    if (asked.errors !== null) continue;
    const found = permute({ kinship, x, y, permutations: asked.permutations, seed: asked.seed }, free);
    isArbitrary ||= found === null;
    for (const test of ['SCORE', 'WALD', 'LRT'] as const) {
      largest[test] = (found ?? []).map((one, b) => Math.max(one[test], largest[test][b] ?? 0));
    }
  }
  const order = new Map(panel.markers.map(({ id }, j) => [id, j]));
  return {
    n: y.length,
    m: kept.length,
    markers: markers.sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0)),
    thresholds:
      asked.permutations === null || isArbitrary
        ? null
        : {
            SCORE: permutationThreshold(Float64Array.from(largest.SCORE)),
            WALD: permutationThreshold(Float64Array.from(largest.WALD)),
            LRT: permutationThreshold(Float64Array.from(largest.LRT)),
          },
  };
}

/** Markers tested together, and those that their kinship lacks. */
function groupsOf(
  panel: DensePanel,
  kept: readonly number[],
  loco: boolean,
): { tested: number[]; without: number[] }[] {
  if (!loco) return [{ tested: [...kept], without: [] }];
  const on = (chromosome: string): number[] => kept.filter((j) => panel.markers[j].chromosome === chromosome);
  const nowhere = on(UNKNOWN);
  const chromosomes = [...new Set(kept.map((j) => panel.markers[j].chromosome))].filter((name) => name !== UNKNOWN);
  return [
    { tested: nowhere, without: [] },
    ...chromosomes.map((name) => ({ tested: on(name), without: [...on(name), ...nowhere] })),
  ];
}

function kinships(
  panel: DensePanel,
  kept: readonly number[],
  { kinship }: DenseGwas,
): (without: readonly number[]) => Rows {
  if (kinship !== null) {
    const places = panel.individuals.map((name) => kinship.individuals.indexOf(name));
    return () => places.map((i) => places.map((k) => kinship.values[i][k]));
  }
  const { divisor } = kinshipSum(panel, kept, 'standardized');
  return (without) => {
    const others = kept.filter((j) => !without.includes(j));
    return kinshipSum(panel, others, 'standardized').sum.map((row) => row.map((value) => value / divisor));
  };
}

interface DenseScan {
  panel: DensePanel;
  kinship: Rows;
  /** Columns. */
  x: number[][];
  y: readonly number[];
  divided: (values: readonly number[]) => number[];
  isDominant: boolean;
}

interface TestedColumn {
  id: string;
  j: number;
  values: number[];
}

function testAll(
  { panel, kinship, x, y, divided, isDominant }: DenseScan,
  columns: readonly TestedColumn[],
): DenseMarkerTests[] {
  const basis = plainBasis(matrixOfColumns(kinship));
  const trait = Float64Array.from(y);
  const test = plainTester(basis, trait, matrixOfColumns(x));
  return columns.map(({ id, j, values }) => {
    const { score, wald, lrt } = test(Float64Array.from(values));
    const { dosages } = panel.markers[j];
    const calls = dosages.filter((dosage) => dosage !== null);
    const share = calls.filter((dosage) => dosage === 1).length / calls.length;
    const deviations = divided(dosages.map((dosage) => (dosage === null ? 0 : Number(dosage === 1) - share)));
    const isTestable = share > 0 && independent([...x, values, deviations]).length === x.length + 2;
    let dominance: DenseMarkerTests['dominance'] = null;
    if (isDominant && isTestable) {
      const both = plainTester(basis, trait, matrixOfColumns([...x, values]), wald.h2)(Float64Array.from(deviations));
      dominance = { effect: both.wald.beta, se: both.wald.se };
    }
    const named = ({ statistic, beta, se, h2 }: typeof score): DenseTest => ({
      ...{ statistic, effect: beta, effect_se: se, h2 },
    });
    return { id, SCORE: named(score), WALD: named(wald), LRT: named(lrt), dominance };
  });
}

/** An eigenvalue that is 0 but for rounding. */
const WITHOUT_KINSHIP = 1e-9;

/**
 * The largest statistics of each permuted trait, which is analysed as the trait itself. The basis in which contrasts
 * are exchanged is that of the product, as the signs of eigenvectors are a matter of convention.
 */
function permute(
  {
    kinship,
    x,
    y,
    permutations,
    seed,
  }: { kinship: Rows; x: number[][]; y: readonly number[]; permutations: number; seed: number },
  columns: readonly TestedColumn[],
): { SCORE: number; WALD: number; LRT: number }[] | null {
  const state: GwasNull = prepareGwas({
    kinship: matrixOfColumns(kinship),
    traits: [Float64Array.from(y)],
    principalComponents: 0,
    ...(x.length > 1 ? { covariates: matrixOfColumns(x.slice(1)) } : {}),
  });
  const [{ rotated, scoreH2 }] = state.traits;
  if (state.contrastEigenvalues[0] < WITHOUT_KINSHIP) return null;
  const deviations = Array.from(state.contrastEigenvalues, (d) => Math.sqrt(1 + scoreH2 * (d - 1)));
  const basis = plainBasis(matrixOfColumns(kinship));
  return indexes(permutations).map((b) => {
    const residual = Float64Array.from(rotated, (value, i) => value / deviations[i]);
    const permuted = createRandomStream(seed, 'permutation', b).shuffle(residual);
    const contrasts = deviations.map((deviation, i) => deviation * permuted[i]);
    const trait = Float64Array.from(y, (_, i) =>
      dot(
        contrasts,
        contrasts.map((__, k) => state.basis[i + k * y.length]),
      ),
    );
    const test = plainTester(basis, trait, matrixOfColumns(x));
    const found = columns.map(({ values }) => test(Float64Array.from(values)));
    return {
      SCORE: Math.max(0, ...found.map(({ score }) => score.statistic)),
      WALD: Math.max(0, ...found.map(({ wald }) => wald.statistic)),
      LRT: Math.max(0, ...found.map(({ lrt }) => lrt.statistic)),
    };
  });
}
