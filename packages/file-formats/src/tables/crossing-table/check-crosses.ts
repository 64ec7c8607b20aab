import { ambiguityText, didYouMean, type SynonymPairs } from '../../names/match-names.ts';
import { createNameResolver } from '../../names/name-resolver.ts';
import { ProblemCollector, type ProblemReport } from '../../problem.ts';
import { type Cross, parentsOfCross, withParents } from './crossing-table.ts';
import { pairKey } from './read-crossing-table.ts';

const PARENTS = ['female', 'male', 'third', 'fourth'] as const;

export interface CrossCheckOptions {
  synonyms?: SynonymPairs;
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
  const resolver = createNameResolver(sampleNames, options.synonyms ?? []);
  const existing = new Set([...(options.existingPairs ?? [])].map(([female, male]) => pairKey(female, male)));
  const resolved = new Map<string, string | null>();

  function sampleOf(name: string, line: number, parent: string): string | null {
    const known = resolved.get(name);
    if (known !== undefined) return known;
    const resolution = resolver.resolve(name);
    const place = { line, column: parent, value: name };
    let sample: string | null = null;
    if (resolution.status === 'found') {
      sample = resolution.name;
      if (resolution.how === 'folded') {
        problems.warning('W-NAME-FOLDED', {
          ...place,
          message: `"${name}" was taken as "${sample}" of the genotype file: they differ only in case, blanks or punctuation.`,
          suggestion: `Write "${sample}", or confirm when this is right.`,
        });
      }
    } else if (resolution.status === 'ambiguous') {
      problems.error('E-NAME-AMBIG', { ...place, ...ambiguityText(name, resolution.candidates) });
    } else {
      problems.error('E-CT-PARENT-UNKNOWN', {
        ...place,
        message: `The ${parent} parent "${name}" is not in the genotype file.`,
        suggestion:
          didYouMean(resolution.suggestions.map((suggestion) => suggestion.name)) ??
          'Choose the genotype file that holds it, or remove the cross.',
      });
    }
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
