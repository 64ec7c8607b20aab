import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { AnalysisContext } from '@heterosis/analysis/context';
import { modelTruth } from '@heterosis/analysis/programmes/model-truth';
import { type ProgrammeMaterial, readProgrammeFiles } from '@heterosis/analysis/programmes/read-programme-files';
import { runReplicates } from '@heterosis/analysis/programmes/run-programme';
import type { ReplicateTask } from '@heterosis/analysis/programmes/run-replicate';
import type { TraitArchitecture } from '@heterosis/contracts/work/programmes';
import type { ProgrammeScheme } from '@heterosis/contracts/work/programmes/programme-schemes';
import type { ProgrammeKey } from '@heterosis/statgen/programmes/summarize-replicates';
import { StatgenError } from '@heterosis/statgen/statgen-error';
import type { ObjectStorage } from '../../../platform/object-storage/object-storage.ts';
import { readStoredModel } from '../../../platform/object-storage/stored-model.ts';
import { openStoredPanel, type PanelKeys } from '../../../platform/object-storage/stored-panel.ts';

/** Files of founders, as the command line reads them. */
export const HAPLOTYPES_NAME = 'haplotypes.csv';
export const MAP_NAME = 'map.csv';

/** Where true effects come from. */
export type TruthInput =
  | { architecture: TraitArchitecture[] }
  /** Keys of the model's specs, one per trait, and the genotype that it was trained on. */
  | { specs: string[]; panel: PanelKeys };

type Storage = Pick<ObjectStorage, 'open'>;

/** Copies files of founders that an earlier job has kept. */
export async function copyFounders(storage: Storage, prefix: string, directory: string): Promise<void> {
  for (const name of [HAPLOTYPES_NAME, MAP_NAME]) {
    const source = await storage.open(`${prefix}${name}`);
    try {
      await pipeline(source.stream(), createWriteStream(join(directory, name)));
    } finally {
      await source.close();
    }
  }
}

/** Founders in a directory, and the truth. */
export async function openProgramme(
  storage: Storage,
  { directory, truth }: { directory: string; truth: TruthInput },
  context: AnalysisContext,
): Promise<{ material: ProgrammeMaterial; truth: ReplicateTask['truth'] }> {
  const files = { haplotypes: join(directory, HAPLOTYPES_NAME), map: join(directory, MAP_NAME) };
  const material = await readProgrammeFiles(files, context);
  if ('architecture' in truth) return { material, truth: truth.architecture };
  const model = await readStoredModel(storage, truth.specs);
  const panel = await openStoredPanel(storage, truth.panel);
  try {
    return { material, truth: await modelTruth(model, panel, material.genome, context) };
  } finally {
    await panel.close();
  }
}

/** What the replicates of a scheme have measured. */
export interface SimulatedScheme {
  keys: ProgrammeKey[];
  values: Float64Array[];
}

/** Some replicates of all schemes, on the same numbers. */
export async function simulateSchemes(
  { material, truth }: Awaited<ReturnType<typeof openProgramme>>,
  { schemes, seed, first, count }: { schemes: readonly ProgrammeScheme[]; seed: number; first: number; count: number },
  context: AnalysisContext,
): Promise<SimulatedScheme[]> {
  const simulated: SimulatedScheme[] = [];
  for (const [i, scheme] of schemes.entries()) {
    const onProgress: AnalysisContext['onProgress'] = ({ stage, done }) =>
      context.onProgress?.({ stage, done: i * count + done, total: schemes.length * count });
    try {
      simulated.push(
        await runReplicates({ material, scheme, seed, truth }, { first, count }, { ...context, onProgress }),
      );
    } catch (error) {
      if (error instanceof StatgenError) throw impossible(scheme.name, error);
      throw error;
    }
  }
  return simulated;
}

/** What a stage asks for that turns out not to be there. */
export const impossible = (scheme: string, { message }: StatgenError): Error =>
  Object.assign(new Error(`Scheme "${scheme}", ${message}.`), {
    code: 'programmes/scheme-impossible',
    suggestion: 'Change the numbers of this stage, and start a new run.',
  });
