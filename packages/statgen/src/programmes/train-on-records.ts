import { createMatrix, matrixOf, mirrorLower } from '@heterosis/linalg/matrix';
import { fitFewColumns } from '../mixed-model/fit-few-columns.ts';
import { fitReml, reduceKernel } from '../mixed-model/fit-reml.ts';
import { type RefitRoom, refitReml } from '../mixed-model/refit-reml.ts';
import type { PackedGenome } from './packed-genome.ts';
import type { PackedPopulation } from './packed-population.ts';
import { addWeightedCodes, createBatch, productsOf, type RecordBatch } from './record-batch.ts';
import { meanOf } from './statistics.ts';
import { createValueTable, type ValueTable } from './value-table.ts';
import { varyingCodes } from './varying-codes.ts';

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
/** Up to this share of columns where they vary, such records are reduced by columns, which then takes less. */
const FEW = 1 / 3;

/** Records of a model over the cycles, and fits to the last of them. */
export class TrainingRecords {
  readonly #genome: PackedGenome;
  readonly #chip: Int32Array;
  readonly #batches: RecordBatch[] = [];
  /** Products of the codes of a batch with those of itself and of earlier ones. */
  readonly #known = new Map<RecordBatch, Map<RecordBatch, Float32Array>>();
  /** δ of the last fit that did not end at a boundary. */
  #lastDelta: number | null = null;
  #kinship = new Float32Array(0);
  #room: RefitRoom = { factor: new Float32Array(0), inverse: new Float32Array(0) };

  constructor(genome: PackedGenome, chip: Int32Array) {
    this.#genome = genome;
    this.#chip = chip;
  }

  /** Adds the records of a population. */
  add(population: PackedPopulation, y: Float64Array): void {
    this.#batches.push(createBatch(this.#genome, this.#chip, population, y));
  }

  /**
   * RR-BLUP y = 1μ + Mu + e with variances by REML on the records of the last `window` trainings; older ones are
   * forgotten. Products of codes are exact, and those of earlier trainings are kept. O(n²m) for new records, then
   * O(n³); of many records that vary at few loci O(nq² + q³) for q loci.
   *
   * @throws StatgenError as `reduceKernel` and `fitReml`
   */
  fit(trait: number, window: number): TrainedProgrammeModel {
    const chip = this.#chip;
    const forgotten = this.#batches.splice(0, Math.max(0, this.#batches.length - window));
    const batches = this.#batches;
    for (const batch of forgotten) {
      this.#known.delete(batch);
      for (const products of this.#known.values()) products.delete(batch);
    }
    const y = Float64Array.from(batches.flatMap((batch) => Array.from(batch.y)));
    const { varianceGenetic, varianceResidual, weights } = this.#estimates(y);
    const scale = Math.max(varianceGenetic, SMALLEST_RATIO * varianceResidual) / chip.length;
    // u = σ²u M'Py with σ²u = σ²g/m, because the kinship is MM'/m.
    const sums = new Float64Array(this.#genome.genome.markerCount);
    let at = 0;
    for (const batch of batches) {
      addWeightedCodes(batch, weights.subarray(at, at + batch.y.length), sums);
      at += batch.y.length;
    }
    const effects = new Float64Array(sums.length);
    let intercept = meanOf(y);
    for (const locus of chip) {
      effects[locus] = scale * sums[locus];
      // μ is the mean of y less that of the effects.
      const copies = batches.reduce((sum, { counts }) => sum + counts[locus], 0);
      intercept -= (effects[locus] * copies) / y.length;
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

  #estimates(y: Float64Array): { varianceGenetic: number; varianceResidual: number; weights: Float64Array } {
    const n = y.length;
    const isLarge = n >= LARGE;
    const varying = isLarge ? varyingCodes(this.#batches, this.#chip, Math.floor(FEW * n)) : null;
    if (varying !== null) {
      const fit = fitFewColumns(varying, y);
      if (fit.boundary === 'none') this.#lastDelta = fit.delta;
      return fit;
    }
    if (isLarge && this.#kinship.length < n * n) {
      this.#kinship = new Float32Array(n * n);
      this.#room = { factor: new Float32Array(n * n), inverse: new Float32Array(n * n) };
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
          for (let i = earlier === batch ? j : 0; i < rows; i++) kinship[at + i] = products[i + j * rows] / loci;
        }
        column += earlier.y.length;
      }
      row += rows;
    }
  }

  #products(batch: RecordBatch, earlier: RecordBatch): Float32Array {
    const ofBatch = this.#known.get(batch) ?? new Map<RecordBatch, Float32Array>();
    this.#known.set(batch, ofBatch);
    const products = ofBatch.get(earlier) ?? productsOf(batch, earlier);
    ofBatch.set(earlier, products);
    return products;
  }
}
