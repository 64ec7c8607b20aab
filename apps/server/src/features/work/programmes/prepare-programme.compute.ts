import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { founderHaplotypesCsv, founderMapCsv, foundersOfPanel } from '@heterosis/analysis/programmes/founders-of-panel';
import { unpackRecord } from '@heterosis/analysis/results/binary-record';
import type { ProgrammeReport } from '@heterosis/contracts/work/programmes';
import type { ProgrammeScheme } from '@heterosis/contracts/work/programmes/programme-schemes';
import { type LinkageMap, mapOfPositions } from '@heterosis/file-formats/tables/linkage-map/linkage-map';
import type { ComputeFunction } from '../../../platform/compute/compute.ts';
import { openStorageLocation, type StorageLocation } from '../../../platform/object-storage/storage-location.ts';
import { readStoredModel } from '../../../platform/object-storage/stored-model.ts';
import {
  openStoredPanel,
  type PanelKeys,
  readingStored,
  readObject,
} from '../../../platform/object-storage/stored-panel.ts';
import {
  HAPLOTYPES_NAME,
  MAP_NAME,
  openProgramme,
  type SimulatedScheme,
  simulateSchemes,
  type TruthInput,
} from './open-programme.ts';

export interface PrepareProgrammeInput {
  storage: StorageLocation;
  panel: PanelKeys;
  /** Key of the original genotype file, for the phase of heterozygous founders. */
  original: string;
  /** Null for everyone in the genotype. */
  founders: string[] | null;
  /** Key of the packed linkage map; null for distances from base pairs. */
  linkageMap: string | null;
  bpPerCm: number;
  missingMapMarkers: 'interpolate' | 'drop';
  truth: TruthInput;
  schemes: ProgrammeScheme[];
  seed: number;
  /** An empty directory for the results. */
  directory: string;
}

/** What is known of the founders, for the report. */
export type FounderReport = Omit<ProgrammeReport, 'replicates' | 'schemes'>;

export interface PreparedProgramme {
  /** Of the first replicate, by scheme. */
  simulated: SimulatedScheme[];
  /** For reading the founders and the truth, and of a replicate of all schemes. */
  seconds: { opening: number; replicate: number };
}

/** Its JSON is kept for the last job. */
export const FOUNDER_REPORT_NAME = 'founders.json';

export const compute: ComputeFunction<PrepareProgrammeInput, PreparedProgramme> = async (input, context) => {
  const { directory, truth, schemes, seed } = input;
  const storage = openStorageLocation(input.storage);
  context.onProgress({ stage: 'read', done: 0, total: 1 });
  const panel = await openStoredPanel(storage, input.panel);
  const original = await storage.open(input.original);
  try {
    const model = 'specs' in truth ? await readStoredModel(storage, truth.specs) : null;
    const map = await readMap(input, panel.markers, storage);
    const founders = await foundersOfPanel(
      {
        ...{ panel, original, map, seed },
        names: input.founders ?? panel.samples,
        missingMapMarkers: input.missingMapMarkers,
        modelMarkers: model?.markers ?? null,
      },
      context,
    );
    await pipeline(Readable.from(founderMapCsv(founders)), createWriteStream(join(directory, MAP_NAME)));
    await pipeline(Readable.from(founderHaplotypesCsv(founders)), createWriteStream(join(directory, HAPLOTYPES_NAME)));
    const report: FounderReport = {
      founders: founders.names.length,
      loci: founders.loci.length,
      inbred: founders.inbred,
      unmapped: founders.unmapped,
      filled_calls: founders.filledCalls,
      unphased_founders: founders.unphasedFounders,
      unphased_calls: founders.unphasedCalls,
      model_markers: model?.markers.id.length ?? null,
      warnings: [
        ...gapsIn(founders.gappy),
        ...founders.warnings.map(({ code, message, suggestion }) => ({ code, message, suggestion })),
      ],
    };
    await writeFile(join(directory, FOUNDER_REPORT_NAME), JSON.stringify(report));
  } finally {
    await original.close();
    await panel.close();
  }
  const begin = performance.now();
  const opened = await openProgramme(storage, { directory, truth }, context);
  const ready = performance.now();
  const simulated = await simulateSchemes(opened, { schemes, seed, first: 0, count: 1 }, context);
  const seconds = { opening: (ready - begin) / 1000, replicate: (performance.now() - ready) / 1000 };
  return { simulated, seconds };
};

const NAMED = 5;

/** What is filled in is not the founder's own. */
function gapsIn(names: readonly string[]): FounderReport['warnings'] {
  if (names.length === 0) return [];
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  return [
    {
      code: 'programmes/missing-calls',
      message: `More than a fifth of the calls of ${names.slice(0, NAMED).join(', ')}${more} are missing; they have the more common allele of all founders there.`,
      suggestion: 'Phase the genotype first: phasing fills missing calls from related individuals.',
    },
  ];
}

async function readMap(
  { linkageMap, bpPerCm }: PrepareProgrammeInput,
  markers: Parameters<typeof mapOfPositions>[0],
  storage: ReturnType<typeof openStorageLocation>,
): Promise<LinkageMap> {
  if (linkageMap === null) return mapOfPositions(markers, bpPerCm);
  const bytes = await readObject(storage, linkageMap);
  return readingStored('linkage map', () => unpackRecord<LinkageMap>(bytes));
}
