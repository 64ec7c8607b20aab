import { availableParallelism } from 'node:os';
import { crc32, deflateRaw, gunzip } from 'node:zlib';
import { type DeflateLibrary, deflateLibrary } from './deflate-library.ts';
import { GzipError } from './gzip-error.ts';

// BGZF is gzip cut into members of at most 64 KiB whose header carries the member's own length, so that members can
// be inflated independently. Source: SAM/BAM format specification (hts-specs SAMv1.pdf), section 4.1 "The BGZF
// compression format".

const HEADER_LENGTH = 18;
const FOOTER_LENGTH = 8;
/** Largest inflated length of one member. */
const MAX_BLOCK_INPUT = 0xff00;
/** Members inflated per call to zlib: enough to make the cost of a call negligible, few enough to bound memory. */
const GROUP_INFLATED_BYTES = 1 << 20;

/** Bytes inflated at a time into reused memory, which stays in the processor's cache until it is read. */
const CACHED_BYTES = 256 << 10;
/** zlib level: the next one takes five times as long on genotype text and saves a seventh. */
const ZLIB_LEVEL = 4;
/** Largest length of a member: its header stores the length minus one in two bytes. */
const MAX_MEMBER_LENGTH = 0x10000;
/** Largest inflated length of a member that the format allows. */
const MAX_INFLATED_LENGTH = 0x10000;
/** Largest chunk inflated into reused memory. */
export const REUSED_MEMORY_BYTES: number = CACHED_BYTES + MAX_INFLATED_LENGTH;

/** The empty member that ends every complete BGZF file; a file without it was truncated. */
export const BGZF_END: Uint8Array = Uint8Array.of(
  ...[0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 6, 0, 0x42, 0x43, 2, 0, 0x1b, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0],
);

/** Length in bytes of the BGZF member at `at`, 0 for an incomplete header, -1 for one that is not BGZF. */
export function bgzfBlockLength(bytes: Uint8Array, at: number): number {
  if (bytes.length - at < 12) return 0;
  if (bytes[at] !== 0x1f || bytes[at + 1] !== 0x8b || bytes[at + 2] !== 8 || (bytes[at + 3] & 4) === 0) return -1;
  const extraLength = bytes[at + 10] | (bytes[at + 11] << 8);
  const extraEnd = at + 12 + extraLength;
  if (bytes.length < extraEnd) return 0;
  for (let field = at + 12; field + 4 <= extraEnd; ) {
    const fieldLength = bytes[field + 2] | (bytes[field + 3] << 8);
    if (bytes[field] === 0x42 && bytes[field + 1] === 0x43 && fieldLength === 2) {
      return (bytes[field + 4] | (bytes[field + 5] << 8)) + 1;
    }
    field += 4 + fieldLength;
  }
  return -1;
}

interface BlockGroup {
  compressed: Uint8Array;
  inflatedLength: number;
}

export interface BgzfOptions {
  /** Called at the end with whether the closing empty member was present. */
  onEnd?: ((hasEndMarker: boolean) => void) | undefined;
  /**
   * Memory of {@link REUSED_MEMORY_BYTES} for the next chunk, for callers that finish with a chunk before they request
   * the next. By default each chunk has its own memory.
   */
  memory?: (() => Uint8Array) | undefined;
  /** Inflates the members: libdeflate when it is installed, null for Node's zlib. */
  library?: DeflateLibrary | null | undefined;
}

/**
 * Inflates a BGZF stream in order: with libdeflate as chunks are requested, or with zlib on several pool threads.
 * Throws {@link GzipError}: `damaged` for a bad header, checksum or length, `truncated` when the last member is
 * incomplete.
 */
export function inflateBgzf(input: AsyncIterable<Uint8Array>, options: BgzfOptions = {}): AsyncGenerator<Uint8Array> {
  const { onEnd = () => {}, memory, library = deflateLibrary() ?? null } = options;
  if (library === null) return inflateWithZlib(groupBlocks(input, GROUP_INFLATED_BYTES, onEnd));
  const groupBytes = memory === undefined ? GROUP_INFLATED_BYTES : CACHED_BYTES;
  return inflateWithLibrary(groupBlocks(input, groupBytes, onEnd), library, memory);
}

