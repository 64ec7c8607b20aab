import { foldName } from '../../names/normalize-name.ts';
import { type Draft, foldedParentProblem, type Settling } from './settling.ts';

/** A parent that is named nowhere else, where a row names it. */
export interface UnknownParent {
  draft: Draft;
  role: 'maternal' | 'paternal';
  name: string;
  line: number;
  column: string | null;
}

interface Founder {
  /** Where it is first named. */
  line: number;
  column: string | null;
  children: number;
}

/**
 * Makes a founder of every unknown parent, puts its name into the settled content of its children and returns the
 * names. Spellings that differ only in case, blanks and punctuation become one founder, under the most frequent of
 * them (of equally frequent ones, the first by code points), so that the order of the rows does not matter. Reports
 * I-GP-FOUNDER, W-GP-FOUNDER-ONLY, and W-NAME-FOLDED for the other spellings.
 */
export function createFounders(parents: readonly UnknownParent[], { problems }: Settling): string[] {
  const founders = new Map<string, Founder>();
  const byFold = Map.groupBy(parents, ({ name }) => foldName(name) || `=${name}`);
  for (const [, group] of byFold) {
    const name = usualSpelling(group);
    const [{ line, column }] = group as [UnknownParent];
    founders.set(name, { line, column, children: group.length });
    for (const one of group) {
      one.draft.settled.content[one.role] = name;
      if (one.name !== name) problems.add('warning', 'W-NAME-FOLDED', foldedParentProblem(one, name));
    }
  }
  reportFounders(founders, problems);
  return [...founders.keys()];
}

function usualSpelling(parents: readonly UnknownParent[]): string {
  const counts = new Map<string, number>();
  for (const { name } of parents) counts.set(name, (counts.get(name) ?? 0) + 1);
  const [[usual]] = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)) as [[string, number]];
  return usual;
}

/** More children of one founder than a cross or two would give. */
const SUSPICIOUS_CHILDREN = 2;

function reportFounders(founders: ReadonlyMap<string, Founder>, problems: Settling['problems']): void {
  for (const [name, { line, column }] of founders)
    problems.add('info', 'I-GP-FOUNDER', {
      ...{ line, column, value: name },
      message: `"${name}" is created as a founder, because it is a parent.`,
      suggestion: 'Nothing to do, unless it is another spelling of a name that is there.',
    });
  const [only] = founders;
  if (founders.size === 1 && only !== undefined && only[1].children > SUSPICIOUS_CHILDREN)
    problems.add('warning', 'W-GP-FOUNDER-ONLY', {
      ...{ line: only[1].line, column: only[1].column, value: only[0] },
      message: `"${only[0]}" is the only founder and a parent of ${only[1].children}: it looks like a code for "unknown".`,
      suggestion: 'Leave unknown parents empty, or confirm that this is a germplasm.',
    });
}
