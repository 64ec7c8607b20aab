/** Small, because a table may have thousands of columns. */
const FIRST_LENGTH = 256;

/**
 * A typed array that grows by doubling, for values whose number is known only at the end: 8 bytes each, where a plain
 * array of boxed numbers takes more. Two classes with the same text: each stays monomorphic for the compiler.
 */
export class GrowingFloat64 {
  #values = new Float64Array(FIRST_LENGTH);
  #length = 0;

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float64Array(2 * this.#length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  get length(): number {
    return this.#length;
  }

  /** Changes one of the values pushed. */
  set(index: number, value: number): void {
    this.#values[index] = value;
  }

  /** One of the values pushed; cheaper in loops than a view per iteration. */
  at(index: number): number {
    return this.#values[index];
  }

  /** A view of what was pushed; valid until the next push. */
  get values(): Float64Array {
    return this.#values.subarray(0, this.#length);
  }
}

/** As {@link GrowingFloat64}, for whole numbers below 2³¹. */
export class GrowingInt32 {
  #values = new Int32Array(FIRST_LENGTH);
  #length = 0;

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Int32Array(2 * this.#length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  get length(): number {
    return this.#length;
  }

  /** Changes one of the values pushed. */
  set(index: number, value: number): void {
    this.#values[index] = value;
  }

  /** One of the values pushed; cheaper in loops than a view per iteration. */
  at(index: number): number {
    return this.#values[index];
  }

  /** A view of what was pushed; valid until the next push. */
  get values(): Int32Array {
    return this.#values.subarray(0, this.#length);
  }
}
