import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ErrorExtra } from '@heterosis/analysis/describe-error';
import type { LeftOut as NamedLeftOut } from '@heterosis/analysis/inputs/leaving-out';
import { gebvCsv, markerEffectsCsv, modelJson } from '@heterosis/analysis/prediction/model-file';
import type {
  KernelFigures,
  ModelMarkers,
  MultiTraitFigures,
  SamplingFigures,
  TrainedModel,
  TrainedTrait,
  TraitFit,
  TraitVariance,
} from '@heterosis/analysis/prediction/trained-model';
import type { ComputeContext } from '../../../platform/compute/compute.ts';
import { countsOf, writeLeftOut } from '../../../platform/object-storage/left-out.ts';
import { ranks } from '../../../platform/result-tables/read-table-page.ts';
import { type ResultColumn, writeResultTable } from '../../../platform/result-tables/write-result-table.ts';
import type { ModelComputeInput } from './model-inputs.ts';
import type { ModelResultKind, TraitFitFigures } from './models.queries.ts';

export interface TrainedTraitOutput {
  trait: string;
  error: ErrorExtra | null;
  result: {
    variance: TraitVariance;
    fit: TraitFitFigures;
    files: TrainedFiles;
  } | null;
}

/** Kind → file written. */
type TrainedFiles = Partial<Record<ModelResultKind, string>>;

/** Writes the files of every trait that was fitted. `leftOut` is null when nothing was to be left out. */
export async function writeTrainedModel(
  input: Pick<ModelComputeInput, 'traits' | 'directory'>,
  trained: TrainedModel,
  leftOut: NamedLeftOut | null,
  context: ComputeContext,
): Promise<TrainedTraitOutput[]> {
  const model = leftOut === null ? trained : { ...trained, leftOut };
  const outputs: TrainedTraitOutput[] = [];
  for (const [place, trait] of model.traits.entries()) {
    context.onProgress({ stage: 'write', done: place, total: model.traits.length });
    // The trait as the user spelled it: the analysis returns the file's spelling.
    outputs.push(await finishTrait(model, trait, input.traits[place] ?? trait.name, join(input.directory, `${place}`)));
  }
  await addLeftOut(outputs, model.leftOut, input.directory);
  return outputs;
}

/** The names left out are the same for every trait: the first one with a result keeps them. */
async function addLeftOut(
  outputs: readonly TrainedTraitOutput[],
  leftOut: NamedLeftOut | undefined,
  directory: string,
): Promise<void> {
  const keeper = outputs.find(({ result }) => result !== null)?.result;
  if (leftOut === undefined || keeper == null) return;
  keeper.files.left_out = join(directory, 'left-out.csv');
  await writeLeftOut(keeper.files.left_out, leftOut);
}

async function finishTrait(
  model: TrainedModel,
  trait: TrainedTrait,
  name: string,
  prefix: string,
): Promise<TrainedTraitOutput> {
  const { fit } = trait;
  if (fit === null) return { trait: name, error: trait.error, result: null };
  const files = {
    spec: `${prefix}-spec.json`,
    gebv: `${prefix}-gebv.csv`,
    gebv_table: `${prefix}-gebv.parquet`,
    ...(await writeEffects(model, fit, prefix)),
  };
  const { leftOut } = model;
  await write(files.spec, [modelJson({ ...model, traits: [trait] })]);
  await write(files.gebv, gebvCsv(model.individuals, fit));
  await writeGebvTable(files.gebv_table, model.individuals, fit);
  return {
    trait: name,
    error: null,
    result: {
      variance: fit.variance,
      fit: {
        n: fit.n,
        m: fit.m,
        imputed_calls: model.imputedCalls,
        intercept: fit.intercept,
        log_likelihood: Number.isFinite(fit.logLikelihood) ? fit.logLikelihood : null,
        iterations: fit.iterations,
        seconds: fit.seconds,
        converged: fit.converged,
        at_boundary: fit.atBoundary,
        H2: fit.H2,
        ...(fit.errors === undefined
          ? {}
          : { errors: { from: fit.errors.from, residual_lines: fit.errors.residual_lines } }),
        ...(fit.fixedEffects.length === 0 ? {} : { fixed_effects: fit.fixedEffects }),
        ...(fit.withoutCovariate === 0 ? {} : { without_covariate: fit.withoutCovariate }),
        ...(leftOut === undefined ? {} : { left_out: countsOf(leftOut) }),
        ...(fit.sampling === undefined ? {} : { sampling: chainFigures(fit.sampling) }),
        ...(fit.kernel === undefined ? {} : { kernel: kernelFigures(fit.kernel) }),
        ...(model.engine === undefined ? {} : { engine: model.engine }),
        ...(model.singleStep === undefined ? {} : { single_step: model.singleStep }),
        ...(model.multiTrait === undefined ? {} : { multi_trait: togetherFigures(model.multiTrait) }),
      },
      files,
    },
  };
}

