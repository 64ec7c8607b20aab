import { Problem } from '../../../platform/http/problem.ts';

/** Trials and files are written in transactions of their own, and a request is all or none. */
export function requireOneKind(wanted: readonly unknown[], ofTrials: readonly unknown[]): void {
  if (ofTrials.length > 0 && ofTrials.length < wanted.length)
    throw new Problem(
      'request/invalid',
      'body: some entries are of trials and some of studies that are files. Send them in two requests. Nothing was saved.',
    );
}
