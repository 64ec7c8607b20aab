import type { createCrossingPlanBody } from '@heterosis/contracts/work/crossing-plans';
import { matchEachName } from '@heterosis/file-formats/names/match-each-name';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import type * as z from 'zod';
import type { Queryable } from '../../../platform/database/database.ts';
import { readCatalogueOfProject } from '../../data/germplasm/index.ts';

type Body = z.output<typeof createCrossingPlanBody>;
type NamesOfPlan = Pick<Body, 'candidates' | 'required_pairs' | 'forbidden_pairs'>;

/**
 * Candidates and pairs as `known`, the genotype or the model, writes them, by the rule that all files follow; or why
 * one of them means nobody. Forbidden pairs may name others.
 */
export async function namesAsKnown(
  db: Queryable,
  projectId: string,
  known: readonly string[],
  { candidates_from: from, candidates, required_pairs, forbidden_pairs }: Body,
): Promise<NamesOfPlan | { reason: string }> {
  const needed = new Set([...(candidates ?? []), ...required_pairs.flat()]);
  const written = new Map(known.map((name) => [name, name]));
  const others = [...new Set([...needed, ...forbidden_pairs.flat()])].filter((name) => !written.has(name));
  if (others.length > 0) {
    const catalogue = await readCatalogueOfProject(db, projectId, [...known, ...others]);
    const { both, ambiguous } = matchEachName(known, others, { catalogue });
    for (const { left, right } of both) written.set(right, left);
    const missing = [...needed].filter((name) => !written.has(name));
    const unclear = ambiguous.find(({ name, side }) => side === 'right' && missing.includes(name));
    if (unclear)
      return { reason: `"${unclear.name}" could be ${unclear.candidates.join(' or ')}. Write it as the ${from} does.` };
    if (missing.length > 0) return { reason: notThere(missing, from) };
  }
  const nameOf = (name: string): string => written.get(name) ?? name;
  const pairOf = ([one, other]: [string, string]): [string, string] => [nameOf(one), nameOf(other)];
  return {
    candidates: candidates === null ? null : [...new Set(candidates.map(nameOf))],
    required_pairs: required_pairs.map(pairOf),
    forbidden_pairs: forbidden_pairs.map(pairOf),
  };
}

const NAMED = 5;

function notThere(names: readonly string[], from: Body['candidates_from']): string {
  const shown = names.slice(0, NAMED).map((name) => `"${name}"`);
  const more = names.length > NAMED ? ` and ${groupedNumber(names.length - NAMED)} more` : '';
  return `${shown.join(', ')}${more} ${names.length === 1 ? 'is' : 'are'} not in the ${from} under any name or synonym.`;
}
