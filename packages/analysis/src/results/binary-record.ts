import type { ByteSource } from '@heterosis/file-formats/byte-source';

const ARRAY_TYPES = { Float64Array, Float32Array, Int32Array, Uint8Array } as const;
type ArrayName = keyof typeof ARRAY_TYPES;

/** Magic bytes of a record, to reject other files. */
const MAGIC = 0x48_58_52_31;
/** Magic number and length of the JSON part. */
const HEAD_BYTES = 8;
/** Arrays are aligned to the largest element. */
const ALIGNMENT = 8;

interface ArrayPlace {
  $array: ArrayName;
  offset: number;
  length: number;
}

/**
 * Plain data with typed arrays as one block of bytes: a JSON part with references to the typed arrays, then the arrays
 * as in memory (little-endian, as on every supported machine). Numbers keep all bits; NaN and infinities outside
 * arrays become null, as in JSON.
 */
export function packRecord(value: unknown): Uint8Array {
  const arrays: { bytes: Uint8Array; offset: number }[] = [];
  let end = 0;
  const json = JSON.stringify(value, (_key, item: unknown) => {
    const name = arrayName(item);
    if (name === null) return item;
    const array = item as Float64Array;
    const place: ArrayPlace = { $array: name, offset: end, length: array.length };
    arrays.push({ bytes: new Uint8Array(array.buffer, array.byteOffset, array.byteLength), offset: end });
    end = aligned(end + array.byteLength);
    return place;
  });
  const text = new TextEncoder().encode(json);
  const start = aligned(HEAD_BYTES + text.length);
  const record = new Uint8Array(start + end);
  const view = new DataView(record.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, text.length, true);
  record.set(text, HEAD_BYTES);
  for (const { bytes, offset } of arrays) record.set(bytes, start + offset);
  return record;
}

/** Reads the output of {@link packRecord}; the caller knows the type. Throws RangeError for any other bytes. */
export function unpackRecord<T>(record: Uint8Array): T {
  const view = new DataView(record.buffer, record.byteOffset, record.byteLength);
  if (record.length < HEAD_BYTES || view.getUint32(0, true) !== MAGIC)
    throw new RangeError('these bytes are no record');
  const textLength = view.getUint32(4, true);
  const start = aligned(HEAD_BYTES + textLength);
  const json = new TextDecoder().decode(record.subarray(HEAD_BYTES, HEAD_BYTES + textLength));
  return JSON.parse(json, (_key, item: unknown) => {
    return isArrayPlace(item) ? arrayOf(item, record, start + item.offset) : item;
  }) as T;
}

/**
 * Reads one item of a list written by {@link packRecord}, an object whose arrays are direct fields: only its bytes are
 * read. Throws RangeError for any other bytes.
 */
export async function readRecordItem<T>(source: Pick<ByteSource, 'read'>, index: number): Promise<T> {
  const head = await source.read(0, HEAD_BYTES);
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head.length < HEAD_BYTES || view.getUint32(0, true) !== MAGIC) throw new RangeError('these bytes are no record');
  const textLength = view.getUint32(4, true);
  const text = new TextDecoder().decode(await source.read(HEAD_BYTES, textLength));
  const item = (JSON.parse(text) as Record<string, unknown>[])[index];
  if (item === undefined) throw new RangeError(`the record has no item ${index}`);
  const places = Object.values(item).filter(isArrayPlace);
  const first = Math.min(...places.map(({ offset }) => offset));
  const end = Math.max(...places.map(({ $array, offset, length }) => offset + length * bytesOf($array)));
  const bytes =
    places.length === 0 ? undefined : await source.read(aligned(HEAD_BYTES + textLength) + first, end - first);
  const entries = Object.entries(item).map(([key, value]) => [
    key,
    bytes !== undefined && isArrayPlace(value) ? arrayOf(value, bytes, value.offset - first) : value,
  ]);
  return Object.fromEntries(entries) as T;
}

const bytesOf = (name: ArrayName): number => ARRAY_TYPES[name].BYTES_PER_ELEMENT;

/**
 * A copy: the record may start at any offset of its buffer, but arrays need alignment. `slice` of a Node Buffer would
 * not copy.
 */
function arrayOf(
  { $array, length }: ArrayPlace,
  record: Uint8Array,
  from: number,
): InstanceType<(typeof ARRAY_TYPES)[ArrayName]> {
  const bytes = new Uint8Array(record.subarray(from, from + length * bytesOf($array)));
  if (bytes.length !== length * bytesOf($array)) throw new RangeError('the record was cut');
  return new ARRAY_TYPES[$array](bytes.buffer);
}

function arrayName(item: unknown): ArrayName | null {
  for (const [name, type] of Object.entries(ARRAY_TYPES)) if (item instanceof type) return name as ArrayName;
  return null;
}

function isArrayPlace(item: unknown): item is ArrayPlace {
  return typeof item === 'object' && item !== null && '$array' in item;
}

function aligned(offset: number): number {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
}
