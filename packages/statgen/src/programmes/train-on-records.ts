import { createMatrix, type Matrix, matrixOf, mirrorLower } from '@heterosis/linalg/matrix';
import { addCrossProductSingle, addProductSingle } from '@heterosis/linalg/products';
import { fitReml, reduceKernel } from '../mixed-model/fit-reml.ts';
import { alleleAt, type PackedGenome } from './packed-genome.ts';
import { homologAt, type PackedPopulation } from './packed-population.ts';
import { createValueTable, type ValueTable } from './value-table.ts';

/** The records of one trial of genotyped individuals. */
interface Batch {
  y: Float64Array;
  /** m × n, −1, 0, 1 for 0, 1, 2 copies of allele 1 at the chip's loci, one individual after the other. */
  codes: Float32Array;
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

/** Records of a model over the cycles, and fits to the last of them. */
export class TrainingRecords {
  readonly #genome: PackedGenome;
  readonly #chip: Int32Array;
  readonly #batches: Batch[] = [];

  constructor(genome: PackedGenome, chip: Int32Array) {
    this.#genome = genome;
    this.#chip = chip;
  }

  /** Adds the records of a population. */
  add(population: PackedPopulation, y: Float64Array): void {
    this.#batches.push({ y, codes: codesOf(this.#genome, this.#chip, population), products: new Map() });
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
    this.#batches.splice(0, Math.max(0, this.#batches.length - window));
    const batches = this.#batches;
    for (const { products } of batches) {
      for (const earlier of products.keys()) if (!batches.includes(earlier)) products.delete(earlier);
    }
    const y = new Float64Array(batches.reduce((sum, batch) => sum + batch.y.length, 0));
    const n = y.length;
    const kinship = createMatrix(n, n);
    let row = 0;
    for (const [b, batch] of batches.entries()) {
      y.set(batch.y, row);
      let column = 0;
      for (const earlier of batches.slice(0, b + 1)) {
        copyBlock(kinship, { row, column, rows: batch.y.length }, this.#products(batch, earlier), chip.length);
        column += earlier.y.length;
      }
      row += batch.y.length;
    }
    const reduced = reduceKernel(mirrorLower(kinship), matrixOf(n, 1, new Float64Array(n).fill(1)));
    const fit = fitReml(reduced, y);
    const varianceGenetic = Math.max(fit.varianceGenetic, SMALLEST_RATIO * fit.varianceResidual);
    // u = σ²u M'Py with σ²u = σ²g/m, because the kinship is MM'/m.
    const perCode = new Float64Array(chip.length);
    let at = 0;
    for (const { codes, y: own } of batches) {
      for (let i = 0; i < own.length; i++) {
        const weight = (varianceGenetic / chip.length) * fit.weights[at++];
        const from = i * chip.length;
        for (let k = 0; k < perCode.length; k++) perCode[k] += weight * codes[from + k];
      }
    }
    let mean = 0;
    at = 0;
    for (const { codes, y: own } of batches) {
      for (let i = 0; i < own.length; i++) {
        const from = i * chip.length;
        let value = 0;
        for (let k = 0; k < perCode.length; k++) value += perCode[k] * codes[from + k];
        mean += (y[at++] - value) / n;
      }
    }
    const effects = new Float64Array(this.#genome.genome.markerCount);
    let intercept = mean;
    for (const [k, locus] of chip.entries()) {
      effects[locus] = perCode[k];
      intercept -= perCode[k];
    }
    return {
      trait,
      intercept,
      effects,
      table: createValueTable(this.#genome, effects),
      varianceEffect: fit.varianceGenetic / chip.length,
      varianceError: fit.varianceResidual,
    };
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

function codesOf(genome: PackedGenome, chip: Int32Array, population: PackedPopulation): Float32Array {
  const codes = new Float32Array(chip.length * population.size);
  for (let i = 0; i < population.size; i++) {
    const a = homologAt(population, genome, i, false);
    const b = homologAt(population, genome, i, true);
    for (let k = 0; k < chip.length; k++) {
      codes[i * chip.length + k] = alleleAt(population.bits, a, chip[k]) + alleleAt(population.bits, b, chip[k]) - 1;
    }
  }
  return codes;
}

/** Writes products, divided by the number of loci, at a place of the lower triangle of the kinship. */
function copyBlock(
  { data, rows: n }: Matrix,
  { row, column, rows }: { row: number; column: number; rows: number },
  products: Float32Array,
  loci: number,
): void {
  const columns = products.length / rows;
  for (let j = 0; j < columns; j++) {
    for (let i = 0; i < rows; i++) data[row + i + (column + j) * n] = products[i + j * rows] / loci;
  }
}
