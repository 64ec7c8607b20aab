import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packRecord, unpackRecord } from './binary-record.ts';

/** Bytes kept in memory. */
const HELD_BYTES = 1 << 24;

/** Records of plain data in insertion order, in memory up to 16 MB and in a temporary file beyond that. */
export class SpooledRecords<T> {
  readonly #heldMost: number;
  readonly #held: Uint8Array[] = [];
  #heldBytes = 0;
  /** Lengths of the records in the file, which follow those in memory. */
  readonly #lengths: number[] = [];
  #end = 0;
  #folder: string | null = null;
  #file: FileHandle | null = null;

  /** @param heldBytes maximum bytes kept in memory */
  constructor(heldBytes: number = HELD_BYTES) {
    this.#heldMost = heldBytes;
  }

  /** Adds a record. Returns a promise only when it must be written: await it before the next call. */
  add(record: T): Promise<void> | undefined {
    const bytes = packRecord(record);
    if (this.#lengths.length > 0 || this.#heldBytes + bytes.length > this.#heldMost) return this.#write(bytes);
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    return undefined;
  }

  /** Yields all records; may be called repeatedly. */
  async *records(): AsyncGenerator<T> {
    for (const bytes of this.#held) yield unpackRecord<T>(bytes);
    let at = 0;
    for (const length of this.#lengths) {
      const bytes = new Uint8Array(length);
      for (let done = 0; done < length; ) {
        const read = await this.#file?.read(bytes, done, length - done, at + done);
        if (read === undefined || read.bytesRead === 0) throw new Error('a temporary file of records ends too early');
        done += read.bytesRead;
      }
      at += length;
      yield unpackRecord<T>(bytes);
    }
  }

  /** Deletes the temporary file. */
  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = null;
    if (this.#folder !== null) await rm(this.#folder, { recursive: true, force: true });
  }

  async #write(bytes: Uint8Array): Promise<void> {
    this.#folder ??= await mkdtemp(join(tmpdir(), 'heterosis-records-'));
    this.#file ??= await open(join(this.#folder, 'records'), 'w+');
    for (let done = 0; done < bytes.length; ) {
      done += (await this.#file.write(bytes, done, bytes.length - done, this.#end + done)).bytesWritten;
    }
    this.#end += bytes.length;
    this.#lengths.push(bytes.length);
  }
}
