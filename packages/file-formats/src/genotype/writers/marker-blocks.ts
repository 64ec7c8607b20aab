import type { GenotypePanel } from '../genotype-panel.ts';
import { packedLength } from '../packed-calls.ts';

/** Markers read at once. */
const MARKERS_PER_BLOCK = 1024;

export interface PackedMarker {
  /** Place of the marker in the panel. */
  marker: number;
  /** Its packed calls; valid until the next one is asked for. */
  packed: Uint8Array;
}

/** The markers of a panel one by one, read block by block. */
export async function* packedMarkers(panel: GenotypePanel): AsyncGenerator<PackedMarker> {
  const count = panel.markers.id.length;
  const stride = packedLength(panel.samples.length);
  for (let first = 0; first < count; first += MARKERS_PER_BLOCK) {
    const size = Math.min(MARKERS_PER_BLOCK, count - first);
    const block = await panel.readPacked(first, size);
    for (let j = 0; j < size; j++) yield { marker: first + j, packed: block.subarray(j * stride, (j + 1) * stride) };
  }
}

/** The two bits of a call: 0 = two copies of A1, 1 = missing, 2 = one copy of each, 3 = two copies of A2. */
export const callCode = (packed: Uint8Array, sample: number): number => (packed[sample >> 2] >> (2 * (sample & 3))) & 3;

/** The calls of one sample, valid until the next sample is asked for. */
export interface SampleCalls {
  sample: number;
  /** The two bits of the call of a marker, as {@link callCode}. */
  codeOf(marker: number): number;
}

/** Bytes of calls kept while samples are written as rows; a larger panel is read several times. */
const KEPT_BYTES = 64 << 20;
const MARKERS_PER_SWEEP = 4096;

/** The samples of a panel one by one. The panel is read as often as `keptBytes` of calls go into it. */
export async function* sampleCalls(panel: GenotypePanel, keptBytes: number = KEPT_BYTES): AsyncGenerator<SampleCalls> {
  const sampleCount = panel.samples.length;
  const count = panel.markers.id.length;
  // Whole bytes of four samples, so that a group of samples is a range of bytes of every marker.
  const stride = packedLength(sampleCount);
  const groupBytes = Math.max(1, Math.min(stride, Math.floor(keptBytes / Math.max(1, count))));
  const kept = new Uint8Array(groupBytes * count);
  for (let from = 0; from < stride; from += groupBytes) {
    const width = Math.min(groupBytes, stride - from);
    for (let first = 0; first < count; first += MARKERS_PER_SWEEP) {
      const size = Math.min(MARKERS_PER_SWEEP, count - first);
      const block = await panel.readPacked(first, size);
      for (let j = 0; j < size; j++)
        kept.set(block.subarray(j * stride + from, j * stride + from + width), (first + j) * width);
    }
    const last = Math.min(sampleCount, 4 * (from + width));
    for (let sample = 4 * from; sample < last; sample++) {
      const byte = (sample >> 2) - from;
      const shift = 2 * (sample & 3);
      yield { sample, codeOf: (marker) => (kept[marker * width + byte] >> shift) & 3 };
    }
  }
}

const CHUNK_CHARACTERS = 1 << 18;

/** Rows gathered to chunks of a size that streams well. */
export async function* textChunks(rows: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Uint8Array> {
  let waiting: string[] = [];
  let length = 0;
  for await (const row of rows) {
    waiting.push(row);
    length += row.length;
    if (length < CHUNK_CHARACTERS) continue;
    yield Buffer.from(waiting.join(''));
    waiting = [];
    length = 0;
  }
  if (length > 0) yield Buffer.from(waiting.join(''));
}
