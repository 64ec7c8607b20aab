// Multi-locus models, clumps and effective tests from their definitions.
import { plainEffectiveTests } from '@heterosis/statgen/association/plain-effective-tests.test-data';
import { centredDosages, independent } from './design.test-data.ts';
import { type DenseGwas, pOfStatistic, prepareDenseGwas } from './gwas.test-data.ts';
import {
  column,
  type DenseModel,
  dot,
  invert,
  maximise,
  projectionOf,
  type Rows,
  remlParts,
  times,
  transposed,
} from './mixed-model.test-data.ts';
import type { DensePanel } from './world.test-data.ts';

/** A mixed model with markers as fixed effects. */
export interface DenseMultiLocus {
  direction: 'forward' | 'backward';
  mbic: number;
  ebic: number;
  logLikelihood: number;
  h2: number;
  pve: number;
  markers: { id: string; effect: number; se: number; p: number; pve: number }[];
}

const LARGEST_H2 = 0.99;
/** Effects that mBIC expects. */
const EXPECTED_EFFECTS = 4;
/** Of what cofactors explain, markers in LD explain the same but for rounding: the first of them is taken. */
const SAME = 1e-10;

/** MLMM (Segura et al. 2012): forward by the strongest marker at the variances of each model, then backward. */
export function denseStepwise(asked: DenseGwas, steps: number): DenseMultiLocus[] {
  const { panel, kept, x, y, kinshipWithout } = prepareDenseGwas(asked);
  const base: DenseModel = { kernels: [kinshipWithout([])], x: transposed(x), y };
  const columnOf = (j: number): number[] => centredDosages(panel, j).values;
  const fit = (chosen: readonly number[], direction: DenseMultiLocus['direction']): DenseMultiLocus =>
    fitMultiLocus(base, { panel, chosen, direction, candidates: kept.length });
  let chosen: number[] = [];
  const models = [fit([], 'forward')];
  while (chosen.length < steps) {
    const { h2 } = models[chosen.length];
    const columns = [...x, ...chosen.map(columnOf)];
    const { p, weights } = projectionOf({ ...base, x: transposed(columns) }, [h2], 1 - h2);
    let [strongest, largest] = [-1, 0];
    for (const j of kept) {
      const values = columnOf(j);
      if (independent([...columns, values]).length === columns.length) continue;
      const share = dot(values, weights) ** 2 / dot(values, times(p, column(values)).flat());
      if (share > largest * (1 + SAME)) [strongest, largest] = [j, share];
    }
    if (strongest < 0) break;
    chosen = [...chosen, strongest];
    models.push(fit(chosen, 'forward'));
  }
  while (chosen.length > 1) {
    const { markers } = models[models.length - 1];
    const least = Math.min(...markers.map(({ pve }) => pve));
    chosen = chosen.filter((_, k) => k !== markers.findIndex(({ pve }) => pve === least));
    models.push(fit(chosen, 'backward'));
  }
  return models;
}

interface MultiLocus {
  panel: DensePanel;
  chosen: readonly number[];
  direction: DenseMultiLocus['direction'];
  /** Markers to choose from. */
  candidates: number;
}

function fitMultiLocus(base: DenseModel, { panel, chosen, direction, candidates }: MultiLocus): DenseMultiLocus {
  const columns = chosen.map((j) => centredDosages(panel, j).values);
  const k = chosen.length;
  const at = (h2: number) => contrastsAt(base, columns, h2);
  const ml = maximise((h2) => at(h2).ml, 0, LARGEST_H2, 64);
  const reml = maximise((h2) => at(h2).reml, 0, LARGEST_H2, 64);
  const atBound = [0, LARGEST_H2].find((h2) => at(h2).reml >= reml.value);
  const { effects, inverse, residual, explained, order } = at(atBound ?? reml.x);
  const variance = residual / (order - k);
  const logLikelihood = Math.max(ml.value, at(0).ml, at(LARGEST_H2).ml);
  const criterion = -2 * logLikelihood + k * Math.log(order);
  const wald = explained / variance;
  const shareOf = (statistic: number): number => statistic / (statistic + base.y.length);
  return {
    direction,
    mbic: criterion + 2 * k * Math.log(candidates / EXPECTED_EFFECTS),
    ebic: criterion + 2 * columns.reduce((sum, _, i) => sum + Math.log((candidates - i) / (k - i)), 0),
    logLikelihood,
    h2: atBound ?? reml.x,
    pve: shareOf(wald),
    markers: chosen.map((j, i) => {
      const [effect, se] = [effects[i], Math.sqrt(variance * inverse[i][i])];
      const statistic = (effect / se) ** 2;
      return { id: panel.markers[j].id, effect, se, p: pOfStatistic(statistic), pve: shareOf(statistic) };
    }),
  };
}

