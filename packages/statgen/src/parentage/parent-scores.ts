import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { createProgenyLikelihood, parentCalls, tableSize } from './progeny-likelihood.ts';
import { type Transmission, unknownParent } from './transmission.ts';

/** Likelihood ratios of parents, added up over markers that come block by block. */
export interface ParentScores {
  /**
   * Adds markers, at most the block size.
   *
   * @param codes individuals × markers by rows: copies of A2, k + 1 where there is no call
   * @param frequencies of A2, by marker, 0 < p < 1
   */
  add(codes: Uint8Array, frequencies: Float64Array): void;
}

/** A child whose parents are sought; an individual of the panel. */
export interface ScoredChild {
  individual: number;
  /** 2^−t for t generations of selfing after the cross. */
  heterozygosity: number;
}

/** Markers in a block of {@link createSingleScores}: k + 1 columns each. */
export const SCORE_BLOCK = 512;

/**
 * Every individual as the one known parent of every child: ln likelihood ratios, see `fillRatios`. One matrix
 * product a block, O(children · individuals · markers).
 *
 * @returns children × individuals; complete when all blocks are added
 */
export function createSingleScores(
  children: readonly ScoredChild[],
  individuals: number,
  transmission: Transmission,
): ParentScores & { scores: Matrix } {
  const { ploidy = 2 } = transmission;
  const [classes, width, unknown] = [ploidy + 1, parentCalls(ploidy), unknownParent(ploidy)];
  const scores = createMatrix(children.length, individuals);
  const weights = createMatrix(children.length, classes * SCORE_BLOCK);
  const isCall = createMatrix(individuals, classes * SCORE_BLOCK);
  const rows = Int32Array.from(children, ({ individual }) => individual);
  const tables = createTables(children, transmission);
  return {
    scores,
    add(codes, frequencies) {
      const count = frequencies.length;
      const ratios = tables.fill(frequencies);
      weights.data.fill(0);
      isCall.data.fill(0);
      for (let j = 0; j < count; j++) {
        const column = classes * j * children.length;
        for (let c = 0; c < children.length; c++) {
          const code = codes[rows[c] * count + j];
          if (code === unknown) continue;
          const at = tables.offset(c, count, j) + width * width * code + unknown;
          for (let copies = 0; copies < classes; copies++) {
            weights.data[column + copies * children.length + c] = ratios[at + width * copies];
          }
        }
        for (let i = 0; i < individuals; i++) {
          const code = codes[i * count + j];
          if (code !== unknown) isCall.data[(classes * j + code) * individuals + i] = 1;
        }
      }
      multiply(weights, isCall, { transposeB: true, beta: 1, into: scores });
    },
  };
}

/** Two parents of a child, which may be the same plant; `male` is −1 if only one is known. */
export interface ScoredPair {
  /** Position among the children. */
  child: number;
  female: number;
  male: number;
}

/**
 * Chosen pairs of parents: ln likelihood ratios as above, with both parents.
 *
 * @returns one score a pair; complete when all blocks are added
 */
export function createPairScores(
  children: readonly ScoredChild[],
  pairs: readonly ScoredPair[],
  transmission: Transmission,
): ParentScores & { scores: Float64Array } {
  const { ploidy = 2 } = transmission;
  const scores = new Float64Array(pairs.length);
  const tables = createTables(children, transmission);
  return {
    scores,
    add(codes, frequencies) {
      const count = frequencies.length;
      const ratios = tables.fill(frequencies);
      for (const [k, { child, female, male }] of pairs.entries()) {
        const { individual } = children[child];
        scores[k] += pairScore(codes, ratios, {
          ...{ ploidy, count },
          table: tables.offset(child, count, 0),
          child: individual * count,
          female: female * count,
          male: male < 0 ? -1 : male * count,
        });
      }
    },
  };
}

function pairScore(
  codes: Uint8Array,
  ratios: Float64Array,
  at: { ploidy: number; count: number; table: number; child: number; female: number; male: number },
): number {
  const [size, width, unknown] = [tableSize(at.ploidy), parentCalls(at.ploidy), unknownParent(at.ploidy)];
  let sum = 0;
  for (let j = 0; j < at.count; j++) {
    const child = codes[at.child + j];
    if (child === unknown) continue;
    const male = at.male < 0 ? unknown : codes[at.male + j];
    sum += ratios[at.table + size * j + width * (width * child + codes[at.female + j]) + male];
  }
  return sum;
}

/** The tables of a block, once for each heterozygosity that occurs. */
function createTables(children: readonly ScoredChild[], transmission: Transmission) {
  const kinds = [...new Set(children.map(({ heterozygosity }) => heterozygosity))];
  const kindOf = Int32Array.from(children, ({ heterozygosity }) => kinds.indexOf(heterozygosity));
  const likelihoods = kinds.map((heterozygosity) => createProgenyLikelihood(transmission, heterozygosity));
  const size = tableSize(transmission.ploidy ?? 2);
  const ratios = new Float64Array(kinds.length * SCORE_BLOCK * size);
  return {
    fill(frequencies: Float64Array): Float64Array {
      for (const [kind, likelihood] of likelihoods.entries()) {
        for (let j = 0; j < frequencies.length; j++) {
          likelihood.fillRatios(ratios, (kind * frequencies.length + j) * size, frequencies[j]);
        }
      }
      return ratios;
    },
    /** Of marker j for this child in a block of `count` markers. */
    offset: (child: number, count: number, j: number): number => (kindOf[child] * count + j) * size,
  };
}
