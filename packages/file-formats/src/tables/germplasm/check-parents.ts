import { ambiguityText, didYouMean } from '../../names/match-names.ts';
import { createNameResolver, type NameResolver, type Resolution } from '../../names/name-resolver.ts';
import { nameFault } from '../../names/normalize-name.ts';
import { Ancestry } from './ancestry.ts';
import { createFounders, type UnknownParent } from './founders.ts';
import { pedigreeLoops } from './pedigree-loop.ts';
import { canonical, type Draft, draftNamed, foldedParentProblem, type Settling, synonymPairs } from './settling.ts';

/**
 * Looks up the parents of the rows among them and in the catalogue, and puts their canonical names into the settled
 * content; returns the founders to create. Reports I-GP-ANCEST, W-GP-ANCEST, E-GP-SELF-PARENT, W-NAME-FOLDED,
 * E-NAME-AMBIG, E-GP-PARENT-UNKNOWN, I-GP-FOUNDER, W-GP-FOUNDER-ONLY, W-GP-BOTH-SAME, W-GP-PARENT-CHANGE and
 * E-GP-CYCLE.
 */
export function checkParents(settling: Settling): string[] {
  const founders = createFounders(resolveParents(settling), settling);
  for (const draft of settling.drafts) {
    reportSelfed(draft, settling);
    reportParentChanges(draft, settling);
  }
  reportLoops(settling);
  return founders;
}

/**
 * The resolver of the names in the file and in the catalogue. Nearly all parents are written as they are named, for
 * which the maps suffice that are there; the first other one builds it.
 */
function parentResolver(settling: Settling): NameResolver {
  const { drafts, storedByName, ownerOf } = settling;
  let resolver: NameResolver | undefined;
  const whole = (): NameResolver => {
    resolver ??= createNameResolver(namesIn(drafts, storedByName.keys()), spellings(drafts, storedByName));
    return resolver;
  };
  const isName = (name: string): boolean => storedByName.has(name) || draftNamed(name, settling) !== undefined;
  return {
    resolve: (name): Resolution =>
      isName(name) && !ownerOf.has(name) ? { status: 'found', name, how: 'exact' } : whole().resolve(name),
    suggest: (name) => whole().suggest(name),
  };
}

/** Resolves the parents of all rows; returns those that are known nowhere and become founders. */
function resolveParents(settling: Settling): UnknownParent[] {
  const { drafts, options, problems } = settling;
  const { resolve, suggest } = parentResolver(settling);
  const unknown: UnknownParent[] = [];

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
        problems.add('warning', 'W-NAME-FOLDED', foldedParentProblem({ ...place, name: parent }, resolution.name));
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
    if (options.generateUnknownParents === true) {
      unknown.push({ draft, role, name: parent, line: place.line, column: place.column });
      return parent;
    }
    problems.add('error', 'E-GP-PARENT-UNKNOWN', {
      ...place,
      message: `The parent "${parent}" of "${row.name}" is neither in the file nor in the crop.`,
      suggestion:
        didYouMean(suggest(parent).map(({ name }) => name)) ??
        'Add it to the file, leave it empty, or choose to create unknown parents as founders.',
    });
    return parent;
  }

  const ancestry = new Ancestry(settling, resolve);
  for (const draft of drafts) {
    const { content } = draft.settled;
    const parents = ancestry.parentsOf(draft);
    for (const role of ['maternal', 'paternal'] as const) {
      const parent = parents[role];
      content[role] = parent === null ? null : resolveParent(parent, draft, role);
    }
  }
  ancestry.finish();
  return unknown;
}

function reportSelfed(draft: Draft, { problems }: Settling): void {
  const { row, settled } = draft;
  const { maternal, paternal } = settled.content;
  if (maternal === null || maternal !== paternal || maternal === canonical(draft)) return;
  problems.add('warning', 'W-GP-BOTH-SAME', {
    line: row.line,
    value: maternal,
    message: `Both parents of "${row.name}" are "${maternal}": it is taken as selfed.`,
    suggestion: 'Confirm when this is right.',
  });
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
    for (const synonym of draft.settled.content.synonyms) if (!draft.taken.has(synonym)) yield [synonym, name];
  }
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

function reportLoops(settling: Settling): void {
  const { drafts, storedByName, options, problems } = settling;
  const parentsOf = (name: string): { maternal: string | null; paternal: string | null } | undefined => {
    const draft = draftNamed(name, settling);
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
  const loops = pedigreeLoops(drafts.map(canonical), (name) => {
    const { maternal = null, paternal = null } = parentsOf(name) ?? {};
    // A germplasm that is its own parent is reported under a separate code.
    return [maternal, paternal].filter((parent): parent is string => parent !== null && parent !== name);
  });
  for (const loop of loops) {
    const shown = loop.length > MAX_SHOWN_LOOP ? [...loop.slice(0, MAX_SHOWN_LOOP - 1), '…', loop[0]] : loop;
    problems.add('error', 'E-GP-CYCLE', {
      ...placeOfLoop(loop, settling),
      value: loop[0] ?? '',
      message: `The pedigree runs in a circle: ${shown.join(' <- ')}.`,
      suggestion: 'Correct the parents of one of them.',
    });
  }
}

/** The first of the rows that make a loop, and its column of the parent who is in the loop. */
function placeOfLoop(loop: readonly string[], settling: Settling): { line: number; column: string | null } {
  const places = loop.slice(0, -1).flatMap((name, at) => {
    const draft = draftNamed(name, settling);
    const role = draft?.settled.content.maternal === loop[at + 1] ? 'maternal' : 'paternal';
    return draft === undefined ? [] : [{ line: draft.row.line, column: settling.options.columns?.[role] ?? null }];
  });
  // Stored pedigrees have no loop, so that a row of the file is in every one.
  return places.sort((a, b) => a.line - b.line)[0];
}
