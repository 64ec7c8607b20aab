import { ambiguityText, didYouMean } from '../../names/match-names.ts';
import { createNameResolver } from '../../names/name-resolver.ts';
import { foldName, normalizeName } from '../../names/normalize-name.ts';
import type { ProblemCollector } from '../../problem.ts';
import type { GermplasmDraft, GermplasmEntry, GermplasmOptions } from './germplasm-table.ts';
import { pedigreeLoops } from './pedigree-loop.ts';

/**
 * Resolves the rows of a germplasm file once all are known: looks up parents among them and in the catalogue by the
 * shared name matching, and creates founders if requested. Reports E-GP-SYN-SELF, E-GP-SYN-TAKEN, W-GP-NEAR-DUP,
 * E-GP-SELF-PARENT, W-NAME-FOLDED, E-NAME-AMBIG, E-GP-PARENT-UNKNOWN, I-GP-FOUNDER, W-GP-FOUNDER-ONLY, W-GP-BOTH-SAME,
 * W-GP-PARENT-CHANGE and E-GP-CYCLE.
 */
export function settleGermplasm(
  drafts: Map<string, GermplasmDraft>,
  options: GermplasmOptions,
  problems: ProblemCollector,
): GermplasmEntry[] {
  const catalogueNames = [...(options.catalogue?.names ?? [])];
  const catalogueSynonyms = [...(options.catalogue?.synonyms ?? [])];
  checkSynonyms(drafts, catalogueNames, catalogueSynonyms, problems);
  reportNearDuplicates(drafts, catalogueNames, problems);
  const founders = resolveParents(drafts, catalogueNames, catalogueSynonyms, options, problems);
  reportParentChanges(drafts, options, problems);
  reportLoops(drafts, options, problems);
  const entries = [...drafts.values()].map(
    ({ name, collection, maternal, paternal, synonyms, attributes, line }): GermplasmEntry => ({
      name,
      collection,
      maternal,
      paternal,
      synonyms,
      attributes,
      line,
    }),
  );
  for (const name of founders) {
    entries.push({ name, collection: null, maternal: null, paternal: null, synonyms: [], attributes: {}, line: null });
  }
  return entries;
}

function checkSynonyms(
  drafts: Map<string, GermplasmDraft>,
  catalogueNames: readonly string[],
  catalogueSynonyms: readonly (readonly [string, string])[],
  problems: ProblemCollector,
): void {
  const nameOwners = new Set([...catalogueNames.map(normalizeName), ...drafts.keys()]);
  const synonymOwner = new Map(
    catalogueSynonyms.map(([synonym, name]) => [normalizeName(synonym), normalizeName(name)]),
  );
  for (const draft of drafts.values()) {
    draft.synonyms = draft.synonyms.filter((synonym) => {
      if (synonym === draft.name) {
        problems.warning('E-GP-SYN-SELF', {
          line: draft.line,
          value: synonym,
          message: `"${synonym}" is a synonym of itself; it was left out.`,
          suggestion: 'Nothing to do.',
        });
        return false;
      }
      const owner = nameOwners.has(synonym) ? synonym : synonymOwner.get(synonym);
      if (owner === undefined || owner === draft.name) {
        synonymOwner.set(synonym, draft.name);
        return true;
      }
      problems.error('E-GP-SYN-TAKEN', {
        line: draft.line,
        value: synonym,
        message:
          owner === synonym
            ? `The synonym "${synonym}" of "${draft.name}" is the name of another germplasm.`
            : `The synonym "${synonym}" of "${draft.name}" is a synonym of "${owner}" already.`,
        suggestion: 'Remove the synonym from one of them.',
      });
      return true;
    });
  }
}

function reportNearDuplicates(
  drafts: Map<string, GermplasmDraft>,
  catalogueNames: readonly string[],
  problems: ProblemCollector,
): void {
  const byFold = new Map<string, string>();
  for (const name of catalogueNames) byFold.set(foldName(name), normalizeName(name));
  for (const draft of drafts.values()) {
    const fold = foldName(draft.name);
    const similar = byFold.get(fold);
    if (similar === undefined) byFold.set(fold, draft.name);
    else if (fold !== '' && similar !== draft.name) {
      problems.warning('W-GP-NEAR-DUP', {
        line: draft.line,
        value: draft.name,
        message: `"${draft.name}" and "${similar}" differ only in case, blanks or punctuation.`,
        suggestion: 'Use one spelling, or confirm that they are really different lines.',
      });
    }
  }
}

