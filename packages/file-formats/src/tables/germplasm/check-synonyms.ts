import { nameFault } from '../../names/normalize-name.ts';
import type { Settling } from './settling.ts';

/** Reports E-GP-SYN-SELF and E-GP-SYN-TAKEN, and leaves out the synonyms that say nothing. */
export function checkSynonyms({ drafts, byName, storedByName, ownerOf, options, problems }: Settling): void {
  for (const { row, settled, stored, taken } of drafts) {
    const own = stored?.name ?? row.name;
    const isKept = (synonym: string): boolean => {
      const place = { line: row.line, column: options.columns?.synonyms ?? null, value: synonym };
      if (synonym === row.name || synonym === own) {
        problems.add('warning', 'E-GP-SYN-SELF', {
          ...place,
          message: `"${synonym}" is a synonym of itself; it was left out.`,
          suggestion: 'Nothing to do.',
        });
        return false;
      }
      const fault = nameFault(synonym);
      if (fault !== null) {
        problems.add('error', 'E-NAME-INVALID', {
          ...place,
          message: `${fault}.`,
          suggestion: 'Correct the synonym, or remove it.',
        });
        return true;
      }
      const draft = byName.get(synonym);
      const named = storedByName.has(synonym)
        ? synonym
        : draft === undefined
          ? undefined
          : (draft.stored?.name ?? synonym);
      const owner = named ?? ownerOf.get(synonym);
      if (owner === undefined || owner === own) {
        ownerOf.set(synonym, own);
        return true;
      }
      taken.add(synonym);
      problems.add('error', 'E-GP-SYN-TAKEN', {
        ...place,
        message:
          named !== undefined
            ? `The synonym "${synonym}" of "${row.name}" is the name of another germplasm.`
            : `The synonym "${synonym}" of "${row.name}" is a synonym of "${owner}" already.`,
        suggestion: 'Remove the synonym from one of them.',
      });
      return true;
    };
    const { synonyms } = settled.content;
    const kept = synonyms.map(isKept);
    if (kept.includes(false)) settled.content.synonyms = synonyms.filter((_, k) => kept[k]);
  }
}
