import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { deflateBgzf } from '@heterosis/file-formats/compression/bgzf';
import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { HET, HOM_A2, MISSING } from '@heterosis/file-formats/genotype/panel/packed-calls';
import { type VcfRow, writeVcfRows } from '@heterosis/file-formats/genotype/writers/write-vcf';
import { type AnalysisContext, AnalysisError, reportProgress } from '../context.ts';
import { createCodeReader } from './panel-codes.ts';
import type { PlannedMarker } from './plan-markers.ts';

/** The data lines of Beagle's results, file after file. */
export async function* genotypeLines(paths: readonly string[]): AsyncGenerator<string> {
  for (const path of paths) {
    const input = createReadStream(path).pipe(createGunzip());
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (!line.startsWith('#')) yield line;
    }
  }
}

export interface WrittenCalls {
  /** Missing input calls among the markers written. */
  plannedMissing: number;
  stillMissing: number;
}

/**
 * Writes the phased VCF under a temporary name and renames it when complete.
 *
 * @param lines data lines of Beagle's results in the order of `plan`; null when the plan needs none
 * @throws AnalysisError `phasing/failed` when the lines do not match the plan
 */
export async function writePhased(
  outPath: string,
  panel: GenotypePanel,
  plan: readonly PlannedMarker[],
  lines: AsyncIterator<string> | null,
  context: AnalysisContext,
): Promise<WrittenCalls> {
  const counts: WrittenCalls = { plannedMissing: 0, stillMissing: 0 };
  const part = `${outPath}.part`;
  try {
    const { samples, markers } = panel;
    const text = writeVcfRows({ samples, markers, rows: phasedRows(panel, plan, lines, counts, context) });
    const bytes = outPath.endsWith('.gz') ? deflateBgzf(text) : text;
    await pipeline(Readable.from(bytes), createWriteStream(part));
    await rename(part, outPath);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  return counts;
}

async function* phasedRows(
  panel: GenotypePanel,
  plan: readonly PlannedMarker[],
  lines: AsyncIterator<string> | null,
  counts: WrittenCalls,
  context: AnalysisContext,
): AsyncGenerator<VcfRow> {
  const readCodes = createCodeReader(panel);
  for (const [done, { index, source }] of plan.entries()) {
    if (done % 1000 === 0) reportProgress(context, 'write', done, plan.length);
    const codes = await readCodes(index);
    for (const code of codes) if (code === MISSING) counts.plannedMissing++;
    const calls = source === 'beagle' ? await nextGenotypes(lines, index) : panelGenotypes(codes, counts);
    yield { marker: index, writeCalls: (into) => into.text(calls) };
  }
}

/** The calls of Beagle's next line, each after a tab; the line must be that of the expected marker. */
async function nextGenotypes(lines: AsyncIterator<string> | null, index: number): Promise<string> {
  const next = await lines?.next();
  const line = next?.done === false ? next.value : '';
  const fields = line.split('\t', FIRST_CALL);
  if (fields[2] !== `m${index}` || fields[FIRST_CALL - 1] !== 'GT') {
    throw new AnalysisError(
      'phasing/failed',
      'The result of Beagle does not hold the markers it was given.',
      'Check that the disk is not full, and run it again.',
    );
  }
  return line.slice(fields.reduce((length, field) => length + field.length + 1, -1));
}

const FIRST_CALL = 9;

/**
 * Homozygous calls unchanged; for a marker alone on its chromosome, heterozygotes in any order and missing calls as
 * the more common allele.
 */
function panelGenotypes(codes: Uint8Array, counts: WrittenCalls): string {
  let copies = 0;
  let called = 0;
  let het = 0;
  for (const code of codes) {
    if (code === MISSING) continue;
    called += 2;
    copies += code === HOM_A2 ? 2 : code === HET ? 1 : 0;
    if (code === HET) het++;
  }
  const commoner = 2 * copies > called ? '\t1|1' : '\t0|0';
  const calls = Array.from(codes, (code) => {
    if (code === HET) return '\t0|1';
    if (code === HOM_A2) return '\t1|1';
    if (code !== MISSING) return '\t0|0';
    if (het > 0) return commoner;
    counts.stillMissing++;
    return '\t.|.';
  });
  return calls.join('');
}
