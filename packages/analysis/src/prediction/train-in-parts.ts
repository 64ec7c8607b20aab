import { blocksOf, type PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { subsetBlocks } from '@heterosis/file-formats/genotype/panel/subset-panel';
import { setComputeThreads } from '@heterosis/statgen/linear-algebra';
import { type CrossProducts, tileRows, zeroProducts } from '@heterosis/statgen/marker-space/dosage-products';
import type { ColumnRange, PackedMarkers } from '@heterosis/statgen/marker-space/packed-markers';
import {
  markerBlocks,
  placeTile,
  productTile,
  type TilePlace,
  tilePlaces,
} from '@heterosis/statgen/marker-space/product-tiles';
import { type AnalysisContext, reportProgress } from '../context.ts';
import { BASE_MB } from '../engine/plan-engine.ts';
import { panelMarkers } from '../inputs/panel-markers.ts';
import { productsNeeded } from './fit-in-marker-space.ts';
import { type ChosenEngine, prepareTraining, type TrainInput, trainPrepared } from './train-model.ts';
import type { TrainedModel } from './trained-model.ts';

/** When the products of the markers of a training are computed in parts, and how large these are. */
export interface TileRule {
  /** Most markers on a side of a tile. */
  markers: number;
  /** Fewest operations, in GFLOP, of all products together. */
  leastGflop: number;
}

/** What the parts of a training share. Plain data. */
export interface TrainingPlan extends ChosenEngine {
  /** Places in the panel of the markers that pass the filters, ascending. */
  markers: Int32Array;
  /** Individuals of the panel. */
  individuals: number;
  /** Panel positions of the individuals whose products are needed; null for all. */
  selections: (Int32Array | null)[];
  /** Most markers on a side of a tile. */
  side: number;
}

/** A tile of the products of the individuals of one selection. */
export interface TrainingTile extends TilePlace {
  selection: number;
}

/** Bytes of genotypes that a part holds at most. */
const MOST_TILE_CALLS = 2e9;

/** Two blocks of markers at two bits a call. */
const affordableSide = (individuals: number): number => Math.max(1, Math.floor((2 * MOST_TILE_CALLS) / individuals));

/**
 * Begins a training. If it is computed from the markers, without dominance and known errors, with products that are
 * worth it and without missing calls and fractions, the rest is left to parts: the tiles of these products, and {@link
 * finishTraining}. Otherwise it is finished here.
 *
 * @throws as `trainModel`
 */
export async function beginTraining(
  input: TrainInput,
  rule: TileRule,
  context: AnalysisContext,
): Promise<{ model: TrainedModel } | { plan: TrainingPlan }> {
  const prepared = await prepareTraining(input, context);
  const { panel, settings, traits, chosen } = prepared;
  const individuals = panel.samples.length;
  const side = Math.min(rule.markers, affordableSide(individuals));
  // The products of a model with dominance have other columns; divided by errors they round.
  const hasErrors = traits.some(({ errors }) => errors !== null);
  if (chosen.engine.name !== 'markers' || settings.dominance || hasErrors) {
    return { model: await trainPrepared(input, prepared, context) };
  }
  const selections = productsNeeded(traits, settings);
  const sizes = selections.map((selection) => selection?.length ?? individuals);
  const isWorthIt = (m: number): boolean =>
    m > side && sizes.reduce((sum, n) => sum + n * m * m, 0) >= rule.leastGflop * 1e9;
  if (!isWorthIt(panel.markers.id.length)) return { model: await trainPrepared(input, prepared, context) };
  // The tiles are the stage of the kinship, and progress only goes forward.
  const markers = await panelMarkers({ panel: blocksOf(panel), ...settings }, as('qc', context));
  if (!markers.isWhole || !isWorthIt(markers.m)) {
    return { model: await trainPrepared(input, prepared, context, { markers }) };
  }
  const { kept } = markers.scan;
  const places = chosen.places ?? Int32Array.from(kept.keys());
  return { plan: { ...chosen, markers: places.filter((_, j) => kept[j] === 1), individuals, selections, side } };
}

/** Reports every stage under one name. */
const as = (stage: 'qc', context: AnalysisContext): AnalysisContext => ({
  ...context,
  onProgress: (progress) => context.onProgress?.({ ...progress, stage }),
});

/** All tiles of a training. */
export function tilesOf({ markers, side, selections }: TrainingPlan): TrainingTile[] {
  const places = tilePlaces(markerBlocks(markers.length, side).length);
  return selections.flatMap((_, selection) => places.map((place) => ({ selection, ...place })));
}

/** What the computation of one tile takes, in MB. */
export function tileMb({ individuals, side }: Pick<TrainingPlan, 'individuals' | 'side'>): {
  memoryMb: number;
  diskMb: number;
} {
  const tile = (side * side * zeroProducts(0, individuals).BYTES_PER_ELEMENT) / 1e6;
  const packed = (2 * side * individuals) / 4 / 1e6;
  const decoded = (4 * 2 * side * Math.min(individuals, tileRows(2 * side))) / 1e6;
  return { memoryMb: Math.ceil(BASE_MB + packed + decoded + 2 * tile), diskMb: Math.ceil(tile) };
}

/** Computes one tile. The panel has the individuals and markers with which the training was begun. */
export async function computeTile(
  panel: PanelBlocks,
  plan: TrainingPlan,
  { selection, row, column }: TrainingTile,
  context: AnalysisContext,
): Promise<CrossProducts> {
  setComputeThreads(context.threads);
  const blocks = markerBlocks(plan.markers.length, plan.side);
  const read = (block: number): Promise<PackedMarkers> => packBlock(panel, plan.markers, blocks[block]);
  reportProgress(context, 'kinship', 0, 1);
  const rows = await read(row);
  const columns = row === column ? null : await read(column);
  return productTile(rows, columns, plan.selections[selection], (done, total) =>
    reportProgress(context, 'kinship', done, total),
  );
}

/** Markers that pass the filters, packed. They are those without a single genotype less, so that all pass here. */
async function packBlock(
  panel: PanelBlocks,
  markers: Int32Array,
  { first, count }: ColumnRange,
): Promise<PackedMarkers> {
  const chosen = subsetBlocks(panel, { samples: null, markers: markers.subarray(first, first + count) });
  return await panelMarkers({ panel: chosen, maf: 0, callRate: 0 }, { threads: 1 });
}

/**
 * Puts the tiles together and fits the model, with the bytes of `trainModel`. The input is that with which the
 * training was begun.
 *
 * @param readTile numbers of a tile, as {@link computeTile} returned them
 */
export async function finishTraining(
  input: TrainInput,
  plan: TrainingPlan,
  readTile: (tile: TrainingTile) => Promise<CrossProducts>,
  context: AnalysisContext,
): Promise<TrainedModel> {
  const late = sinceFit(context);
  const prepared = await prepareTraining(input, late, plan);
  const productsOf = (individuals: Int32Array | null): Promise<CrossProducts> =>
    assemble(plan, individuals, readTile, late);
  return await trainPrepared(input, prepared, late, { productsOf });
}

/** The stages before the fit were reported by the parts. */
function sinceFit(context: AnalysisContext): AnalysisContext {
  let isFitting = false;
  return {
    ...context,
    onProgress(progress) {
      isFitting ||= progress.stage === 'fit';
      if (isFitting) context.onProgress?.(progress);
    },
  };
}

async function assemble(
  plan: TrainingPlan,
  individuals: Int32Array | null,
  readTile: (tile: TrainingTile) => Promise<CrossProducts>,
  context: AnalysisContext,
): Promise<CrossProducts> {
  const selection = plan.selections.findIndex((one) => isSame(one, individuals));
  if (selection === -1) throw new RangeError('the products of these individuals were not computed');
  const m = plan.markers.length;
  const blocks = markerBlocks(m, plan.side);
  const products = zeroProducts(m * m, individuals?.length ?? plan.individuals);
  for (const { row, column } of tilePlaces(blocks.length)) {
    context.signal?.throwIfAborted();
    const tile = await readTile({ selection, row, column });
    placeTile(products, m, { rows: blocks[row], columns: blocks[column] }, tile);
  }
  return products;
}

const isSame = (one: Int32Array | null, other: Int32Array | null): boolean =>
  one === null || other === null
    ? one === other
    : one.length === other.length && one.every((place, k) => place === other[k]);

/** A tile from its bytes, which are its numbers as they lie in memory. */
export function tileFromBytes(
  { selections, individuals }: TrainingPlan,
  { selection }: TrainingTile,
  bytes: Uint8Array,
): CrossProducts {
  const isDouble = zeroProducts(0, selections[selection]?.length ?? individuals) instanceof Float64Array;
  const size = isDouble ? Float64Array.BYTES_PER_ELEMENT : Float32Array.BYTES_PER_ELEMENT;
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % size === 0 ? bytes : new Uint8Array(bytes);
  const length = byteLength / size;
  return isDouble ? new Float64Array(buffer, byteOffset, length) : new Float32Array(buffer, byteOffset, length);
}
