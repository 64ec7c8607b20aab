import { createMatrix, matrixOf, mirrorLower } from '@heterosis/linalg/matrix';
import { addCrossProductSingle, addProductSingle } from '@heterosis/linalg/products';
import { fitReml, reduceKernel } from '../mixed-model/fit-reml.ts';
import { type RefitRoom, refitReml } from '../mixed-model/refit-reml.ts';
import type { PackedGenome } from './packed-genome.ts';
import { alleleCounts, homologAt, type PackedPopulation } from './packed-population.ts';
import { meanOf } from './statistics.ts';
import { createValueTable, type ValueTable } from './value-table.ts';

/** The records of one trial of genotyped individuals. */
interface Batch {
  y: Float64Array;
  /** m × n, −1, 0, 1 for 0, 1, 2 copies of allele 1 at the chip's loci, one individual after the other. */
  codes: Float32Array;
  /** Copies of allele 1 by locus in genome order. */
  counts: Int32Array;
  /** Products of the codes with those of earlier batches and of this one: batch → n(batch) × n. */
  products: Map<Batch, Float32Array>;
}

/** RR-BLUP as a scheme's stages train it: effects of the chip's loci from the records of the last trainings. */
export interface TrainedProgrammeModel {
  trait: number;
  intercept: number;
  /** Per copy of allele 1, by locus in genome order; 0 beside the chip. */
  effects: Float64Array;
  table: ValueTable;
  /** Variance of the effect of a code, and of the error, by REML. */
  varianceEffect: number;
  varianceError: number;
}

/**
 * Smallest σ²g/σ²e of the effects. Where REML puts σ²g at zero, effects are tiny and rank like MM'(y − ȳ): a ratio this
 * small leaves eight digits of the differences beside the mean.
 */
const SMALLEST_RATIO = 1e-8;

/** From so many records on a fit begins at the last δ; fewer are reduced in no time. */
const LARGE = 800;

/** Records of a model over the cycles, and fits to the last of them. */
export class TrainingRecords {
  readonly #genome: PackedGenome;
  readonly #chip: Int32Array;
  readonly #batches: Batch[] = [];
  /** Codes of records that were forgotten: new pages of memory cost more than what is written on them. */
  #spare: Float32Array[] = [];
  /** δ of the last fit that did not end at a boundary. */
  #lastDelta: number | null = null;
  #kinship = new Float32Array(0);
  #room: RefitRoom = { single: new Float32Array(0), double: new Float64Array(0) };

  constructor(genome: PackedGenome, chip: Int32Array) {
    this.#genome = genome;
    this.#chip = chip;
  }

