import { ambiguityText, didYouMean } from '../../names/match-names.ts';
import { createNameResolver } from '../../names/name-resolver.ts';
import { foldName, nameFault } from '../../names/normalize-name.ts';
import { pedigreeLoops } from './pedigree-loop.ts';
import { type Draft, type Settling, synonymPairs } from './settling.ts';

/**
 * Looks up the parents of the rows among them and in the catalogue, and puts their canonical names into the settled
 * content; returns the founders to create. Reports E-GP-SELF-PARENT, W-NAME-FOLDED, E-NAME-AMBIG, E-GP-PARENT-UNKNOWN,
 * I-GP-FOUNDER, W-GP-FOUNDER-ONLY, W-GP-BOTH-SAME, W-GP-PARENT-CHANGE and E-GP-CYCLE.
 */
export function checkParents(settling: Settling): string[] {
  const founders = resolveParents(settling);
  reportFounders(founders, settling);
  for (const draft of settling.drafts) reportParentChanges(draft, settling);
  reportLoops(settling);
  return [...founders.keys()];
}

/** The name under which a row is known: of the stored germplasm that it means, or its own. */
const canonical = ({ row, stored }: Draft): string => stored?.name ?? row.name;

interface Founder {
  line: number;
  children: number;
}

function resolveParents({ drafts, storedByName, options, problems }: Settling): Map<string, Founder> {
  const { resolve, suggest } = createNameResolver(
    namesIn(drafts, storedByName.keys()),
    spellings(drafts, storedByName),
  );
  const founders = new Map<string, Founder>();
  const founderOfFold = new Map<string, string>();

  /** Two spellings of an unknown parent become one founder. */
  function founderFor(parent: string, line: number): string {
    const fold = foldName(parent);
    const name = fold === '' ? parent : (founderOfFold.get(fold) ?? parent);
    if (fold !== '') founderOfFold.set(fold, name);
    const founder = founders.get(name) ?? { line, children: 0 };
    founder.children++;
    founders.set(name, founder);
    return name;
  }

  function resolveParent(parent: string, draft: Draft, role: 'maternal' | 'paternal'): string {
    const { row } = draft;
    const place = { line: row.line, column: options.columns?.[role] ?? null, value: parent };
    const resolution = resolve(parent);
    if (parent === row.name || (resolution.status === 'found' && resolution.name === canonical(draft))) {
      problems.add('error', 'E-GP-SELF-PARENT', {
        ...place,
        message: `"${row.name}" is given as its own parent.`,
        suggestion: 'Correct the parent, or leave it empty when it is unknown.',
      });
      return parent;
    }
    if (resolution.status === 'found') {
      if (resolution.how === 'folded')
        problems.add('warning', 'W-NAME-FOLDED', {
          ...place,
          message: `The parent "${parent}" was taken as "${resolution.name}": they differ only in case, blanks or punctuation.`,
          suggestion: `Write "${resolution.name}", or confirm when this is right.`,
        });
      return resolution.name;
    }
    if (resolution.status === 'ambiguous') {
      problems.add('error', 'E-NAME-AMBIG', { ...place, ...ambiguityText(parent, resolution.candidates) });
      return parent;
    }
    const fault = nameFault(parent);
    if (fault !== null) {
      problems.add('error', 'E-NAME-INVALID', {
        ...place,
        message: `${fault}.`,
        suggestion: 'Correct the name of the parent, or leave it empty when it is unknown.',
      });
      return parent;
    }
    if (options.generateUnknownParents === true) return founderFor(parent, row.line);
    problems.add('error', 'E-GP-PARENT-UNKNOWN', {
      ...place,
      message: `The parent "${parent}" of "${row.name}" is neither in the file nor in the crop.`,
      suggestion:
        didYouMean(suggest(parent).map(({ name }) => name)) ??
        'Add it to the file, leave it empty, or choose to create unknown parents as founders.',
    });
    return parent;
  }

  for (const draft of drafts) {
    const { row, settled } = draft;
    const { content } = settled;
    for (const role of ['maternal', 'paternal'] as const) {
      const parent = row[role];
      content[role] = parent === null ? null : resolveParent(parent, draft, role);
    }
    if (content.maternal === null || content.maternal !== content.paternal || content.maternal === canonical(draft))
      continue;
    problems.add('warning', 'W-GP-BOTH-SAME', {
      line: row.line,
      value: content.maternal,
      message: `Both parents of "${row.name}" are "${content.maternal}": it is taken as selfed.`,
      suggestion: 'Confirm when this is right.',
    });
  }
  return founders;
}

