import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { checkParentage, type Parentage } from '@heterosis/analysis/parentage/check-parentage';
import { familiesCsv, findingsCsv, likelyParentsCsv } from '@heterosis/analysis/parentage/parentage-csv';
import { pedigreeCsv } from '@heterosis/analysis/pedigree/pedigree-csv';
import { unpackRecord } from '@heterosis/analysis/results/binary-record';
import { inputsOf } from '@heterosis/contracts/options/define-options';
import { PARENTAGE_OPTIONS } from '@heterosis/contracts/options/parentage-checks';
import {
  type ParentageReport,
  type parentageParameters,
  parentageVerdict,
} from '@heterosis/contracts/work/parentage-checks';
import type { PedigreeTable } from '@heterosis/file-formats/tables/pedigree/pedigree-table';
import type * as z from 'zod';
import type { ComputeFunction } from '../../../platform/compute/compute.ts';
import { openStorageLocation, type StorageLocation } from '../../../platform/object-storage/storage-location.ts';
import {
  openStoredBlocks,
  type PanelKeys,
  readingStored,
  readObject,
} from '../../../platform/object-storage/stored-panel.ts';
import { writeResultTable } from '../../../platform/result-tables/write-result-table.ts';
import type { StoredPedigree } from '../../data/pedigree/index.ts';
import type { ParentageResultKind } from './parentage-checks.queries.ts';
import { resultColumns } from './result-columns.ts';

export interface RunParentageCheckInput {
  storage: StorageLocation;
  panel: PanelKeys;
  /** Key of the packed pedigree of a file; null without one. */
  pedigree: string | null;
  /** The parents in the germplasm of the crop; null when they are not compared. */
  stored: StoredPedigree | null;
  /** What the germplasm of the crop says of the names of the genotype. */
  catalogue: { names: string[]; synonyms: (readonly [string, string])[] };
  parameters: z.output<typeof parentageParameters>;
  /** An empty directory for the results. */
  directory: string;
}

export interface RunParentageCheckOutput {
  report: ParentageReport;
  files: Partial<Record<ParentageResultKind, string>>;
}

export const compute: ComputeFunction<RunParentageCheckInput, RunParentageCheckOutput> = async (input, context) => {
  const { parameters, directory, catalogue } = input;
  const storage = openStorageLocation(input.storage);
  context.onProgress({ stage: 'read', done: 0, total: 1 });
  const pedigree = await pedigreeOf(storage, input);
  const panel = await openStoredBlocks(storage, input.panel);
  try {
    const found = await checkParentage(
      {
        panel,
        matching: { catalogue },
        ...inputsOf(PARENTAGE_OPTIONS, parameters),
        ...(pedigree === undefined ? {} : { pedigree }),
      },
      context,
    );
    context.onProgress({ stage: 'write', done: 0, total: 1 });
    const csv = {
      families: familiesCsv(found),
      parents: likelyParentsCsv(found),
      findings: findingsCsv(found),
      // The germplasm may change: what it was compared with is kept.
      ...(pedigree === undefined || input.stored === null ? {} : { pedigree: pedigreeCsv(pedigree) }),
    };
    const files: Partial<Record<ParentageResultKind, string>> = { table: join(directory, 'individuals.parquet') };
    for (const [kind, rows] of Object.entries(csv)) {
      const path = join(directory, `${kind}.csv`);
      await pipeline(Readable.from(rows), createWriteStream(path));
      files[kind as ParentageResultKind] = path;
    }
    await writeResultTable(join(directory, 'individuals.parquet'), resultColumns(found));
    return { report: reportOf(found), files };
  } finally {
    await panel.close();
  }
};

async function pedigreeOf(
  storage: ReturnType<typeof openStorageLocation>,
  { pedigree, stored }: RunParentageCheckInput,
): Promise<PedigreeTable | undefined> {
  if (pedigree !== null) {
    const bytes = await readObject(storage, pedigree);
    return readingStored('pedigree', () => unpackRecord<PedigreeTable>(bytes));
  }
  if (stored === null) return undefined;
  const { names, maternal, paternal, selfings } = stored;
  return {
    ...{ names, collections: names.map(() => null), origins: names.map(() => 'row') },
    maternal: Int32Array.from(maternal),
    paternal: Int32Array.from(paternal),
    selfings: Float64Array.from(selfings, (value) => value ?? Number.POSITIVE_INFINITY),
  };
}

const MOST = { swaps: 100, suspects: 500, copies: 500 };

function reportOf(found: Parentage): ParentageReport {
  const { samples, families, swaps, suspects, copies, likely } = found;
  const name = (sample: number): string => samples[sample] ?? '';
  return {
    individuals: samples.length,
    markers: found.markers,
    polymorphic_markers: found.polymorphic,
    in_pedigree: found.inPedigree,
    verdicts: Object.fromEntries(
      parentageVerdict.options.map((verdict) => [verdict, families.filter((one) => one.verdict === verdict).length]),
    ) as ParentageReport['verdicts'],
    swaps: swaps.slice(0, MOST.swaps).map((one) => ({
      ...{ first: name(one.first), second: name(one.second), families: one.families },
    })),
    suspects: suspects.slice(0, MOST.suspects).map(({ sample, conflicts, tested, fits }) => ({
      ...{ individual: name(sample), conflicts, tested, fits: fits.map(name) },
    })),
    copies: copies.slice(0, MOST.copies).map(({ first, second, identity, markers }) => ({
      ...{ first: name(first), second: name(second), identity, markers },
    })),
    totals: { swaps: swaps.length, suspects: suspects.length, copies: copies.length },
    sought: likely.length,
    found: likely.filter(({ pairs }) => pairs[0]?.fits === true).length,
    opposing_share: found.opposingShare,
  };
}
