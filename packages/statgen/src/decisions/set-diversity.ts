/** What a chosen set keeps of the diversity of its candidates. */
export interface SetDiversity {
  /** Group coancestry c'Fc with equal shares, selfs included; null without relationships. */
  coancestry: number | null;
  /** Status number 1/(2·coancestry) (Lindgren, Gea & Jefferson 1996): unrelated, non-inbred parents of equal worth. */
  statusNumber: number | null;
  /** Null where no member has a known family: they are not known to be unrelated. */
  families: number | null;
  /** Effective number of families: 1/Σp² (Simpson's index turned over); null as above. */
  effectiveFamilies: number | null;
}

/**
 * @param families of each member; a member of no known family (null) is one of its own beside those that are known
 * @param relationship of the members, n × n, with 1 + F on the diagonal: twice the coancestry; absent: unknown
 */
export function setDiversity(
  families: readonly (string | null)[],
  relationship?: { at(i: number, j: number): number },
): SetDiversity {
  const n = families.length;
  const isKnown = families.some((family) => family !== null);
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
    families: isKnown ? sizes.size : null,
    effectiveFamilies: isKnown ? 1 / squares : null,
  };
}
