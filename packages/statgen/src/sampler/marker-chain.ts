import { createRandomStream, type RandomStream } from '../random/random-stream.ts';
import { StatgenError } from '../statgen-error.ts';
import { drawVariance, type EffectDraws, effectDraws } from './effect-draws.ts';
import type { SamplerPriors } from './effect-priors.ts';
import { type PackedMemory, packedMemory } from './kernels/packed-memory.ts';
import { MARKERS_PER_BLOCK, type SamplerMarkers, SLOT } from './sampler-markers.ts';

const SLOT_BYTES = 16;
/** Pairs of the kernel's list; its sums cannot overflow with them. */
const MOST_PAIRS = 250;
/** Largest change of an effect in one entry of the list. */
const LARGEST = 32_767;
/** A typical effect has so many units, a standard deviation of the values at least 2¹⁷. */
const UNITS_PER_EFFECT = 4096;
const UNITS_PER_DEVIATION = 131_072;
/** Residuals start below this, and have half of the integers to move. */
const LARGEST_RESIDUAL = 2 ** 29;

/** What a chain sums up over the cycles after its burn-in. */
export interface ChainSums {
  cycles: number;
  /** By marker: conditional expectations of the effects, of having one, and squares of the effects drawn. */
  effect: Float64Array;
  inclusion: Float64Array;
  square: Float64Array;
  /** By individual, those with a value first: Σ(x − x̄)b and its square. */
  genetic: Float64Array;
  geneticSquare: Float64Array;
  /** One a cycle. */
  residualVariance: number[];
  /** Variance of Σ(x − x̄)b among the individuals with a value, divisor n. */
  geneticVariance: number[];
  included: number[];
}

/**
 * One chain of Gibbs sampling of y = μ + Σ(x_j − x̄_j)b_j + e. The mean is flat and integrated out.
 *
 * Markers are taken in blocks of 32: one pass over the packed genotypes multiplies a block with the residuals, the Gram
 * matrix of the block carries each change to those behind it, and one pass subtracts all changes (blocks of
 * right-hand-side updating, Calus 2014, Genet Sel Evol 46:24). Effects are whole numbers of a unit, and so are
 * residuals: both are exact integers that no rounding wears away. Products are made with the residuals rounded to 16
 * bits, which moves a conditional mean by about 10⁻⁴ of its standard deviation.
 */
export class MarkerChain {
  readonly #markers: SamplerMarkers;
  readonly #priors: SamplerPriors;
  readonly #random: RandomStream;
  readonly #unit: number;
  readonly #memory: PackedMemory;
  readonly #draws: EffectDraws;
  readonly #values: Int32Array;
  /** In units. */
  readonly effects: Float64Array;
  residualVariance: number;
  /** Σ over individuals with a value of their residuals, and bits that the narrowed ones lose. */
  #total = 0;
  #shift = 0;
  #entries = 0;

