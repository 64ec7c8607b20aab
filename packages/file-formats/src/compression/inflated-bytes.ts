import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { ByteSource } from '../byte-source.ts';
import { type BgzfOptions, bgzfBlockLength, inflateBgzf } from './bgzf.ts';
import { GzipError } from './gzip-error.ts';

/** Compression of a file; bgzip is gzip in independent blocks. */
export type Compression = 'none' | 'gzip' | 'bgzip';

/** Deflate compresses at most 1:1032. Real tables and genotypes stay far below this ratio; repeated bytes do not. */
const MAX_INFLATION_RATIO = 500;
/** Below this size no ratio is suspicious. */
const RATIO_CHECK_FROM_BYTES = 1 << 28;

/** Bytes passed to the decompressor at a time. */
const PIECE_BYTES = 1 << 18;

/**
 * Whether the ratio of inflated to packed bytes shows a decompression bomb instead of a table or genotypes.
 * `packedBytes` are those read so far: compared with the whole file, a bomb of ten gigabytes would pass until five.
 */
export function isSuspiciousInflation(inflatedBytes: number, packedBytes: number): boolean {
  return inflatedBytes > RATIO_CHECK_FROM_BYTES && inflatedBytes > packedBytes * MAX_INFLATION_RATIO;
}

/** Detects the compression from the first bytes, never from the file's name. */
export function compressionOf(head: Uint8Array): Compression {
  if (head[0] !== 0x1f || head[1] !== 0x8b) return 'none';
  return bgzfBlockLength(head, 0) > 0 ? 'bgzip' : 'gzip';
}

export interface InflateOptions {
  /** Reading stops with a `too-large` {@link GzipError} beyond this many inflated bytes. */
  maxInflatedBytes: number;
  signal?: AbortSignal | undefined;
  /** Called with the number of source bytes read so far. */
  onRead?: ((sourceBytes: number) => void) | undefined;
  /** Called at the end of a bgzip file with whether its end marker was present. */
  onBgzipEnd?: ((hasEndMarker: boolean) => void) | undefined;
  /** Memory for chunks of bgzip. */
  memory?: BgzfOptions['memory'];
}

/**
 * The bytes of a source, inflated when it is gzip or bgzip. Consecutive gzip members form one stream. Throws
 * {@link GzipError} for a damaged, truncated or oversized stream, after delivering everything before the damage, and
 * the signal's reason when aborted.
 */
export async function* inflatedBytes(source: ByteSource, options: InflateOptions): AsyncGenerator<Uint8Array> {
  const compression = compressionOf(await source.read(0, 512));
  let taken = 0;
  const input = countedStream(source, options, (bytes) => {
    taken = bytes;
  });
  let inflated: AsyncIterable<Uint8Array> = input;
  if (compression === 'bgzip') {
    inflated = inflateBgzf(input, { onEnd: options.onBgzipEnd, memory: options.memory });
  } else if (compression === 'gzip') inflated = inflateGzip(input);

  let total = 0;
  for await (const chunk of inflated) {
    total += chunk.length;
    const suspicious = isSuspiciousInflation(total, taken);
    if (total > options.maxInflatedBytes || suspicious) {
      throw new GzipError(
        'too-large',
        suspicious
          ? 'The compressed file unpacks to more than 500 times its size; such a file is not read.'
          : `The file unpacks to more than ${formatBytes(options.maxInflatedBytes)}.`,
      );
    }
    options.signal?.throwIfAborted();
    yield chunk;
  }
}

async function* countedStream(
  source: ByteSource,
  options: InflateOptions,
  onTake: (sourceBytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let taken = 0;
  for await (const chunk of source.stream()) {
    options.signal?.throwIfAborted();
    // In pieces: a chunk of megabytes could inflate to gigabytes before its end is reached.
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      const piece = chunk.subarray(at, at + PIECE_BYTES);
      taken += piece.length;
      onTake(taken);
      yield piece;
    }
    options.onRead?.(taken);
  }
}

async function* inflateGzip(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: 256 * 1024 });
  // The loop below throws errors of either stage; the callback only keeps pipeline from throwing them elsewhere.
  pipeline(input, gunzip, () => {});
  try {
    for await (const chunk of gunzip) yield chunk as Buffer;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'Z_BUF_ERROR') {
      throw new GzipError('truncated', 'The compressed file ends early.', { cause: error });
    }
    if (code !== undefined && code.startsWith('Z_')) {
      throw new GzipError('damaged', 'The compressed file is damaged.', { cause: error });
    }
    throw error;
  }
}

/** `1.5 GB` for messages: decimal units, as file managers show them. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? value : Number(value.toPrecision(3))} ${units[unit]}`;
}
