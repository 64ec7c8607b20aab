const LONGEST_NAME = 255;

export interface FreeNameOptions {
  /** The mark goes before the file extension: `panel (2).vcf.gz`. */
  hasEnding: boolean;
  /** The k-th mark, from 1: ` (2)`. */
  mark(k: number): string;
  isTaken(candidate: string): Promise<boolean>;
}

/**
 * The name itself, or the name with the first mark that makes it unique. Names are cut to the length that the API
 * allows.
 */
export async function freeName(name: string, { hasEnding, mark, isTaken }: FreeNameOptions): Promise<string> {
  const dot = hasEnding ? name.indexOf('.') : -1;
  const [base, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  for (let k = 0; ; k++) {
    const marked = k === 0 ? '' : mark(k);
    const candidate = `${base.slice(0, LONGEST_NAME - marked.length - ending.length)}${marked}${ending}`;
    if (!(await isTaken(candidate))) return candidate;
  }
}
