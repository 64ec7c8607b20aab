/** What makes a stack impossible, as a stable word. */
export type StackingErrorCode = 'targets' | 'not-carried' | 'donors' | 'same-place' | 'too-rare';

/** An expected failure of a plan: what is wrong, and what to change. */
export class StackingError extends Error {
  readonly code: StackingErrorCode;
  /** What to change, in one sentence. */
  readonly action: string;

  constructor(code: StackingErrorCode, message: string, action: string) {
    super(message);
    this.name = 'StackingError';
    this.code = code;
    this.action = action;
  }
}