async function* inflateWithLibrary(
  groups: AsyncIterable<BlockGroup>,
  library: DeflateLibrary,
  memory: (() => Uint8Array) | undefined,
): AsyncGenerator<Uint8Array> {
  for await (const { compressed, inflatedLength } of groups) {
    const inflated = memory === undefined ? new Uint8Array(inflatedLength) : memory().subarray(0, inflatedLength);
    if (!inflateMembers(library, compressed, inflated)) throw cannotBeInflated();
    yield inflated;
  }
}

/** Fills `into` from consecutive whole members; false when one of them cannot be inflated. */
function inflateMembers(library: DeflateLibrary, group: Uint8Array, into: Uint8Array): boolean {
  // Subarrays of a Uint8Array are created faster than those of a Buffer, and each member needs two.
  const members = new Uint8Array(group.buffer, group.byteOffset, group.length);
  let filled = 0;
  for (let at = 0; at < members.length; ) {
    const length = bgzfBlockLength(members, at);
    const memberLength = readUint32(members, at + length - 4);
    if (!library.inflateMember(members.subarray(at, at + length), into.subarray(filled, filled + memberLength))) {
      return false;
    }
    filled += memberLength;
    at += length;
  }
  return true;
}

async function* inflateWithZlib(groups: AsyncIterable<BlockGroup>): AsyncGenerator<Uint8Array> {
  const ahead = Math.min(4, availableParallelism()) + 1;
  const pending: Promise<Uint8Array>[] = [];
  const next = async (): Promise<Uint8Array> => {
    try {
      return await takeFirst(pending);
    } catch (error) {
      pending.length = 0; // what lies behind the damage is of no use
      throw error;
    }
  };
  try {
    for await (const group of groups) {
      const inflated = inflateGroup(group);
      // A failure is reported in order; without a handler until then, Node would end the process.
      inflated.catch(() => {});
      pending.push(inflated);
      if (pending.length >= ahead) yield await next();
    }
  } catch (error) {
    // The bytes before the damage are still delivered, so that line numbers in the report are right.
    while (pending.length > 0) yield await next();
    throw error;
  }
  while (pending.length > 0) yield await next();
}

/** Consecutive whole members of up to `groupBytes` inflated bytes, or a single larger one. */
async function* groupBlocks(
  input: AsyncIterable<Uint8Array>,
  groupBytes: number,
  onEnd: (hasEndMarker: boolean) => void,
): AsyncGenerator<BlockGroup> {
  let rest: Uint8Array = new Uint8Array(0);
  let lastLength = -1;
  for await (const chunk of input) {
    let bytes = chunk;
    if (rest.length > 0) {
      // A member split between two chunks is joined on its own.
      const start = Buffer.concat([rest, chunk.subarray(0, MAX_MEMBER_LENGTH)]);
      const length = memberLengthAt(start, 0);
      if (length === 0) {
        if (chunk.length > MAX_MEMBER_LENGTH) throw noValidHeader();
        rest = start;
        continue;
      }
      lastLength = inflatedLengthOf(start, 0, length);
      yield { compressed: start.subarray(0, length), inflatedLength: lastLength };
      bytes = chunk.subarray(length - rest.length);
    }
    let start = 0;
    let at = 0;
    let inflatedLength = 0;
    try {
      for (let length = memberLengthAt(bytes, at); length > 0; length = memberLengthAt(bytes, at)) {
        lastLength = inflatedLengthOf(bytes, at, length);
        if (inflatedLength + lastLength > groupBytes && at > start) {
          yield { compressed: bytes.subarray(start, at), inflatedLength };
          start = at;
          inflatedLength = 0;
        }
        inflatedLength += lastLength;
        at += length;
      }
    } catch (error) {
      // The bytes before the damage are still delivered, so that the report does not depend on the chunks.
      if (at > start) yield { compressed: bytes.subarray(start, at), inflatedLength };
      throw error;
    }
    if (at > start) yield { compressed: bytes.subarray(start, at), inflatedLength };
    rest = bytes.subarray(at);
  }
  if (rest.length > 0) throw new GzipError('truncated', 'The compressed file ends in the middle of a block.');
  onEnd(lastLength === 0);
}