function* namesIn(drafts: readonly Draft[], stored: Iterable<string>): Generator<string> {
  for (const draft of drafts) yield canonical(draft);
  yield* stored;
}

/** The synonyms of the rows and of the catalogue, and the spellings in which the file names stored germplasm. */
function* spellings(
  drafts: readonly Draft[],
  storedByName: Settling['storedByName'],
): Generator<readonly [string, string]> {
  yield* synonymPairs(storedByName.values());
  for (const draft of drafts) {
    const name = canonical(draft);
    if (name !== draft.row.name) yield [draft.row.name, name];
    for (const synonym of draft.settled.content.synonyms) yield [synonym, name];
  }
}

/** More children of one founder than a cross or two would give. */
const SUSPICIOUS_CHILDREN = 2;

function reportFounders(founders: ReadonlyMap<string, Founder>, { problems }: Settling): void {
  for (const [name, { line }] of founders)
    problems.add('info', 'I-GP-FOUNDER', {
      line,
      value: name,
      message: `"${name}" is created as a founder, because it is a parent.`,
      suggestion: 'Nothing to do, unless it is another spelling of a name that is there.',
    });
  const [only] = founders;
  if (founders.size === 1 && only !== undefined && only[1].children > SUSPICIOUS_CHILDREN)
    problems.add('warning', 'W-GP-FOUNDER-ONLY', {
      line: only[1].line,
      value: only[0],
      message: `"${only[0]}" is the only founder and a parent of ${only[1].children}: it looks like a code for "unknown".`,
      suggestion: 'Leave unknown parents empty, or confirm that this is a germplasm.',
    });
}

function reportParentChanges({ row, stored, settled }: Draft, { options, problems }: Settling): void {
  if (stored === null) return;
  for (const [role, word] of [
    ['maternal', 'female'],
    ['paternal', 'male'],
  ] as const) {
    const before = stored[role];
    const after = settled.content[role];
    if (before === null || after === null || before === after) continue;
    const isChanged = options.existing === 'overwrite';
    problems.add('warning', 'W-GP-PARENT-CHANGE', {
      line: row.line,
      column: options.columns?.[role] ?? null,
      value: row.name,
      message: isChanged
        ? `The ${word} parent of "${stored.name}" changes: ${before} -> ${after}.`
        : `The ${word} parent of "${stored.name}" is ${before} in the list and ${after} in the file: ${before} -> ${after}. The list is kept.`,
      suggestion: 'Choose whether to keep what is stored, to fill blanks only, or to overwrite.',
    });
  }
}

const MAX_SHOWN_LOOP = 12;

function reportLoops({ drafts, storedByName, options, problems }: Settling): void {
  const draftOf = new Map(drafts.map((draft) => [canonical(draft), draft]));
  const parentsOf = (name: string): { maternal: string | null; paternal: string | null } | undefined => {
    const draft = draftOf.get(name);
    const stored = storedByName.get(name);
    if (draft === undefined) return stored;
    const given = draft.settled.content;
    if (stored === undefined || options.existing === 'overwrite')
      return {
        maternal: given.maternal ?? stored?.maternal ?? null,
        paternal: given.paternal ?? stored?.paternal ?? null,
      };
    if (options.existing !== 'fill') return stored;
    return { maternal: stored.maternal ?? given.maternal, paternal: stored.paternal ?? given.paternal };
  };
  const loops = pedigreeLoops(draftOf.keys(), (name) => {
    const { maternal = null, paternal = null } = parentsOf(name) ?? {};
    // A germplasm that is its own parent is reported under a separate code.
    return [maternal, paternal].filter((parent): parent is string => parent !== null && parent !== name);
  });
  for (const loop of loops) {
    const lines = loop.flatMap((name) => draftOf.get(name)?.row.line ?? []);
    const shown = loop.length > MAX_SHOWN_LOOP ? [...loop.slice(0, MAX_SHOWN_LOOP - 1), '…', loop[0]] : loop;
    problems.add('error', 'E-GP-CYCLE', {
      line: Math.min(...lines),
      value: loop[0] ?? '',
      message: `The pedigree runs in a circle: ${shown.join(' <- ')}.`,
      suggestion: 'Correct the parents of one of them.',
    });
  }
}