/** Generalised least squares of the contrasts without the fixed effects on some columns, at one h². */
function contrastsAt(base: DenseModel, columns: readonly number[][], h2: number) {
  const { logs, quadratic, order } = remlParts(base, [h2], 1 - h2);
  const { p, weights } = projectionOf(base, [h2], 1 - h2);
  const right = columns.map((values) => dot(values, weights));
  const inner: Rows = columns.map((a) => {
    const turned = times(p, column(a)).flat();
    return columns.map((b) => dot(turned, b));
  });
  const { inverse, logDeterminant } = invert(inner);
  const effects = inverse.map((row) => dot(row, right));
  const explained = dot(effects, right);
  const residual = quadratic - explained;
  const profiled = (size: number): number => -0.5 * (size * (Math.log((2 * Math.PI * residual) / size) + 1) + logs);
  return {
    ...{ effects, inverse, explained, residual, order },
    ml: profiled(order),
    reml: profiled(order - columns.length) - 0.5 * logDeterminant,
  };
}

/** Independent tests after Li & Ji (2005), chromosome by chromosome. */
export function denseEffectiveTests(asked: DenseGwas): number {
  const { panel, kept } = prepareDenseGwas(asked);
  const chromosomes = [...new Set(kept.map((j) => panel.markers[j].chromosome))];
  return chromosomes.reduce((sum, chromosome) => {
    const own = kept.filter((j) => panel.markers[j].chromosome === chromosome);
    return (
      sum +
      plainEffectiveTests(own.map((j) => Float64Array.from(panel.markers[j].dosages, (value) => value ?? Number.NaN)))
    );
  }, 0);
}

export interface DenseClumping {
  p1: number;
  p2: number;
  r2: number;
  kb: number;
}

/** A tested marker where it lies, with its p. */
export interface DenseHit {
  id: string;
  chromosome: string;
  positionBp: number;
  p: number;
}

/** The strongest marker takes those around it that are in LD with it; then the strongest of the rest, and so on. */
export function denseClumps(
  asked: DenseGwas,
  hits: readonly DenseHit[],
  { p1, p2, r2, kb }: DenseClumping,
): { id: string; members: string[] }[] {
  const { panel } = prepareDenseGwas(asked);
  const dosagesOf = (id: string): (number | null)[] =>
    panel.markers.find((marker) => marker.id === id)?.dosages ?? panel.individuals.map(() => null);
  const taken = new Set<string>();
  const clumps: { id: string; members: string[] }[] = [];
  for (const index of hits.toSorted((a, b) => a.p - b.p).filter(({ p }) => p <= p1)) {
    if (taken.has(index.id)) continue;
    taken.add(index.id);
    const members = hits.filter(
      ({ id, chromosome, positionBp, p }) =>
        !taken.has(id) &&
        chromosome === index.chromosome &&
        p <= p2 &&
        Math.abs(positionBp - index.positionBp) <= 1000 * kb &&
        haplotypeR2(dosagesOf(index.id), dosagesOf(id)) >= r2,
    );
    for (const { id } of members) taken.add(id);
    clumps.push({ id: index.id, members: members.map(({ id }) => id) });
  }
  return clumps;
}

const EM_STEPS = 2000;
/** EM climbs to the nearest maximum. */
const EM_STARTS = [0.02, 0.25, 0.5, 0.75, 0.98];

/** D²/(p_a q_a p_b q_b) of the likeliest haplotype frequencies under random mating, by EM (Hill 1974). */
function haplotypeR2(a: readonly (number | null)[], b: readonly (number | null)[]): number {
  const both = a.flatMap((x, i): [number, number][] => (x === null || b[i] === null ? [] : [[x, b[i]]]));
  const [p, q] = [0, 1].map((k) => both.reduce((sum, pair) => sum + pair[k], 0) / (2 * both.length));
  const spread = p * (1 - p) * q * (1 - q);
  if (!(spread > 0)) return Number.NaN;
  const limits = [Math.max(0, p + q - 1), Math.min(p, q)];
  const found = EM_STARTS.map((share) => {
    let x = limits[0] + share * (limits[1] - limits[0]);
    for (let step = 0; step < EM_STEPS; step++) x = expectedShare(both, x, p, q);
    return { x, value: pairLikelihood(both, x, p, q) };
  });
  const best = found.reduce((one, other) => (other.value > one.value ? other : one));
  return (best.x - p * q) ** 2 / spread;
}

/** Expected share of haplotypes with the second allele at both markers, given that share. */
function expectedShare(pairs: readonly [number, number][], x: number, p: number, q: number): number {
  const together = x * (1 - p - q + x);
  const apart = (p - x) * (q - x);
  const ofDouble = together + apart > 0 ? together / (together + apart) : 0.5;
  const copies = pairs.reduce((sum, [a, b]) => sum + (a === 1 && b === 1 ? ofDouble : (a * b) / 2), 0);
  return copies / (2 * pairs.length);
}

function pairLikelihood(pairs: readonly [number, number][], x: number, p: number, q: number): number {
  const frequency = [
    [1 - p - q + x, q - x],
    [p - x, x],
  ].map((row) => row.map((value) => Math.max(value, 1e-300)));
  return pairs.reduce((sum, [a, b]) => {
    const ways = [0, 1].flatMap((a1) =>
      [0, 1].flatMap((b1) => {
        const [a2, b2] = [a - a1, b - b1];
        return a2 < 0 || a2 > 1 || b2 < 0 || b2 > 1 ? [] : [frequency[a1][b1] * frequency[a2][b2]];
      }),
    );
    return sum + Math.log(ways.reduce((total, way) => total + way, 0));
  }, 0);
}