/** Replaces parents by the names they resolve to; returns the founders to create. */
function resolveParents(
  drafts: Map<string, GermplasmDraft>,
  catalogueNames: readonly string[],
  catalogueSynonyms: readonly (readonly [string, string])[],
  options: GermplasmOptions,
  problems: ProblemCollector,
): string[] {
  const synonyms: (readonly [string, string])[] = [...catalogueSynonyms];
  for (const draft of drafts.values()) for (const synonym of draft.synonyms) synonyms.push([synonym, draft.name]);
  const resolver = createNameResolver([...drafts.keys(), ...catalogueNames], synonyms);
  const founders = new Map<string, { line: number; children: number }>();

  function resolve(parent: string | null, draft: GermplasmDraft, column: string | null): string | null {
    if (parent === null) return null;
    const place = { line: draft.line, column, value: parent };
    if (parent === draft.name) {
      problems.error('E-GP-SELF-PARENT', {
        ...place,
        message: `"${draft.name}" is given as its own parent.`,
        suggestion: 'Correct the parent, or leave it empty when it is unknown.',
      });
      return parent;
    }
    const resolution = resolver.resolve(parent);
    if (resolution.status === 'found') {
      if (resolution.how === 'folded') {
        problems.warning('W-NAME-FOLDED', {
          ...place,
          message: `The parent "${parent}" was taken as "${resolution.name}": they differ only in case, blanks or punctuation.`,
          suggestion: `Write "${resolution.name}", or confirm when this is right.`,
        });
      }
      return resolution.name;
    }
    if (resolution.status === 'ambiguous') {
      problems.error('E-NAME-AMBIG', { ...place, ...ambiguityText(parent, resolution.candidates) });
      return parent;
    }
    if (options.generateUnknownParents === true) {
      const founder = founders.get(parent) ?? { line: draft.line, children: 0 };
      founder.children++;
      founders.set(parent, founder);
      return parent;
    }
    problems.error('E-GP-PARENT-UNKNOWN', {
      ...place,
      message: `The parent "${parent}" of "${draft.name}" is neither in the file nor in the crop.`,
      suggestion:
        didYouMean(resolution.suggestions.map(({ name }) => name)) ??
        'Add it to the file, leave it empty, or choose to create unknown parents as founders.',
    });
    return parent;
  }

  for (const draft of drafts.values()) {
    draft.maternal = resolve(draft.maternal, draft, draft.maternalColumn);
    draft.paternal = resolve(draft.paternal, draft, draft.paternalColumn);
    if (draft.maternal !== null && draft.maternal === draft.paternal && draft.maternal !== draft.name) {
      problems.warning('W-GP-BOTH-SAME', {
        line: draft.line,
        value: draft.maternal,
        message: `Both parents of "${draft.name}" are "${draft.maternal}": it is taken as selfed.`,
        suggestion: 'Confirm when this is right.',
      });
    }
  }
  for (const [name, { line }] of founders) {
    problems.info('I-GP-FOUNDER', {
      line,
      value: name,
      message: `"${name}" is created as a founder, because it is a parent.`,
      suggestion: 'Nothing to do, unless it is another spelling of a name that is there.',
    });
  }
  const [only] = founders;
  if (founders.size === 1 && only !== undefined && only[1].children > 2) {
    problems.warning('W-GP-FOUNDER-ONLY', {
      line: only[1].line,
      value: only[0],
      message: `"${only[0]}" is the only founder and a parent of ${only[1].children}: it looks like a code for "unknown".`,
      suggestion: 'Leave unknown parents empty, or confirm that this is a germplasm.',
    });
  }
  return [...founders.keys()];
}

function reportParentChanges(
  drafts: Map<string, GermplasmDraft>,
  options: GermplasmOptions,
  problems: ProblemCollector,
): void {
  const parentsOf = options.catalogue?.parentsOf;
  if (parentsOf === undefined) return;
  for (const draft of drafts.values()) {
    const stored = parentsOf(draft.name);
    if (stored === undefined) continue;
    for (const [role, before, after] of [
      ['female', stored.maternal, draft.maternal],
      ['male', stored.paternal, draft.paternal],
    ] as const) {
      if (before === null || after === null || before === after) continue;
      problems.warning('W-GP-PARENT-CHANGE', {
        line: draft.line,
        value: draft.name,
        message: `The ${role} parent of "${draft.name}" changes: ${before} -> ${after}.`,
        suggestion: 'Choose whether to keep what is stored, to fill blanks only, or to overwrite.',
      });
    }
  }
}

const MAX_SHOWN_LOOP = 12;

function reportLoops(drafts: Map<string, GermplasmDraft>, options: GermplasmOptions, problems: ProblemCollector): void {
  const stored = options.catalogue?.parentsOf;
  const loops = pedigreeLoops(drafts.keys(), (name) => {
    const parents = drafts.get(name) ?? stored?.(name);
    const named = [parents?.maternal ?? null, parents?.paternal ?? null];
    // A germplasm that is its own parent is reported under a separate code.
    return named.filter((parent): parent is string => parent !== null && parent !== name);
  });
  for (const loop of loops) {
    const lines = loop.map((name) => drafts.get(name)?.line ?? Number.POSITIVE_INFINITY);
    const line = Math.min(...lines);
    const shown = loop.length > MAX_SHOWN_LOOP ? [...loop.slice(0, MAX_SHOWN_LOOP - 1), '…', loop[0]] : loop;
    problems.error('E-GP-CYCLE', {
      line: Number.isFinite(line) ? line : null,
      value: loop[0],
      message: `The pedigree runs in a circle: ${shown.join(' <- ')}.`,
      suggestion: 'Correct the parents of one of them.',
    });
  }
}
