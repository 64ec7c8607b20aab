import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { deflateBgzf } from '@heterosis/file-formats/compression/bgzf';
import { compareChromosomes } from '@heterosis/file-formats/genotype/panel/chromosome-order';
import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { HET, HOM_A2, MISSING, packedLength, unpackCalls } from '@heterosis/file-formats/genotype/panel/packed-calls';
import { type VcfRow, writeVcfRows } from '@heterosis/file-formats/genotype/writers/write-vcf';
import { ProblemCollector, type ProblemReport } from '@heterosis/file-formats/problem';
import { checkMapAgainstMarkers } from '@heterosis/file-formats/tables/linkage-map/check-linkage-map';
import type { LinkageMap } from '@heterosis/file-formats/tables/linkage-map/linkage-map';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import { countCalls } from '@heterosis/statgen/genotypes/call-counts';
import { type AnalysisContext, AnalysisError, reportProgress } from '../context.ts';
import { markerRanges } from '../inputs/open-panel.ts';
import { runBeagle } from './run-beagle.ts';

export interface PhaseInput {
  panel: GenotypePanel;
  /** Phased VCF to write; blocked gzip (BGZF) when the name ends in `.gz`. */
  outPath: string;
  /** Distances for Beagle; 1 cM per Mb without. */
  map?: LinkageMap;
  seed?: number;
  /** Memory for Beagle in megabytes, shared by its processes; half of the machine's unless told. */
  memoryMb?: number;
  /** Calls from which chromosomes fill a batch of their own ({@link BATCH_CALLS}); the result depends on it. */
  batchCalls?: number;
}

export interface PhaseResult {
  phasedBy: 'beagle' | 'homozygous';
  samples: number;
  /** Markers written. */
  markers: number;
  heterozygousCalls: number;
  missingCalls: number;
  /** Missing calls that got a genotype. */
  filledCalls: number;
  /** W-PH-DUP-POS, W-PH-NO-CALLS, W-PH-NO-POS, W-PH-SINGLE, W-PH-STILL-MISSING. */
  report: ProblemReport;
}

/** Genotypes of one marker as written: from Beagle's output, or from the panel itself. */
type Source = 'beagle' | 'panel';

interface PlannedMarker {
  /** Place in the panel. */
  index: number;
  source: Source;
}

/**
 * Phases a panel and fills its missing calls. Without a heterozygous call there is nothing to phase and the calls are written
 * as they are; otherwise Beagle does it, on input repaired first: sorted, one marker a position, markers without calls or
 * position left out, and a chromosome's only marker (which has no phase to find) kept aside. Observed calls are never changed.
 * The same input and seed give the same bytes, however many threads there are.
 *
 * @throws AnalysisError `phasing/…`
 */
