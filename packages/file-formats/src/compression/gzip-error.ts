/** A gzip stream that ends early, is damaged, or inflates beyond what was allowed. */
export class GzipError extends Error {
  readonly kind: 'truncated' | 'damaged' | 'too-large';

  constructor(kind: 'truncated' | 'damaged' | 'too-large', message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'GzipError';
    this.kind = kind;
  }
}
