/** Takes the bytes of a stream in pieces of a chosen length. */
export class ByteFeed {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #onEnd: () => Error;
  #held: Uint8Array = new Uint8Array(0);
  /** Bytes taken so far. */
  taken = 0;

  /** @param onEnd makes the error of a stream that ends too early */
  constructor(chunks: AsyncIterable<Uint8Array>, onEnd: () => Error) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#onEnd = onEnd;
  }

  /** The next `length` bytes, valid until the next are taken. */
  async take(length: number): Promise<Uint8Array> {
    if (this.#held.length < length) await this.#gather(length);
    const bytes = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length);
    this.taken += length;
    return bytes;
  }

  async #gather(length: number): Promise<void> {
    const parts = [this.#held];
    let gathered = this.#held.length;
    while (gathered < length) {
      const next = await this.#chunks.next();
      if (next.done === true) throw this.#onEnd();
      parts.push(next.value);
      gathered += next.value.length;
    }
    this.#held = Buffer.concat(parts);
  }

  /** Whether there is nothing left. */
  async isAtEnd(): Promise<boolean> {
    while (this.#held.length === 0) {
      const next = await this.#chunks.next();
      if (next.done === true) return true;
      this.#held = next.value;
    }
    return false;
  }
}
