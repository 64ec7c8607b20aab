import { createHash } from 'node:crypto';

/**
 * SHA-256 over the SHA-256 of equal parts (the last may be shorter), which a browser can compute without holding the
 * whole file.
 */
export class PartsHash {
  readonly #partBytes: number;
  readonly #all = createHash('sha256');
  #part = createHash('sha256');
  #filled = 0;

  constructor(partBytes: number) {
    this.#partBytes = partBytes;
  }

  update(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const piece = bytes.subarray(at, at + this.#partBytes - this.#filled);
      this.#part.update(piece);
      this.#filled += piece.length;
      at += piece.length;
      if (this.#filled === this.#partBytes) this.#endPart();
    }
  }

  /** Finishes the hash; hex. */
  digest(): string {
    if (this.#filled > 0) this.#endPart();
    return this.#all.digest('hex');
  }

  #endPart(): void {
    this.#all.update(this.#part.digest());
    this.#part = createHash('sha256');
    this.#filled = 0;
  }
}
