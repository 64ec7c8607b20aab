import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { memorySource } from '@heterosis/file-formats/byte-source';
import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import type { AnalysisContext } from './context.ts';
import { importGenotype } from './genotype/import-genotype.ts';
import { openPanelBlocks, openPanelFiles } from './inputs/open-panel.ts';
import { openPhenotype } from './inputs/read-phenotype.ts';

/** Folder of the maize reference set (see its README). */
export const MAIZE: string = fileURLToPath(new URL('../../statgen/reference/maize-mdp/', import.meta.url));

/** One thread, because several test files run in parallel. */
export const CONTEXT: AnalysisContext = { threads: 1 };

/** A panel imported from VCF text into a temporary folder. */
export interface ImportedPanel extends AsyncDisposable {
  panel: GenotypePanel;
  /** The same, block-wise. */
  blocks: PanelBlocks;
  prefix: string;
}

/** The maize VCF as text. */
export function maizeVcf(): string {
  return gunzipSync(readFileSync(join(MAIZE, 'genotypes.vcf.gz'))).toString();
}

/** The same markers with REF and ALT swapped, and 0 and 1 in every call. */
export function swapAlleles(vcf: string): string {
  return mapMarkers(vcf, ([chr, pos, id, ref, alt, ...rest]) => [
    chr,
    pos,
    id,
    alt,
    ref,
    ...rest.map((cell, i) => (i < 4 ? cell : cell.replaceAll(/[01]/g, (allele) => (allele === '0' ? '1' : '0')))),
  ]);
}

/** Edits the fields of each marker line of a VCF; drops the line if `change` returns null. */
export function mapMarkers(
  vcf: string,
  change: (fields: string[], marker: number) => (string | undefined)[] | null,
): string {
  let marker = 0;
  return vcf
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('#')) return [line];
      const fields = change(line.split('\t'), marker++);
      return fields === null ? [] : [fields.join('\t')];
    })
    .map((line) => `${line}\n`)
    .join('');
}

/** Imports VCF text with the product's importer. */
export async function importText(vcf: string): Promise<ImportedPanel> {
  return importBytes(vcf, 'test.vcf');
}

/** Imports a genotype of any format with the product's importer. */
export async function importBytes(text: string, name: string): Promise<ImportedPanel> {
  const folder = await mkdtemp(join(tmpdir(), 'heterosis-analysis-'));
  const prefix = join(folder, 'panel');
  const imported = await importGenotype({ source: memorySource(Buffer.from(text), name), outPrefix: prefix }, CONTEXT);
  if (imported.panel === null) throw new Error(imported.report.problems.map(({ message }) => message).join('; '));
  const panel = await openPanelFiles(prefix);
  const blocks = await openPanelBlocks(prefix);
  return {
    panel,
    blocks,
    prefix,
    [Symbol.asyncDispose]: async () => {
      await panel.close();
      await blocks.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Traits EarHT, dpoll and EarDia. */
export async function maizePhenotype(): Promise<PhenotypeTable> {
  return (await openPhenotype(join(MAIZE, 'phenotypes.csv'), CONTEXT)).table;
}

/** Rows of a reference table in the maize folder, gzipped or not, as objects. */
export function referenceRows(name: string): Record<string, string>[] {
  const bytes = readFileSync(join(MAIZE, name));
  const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  const [header, ...rows] = text
    .trimEnd()
    .split('\n')
    .map((line) => line.replaceAll('"', '').trimEnd().split(','));
  return rows.map((row) => Object.fromEntries(row.map((value, i) => [header?.at(i) ?? '', value])));
}
