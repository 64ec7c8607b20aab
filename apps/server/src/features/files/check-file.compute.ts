import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { packRecord } from '@heterosis/analysis/binary-record';
import { importGenotype } from '@heterosis/analysis/import-genotype';
import { readPhenotype } from '@heterosis/analysis/read-phenotype';
import { type ByteSource, openFileSource } from '@heterosis/file-formats/byte-source';
import type { ProblemReport } from '@heterosis/file-formats/problem';
import { readCrossingTable } from '@heterosis/file-formats/tables/read-crossing-table';
import { readLinkageMap } from '@heterosis/file-formats/tables/read-linkage-map';
import type { ComputeFunction } from '../../platform/compute/compute.ts';
import type { FileTypeName } from './files.queries.ts';

export interface CheckInput {
  type: FileTypeName | null;
  path: string;
  /** As the user knows it, for messages. */
  name: string;
  outPrefix: string;
  averageRepeatedRows: boolean;
  missingCodes: string[];
}

export interface CheckOutput {
  sha256: string;
  format: string | null;
  report: ProblemReport;
  rowCount: number | null;
  columnCount: number | null;
  traits: string[];
  /** Kind → path of a derived file. */
  files: Record<string, string>;
}

const NOTHING_WRONG: ProblemReport = { problems: [], totals: { errors: 0, warnings: 0, infos: 0, byCode: {} } };

export const compute: ComputeFunction<CheckInput, CheckOutput> = async (input, context) => {
  const sha256 = await hashFile(input.path);
  if (input.type === null) {
    return { sha256, format: null, report: NOTHING_WRONG, rowCount: null, columnCount: null, traits: [], files: {} };
  }
  const source = await openFileSource(input.path, input.name);
  try {
    return { sha256, ...(await check[input.type](source, input, context)) };
  } finally {
    await source.close();
  }
};

type Check = (
  source: ByteSource,
  input: CheckInput,
  context: Parameters<typeof compute>[1],
) => Promise<Omit<CheckOutput, 'sha256'>>;

const check: Record<FileTypeName, Check> = {
  async GENOTYPE(source, input, context) {
    const imported = await importGenotype({ source, outPrefix: input.outPrefix }, context);
    const kinds: Record<string, string> = {};
    for (const path of imported.files)
      kinds[
        basename(path)
          .slice(basename(input.outPrefix).length + 1)
          .replace(/\.(csv|json)$/, '')
      ] = path;
    return {
      format: imported.format,
      report: imported.report,
      rowCount: imported.panel?.samples ?? null,
      columnCount: imported.panel?.markers ?? null,
      traits: [],
      files: kinds,
    };
  },

  async PHENOTYPE(source, input, context) {
    const { table, report, summaries, correlations } = await readPhenotype(source, context, {
      averageRepeatedRows: input.averageRepeatedRows,
      missingCodes: input.missingCodes,
    });
    if (table === null) return { format: null, report, rowCount: null, columnCount: null, traits: [], files: {} };
    const tablePath = `${input.outPrefix}.table`;
    const qcPath = `${input.outPrefix}.qc.json`;
    await writeFile(tablePath, packRecord(table));
    const qc = {
      kind: 'phenotype',
      shape: table.shape,
      individuals: table.individuals.length,
      traits: summaries,
      correlations,
    };
    await writeFile(qcPath, JSON.stringify(qc));
    return {
      format: table.shape,
      report,
      rowCount: table.individuals.length,
      columnCount: table.traits.length,
      traits: table.traits.filter((trait) => trait.kind === 'numeric').map((trait) => trait.name),
      files: { table: tablePath, qc: qcPath },
    };
  },

  async LINKAGE_MAP(source, input) {
    const { map, report, summary } = await readLinkageMap(source);
    if (map === null) return { format: null, report, rowCount: null, columnCount: null, traits: [], files: {} };
    const tablePath = `${input.outPrefix}.table`;
    const qcPath = `${input.outPrefix}.qc.json`;
    await writeFile(tablePath, packRecord(map));
    const qc = {
      kind: 'linkage_map',
      markers: summary.markers,
      chromosomes: summary.chromosomes.map(({ name, markers, lengthCm }) => ({ name, markers, length_cm: lengthCm })),
    };
    await writeFile(qcPath, JSON.stringify(qc));
    return {
      format: 'linkage map',
      report,
      rowCount: summary.markers,
      columnCount: null,
      traits: [],
      files: { table: tablePath, qc: qcPath },
    };
  },

  async CROSSING_TABLE(source, input) {
    const { crosses, report } = await readCrossingTable(source);
    if (crosses === null) return { format: null, report, rowCount: null, columnCount: null, traits: [], files: {} };
    const tablePath = `${input.outPrefix}.table`;
    const qcPath = `${input.outPrefix}.qc.json`;
    await writeFile(tablePath, packRecord(crosses));
    const qc = {
      kind: 'crossing_table',
      crosses: crosses.map(({ name, female, male, progenyCount }) => ({
        name,
        female,
        male,
        progeny_count: progenyCount,
      })),
    };
    await writeFile(qcPath, JSON.stringify(qc));
    return {
      format: 'crossing table',
      report,
      rowCount: crosses.length,
      columnCount: null,
      traits: [],
      files: { table: tablePath, qc: qcPath },
    };
  },
};

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
