import { plainPotrf, plainPotri } from '@heterosis/linalg/plain/plain-cholesky';
import type { Concurrences } from './design-types.ts';

/** Operations beyond which an efficiency is not computed. */
const MOST_WORK = 4e9;
/** A column that keeps less than this share of its length depends on those before it. */
const DEPENDENT = 1e-9;

/**
 * Sum of the variances of the lines as contrasts with their mean, tr(C⁺) with the information C = X′(I − P_Z)X of fixed
 * lines, in units of the residual variance.
 *
 * @param lineOf line of each plot, n, from 0; negative: the plot has none and does not count
 * @param factors by factor the level of each plot, from 0; the mean is always fitted
 * @returns null where not all lines are connected, or they are too many
 */
function traceOfVariances(lines: number, lineOf: Int32Array, factors: readonly Int32Array[]): number | null {
  const plots = [...lineOf.keys()].filter((plot) => lineOf[plot] >= 0);
  const levels = factors.reduce((sum, factor) => sum + new Set(factor).size, 1);
  if (plots.length * levels * levels + lines ** 3 > MOST_WORK) return null;
  const basis = orthonormalBasis(plots, factors);
  const shares = basis.map((column) => {
    const sums = new Float64Array(lines);
    plots.forEach((plot, k) => {
      sums[lineOf[plot]] += column[k];
    });
    return sums;
  });
  const constant = plots.length / (lines * lines);
  const information = new Float64Array(lines * lines).fill(constant);
  for (const plot of plots) information[lineOf[plot] * (lines + 1)] += 1;
  for (const share of shares) {
    for (let j = 0; j < lines; j++) {
      const factor = share[j];
      if (factor !== 0) for (let i = 0; i < lines; i++) information[i + j * lines] -= share[i] * factor;
    }
  }
  if (plainPotrf(lines, information, lines) !== 0) return null;
  // What is left of the pivot of a line that nothing connects is rounding.
  for (let i = 0; i < lines; i++) if (information[i * (lines + 1)] < 1e-6) return null;
  plainPotri(lines, information, lines);
  let trace = -1 / (constant * lines);
  for (let i = 0; i < lines; i++) trace += information[i * (lines + 1)];
  return trace;
}

/** Orthonormal columns of the mean and of all levels, by Gram and Schmidt, each projected twice. */
function orthonormalBasis(plots: readonly number[], factors: readonly Int32Array[]): Float64Array[] {
  const basis: Float64Array[] = [];
  const add = (column: Float64Array) => {
    const length = Math.sqrt(column.reduce((sum, x) => sum + x * x, 0));
    for (let round = 0; round < 2; round++) {
      for (const known of basis) {
        let product = 0;
        for (let k = 0; k < column.length; k++) product += known[k] * column[k];
        for (let k = 0; k < column.length; k++) column[k] -= product * known[k];
      }
    }
    const rest = Math.sqrt(column.reduce((sum, x) => sum + x * x, 0));
    if (rest > DEPENDENT * length) basis.push(column.map((x) => x / rest));
  };
  add(new Float64Array(plots.length).fill(1));
  for (const factor of factors) {
    for (const level of new Set(plots.map((plot) => factor[plot])))
      add(Float64Array.from(plots, (plot) => (factor[plot] === level ? 1 : 0)));
  }
  return basis;
}

/**
 * Average efficiency factor: average variance of a difference of two lines without blocks over that within them,
 * (v − 1)·mean(1/r)/tr(C⁺); with r plots of every line (v − 1)/(r·tr(C⁺)), the harmonic mean of the canonical
 * efficiency factors (John & Williams 1995, Cyclic and Computer Generated Designs, chapter 2). Null as in
 * {@link traceOfVariances}.
 */
export function averageEfficiency(lines: number, lineOf: Int32Array, factors: readonly Int32Array[]): number | null {
  if (lines < 2) return null;
  const trace = traceOfVariances(lines, lineOf, factors);
  return trace === null ? null : ((lines - 1) * meanInverse(lines, lineOf)) / trace;
}

/** Mean of 1/r over the lines. */
export function meanInverse(lines: number, lineOf: Int32Array): number {
  const counts = new Float64Array(lines);
  for (const line of lineOf) if (line >= 0) counts[line] += 1;
  return counts.reduce((sum, count) => sum + 1 / count, 0) / lines;
}

/** How often pairs of lines meet in the blocks of a factor. Null for more than {@link MOST_PAIRED} lines. */
export function concurrencesOf(lines: number, lineOf: Int32Array, blocks: Int32Array): Concurrences | null {
  if (lines < 2 || lines > MOST_PAIRED) return null;
  const members = new Map<number, number[]>();
  lineOf.forEach((line, plot) => {
    if (line < 0 || blocks[plot] < 0) return;
    const known = members.get(blocks[plot]);
    if (known === undefined) members.set(blocks[plot], [line]);
    else known.push(line);
  });
  // Complete blocks, of which each pair would be counted in each.
  if ([...members.values()].every((block) => block.length === lines && new Set(block).size === lines)) {
    const counts = Array.from({ length: members.size + 1 }, () => 0);
    counts[members.size] = (lines * (lines - 1)) / 2;
    return summarize(counts);
  }
  const meetings = new Uint16Array(lines * lines);
  for (const block of members.values()) for (const i of block) for (const j of block) meetings[i + j * lines] += 1;
  const counts: number[] = [];
  for (let j = 0; j < lines; j++) {
    for (let i = j + 1; i < lines; i++) {
      const count = meetings[i + j * lines];
      counts[count] = (counts[count] ?? 0) + 1;
    }
  }
  return summarize(counts);
}

/** Most lines whose pairs are counted. */
const MOST_PAIRED = 5000;

/** Figures of `counts[k]` pairs that meet k times; gaps of the array are none. */
export function summarize(counts: readonly (number | undefined)[]): Concurrences {
  const all = Array.from(counts, (count) => count ?? 0);
  const pairs = all.reduce((sum, count) => sum + count, 0);
  return {
    min: Math.max(
      0,
      all.findIndex((count) => count > 0),
    ),
    max: Math.max(0, all.length - 1),
    mean: pairs === 0 ? 0 : all.reduce((sum, count, k) => sum + k * count, 0) / pairs,
    counts: all,
  };
}
