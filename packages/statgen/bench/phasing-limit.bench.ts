// How many missing genotypes of the phasing set can be known at all? An oracle is given what no phasing program has:
// the true haplotypes of everybody, the hidden ones of the individual in question excepted. Each haplotype is a
// mosaic of the others' (Li & Stephens 2003, Genetics 165:2213); the forward–backward algorithm gives the probability
// of each hidden allele, and the most probable genotype is taken.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const FOLDER = new URL('../reference/phasing-small/', import.meta.url);
const FIRST_CALL = 9;
const CM_PER_BP = 1e-6;

interface Chromosome {
  positionCm: number[];
  /** Two haplotypes per sample, 0 or 1 per marker. */
  haplotypes: Uint8Array[];
  /** By sample and marker, 1 where the call was hidden. */
  hidden: Uint8Array[];
}

const rowsOf = (name: string) =>
  gunzipSync(readFileSync(new URL(name, FOLDER)))
    .toString()
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.split('\t'));

function readChromosomes(): Chromosome[] {
  const truth = rowsOf('truth_phased.vcf.gz');
  const observed = rowsOf('unphased.vcf.gz');
  const samples = Array.from({ length: truth[0].length - FIRST_CALL }, (_, i) => i);
  return [...new Set(truth.map((row) => row[0]))].map((name) => {
    const known = truth.filter((row) => row[0] === name);
    const seen = observed.filter((row) => row[0] === name);
    return {
      positionCm: known.map((row) => Number(row[1]) * CM_PER_BP),
      haplotypes: samples.flatMap((i) =>
        [0, 2].map((side) => Uint8Array.from(known, (row) => Number(row[FIRST_CALL + i][side]))),
      ),
      hidden: samples.map((i) => Uint8Array.from(seen, (row) => (row[FIRST_CALL + i].startsWith('.') ? 1 : 0))),
    };
  });
}

/**
 * Probability of allele 1 at the hidden markers of haplotype h, given all others; `rate` switches a cM, `error`
 * mismatches a marker.
 */
function alleleProbabilities(chromosome: Chromosome, h: number, rate: number, error: number): Float64Array {
  const { positionCm, haplotypes, hidden } = chromosome;
  const own = haplotypes[h];
  const isHidden = hidden[h >> 1];
  const others = haplotypes.filter((_, k) => k >> 1 !== h >> 1);
  const m = own.length;
  const size = others.length;
  const matches = (k: number, j: number) => (isHidden[j] === 1 ? 1 : others[k][j] === own[j] ? 1 - error : error);
  const forward = new Float64Array(m * size);
  const state = new Float64Array(size).fill(1 / size);
  const leave = (j: number) => -Math.expm1(-rate * (positionCm[j] - positionCm[j - 1]));
  for (let j = 0; j < m; j++) {
    const p = j === 0 ? 0 : leave(j);
    let sum = 0;
    for (let k = 0; k < size; k++) {
      state[k] = (state[k] * (1 - p) + p / size) * matches(k, j);
      sum += state[k];
    }
    for (let k = 0; k < size; k++) {
      state[k] /= sum;
      forward[j * size + k] = state[k];
    }
  }
  const probability = new Float64Array(m);
  const backward = new Float64Array(size).fill(1);
  for (let j = m - 1; j >= 0; j--) {
    let sum = 0;
    let ones = 0;
    for (let k = 0; k < size; k++) {
      const weight = forward[j * size + k] * backward[k];
      sum += weight;
      ones += weight * (others[k][j] === 1 ? 1 - error : error);
    }
    probability[j] = ones / sum;
    if (j === 0) break;
    const p = leave(j);
    let total = 0;
    for (let k = 0; k < size; k++) {
      backward[k] *= matches(k, j);
      total += backward[k];
    }
    for (let k = 0; k < size; k++) backward[k] = (backward[k] * (1 - p) + (p * total) / size) / total;
  }
  return probability;
}

/**
 * Genotypes that the most probable one gets wrong, how many the probabilities themselves expect to be wrong, and all
 * hidden ones.
 */
function limit(chromosomes: readonly Chromosome[], rate: number, error: number) {
  const result = { hidden: 0, wrong: 0, expected: 0 };
  for (const chromosome of chromosomes) {
    for (const [i, isHidden] of chromosome.hidden.entries()) {
      if (!isHidden.includes(1)) continue;
      const [a, b] = [2 * i, 2 * i + 1].map((h) => alleleProbabilities(chromosome, h, rate, error));
      for (let j = 0; j < isHidden.length; j++) {
        if (isHidden[j] === 0) continue;
        const genotypes = [(1 - a[j]) * (1 - b[j]), a[j] * (1 - b[j]) + b[j] * (1 - a[j]), a[j] * b[j]];
        const best = Math.max(...genotypes);
        const truth = chromosome.haplotypes[2 * i][j] + chromosome.haplotypes[2 * i + 1][j];
        result.hidden++;
        result.expected += 1 - best;
        if (genotypes[truth] < best) result.wrong++;
      }
    }
  }
  return result;
}

const chromosomes = readChromosomes();
process.stdout.write('Missing genotypes of phasing-small, known the true haplotypes of all others (Li–Stephens)\n');
for (const rate of [0.05, 0.1, 0.2, 0.5]) {
  for (const error of [1e-4, 1e-3]) {
    const { hidden, wrong, expected } = limit(chromosomes, rate, error);
    process.stdout.write(
      `${String(rate).padEnd(4)} switches/cM  ${error.toExponential(0)} mismatches  ${wrong} of ${hidden} wrong (${(100 * (1 - wrong / hidden)).toFixed(2)} % right), expected ${expected.toFixed(1)}\n`,
    );
  }
}
