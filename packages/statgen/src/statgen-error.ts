/** What makes an analysis impossible, as a stable word the caller can translate for its user. */
export type StatgenErrorCode =
  | 'shape-mismatch'
  | 'bad-option'
  | 'too-few-individuals'
  | 'constant-trait'
  | 'not-finite'
  | 'no-markers-left'
  | 'not-positive-semidefinite'
  | 'errors-not-positive-definite'
  | 'no-heterozygotes'
  | 'collinear-fixed-effects'
  | 'bad-folds'
  | 'pedigree-loop'
  | 'model-not-applicable';

/** An expected failure of an analysis, with its code and the numbers that explain it. */
export class StatgenError extends Error {
  readonly code: StatgenErrorCode;
  readonly details: Readonly<Record<string, number | string>>;

  constructor(code: StatgenErrorCode, message: string, details: Record<string, number | string> = {}) {
    super(message);
    this.name = 'StatgenError';
    this.code = code;
    this.details = details;
  }
}
