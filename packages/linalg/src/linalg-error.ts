/** Stable code of a linear algebra failure, on which the caller can act. */
export type LinalgErrorCode =
  | 'shape-mismatch'
  | 'not-positive-definite'
  | 'singular'
  | 'no-convergence'
  | 'not-finite'
  | 'library-failed'
  | 'library-not-loaded';

/** An expected failure of linear algebra, with its code and the numbers that explain it. */
export class LinalgError extends Error {
  readonly code: LinalgErrorCode;
  readonly details: Readonly<Record<string, number | string>>;

  constructor(code: LinalgErrorCode, message: string, details: Record<string, number | string> = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'LinalgError';
    this.code = code;
    this.details = details;
  }
}