/** Of a model by a kernel, its markers alone. */
async function writeEffects({ markers }: TrainedModel, fit: TraitFit, prefix: string): Promise<TrainedFiles> {
  if (fit.kernel !== undefined) {
    const table = `${prefix}-markers.parquet`;
    await writeResultTable(table, markerColumns(markers));
    return { markers_table: table };
  }
  const files = { effects: `${prefix}-effects.csv`, effects_table: `${prefix}-effects.parquet` };
  await write(files.effects, markerEffectsCsv(markers, fit));
  await writeEffectsTable(files.effects_table, markers, fit);
  return files;
}

function kernelFigures({ weights: _, ...figures }: KernelFigures): NonNullable<TraitFitFigures['kernel']> {
  return figures;
}

function chainFigures({
  seed: _,
  inclusion: __,
  inclusion_error: ___,
  effect_sd: ____,
  gebv_sd: _____,
  ...figures
}: SamplingFigures): NonNullable<TraitFitFigures['sampling']> {
  return figures;
}

function togetherFigures({
  starts: _,
  error_weights: __,
  ...figures
}: MultiTraitFigures): NonNullable<TraitFitFigures['multi_trait']> {
  return figures;
}

async function write(path: string, parts: Iterable<string>): Promise<void> {
  await pipeline(Readable.from(parts), createWriteStream(path));
}

async function writeEffectsTable(path: string, markers: ModelMarkers, fit: TraitFit): Promise<void> {
  const { additive, dominance } = fit;
  const m = markers.id.length;
  const size = Float64Array.from({ length: m }, (_, j) => Math.abs(additive[j] ?? 0));
  await writeResultTable(path, [
    ...markerColumns(markers),
    { name: 'by_effect', type: 'integer', values: ranks(m, (a, b) => (size[b] ?? 0) - (size[a] ?? 0)) },
    { name: 'additive', type: 'double', values: additive },
    { name: 'dominance', type: 'double', values: dominance ?? Array.from({ length: m }, () => null) },
    ...(fit.sampling === undefined ? [] : [{ name: 'pip', type: 'double' as const, values: fit.sampling.inclusion }]),
  ]);
}

const markerColumns = (markers: ModelMarkers): ResultColumn[] => [
  { name: 'place', type: 'integer', values: ranks(markers.id.length, () => 0) },
  { name: 'id', type: 'text', values: markers.id },
  { name: 'chr', type: 'text', values: markers.chromosome },
  { name: 'pos', type: 'double', values: markers.positionBp },
  { name: 'A1', type: 'text', values: markers.a1 },
  { name: 'A2', type: 'text', values: markers.a2 },
  { name: 'freqA2', type: 'double', values: markers.freqA2 },
];

const collator = new Intl.Collator('en', { numeric: true });

async function writeGebvTable(path: string, individuals: readonly string[], fit: TraitFit): Promise<void> {
  const n = individuals.length;
  const { gebv, genotypic } = fit;
  const absent = Array.from({ length: n }, () => null);
  await writeResultTable(path, [
    {
      name: 'rank',
      type: 'integer',
      values: ranks(n, (a, b) => (gebv[b] ?? 0) - (gebv[a] ?? 0)).map((rank) => rank + 1),
    },
    {
      name: 'by_name',
      type: 'integer',
      values: ranks(n, (a, b) => collator.compare(individuals[a] ?? '', individuals[b] ?? '')),
    },
    { name: 'individual', type: 'text', values: individuals },
    { name: 'gebv', type: 'double', values: gebv },
    { name: 'reliability', type: 'double', values: fit.reliability },
    { name: 'observed', type: 'double', values: fit.observed },
    { name: 'genotypic', type: 'double', values: genotypic?.value ?? absent },
    { name: 'genotypic_reliability', type: 'double', values: genotypic?.reliability ?? absent },
    { name: 'se', type: 'double', values: fit.pev?.map(Math.sqrt) ?? absent },
  ]);
}
