import { matchEachName } from '../../names/match-each-name.ts';
import { ambiguityText, didYouMean, type NameCatalogue } from '../../names/match-names.ts';
import { ProblemCollector, type ProblemReport } from '../../problem.ts';
import { type Cross, parentsOfCross, withParents } from './crossing-table.ts';
import { pairKey } from './read-crossing-table.ts';

const PARENTS = ['female', 'male', 'third', 'fourth'] as const;

export interface CrossCheckOptions {
  catalogue?: NameCatalogue;
  /** Pairs (female, male) that already have progeny in the pedigree. */
  existingPairs?: Iterable<readonly [female: string, male: string]>;
}

/**
 * Finds the parents of crosses among the samples of a genotype by the shared name matching. Returns the crosses with
 * names as in the genotype, without those whose parents were not found. Reports E-CT-PARENT-UNKNOWN with suggestions,
 * E-NAME-AMBIG, W-NAME-FOLDED and W-CT-EXISTING, once per name or cross.
 */
export function checkCrossesAgainstSamples(
  crosses: readonly Cross[],
  sampleNames: Iterable<string>,
  options: CrossCheckOptions = {},
): { crosses: Cross[]; report: ProblemReport } {
  const problems = new ProblemCollector();
  const names = matchEachName([...sampleNames], crosses.flatMap(parentsOfCross), {
    ...(options.catalogue === undefined ? {} : { catalogue: options.catalogue }),
  });
  const matchOf = new Map(names.both.map((match) => [match.right, match]));
  const candidatesOf = new Map(
    names.ambiguous.flatMap(({ name, side, candidates }) => (side === 'right' ? [[name, candidates] as const] : [])),
  );
  const existing = new Set([...(options.existingPairs ?? [])].map(([female, male]) => pairKey(female, male)));
  const resolved = new Map<string, string | null>();

  function sampleOf(name: string, line: number, parent: string): string | null {
    const known = resolved.get(name);
    if (known !== undefined) return known;
    const match = matchOf.get(name);
    const candidates = candidatesOf.get(name);
    const place = { line, column: parent, value: name };
    if (match?.how === 'folded') {
      problems.warning('W-NAME-FOLDED', {
        ...place,
        message: `"${name}" was taken as "${match.left}" of the genotype file: they differ only in case, blanks or punctuation.`,
        suggestion: `Write "${match.left}", or confirm when this is right.`,
      });
    } else if (match === undefined && candidates !== undefined) {
      problems.error('E-NAME-AMBIG', { ...place, ...ambiguityText(name, candidates) });
    } else if (match === undefined) {
      const similar = names.suggestions.filter(({ right }) => right === name).map(({ left }) => left);
      problems.error('E-CT-PARENT-UNKNOWN', {
        ...place,
        message: `The ${parent} parent "${name}" is not in the genotype file.`,
        suggestion: didYouMean(similar) ?? 'Choose the genotype file that holds it, or remove the cross.',
      });
    }
    const sample = match?.left ?? null;
    resolved.set(name, sample);
    return sample;
  }

  const found: Cross[] = [];
  for (const cross of crosses) {
    const samples = new Map(
      parentsOfCross(cross).map((name, k) => [name, sampleOf(name, cross.line, PARENTS[k] ?? '')]),
    );
    const known = withParents(cross, (name) => samples.get(name));
    if (known === null) continue;
    found.push(known);
    const { female, male } = known;
    if (cross.parent3 !== undefined) continue;
    if (!existing.has(pairKey(female, male)) && !existing.has(pairKey(cross.female, cross.male))) continue;
    problems.warning('W-CT-EXISTING', {
      line: cross.line,
      value: `${female} × ${male}`,
      message: `The pedigree has progeny of ${female} × ${male} already.`,
      suggestion: 'Remove the cross when it need not be made again.',
    });
  }
  return { crosses: found, report: problems.report() };
}
