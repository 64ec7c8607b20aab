export interface PlannedName {
  /** Under which the file is uploaded. */
  name: string;
  /** The name of the file is in use, so that another one is proposed. */
  isRenamed: boolean;
  problem: 'taken' | 'missing' | undefined;
}

/**
 * Gives every chosen file a name that neither a file of the folder (`taken`, lower case) nor one before it in the list
 * has. A name that somebody typed is left as it is and told when it will not do.
 */
export function planNames(
  rows: readonly { fileName: string; typedName: string | undefined }[],
  taken: ReadonlySet<string>,
): PlannedName[] {
  const used = new Set(taken);
  return rows.map(({ fileName, typedName }) => {
    const wanted = (typedName ?? fileName).trim();
    const isUsed = used.has(wanted.toLowerCase());
    const name = isUsed && typedName === undefined ? freeName(wanted, used) : wanted;
    used.add(name.toLowerCase());
    const problem = wanted === '' ? 'missing' : isUsed && typedName !== undefined ? 'taken' : undefined;
    return { name, isRenamed: name !== wanted, problem };
  });
}

const ENDING = /(?:\.[a-z][a-z0-9]{0,7})?\.b?gz$|\.[a-z][a-z0-9]{0,7}$/i;

/**
 * Under which a corrected file takes the place of another: the name of that, with the ending of its own if it has one.
 */
export function replacementName(oldName: string, newName: string): string {
  const own = ENDING.exec(newName)?.[0];
  const old = ENDING.exec(oldName)?.[0] ?? '';
  if (own === undefined || own.toLowerCase() === old.toLowerCase()) return oldName;
  return oldName.slice(0, oldName.length - old.length) + own;
}

/** Another name that none of `taken` (lower case) has: `trial (2).csv`. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  const [, base = name, ending = ''] = /^(.+?)((?:\.[a-z0-9]{1,8}){1,2})$/i.exec(name) ?? [];
  for (let number = 2; ; number++) {
    const candidate = `${base} (${number})${ending}`;
    if (!taken.has(candidate.toLowerCase())) return candidate;
  }
}