  /** Adds the records of a population. */
  add(population: PackedPopulation, y: Float64Array): void {
    const codes = this.#roomFor(this.#chip.length * population.size);
    writeCodes(this.#genome, this.#chip, population, codes);
    this.#batches.push({ y, codes, counts: alleleCounts(this.#genome, population), products: new Map() });
  }

  /**
   * RR-BLUP y = 1μ + Mu + e with variances by REML on the records of the last `window` trainings; older ones are
   * forgotten. Products of codes are whole numbers below 2²⁴ and exact in single precision; those of earlier trainings
   * are kept. O(n²m) for new records, then O(n³).
   *
   * @throws StatgenError as `reduceKernel` and `fitReml`
   */
  fit(trait: number, window: number): TrainedProgrammeModel {
    const chip = this.#chip;
    this.#spare = this.#batches.splice(0, Math.max(0, this.#batches.length - window)).map(({ codes }) => codes);
    const batches = this.#batches;
    for (const { products } of batches) {
      for (const earlier of products.keys()) if (!batches.includes(earlier)) products.delete(earlier);
    }
    const y = Float64Array.from(batches.flatMap((batch) => Array.from(batch.y)));
    const { varianceGenetic, varianceResidual, weights } = this.#estimates(y);
    const scale = Math.max(varianceGenetic, SMALLEST_RATIO * varianceResidual) / chip.length;
    // u = σ²u M'Py with σ²u = σ²g/m, because the kinship is MM'/m.
    const perCode = new Float64Array(chip.length);
    let at = 0;
    for (const { codes, y: own } of batches) {
      for (let i = 0; i < own.length; i++) {
        const weight = scale * weights[at++];
        const from = i * chip.length;
        for (let k = 0; k < perCode.length; k++) perCode[k] += weight * codes[from + k];
      }
    }
    const effects = new Float64Array(this.#genome.genome.markerCount);
    let intercept = meanOf(y);
    for (const [k, locus] of chip.entries()) {
      effects[locus] = perCode[k];
      // μ is the mean of y less that of the effects.
      const copies = batches.reduce((sum, { counts }) => sum + counts[locus], 0);
      intercept -= (perCode[k] * copies) / y.length;
    }
    return {
      trait,
      intercept,
      effects,
      table: createValueTable(this.#genome, effects),
      varianceEffect: varianceGenetic / chip.length,
      varianceError: varianceResidual,
    };
  }

  #roomFor(length: number): Float32Array {
    const found = this.#spare.findIndex((codes) => codes.length === length);
    return this.#spare.splice(found, found < 0 ? 0 : 1)[0] ?? new Float32Array(length);
  }

  #estimates(y: Float64Array): { varianceGenetic: number; varianceResidual: number; weights: Float64Array } {
    const n = y.length;
    const isLarge = n >= LARGE;
    if (isLarge && this.#kinship.length < n * n) {
      this.#kinship = new Float32Array(n * n);
      this.#room = { single: new Float32Array(n * n), double: new Float64Array(n * n) };
    }
    if (isLarge) {
      this.#writeKinship(this.#kinship, n);
      const refitted = this.#lastDelta === null ? null : refitReml(this.#kinship, y, this.#lastDelta, this.#room);
      if (refitted !== null) {
        if (Number.isFinite(refitted.delta)) this.#lastDelta = refitted.delta;
        return refitted;
      }
    }
    const kinship = createMatrix(n, n);
    this.#writeKinship(kinship.data, n);
    const fit = fitReml(reduceKernel(mirrorLower(kinship), matrixOf(n, 1, new Float64Array(n).fill(1))), y);
    if (fit.boundary === 'none') this.#lastDelta = fit.delta;
    return fit;
  }

  /** Writes the lower triangle of MM'/m, column-major. */
  #writeKinship(kinship: Float64Array | Float32Array, n: number): void {
    const loci = this.#chip.length;
    let row = 0;
    for (const [b, batch] of this.#batches.entries()) {
      const rows = batch.y.length;
      let column = 0;
      for (const earlier of this.#batches.slice(0, b + 1)) {
        const products = this.#products(batch, earlier);
        for (let j = 0; j < earlier.y.length; j++) {
          const at = row + (column + j) * n;
          for (let i = 0; i < rows; i++) kinship[at + i] = products[i + j * rows] / loci;
        }
        column += earlier.y.length;
      }
      row += rows;
    }
  }

  #products(batch: Batch, earlier: Batch): Float32Array {
    const known = batch.products.get(earlier);
    if (known !== undefined) return known;
    const m = this.#chip.length;
    const n = batch.y.length;
    const products = new Float32Array(n * earlier.y.length);
    if (batch === earlier) addCrossProductSingle(products, batch.codes, n, m);
    else addProductSingle(products, batch.codes, earlier.codes, { m: n, n: earlier.y.length, k: m });
    batch.products.set(earlier, products);
    return products;
  }
}

/** Writes the codes of a population at the chip's loci, word by word of its haplotypes. */
function writeCodes(genome: PackedGenome, chip: Int32Array, population: PackedPopulation, codes: Float32Array): void {
  const { bits, inbred } = population;
  const wordOf = Int32Array.from(chip, (locus) => locus >>> 5);
  const bitOf = Int32Array.from(chip, (locus) => locus & 31);
  for (let i = 0; i < population.size; i++) {
    const a = homologAt(population, genome, i, false);
    const b = homologAt(population, genome, i, true);
    const at = i * chip.length;
    for (let k = 0; k < chip.length; ) {
      const word = wordOf[k];
      const first = bits[a + word];
      const second = inbred ? first : bits[b + word];
      for (; wordOf[k] === word; k++) codes[at + k] = ((first >>> bitOf[k]) & 1) + ((second >>> bitOf[k]) & 1) - 1;
    }
  }
}
