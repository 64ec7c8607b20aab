import type { Foundation } from '../entrypoints/foundation.ts';
import type { RegistrationStatus } from '../features/people/accounts/index.ts';

export interface Issue {
  /** Stable, for scripts. */
  code: string;
  message: string;
  suggestion?: string;
}

/** A mistake that the operator can correct: shown with its code, exit code 2, nothing changed. */
export class InputError extends Error {
  readonly issues: Issue[];

  constructor(...issues: Issue[]) {
    super(issues.map(({ message }) => message).join(' '));
    this.name = 'InputError';
    this.issues = issues;
  }
}

export interface Arguments {
  emails: string[];
  /** Empty for commands that take none. */
  id: string;
  status: RegistrationStatus | undefined;
  reason: string | undefined;
  revoke: boolean;
  hashes: boolean;
  /** Null: the default of the installation; undefined: as it is. */
  storage: number | null | undefined;
  runs: number | null | undefined;
}

export interface Result {
  /** For `--json`. */
  document: Record<string, unknown>;
  lines: string[];
  /** What failed after the change was committed. */
  issues?: Issue[];
}

export const OPTION_NAMES = ['status', 'reason', 'revoke', 'storage', 'runs', 'hashes'] as const;

export interface Command {
  takes: 'nothing' | 'one email' | 'emails' | 'id';
  options?: readonly (typeof OPTION_NAMES)[number][];
  /** It sends mails with links to the server. */
  mails?: true;
  /** `operator` is the account at the console. */
  run(foundation: Foundation, given: Arguments, operator: { email: string }): Promise<Result>;
}

/** What operators also do on their pages; how is in `admin-operation.ts`, which takes a second to load. */
export const OPERATIONS = {
  'operators list': { takes: 'nothing' },
  'operators add': { takes: 'one email' },
  'operators remove': { takes: 'one email' },
  'second-factor remove': { takes: 'one email', mails: true },
  'organizations list': { takes: 'nothing' },
  'organizations quotas': { takes: 'id', options: ['storage', 'runs'] },
  queue: { takes: 'nothing' },
  'runs failed': { takes: 'nothing' },
  'runs retry': { takes: 'id' },
  'mails list': { takes: 'nothing' },
  'mails retry': { takes: 'id' },
  'audit list': { takes: 'nothing' },
  'storage verify': { takes: 'nothing', options: ['hashes'] },
} as const satisfies Record<string, Omit<Command, 'run'>>;
export type OperationName = keyof typeof OPERATIONS;

/** Rows under their heads, or a sentence when there are none. */
export function table(head: string[], rows: string[][], none = 'There are none.'): string[] {
  if (rows.length === 0) return [none];
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  return [head, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
