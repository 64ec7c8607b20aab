import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Numbers kept in memory; 8 MB. */
const HELD = 1 << 20;
/** Numbers read at a time from each sorted run; 64 kB. */
const READ = 1 << 13;
const BYTES = Float64Array.BYTES_PER_ELEMENT;

/** A sorted run in the file, and the part of it in memory. */
interface Run {
  /** Index of the next number to read, and of the end, in numbers. */
  next: number;
  end: number;
  values: Float64Array;
  /** The buffer behind `values`. */
  buffer: Float64Array | null;
  /** Index in `values` of the next number to return. */
  at: number;
}

/**
 * Gathers any number of numbers and returns them in ascending order (external merge sort): beyond about a million,
 * sorted runs go to a temporary file and are merged from there.
 */
export class AscendingNumbers {
  readonly #heldMost: number;
  #held: Float64Array;
  #heldCount = 0;
  #runs: Run[] = [];
  #folder: string | null = null;
  #file: FileHandle | null = null;
  #count = 0;

  /** @param held maximum numbers kept in memory */
  constructor(held: number = HELD) {
    this.#heldMost = held;
    this.#held = new Float64Array(Math.min(held, READ));
  }

  /** Numbers gathered so far. */
  get count(): number {
    return this.#count;
  }

  /**
   * Adds the finite ones of some numbers. Returns a promise only when a run must be written: await it before the next
   * call.
   */
  add(values: Float64Array): Promise<void> | undefined {
    for (let i = 0; i < values.length; i++) {
      if (!Number.isFinite(values[i])) continue;
      if (this.#heldCount === this.#held.length) {
        if (this.#held.length === this.#heldMost) return this.#writeRun().then(() => this.add(values.subarray(i)));
        const larger = new Float64Array(Math.min(this.#heldMost, 2 * this.#held.length));
        larger.set(this.#held);
        this.#held = larger;
      }
      this.#held[this.#heldCount++] = values[i];
      this.#count++;
    }
    return undefined;
  }

  /**
   * All numbers once, in ascending order, a few thousand at a time; the next batch overwrites the last. Nothing can be
   * added afterwards.
   */
  async *ascending(): AsyncGenerator<Float64Array> {
    if (this.#runs.length === 0) {
      yield this.#held.subarray(0, this.#heldCount).sort();
      return;
    }
    await this.#writeRun();
    for (;;) {
      // Numbers up to the smallest of the runs' last numbers in memory are complete: the file holds nothing smaller.
      let limit = Number.POSITIVE_INFINITY;
      for (const run of this.#runs) {
        if (run.at === run.values.length && run.next < run.end) await this.#readOn(run);
        if (run.next < run.end) limit = Math.min(limit, run.values[run.values.length - 1]);
      }
      const parts = this.#runs.map((run) => {
        const from = run.at;
        while (run.at < run.values.length && run.values[run.at] <= limit) run.at++;
        return run.values.subarray(from, run.at);
      });
      const length = parts.reduce((sum, part) => sum + part.length, 0);
      if (length === 0) return;
      // Everything is in the file: free the memory.
      if (this.#held.length < length) this.#held = new Float64Array(length);
      const merged = this.#held.subarray(0, length);
      let filled = 0;
      for (const part of parts) {
        merged.set(part, filled);
        filled += part.length;
      }
      yield merged.sort();
    }
  }

  /** Deletes the temporary file. */
  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = null;
    if (this.#folder !== null) await rm(this.#folder, { recursive: true, force: true });
  }

  async #writeRun(): Promise<void> {
    this.#folder ??= await mkdtemp(join(tmpdir(), 'heterosis-sorted-'));
    this.#file ??= await open(join(this.#folder, 'runs'), 'w+');
    const run = this.#held.subarray(0, this.#heldCount).sort();
    const first = this.#runs.at(-1)?.end ?? 0;
    const bytes = new Uint8Array(run.buffer, run.byteOffset, run.byteLength);
    for (let done = 0; done < bytes.length; ) {
      done += (await this.#file.write(bytes, done, bytes.length - done, BYTES * first + done)).bytesWritten;
    }
    this.#runs.push({ next: first, end: first + run.length, values: new Float64Array(0), buffer: null, at: 0 });
    this.#heldCount = 0;
  }

  async #readOn(run: Run): Promise<void> {
    const buffer = (run.buffer ??= new Float64Array(Math.min(READ, run.end - run.next)));
    const values = buffer.subarray(0, run.end - run.next);
    const bytes = new Uint8Array(values.buffer, 0, values.byteLength);
    for (let done = 0; done < bytes.length; ) {
      const read = await this.#file?.read(bytes, done, bytes.length - done, BYTES * run.next + done);
      if (read === undefined || read.bytesRead === 0)
        throw new Error('a temporary file of sorted numbers ends too early');
      done += read.bytesRead;
    }
    run.next += values.length;
    run.values = values;
    run.at = 0;
  }
}
