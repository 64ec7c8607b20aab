/** What makes a design impossible, as a stable word. */
export type DesignErrorCode =
  | 'field-too-small'
  | 'field-shape'
  | 'block-size'
  | 'block-cut'
  | 'checks'
  | 'entries'
  | 'replicates'
  | 'places'
  | 'variances';

/** An expected failure of a design: what is wrong, and what to change. */
export class DesignError extends Error {
  readonly code: DesignErrorCode;
  /** What to change, in one sentence. */
  readonly action: string;

  constructor(code: DesignErrorCode, message: string, action: string) {
    super(message);
    this.name = 'DesignError';
    this.code = code;
    this.action = action;
  }
}
