import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Numbers that are held; 8 MB. */
const HELD = 1 << 20;
/** Numbers of each sorted run that are read at a time; 64 kB. */
const READ = 1 << 13;
const BYTES = Float64Array.BYTES_PER_ELEMENT;

/** A sorted run in the file, and what has been read of it. */
interface Run {
  /** Place of the next number to read, and of the end, in numbers. */
  next: number;
  end: number;
  values: Float64Array;
  /** Where they stand. */
  buffer: Float64Array | null;
  /** Place among `values` of the next one to give. */
  at: number;
}

/**
 * Gathers numbers and gives them in ascending order, however many there are: beyond some million they are sorted into runs in a
 * temporary file and merged from there.
 */
export class AscendingNumbers {
  readonly #heldMost: number;
  #held: Float64Array;
  #heldCount = 0;
  #runs: Run[] = [];
  #folder: string | null = null;
  #file: FileHandle | null = null;
  #count = 0;

  /** @param held numbers that are held in memory */
  constructor(held: number = HELD) {
    this.#heldMost = held;
    this.#held = new Float64Array(Math.min(held, READ));
  }

  /** Numbers gathered. */
  get count(): number {
    return this.#count;
  }

  /** Takes the finite ones of some numbers. The promise is there only when a run has to be written: wait for it before the next call. */
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

  /** All of them once, in ascending order, some thousand at a time: the next ones overwrite them. Nothing can be added afterwards. */
  async *ascending(): AsyncGenerator<Float64Array> {
    if (this.#runs.length === 0) {
      yield this.#held.subarray(0, this.#heldCount).sort();
      return;
    }
    await this.#writeRun();
    for (;;) {
      // What is at most the least of the runs' last numbers read is complete: nothing smaller is left in the file.
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
      // Everything is in the file: the place of those held is free.
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

  /** Removes the temporary file. */
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
