import { LineBuffer } from '../../text/line-buffer.ts';
import { DOSAGE_UNITS, type DosageValues, MISSING_DOSAGE } from '../panel/dosages.ts';
import type { GenotypePanel } from '../panel/genotype-panel.ts';
import { packedLength, turnCalls, unpackCalls } from '../panel/packed-calls.ts';

/** Markers read at once; a multiple of four, so that a block begins with a byte of its own in every sample. */
const MARKERS_PER_BLOCK = 1024;

export interface PackedMarker {
  /** Place of the marker in the panel. */
  marker: number;
  /** Its packed calls; valid until the next one is asked for. */
  packed: Uint8Array;
  /** Its dosages in units where one of them is a fraction, and always in polyploids. */
  units?: DosageValues | undefined;
}

/** The markers of a panel one by one, read block by block. */
export async function* packedMarkers(panel: GenotypePanel): AsyncGenerator<PackedMarker> {
  const count = panel.markers.id.length;
  const stride = packedLength(panel.samples.length);
  for (let first = 0; first < count; first += MARKERS_PER_BLOCK) {
    const size = Math.min(MARKERS_PER_BLOCK, count - first);
    const block = await panel.readPacked(first, size);
    const dosages = await panel.dosages?.read(first, size);
    for (let j = 0; j < size; j++) {
      const row = dosages?.rows[j] ?? -1;
      const start = row * panel.samples.length;
      yield {
        marker: first + j,
        packed: block.subarray(j * stride, (j + 1) * stride),
        units: row < 0 ? undefined : dosages?.values.subarray(start, start + panel.samples.length),
      };
    }
  }
}

/** The calls of one sample. */
export interface SampleCalls {
  sample: number;
  /** Two bits a marker, as in a `.bed`; valid until the next sample is asked for. */
  packed: Uint8Array;
}

/** Bytes of calls kept while samples are written as rows; a larger panel is read several times. */
const KEPT_BYTES = 64 << 20;

/** The samples of a panel one by one. The panel is read as often as `keptBytes` of calls go into it. */
export async function* sampleCalls(panel: GenotypePanel, keptBytes: number = KEPT_BYTES): AsyncGenerator<SampleCalls> {
  const sampleCount = panel.samples.length;
  const markers = panel.markers.id.length;
  // Whole bytes of four samples, so that a group of samples is a range of bytes of every marker.
  const stride = packedLength(sampleCount);
  const rowBytes = packedLength(markers);
  const groupBytes = Math.max(1, Math.min(stride, Math.floor(keptBytes / Math.max(1, 4 * rowBytes))));
  const kept = new Uint8Array(4 * groupBytes * rowBytes);
  for (let from = 0; from < stride; from += groupBytes) {
    const width = Math.min(groupBytes, stride - from);
    for (let first = 0; first < markers; first += MARKERS_PER_BLOCK) {
      const count = Math.min(MARKERS_PER_BLOCK, markers - first);
      const block = await panel.readPacked(first, count);
      turnCalls(block, { stride, count, from, width }, kept, rowBytes, first >> 2);
    }
    const last = Math.min(sampleCount, 4 * (from + width));
    for (let sample = 4 * from; sample < last; sample++) {
      const at = (sample - 4 * from) * rowBytes;
      yield { sample, packed: kept.subarray(at, at + rowBytes) };
    }
  }
}

const UNITS_OF_CODE = Uint16Array.of(0, MISSING_DOSAGE, DOSAGE_UNITS, 2 * DOSAGE_UNITS);

/**
 * The samples of a panel one by one with their dosages in units, one a marker; valid until the next sample is asked
 * for.
 */
export async function* sampleDosages(
  panel: GenotypePanel,
  keptBytes: number = KEPT_BYTES,
): AsyncGenerator<{ sample: number; units: DosageValues }> {
  const sampleCount = panel.samples.length;
  const markers = panel.markers.id.length;
  const isPolyploid = panel.dosages?.ploidy !== undefined;
  const groupSize = Math.max(1, Math.floor(keptBytes / Math.max(1, (isPolyploid ? 4 : 2) * markers)));
  const codes = new Uint8Array(sampleCount);
  for (let from = 0; from < sampleCount; from += groupSize) {
    const width = Math.min(groupSize, sampleCount - from);
    const kept = isPolyploid ? new Uint32Array(width * markers) : new Uint16Array(width * markers);
    for await (const { marker, packed, units } of packedMarkers(panel)) {
      if (units === undefined) unpackCalls(packed, codes);
      for (let i = 0; i < width; i++) {
        kept[i * markers + marker] = units === undefined ? UNITS_OF_CODE[codes[from + i]] : units[from + i];
      }
    }
    for (let i = 0; i < width; i++) yield { sample: from + i, units: kept.subarray(i * markers, (i + 1) * markers) };
  }
}

const CHUNK_BYTES = 1 << 18;

/** Lines gathered to chunks of a size that streams well. `write` yields when it has written a line or a few. */
export async function* lineChunks(
  write: (lines: LineBuffer) => AsyncIterable<void> | Iterable<void>,
): AsyncGenerator<Uint8Array> {
  const lines = new LineBuffer(2 * CHUNK_BYTES);
  const written = write(lines);
  for await (const _ of written) if (lines.length >= CHUNK_BYTES) yield lines.take();
  if (lines.length > 0) yield lines.take();
}

/** Lines that are there as text, gathered as {@link lineChunks} does it. */
export function textChunks(texts: Iterable<string>): AsyncGenerator<Uint8Array> {
  return lineChunks(function* (lines) {
    for (const text of texts) {
      lines.text(text);
      yield;
    }
  });
}
