import type { ProblemCode } from '@heterosis/contracts/problem';
import { violates } from '../database/database.ts';
import { Problem } from './problem.ts';

export interface TakenName {
  /** The unique index of the name. */
  index: string;
  code?: ProblemCode;
  detail: string;
}

/** Runs `write`; a name that is taken becomes a problem with the field as invalid parameter. */
export async function orNameTaken<Result>(
  { index, code = 'request/conflict', detail }: TakenName,
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write();
  } catch (cause) {
    if (!violates(cause, index)) throw cause;
    throw new Problem(code, detail, {
      cause,
      invalidParams: [{ name: 'body.name', reason: 'This name is taken' }],
    });
  }
}
