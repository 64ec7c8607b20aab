import { set } from './fortran.ts';

/** Doubles of scratch that are kept for the next call, 8 MB. */
const KEPT_WORK = 2 ** 20;

/** Scratch for the routines of LAPACK. Called with a length of −1, they only say how much they want. */
export class Workspace {
  #work = new Float64Array(1);
  #integerWork = new Int32Array(1);
  readonly #wanted = new Float64Array(1);
  readonly #wantedIntegers = new Int32Array(1);
  readonly #length = new Int32Array(1);
  readonly #integerLength = new Int32Array(1);
  readonly #info = new Int32Array(1);

  /** Calls a routine that wants real scratch. Returns its `info`. */
  run(call: (work: Float64Array, length: Int32Array, info: Int32Array) => void): number {
    call(this.#wanted, set(this.#length, -1), this.#info);
    if (this.#info[0] !== 0) return this.#info[0];
    const length = this.#wanted[0];
    if (this.#work.length < length) this.#work = new Float64Array(length);
    call(this.#work, set(this.#length, length), this.#info);
    return this.#info[0];
  }

  /** Calls a routine that wants real and integer scratch, maybe as large as its matrix. Returns its `info`. */
  runWithIntegers(
    call: (
      work: Float64Array,
      length: Int32Array,
      integerWork: Int32Array,
      integerLength: Int32Array,
      info: Int32Array,
    ) => void,
  ): number {
    let integerWork = this.#wantedIntegers;
    let integerCount = -1;
    const info = this.run((work, length, state) => {
      call(work, length, integerWork, set(this.#integerLength, integerCount), state);
      integerCount = this.#wantedIntegers[0];
      if (this.#integerWork.length < integerCount) this.#integerWork = new Int32Array(integerCount);
      integerWork = this.#integerWork;
    });
    this.#release();
    return info;
  }

  /** Gives large scratch back at once: garbage collection may leave it for the next large matrix to stand beside. */
  #release(): void {
    if (this.#work.length <= KEPT_WORK) return;
    const { buffer } = this.#work;
    this.#work = new Float64Array(1);
    // Absent before Node 21.
    if ('transfer' in buffer) buffer.transfer(0);
  }
}
