const LONGEST_NAME = 255;
const NAMED_TRAITS = 3;

/** `EarHT, dpoll, EarDia`, of many traits the first ones and their number. */
export function someTraits(traits: readonly string[]): string {
  const named = traits.slice(0, NAMED_TRAITS).join(', ');
  return traits.length > NAMED_TRAITS ? `${named} + ${traits.length - NAMED_TRAITS}` : named;
}

/**
 * What a run is called before somebody gives it a name: its parts, files without their endings, with a number where
 * another run has that name already. Empty until all parts are known.
 */
export function proposedName(parts: readonly (string | undefined)[], taken: readonly string[]): string {
  const known = parts.filter((part): part is string => part !== undefined && part !== '');
  if (known.length < parts.length) return '';
  const name = known.map(withoutEnding).join(' · ');
  const isTaken = new Set(taken.map((one) => one.toLowerCase()));
  for (let count = 1; ; count++) {
    const mark = count === 1 ? '' : ` (${count})`;
    const candidate = `${name.slice(0, LONGEST_NAME - mark.length)}${mark}`;
    if (!isTaken.has(candidate.toLowerCase())) return candidate;
  }
}

/** `panel_2026.vcf.gz` → `panel_2026`; a name of another kind stays. */
const withoutEnding = (name: string): string =>
  name.replace(/(?<=.)(?:\.(?:vcf|hmp|csv|tsv|txt|xlsx|zip|gz|bed|map))+$/i, '');