export async function phaseGenotype(input: PhaseInput, context: AnalysisContext): Promise<PhaseResult> {
  const { panel, outPath } = input;
  const scan = await scanPanel(panel, context);
  const problems = new ProblemCollector();
  const isHomozygous = scan.heterozygous === 0;
  const plan = planMarkers(panel, scan.missing, isHomozygous, problems);
  if (plan.length === 0) {
    throw new AnalysisError(
      'phasing/no-markers',
      'No marker of the genotype can be phased: each lacks a position or calls.',
      'Add chromosome and position of the markers.',
    );
  }
  const folder = await mkdtemp(join(tmpdir(), 'heterosis-phase-'));
  try {
    const byBeagle = plan.filter(({ source }) => source === 'beagle');
    let lines: AsyncIterator<string> | null = null;
    if (byBeagle.length > 0) {
      const phased = await phaseByBeagle(input, byBeagle, folder, context);
      lines = genotypeLines(phased);
    }
    reportProgress(context, 'write', 0, plan.length);
    const written = await writePhased(outPath, panel, plan, lines, context);
    if (written.stillMissing > 0) {
      problems.warning('W-PH-STILL-MISSING', {
        value: String(written.stillMissing),
        message: `${groupedNumber(written.stillMissing)} missing calls stay missing: homozygous files are not imputed.`,
        suggestion: 'In a crossing, a missing call of a parent takes the commoner allele of the parents.',
      });
    }
    return {
      phasedBy: isHomozygous ? 'homozygous' : 'beagle',
      samples: panel.samples.length,
      markers: plan.length,
      heterozygousCalls: scan.heterozygous,
      missingCalls: scan.missingTotal,
      filledCalls: written.plannedMissing - written.stillMissing,
      report: problems.report(),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface PanelScan {
  heterozygous: number;
  missingTotal: number;
  /** Missing calls by marker. */
  missing: Int32Array;
}

async function scanPanel(panel: GenotypePanel, context: AnalysisContext): Promise<PanelScan> {
  const scan: PanelScan = { heterozygous: 0, missingTotal: 0, missing: new Int32Array(panel.markers.id.length) };
  const ranges = markerRanges(panel.markers.id.length);
  for (const [block, { first, count }] of ranges.entries()) {
    reportProgress(context, 'read', block, ranges.length);
    const counts = countCalls(await panel.readPacked(first, count), count, { panelSize: panel.samples.length });
    scan.missing.set(counts.missing, first);
    for (let k = 0; k < count; k++) {
      scan.heterozygous += counts.heterozygous[k];
      scan.missingTotal += counts.missing[k];
    }
  }
  return scan;
}

/** Markers to write, sorted by chromosome and position, and who phases each. */
function planMarkers(
  panel: GenotypePanel,
  missing: Int32Array,
  isHomozygous: boolean,
  problems: ProblemCollector,
): PlannedMarker[] {
  const { chromosome, positionBp, id } = panel.markers;
  const sorted = Array.from(id.keys()).sort(
    (a, b) => compareChromosomes(chromosome[a], chromosome[b]) || positionBp[a] - positionBp[b] || a - b,
  );
  if (isHomozygous) return sorted.map((index) => ({ index, source: 'panel' }));
  const noPosition = sorted.filter((j) => !(positionBp[j] > 0));
  const empty = sorted.filter((j) => positionBp[j] > 0 && missing[j] === panel.samples.length);
  const usable = sorted.filter((j) => positionBp[j] > 0 && missing[j] < panel.samples.length);
  const isRepeat = (k: number) =>
    k > 0 && chromosome[usable[k]] === chromosome[usable[k - 1]] && positionBp[usable[k]] === positionBp[usable[k - 1]];
  const repeated = usable.filter((_, k) => isRepeat(k));
  const kept = usable.filter((_, k) => !isRepeat(k));
  const markersOn = new Map<string, number>();
  for (const j of kept) markersOn.set(chromosome[j], (markersOn.get(chromosome[j]) ?? 0) + 1);
  const single = kept.filter((j) => markersOn.get(chromosome[j]) === 1);

  const warn = (code: string, markers: number[], what: string, suggestion: string) => {
    if (markers.length === 0) return;
    problems.warning(code, {
      value: markers
        .slice(0, SHOWN_MARKERS)
        .map((j) => id[j])
        .join(', '),
      message: `${groupedNumber(markers.length)} ${markers.length === 1 ? 'marker' : 'markers'} ${what}`,
      suggestion,
    });
  };
  warn('W-PH-NO-POS', noPosition, 'without a position left out.', 'Add chromosome and position to have them phased.');
  warn('W-PH-NO-CALLS', empty, 'without any call left out.', 'They carry no information.');
  warn(
    'W-PH-DUP-POS',
    repeated,
    'at the position of another marker left out.',
    'Keep the better marker of each position.',
  );
  warn('W-PH-SINGLE', single, 'alone on a chromosome kept without phasing.', 'Small contigs have no phase to find.');
  return kept.map((index) => ({ index, source: markersOn.get(chromosome[index]) === 1 ? 'panel' : 'beagle' }));
}

const SHOWN_MARKERS = 5;

/**
 * Writes the repaired input, runs Beagle, and returns the paths of its results. Names are plain numbers, so that none can trouble it.
 *
 * What Beagle finds depends on its number of threads. So the chromosomes are parted into batches by their size alone, each is phased by a
 * process of one thread, and the threads are so many processes at once.
 */
async function phaseByBeagle(
  input: PhaseInput,
  markers: readonly PlannedMarker[],
  folder: string,
  context: AnalysisContext,
): Promise<string[]> {
  const { panel } = input;
  const batches = batchesOf(panel, markers, input.batchCalls ?? BATCH_CALLS);
  for (const [k, batch] of batches.entries()) {
    await pipeline(
      Readable.from(unphasedVcf(panel, batch, context), { objectMode: true }),
      createGzip({ level: 1 }),
      createWriteStream(join(folder, `input${k}.vcf.gz`)),
    );
    if (input.map !== undefined) await writeFile(join(folder, `plink${k}.map`), plinkMap(panel, batch, input.map));
  }
  reportProgress(context, 'phase', 0, markers.length);
  const memoryMb = input.memoryMb ?? totalmem() / 2 ** 20 / 2;
  const processes = Math.max(1, Math.min(context.threads, batches.length, Math.floor(memoryMb / MIN_PROCESS_MB)));
  const done = new Float64Array(batches.length);
  const failure = new AbortController();
  const signal = AbortSignal.any([failure.signal, ...(context.signal === undefined ? [] : [context.signal])]);
  const runBatch = async (k: number) => {
    await runBeagle({
      input: join(folder, `input${k}.vcf.gz`),
      outPrefix: join(folder, `phased${k}`),
      map: input.map === undefined ? null : join(folder, `plink${k}.map`),
      seed: input.seed ?? 1,
      memoryMb: Math.floor(memoryMb / processes),
      signal,
      onProgress: (markersDone) => {
        done[k] = Math.min(batches[k].length, markersDone);
        const sum = Math.round(done.reduce((total, part) => total + part, 0));
        context.onProgress?.({ stage: 'phase', done: sum, total: markers.length });
      },
    });
  };
  let next = 0;
  const runs = Array.from({ length: processes }, async () => {
    while (next < batches.length) await runBatch(next++);
  });
  try {
    await Promise.all(runs);
  } catch (error) {
    // No process may outlive its folder.
    failure.abort();
    await Promise.allSettled(runs);
    throw error;
  }
  return batches.map((_, k) => join(folder, `phased${k}.vcf.gz`));
}

/** Calls from which a batch is large enough: some ten seconds of work, beside which the start of a process counts little. */
const BATCH_CALLS = 400_000;
/** Below this Beagle cannot hold a window of a panel of usual size. */
const MIN_PROCESS_MB = 1024;

/** Neighbouring chromosomes until they have enough calls; a chromosome is never parted. */
function batchesOf(panel: GenotypePanel, markers: readonly PlannedMarker[], batchCalls: number): PlannedMarker[][] {
  const batches: PlannedMarker[][] = [];
  let chromosome = '';
  for (const marker of markers) {
    const isNew = panel.markers.chromosome[marker.index] !== chromosome;
    chromosome = panel.markers.chromosome[marker.index];
    const current = batches.at(-1);
    const isFull = current !== undefined && current.length * panel.samples.length >= batchCalls;
    if (current === undefined || (isNew && isFull)) batches.push([marker]);
    else current.push(marker);
  }
  return batches;
}

const UNPHASED_CALLS = ['0/0', './.', '0/1', '1/1'];

async function* unphasedVcf(
  panel: GenotypePanel,
  markers: readonly PlannedMarker[],
  context: AnalysisContext,
): AsyncGenerator<string> {
  const names = panel.samples.map((_, i) => `s${i}`);
  yield `##fileformat=VCFv4.2\n##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t${names.join('\t')}\n`;
  const contigs = contigNumbers(panel, markers);
  const readCodes = createCodeReader(panel);
  for (const [done, { index }] of markers.entries()) {
    if (done % 1000 === 0) reportProgress(context, 'read', done, markers.length);
    const codes = await readCodes(index);
    const contig = contigs.get(panel.markers.chromosome[index]);
    let line = `${contig}\t${panel.markers.positionBp[index]}\tm${index}\tA\tC\t.\tPASS\t.\tGT`;
    for (const code of codes) line += `\t${UNPHASED_CALLS[code]}`;
    yield `${line}\n`;
  }
}

function contigNumbers(panel: GenotypePanel, markers: readonly PlannedMarker[]): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const { index } of markers) {
    const name = panel.markers.chromosome[index];
    if (!numbers.has(name)) numbers.set(name, numbers.size + 1);
  }
  return numbers;
}

/** Reads markers one at a time from blocks, so that a sorted panel is read once from end to end. */
function createCodeReader(panel: GenotypePanel): (marker: number) => Promise<Uint8Array> {
  const rowBytes = packedLength(panel.samples.length);
  const codes = new Uint8Array(panel.samples.length);
  const ranges = markerRanges(panel.markers.id.length);
  const size = ranges.at(0)?.count ?? 1;
  let loaded = -1;
  let packed = new Uint8Array(0);
  return async (marker) => {
    const block = Math.floor(marker / size);
    if (block !== loaded) {
      const { first, count } = ranges[block];
      packed = new Uint8Array(await panel.readPacked(first, count));
      loaded = block;
    }
    unpackCalls(packed, codes, (marker - block * size) * rowBytes);
    return codes;
  };
}

const BP_PER_CM = 1_000_000;
/** Beagle refuses maps whose cM do not grow with the base pairs. */
const SMALLEST_STEP_CM = 1e-7;

/** Chromosome, id, cM and bp of the markers that the map places in order; a chromosome it does not know gets 1 cM per Mb. */
function plinkMap(panel: GenotypePanel, markers: readonly PlannedMarker[], map: LinkageMap): string {
  const { id, chromosome, positionBp, a1, a2 } = panel.markers;
  const at = markers.map(({ index }) => index);
  const { positionCm } = checkMapAgainstMarkers(
    map,
    {
      id: at.map((j) => id[j]),
      chromosome: at.map((j) => chromosome[j]),
      positionBp: Float64Array.from(at, (j) => positionBp[j]),
      a1: at.map((j) => a1[j]),
      a2: at.map((j) => a2[j]),
    },
    { missingMarkers: 'interpolate' },
  );
  const contigs = contigNumbers(panel, markers);
  const placed = new Set(at.filter((_, k) => !Number.isNaN(positionCm[k])).map((j) => chromosome[j]));
  const lines: string[] = [];
  let last = { chromosome: '', cm: Number.NEGATIVE_INFINITY };
  for (const [k, j] of at.entries()) {
    const cm = placed.has(chromosome[j]) ? positionCm[k] : positionBp[j] / BP_PER_CM;
    if (Number.isNaN(cm) || (last.chromosome === chromosome[j] && cm < last.cm + SMALLEST_STEP_CM)) continue;
    last = { chromosome: chromosome[j], cm };
    lines.push(`${contigs.get(chromosome[j])}\tm${j}\t${cm}\t${positionBp[j]}\n`);
  }
  return lines.join('');
}

/** Data lines of Beagle's results, one after the other. */
async function* genotypeLines(paths: readonly string[]): AsyncGenerator<string> {
  for (const path of paths) {
    const input = createReadStream(path).pipe(createGunzip());
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (!line.startsWith('#')) yield line;
    }
  }
}

interface WrittenCalls {
  /** Missing calls of the input among the markers written. */
  plannedMissing: number;
  stillMissing: number;
}

async function writePhased(
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

/** The calls of Beagle's next line, each after a tab; the line must be of the marker expected. */
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

/** Homozygous calls as they are; the heterozygotes of a lone marker in any order, and its missing calls as the commoner allele. */
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