/** Length of the member at `at`, 0 when it is incomplete. */
function memberLengthAt(bytes: Uint8Array, at: number): number {
  const length = bgzfBlockLength(bytes, at);
  if (length < 0 || (length > 0 && length < HEADER_LENGTH + FOOTER_LENGTH)) throw noValidHeader();
  return at + length > bytes.length ? 0 : length;
}

function noValidHeader(): GzipError {
  return new GzipError('damaged', 'The compressed file is damaged: a bgzip block has no valid header.');
}

function inflatedLengthOf(bytes: Uint8Array, at: number, length: number): number {
  const inflatedLength = readUint32(bytes, at + length - 4);
  if (inflatedLength <= MAX_INFLATED_LENGTH) return inflatedLength;
  throw new GzipError('damaged', 'The compressed file is damaged: a bgzip block states an impossible length.');
}

function inflateGroup(group: BlockGroup): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    // The output fits into one buffer with room to spare, so zlib needs one call on one pool thread for the whole
    // group.
    const chunkSize = group.inflatedLength + 64;
    gunzip(group.compressed, { chunkSize, maxOutputLength: chunkSize }, (error, inflated) => {
      if (error) reject(cannotBeInflated(error));
      else if (inflated.length !== group.inflatedLength) {
        reject(new GzipError('damaged', 'The compressed file is damaged: a block has another length than it states.'));
      } else resolve(inflated);
    });
  });
}

function cannotBeInflated(cause?: Error): GzipError {
  return new GzipError('damaged', 'The compressed file is damaged: a block cannot be inflated.', { cause });
}

/**
 * Compresses bytes as BGZF, several blocks at a time on the system's thread pool, with libdeflate where it is
 * installed (null: with Node's zlib). The closing empty member is written at the end, so that `tabix` and `bcftools`
 * accept the file.
 */
export async function* deflateBgzf(
  input: AsyncIterable<Uint8Array>,
  library: DeflateLibrary | null = deflateLibrary() ?? null,
): AsyncGenerator<Uint8Array> {
  const pending: Promise<Uint8Array>[] = [];
  const ahead = 4 * Math.min(4, availableParallelism());
  for await (const chunk of input) {
    for (let at = 0; at < chunk.length; at += MAX_BLOCK_INPUT) {
      const block = deflateBlock(chunk.subarray(at, at + MAX_BLOCK_INPUT), library);
      // A failure is reported in order.
      block.catch(() => {});
      pending.push(block);
      if (pending.length >= ahead) yield await takeFirst(pending);
    }
  }
  while (pending.length > 0) yield await takeFirst(pending);
  yield BGZF_END;
}

async function deflateBlock(bytes: Uint8Array, library: DeflateLibrary | null): Promise<Uint8Array> {
  let block = Buffer.allocUnsafe(MAX_MEMBER_LENGTH);
  let deflated = (await library?.deflate(bytes, block.subarray(HEADER_LENGTH, -FOOTER_LENGTH))) ?? 0;
  // Also for data that libdeflate cannot fit into a member.
  if (deflated === 0) {
    const raw = await deflateWithZlib(bytes);
    deflated = raw.length;
    block.set(raw, HEADER_LENGTH);
  }
  block = block.subarray(0, HEADER_LENGTH + deflated + FOOTER_LENGTH);
  block.set(BGZF_END.subarray(0, HEADER_LENGTH));
  block.writeUInt16LE(block.length - 1, 16);
  block.writeUInt32LE(crc32(bytes), block.length - 8);
  block.writeUInt32LE(bytes.length, block.length - 4);
  return block;
}

function deflateWithZlib(bytes: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    deflateRaw(bytes, { level: ZLIB_LEVEL }, (error, deflated) => {
      if (error) reject(error);
      else resolve(deflated);
    });
  });
}

function readUint32(bytes: Uint8Array, at: number): number {
  return (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;
}

/** The head of a non-empty queue. */
function takeFirst<Item>(queue: Item[]): Item {
  const [first] = queue;
  if (first === undefined) throw new Error('The queue is empty');
  queue.shift();
  return first;
}