  /** @param values of the individuals with one, n */
  constructor(
    markers: SamplerMarkers,
    priors: SamplerPriors,
    { values, seed, chain }: { values: Float64Array; seed: number; chain: number },
  ) {
    const { m, n, slots } = markers;
    if (values.length !== n) {
      throw new StatgenError('shape-mismatch', `${values.length} values for ${n} individuals`, { n });
    }
    this.#markers = markers;
    this.#priors = priors;
    this.#random = createRandomStream(seed, 'chain', chain);
    this.#unit = unitOf(markers, values);
    this.#memory = packedMemory({
      ...{ codeBytes: markers.codes.length, rows: slots.all * SLOT, valuedRows: slots.valued * SLOT },
      ...{ markers: MARKERS_PER_BLOCK, pairs: MOST_PAIRS },
    });
    this.#memory.codes.set(markers.codes);
    this.#draws = effectDraws(priors, m, this.#unit, this.#random);
    this.#values = new Int32Array(n);
    this.effects = new Float64Array(m);
    this.residualVariance = priors.residual.scale / (priors.residual.degrees + 2);
    this.setValues(values);
  }

  /** The unit of effects and residuals, in that of the trait. */
  get unit(): number {
    return this.#unit;
  }

  /** Other values of the same individuals; the effects stay. */
  setValues(values: Float64Array): void {
    const { n } = this.#markers;
    const mean = values.reduce((sum, value) => sum + value, 0) / n;
    const { residuals } = this.#memory;
    for (let i = 0; i < n; i++) {
      const value = Math.round((values[i] - mean) / this.#unit);
      residuals[i] += value - this.#values[i];
      this.#values[i] = value;
    }
    this.#addUp();
  }

  /** Runs cycles; with `sums` their draws are added there. */
  run(cycles: number, sums?: ChainSums): void {
    for (let cycle = 0; cycle < cycles; cycle++) {
      this.#draws.begin(this.residualVariance);
      this.#drawEffects(sums);
      this.#draws.end();
      const squares = this.#addUp();
      const { n } = this.#markers;
      this.residualVariance = drawVariance(this.#priors.residual, n - 1, squares, this.#random);
      if (sums !== undefined) this.#record(sums);
    }
  }

  #drawEffects(sums: ChainSums | undefined): void {
    const { m, squares, products: grams, others } = this.#markers;
    const { products } = this.#memory;
    const unit = this.#unit;
    const draws = this.#draws;
    const { effects } = this;
    for (let first = 0; first < m; first += MARKERS_PER_BLOCK) {
      const count = Math.min(MARKERS_PER_BLOCK, m - first);
      this.#multiplyBlock(first, count);
      const block = first * MARKERS_PER_BLOCK;
      for (let k = 0; k < count; k++) {
        const j = first + k;
        const present = effects[j];
        const square = squares[j];
        const next = draws.draw(present, (products[k] + square * present) * unit, square);
        if (sums !== undefined) {
          sums.effect[j] += draws.expected;
          sums.inclusion[j] += draws.probability;
          sums.square[j] += (next * unit) ** 2;
        }
        const change = next - present;
        if (change === 0) continue;
        effects[j] = next;
        const gram = block + k * MARKERS_PER_BLOCK;
        for (let l = k + 1; l < count; l++) products[l] -= grams[gram + l] * change;
        this.#enlist(j, change);
        if (others.start[j] < others.start[j + 1]) this.#subtractOthers(j, present, next);
      }
      this.#subtractListed();
    }
  }

  /** Σ(x − x̄)·residual of a block, in units. */
  #multiplyBlock(first: number, count: number): void {
    const { n, slots, means, others } = this.#markers;
    const { kernels, codes, residuals, narrowed, sums, products } = this.#memory;
    const offset = Math.round(this.#total / n);
    const groups = (n + 7) >> 3;
    for (let i = n; i < 8 * groups; i++) residuals[i] = offset;
    const narrow = (shift: number): number =>
      kernels.narrow(
        residuals.byteOffset,
        narrowed.byteOffset,
        groups,
        offset,
        shift === 0 ? 0 : 1 << (shift - 1),
        shift,
        sums.byteOffset,
      );
    const needed = shiftFor(narrow(this.#shift));
    const isLossy = needed > this.#shift;
    const used = isLossy ? needed : this.#shift;
    if (isLossy) narrow(used);
    this.#shift = needed;
    const stride = slots.all * SLOT_BYTES;
    const at = codes.byteOffset + first * stride;
    kernels.multiply(at, slots.valued, stride, count, narrowed.byteOffset, products.byteOffset);
    const total = sums[0] + sums[1] + sums[2] + sums[3];
    const scale = 2 ** used;
    for (let k = 0; k < count; k++) {
      const j = first + k;
      let product = scale * (products[k] - means[j] * total);
      for (let o = others.start[j]; o < others.start[j + 1]; o++) {
        if (others.row[o] < n) product += others.value[o] * (residuals[others.row[o]] - offset);
      }
      products[k] = product;
    }
  }

  /** Puts a change on the list of the kernel, a large one in several entries. */
  #enlist(marker: number, change: number): void {
    const { list, codes } = this.#memory;
    const address = codes.byteOffset + marker * this.#markers.slots.all * SLOT_BYTES;
    let left = change;
    while (left !== 0) {
      const part = Math.max(-LARGEST, Math.min(LARGEST, left));
      if (this.#entries === 2 * MOST_PAIRS) this.#subtractListed();
      const at = 4 * (this.#entries >> 1);
      if ((this.#entries & 1) === 0) {
        list[at] = address;
        list[at + 1] = address;
        list[at + 2] = part & 0xffff;
      } else {
        list[at + 1] = address;
        list[at + 2] |= part << 16;
      }
      this.#entries++;
      left -= part;
    }
  }

  #subtractListed(): void {
    if (this.#entries === 0) return;
    const { kernels, list, residuals } = this.#memory;
    kernels.subtract(list.byteOffset, (this.#entries + 1) >> 1, this.#markers.slots.all, residuals.byteOffset);
    this.#entries = 0;
  }

  /** Values that are no whole counts: each contributes value·effect rounded to units, so that nothing adds up. */
  #subtractOthers(marker: number, present: number, next: number): void {
    const { others } = this.#markers;
    const { residuals } = this.#memory;
    for (let o = others.start[marker]; o < others.start[marker + 1]; o++) {
      const value = others.value[o];
      residuals[others.row[o]] -= Math.round(value * next) - Math.round(value * present);
    }
  }

  /** The sum of the residuals, kept, and their sum of squares about their mean in the unit of the trait. */
  #addUp(): number {
    const { n } = this.#markers;
    const { residuals } = this.#memory;
    let total = 0;
    for (let i = 0; i < n; i++) total += residuals[i];
    this.#total = total;
    const mean = total / n;
    let squares = 0;
    for (let i = 0; i < n; i++) squares += (residuals[i] - mean) ** 2;
    return squares * this.#unit ** 2;
  }

  #record(sums: ChainSums): void {
    const { n, candidates, slots } = this.#markers;
    const { residuals } = this.#memory;
    const values = this.#values;
    const unit = this.#unit;
    let mean = 0;
    for (let i = 0; i < n; i++) mean += values[i] - residuals[i];
    mean /= n;
    let variance = 0;
    for (let i = 0; i < n; i++) {
      const value = (values[i] - residuals[i] - mean) * unit;
      sums.genetic[i] += value;
      sums.geneticSquare[i] += value * value;
      variance += value * value;
    }
    for (let i = 0; i < candidates; i++) {
      const value = (-residuals[slots.valued * SLOT + i] - mean) * unit;
      sums.genetic[n + i] += value;
      sums.geneticSquare[n + i] += value * value;
    }
    sums.cycles++;
    sums.residualVariance.push(this.residualVariance);
    sums.geneticVariance.push(variance / n);
    sums.included.push(this.#draws.included);
  }
}

export function emptySums({ n, candidates, m }: SamplerMarkers): ChainSums {
  return {
    cycles: 0,
    effect: new Float64Array(m),
    inclusion: new Float64Array(m),
    square: new Float64Array(m),
    genetic: new Float64Array(n + candidates),
    geneticSquare: new Float64Array(n + candidates),
    residualVariance: [],
    geneticVariance: [],
    included: [],
  };
}

/** Bits that integers with these bits lose when they become 16 bits with a sign. */
const shiftFor = (bits: number): number => Math.max(0, 17 - Math.clz32(bits));

function unitOf({ n, squares }: SamplerMarkers, values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  let largest = 0;
  let sum = 0;
  for (const value of values) {
    largest = Math.max(largest, Math.abs(value - mean));
    sum += (value - mean) ** 2;
  }
  const deviation = Math.sqrt(sum / n);
  const markerVariance = squares.reduce((all, square) => all + square, 0) / n;
  const effect = deviation / Math.sqrt(2 * markerVariance);
  return Math.max(Math.min(effect / UNITS_PER_EFFECT, deviation / UNITS_PER_DEVIATION), largest / LARGEST_RESIDUAL);
}
