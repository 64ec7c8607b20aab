import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { DEFAULT_BP_PER_CM } from '@heterosis/file-formats/tables/linkage-map/linkage-map-template';
import { type AnalysisContext, reportProgress } from '../context.ts';
import { createCodeReader } from './panel-codes.ts';
import type { PlannedMarker } from './plan-markers.ts';
import { runBeagle } from './run-beagle.ts';

export interface BeagleJob {
  panel: GenotypePanel;
  /** Sorted by chromosome and position, at least two per chromosome. */
  markers: readonly PlannedMarker[];
  /** cM by marker of the panel, NaN where unknown; null for 1 cM per Mb everywhere. */
  positionCm: Float64Array | null;
  seed: number;
  /** Megabytes, shared by the processes; default half of the machine's. */
  memoryMb?: number | undefined;
  /** Calls above which chromosomes form a batch of their own; default {@link BATCH_CALLS}. */
  batchCalls?: number | undefined;
  /** Existing directory for input and results. */
  folder: string;
}

/**
 * Phases markers with Beagle and returns the paths of its results. Samples and markers are named by number, so that no
 * name can break the format.
 *
 * Beagle's result depends on its number of threads. Chromosomes are therefore batched by size alone, each batch runs
 * in a single-threaded process, and as many processes run at once as there are threads.
 *
 * @throws AnalysisError like {@link runBeagle}
 */
export async function phaseByBeagle(job: BeagleJob, context: AnalysisContext): Promise<string[]> {
  const { panel, markers, positionCm, folder } = job;
  const batches = batchesOf(panel, markers, job.batchCalls ?? BATCH_CALLS);
  for (const [k, batch] of batches.entries()) {
    await pipeline(
      Readable.from(unphasedVcf(panel, batch, context), { objectMode: true }),
      createGzip({ level: 1 }),
      createWriteStream(join(folder, `input${k}.vcf.gz`)),
    );
    if (positionCm !== null) await writeFile(join(folder, `plink${k}.map`), plinkMap(panel, batch, positionCm));
  }
  reportProgress(context, 'phase', 0, markers.length);
  const memoryMb = job.memoryMb ?? totalmem() / 2 ** 20 / 2;
  const processes = Math.max(1, Math.min(context.threads, batches.length, Math.floor(memoryMb / MIN_PROCESS_MB)));
  const done = new Float64Array(batches.length);
  const failure = new AbortController();
  const signal = AbortSignal.any([failure.signal, ...(context.signal === undefined ? [] : [context.signal])]);
  const runBatch = async (k: number) => {
    await runBeagle({
      input: join(folder, `input${k}.vcf.gz`),
      outPrefix: join(folder, `phased${k}`),
      map: positionCm === null ? null : join(folder, `plink${k}.map`),
      seed: job.seed,
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
    // Wait for every process to end before removing its folder.
    failure.abort();
    await Promise.allSettled(runs);
    throw error;
  }
  return batches.map((_, k) => join(folder, `phased${k}.vcf.gz`));
}

/** Batch size: about ten seconds of work, so that starting a process costs little in comparison. */
const BATCH_CALLS = 400_000;
/** Below this, Beagle cannot hold one window of a typical panel. */
const MIN_PROCESS_MB = 1024;

/** Groups adjacent chromosomes until a batch has enough calls; a chromosome is never split. */
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

/** Beagle refuses maps whose cM do not increase with base pairs. */
const SMALLEST_STEP_CM = 1e-7;

/**
 * A PLINK map (chromosome, id, cM, bp) of the markers whose cM increase with base pairs; chromosomes without any cM
 * get 1 cM per Mb.
 */
function plinkMap(panel: GenotypePanel, markers: readonly PlannedMarker[], positionCm: Float64Array): string {
  const { chromosome, positionBp } = panel.markers;
  const at = markers.map(({ index }) => index);
  const contigs = contigNumbers(panel, markers);
  const hasCm = new Set(at.filter((j) => !Number.isNaN(positionCm[j])).map((j) => chromosome[j]));
  const lines: string[] = [];
  let last = { chromosome: '', cm: Number.NEGATIVE_INFINITY };
  for (const j of at) {
    const cm = hasCm.has(chromosome[j]) ? positionCm[j] : positionBp[j] / DEFAULT_BP_PER_CM;
    if (Number.isNaN(cm) || (last.chromosome === chromosome[j] && cm < last.cm + SMALLEST_STEP_CM)) continue;
    last = { chromosome: chromosome[j], cm };
    lines.push(`${contigs.get(chromosome[j])}\tm${j}\t${cm}\t${positionBp[j]}\n`);
  }
  return lines.join('');
}
