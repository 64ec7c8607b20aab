import { type CrossPlan, createPlanner, type Planner } from './plan-crosses.ts';
import { PlanImpossible } from './plan-limits.ts';
import { type IndexedMaterial, type IndexSettings, indexMaterial, type PlanTables, pairKey } from './plan-tables.ts';
import { type RankedPair, rankPairs } from './rank-usefulness.ts';

/** What is asked of a plan, in names. */
export interface PlanRequest {
  index: IndexSettings;
  /** Candidates that take part; null for all. */
  candidates: readonly string[] | null;
  crosses: number;
  mostUses: number;
  required: readonly (readonly [string, string])[];
  /** Pairs not to make; names that are no candidates are passed over. */
  forbidden: readonly (readonly [string, string])[];
  /** Whether pairs already made may be made again; those of `required` may anyway. */
  allowMade: boolean;
  mates: 'usefulness' | 'inbreeding';
}

/** A request made ready: every plan for another cap takes milliseconds. */
export interface PreparedPlan extends Planner {
  material: IndexedMaterial;
  /** The pairs with the largest mean + factor·sd, best first; empty when the spread within crosses is not known. */
  rank(factor: number, most: number): RankedPair[];
}

/** Changes of the traits from the mean of the candidates to that of the parents of a plan, in their own units. */
export function traitChanges(tables: PlanTables, { uses, crosses }: CrossPlan): number[] {
  const n = tables.candidates.length;
  const traits = tables.traits.length;
  return tables.traits.map((_, t) => {
    let change = 0;
    for (let i = 0; i < n; i++) change += tables.values[i * traits + t] * (uses[i] / (2 * crosses.length || 1) - 1 / n);
    return change;
  });
}

/**
 * Finds the names of a request among the candidates and prepares its plans.
 *
 * @throws PlanImpossible; StatgenError for an index without weights
 */
export function preparePlan(tables: PlanTables, request: PlanRequest): PreparedPlan {
  const material = indexMaterial(tables, request.index);
  const placeOf = new Map(tables.candidates.map((name, i) => [name, i]));
  const found = (names: readonly string[]) => names.flatMap((name) => placeOf.get(name) ?? []);
  const candidates =
    request.candidates === null
      ? Int32Array.from(placeOf.values())
      : Int32Array.from(new Set(found(request.candidates))).sort();
  const pairsOf = (pairs: PlanRequest['required']) =>
    pairs.flatMap(([one, other]) => {
      const places = found([one, other]);
      return places.length === 2 && places[0] !== places[1] ? [[places[0], places[1]] as [number, number]] : [];
    });
  refuseRequired(request, new Set(Array.from(candidates, (i) => tables.candidates[i])));
  const required = uniquePairs(pairsOf(request.required));
  const isRequired = new Set(required.map(pairKey));
  const made = request.allowMade ? [] : (tables.made ?? []).filter((pair) => !isRequired.has(pairKey(pair)));
  const planner = createPlanner(material, {
    candidates,
    crosses: request.crosses,
    mostUses: request.mostUses,
    required,
    forbidden: [...pairsOf(request.forbidden), ...made],
    mates: request.mates,
  });
  const { spread, value } = material;
  return {
    ...planner,
    material,
    rank: (factor, most) => (spread === null ? [] : rankPairs(value, spread, factor, candidates, most)),
  };
}

const nameOf = ([one, other]: readonly [string, string]): string =>
  one < other ? `${one} × ${other}` : `${other} × ${one}`;

/** Refuses required crosses that cannot be made, and says which and why. */
function refuseRequired({ required, forbidden, crosses, mostUses }: PlanRequest, candidates: ReadonlySet<string>) {
  const refuse = (why: string) => {
    throw new PlanImpossible('required-not-possible', why);
  };
  const isForbidden = new Set(forbidden.map(nameOf));
  const uses = new Map<string, number>();
  const different = new Map(required.map((pair) => [nameOf(pair), pair]));
  for (const [name, pair] of different) {
    if (pair[0] === pair[1]) refuse(`the required cross ${name} is one of a line with itself`);
    const stranger = pair.find((parent) => !candidates.has(parent));
    if (stranger !== undefined)
      refuse(`a parent of the required cross ${name} is not among the candidates: ${stranger}`);
    if (isForbidden.has(name)) refuse(`the cross ${name} is both required and forbidden`);
    for (const parent of pair) uses.set(parent, (uses.get(parent) ?? 0) + 1);
  }
  if (different.size > crosses) refuse(`${different.size} crosses are required, and the plan has ${crosses}`);
  for (const [parent, count] of uses)
    if (count > mostUses) refuse(`the parent ${parent} is in ${count} required crosses, and may be in ${mostUses}`);
}

function uniquePairs(pairs: [number, number][]): [number, number][] {
  return [...new Map(pairs.map((pair) => [pairKey(pair), pair])).values()];
}
