/** What a chosen set keeps of the diversity of its candidates. */
export interface SetDiversity {
  /** Group coancestry c'Fc with equal shares, selfs included; null without relationships. */
  coancestry: number | null;
  /** Status number 1/(2·coancestry) (Lindgren, Gea & Jefferson 1996): unrelated, non-inbred parents of equal worth. */
  statusNumber: number | null;
  families: number;
  /** Effective number of families: 1/Σp² (Simpson's index turned over). */
  effectiveFamilies: number;
}

/**
 * @param families of each member; a member of no known family is one of its own (null)
 * @param relationship of the members, n × n, with 1 + F on the diagonal: twice the coancestry; absent: unknown
 */
export function setDiversity(
  families: readonly (string | null)[],
  relationship?: { at(i: number, j: number): number },
): SetDiversity {
  const n = families.length;
  const sizes = new Map<string | number, number>();
  for (const [i, family] of families.entries()) sizes.set(family ?? i, (sizes.get(family ?? i) ?? 0) + 1);
  let squares = 0;
  for (const size of sizes.values()) squares += (size / n) ** 2;
  let coancestry: number | null = null;
  if (relationship !== undefined && n > 0) {
    let sum = 0;
    for (let i = 0; i < n; i++) {
      sum += relationship.at(i, i);
      for (let j = 0; j < i; j++) sum += 2 * relationship.at(i, j);
    }
    coancestry = sum / (2 * n * n);
  }
  return {
    coancestry,
    statusNumber: coancestry !== null && coancestry > 0 ? 1 / (2 * coancestry) : null,
    families: sizes.size,
    effectiveFamilies: n === 0 ? 0 : 1 / squares,
  };
}
