import type { CrossingPlanDetail, CrossingPlanParameters, IndexMethod } from '@heterosis/contracts/work/crossing-plans';
import { type PlanTables, pairKey, weightsPerDeviation } from '@heterosis/statgen/mating/plan-tables';
import type { PlanQuestion } from './plan-answer.ts';

/** What the page asks for; begins with what the run was started with. */
export interface PlanSettings {
  method: IndexMethod;
  /** By trait. */
  weights: number[];
  isKept: boolean[];
  crosses: number;
  maxUses: number;
  /** Null: the balanced cap. */
  cap: number | null;
  mates: CrossingPlanParameters['mates'];
  /** Candidates that take no part. */
  excluded: ReadonlySet<string>;
  /** Pairs, one a line. */
  required: string;
  forbidden: string;
  /** Whether pairs already made may be made again. */
  allowMade: boolean;
}

/** The settings that a run was started with. */
export function settingsOf({ traits, provenance }: CrossingPlanDetail, tables: PlanTables): PlanSettings {
  const { parameters } = provenance;
  const { weights } = parameters;
  const isWeighted = Object.keys(weights).length > 0;
  const text = (pairs: readonly (readonly string[])[]) => pairs.map((pair) => pair.join(' × ')).join('\n');
  return {
    method: parameters.index_method,
    weights: isWeighted
      ? traits.map((trait) => weights[trait] ?? 0)
      : weightsPerDeviation(tables, parameters.index_shares),
    isKept: traits.map((trait) => parameters.kept_traits.includes(trait)),
    crosses: parameters.crosses,
    maxUses: parameters.max_uses,
    cap: parameters.cap,
    mates: parameters.mates,
    excluded: new Set(),
    required: text(parameters.required_pairs),
    forbidden: text(parameters.forbidden_pairs),
    allowMade: parameters.allow_made,
  };
}

/** What the planner is asked for these settings. */
export function questionOf(
  settings: PlanSettings,
  { traits, intensity, provenance }: CrossingPlanDetail,
  tables: PlanTables,
): PlanQuestion {
  const { parameters } = provenance;
  const { excluded } = settings;
  return {
    request: {
      index: {
        method: settings.method,
        weights: settings.weights,
        isLow: traits.map((trait) => parameters.low_traits.includes(trait)),
        isKept: settings.isKept,
        accuracy: traits.map((trait) => parameters.trait_accuracy[trait] ?? 1),
      },
      candidates: excluded.size === 0 ? null : tables.candidates.filter((name) => !excluded.has(name)),
      crosses: settings.crosses,
      mostUses: settings.maxUses,
      required: pairsIn(settings.required).pairs,
      forbidden: pairsIn(settings.forbidden).pairs,
      allowMade: settings.allowMade,
      mates: settings.mates,
    },
    cap: settings.cap,
    factor: intensity * parameters.accuracy,
  };
}

/** Says of a pair, either way round, whether it has been made; undefined where no such pair is known. */
export function madePairsIn({ made }: PlanTables): ((pair: readonly [number, number]) => boolean) | undefined {
  if (made === undefined) return undefined;
  const known = new Set(made.map(pairKey));
  return (pair) => known.has(pairKey(pair));
}

/** Pairs of names, one a line, with ×, a comma, a semicolon or a tab between them; and the first line that is none. */
export function pairsIn(text: string): { pairs: [string, string][]; wrong: string | undefined } {
  const pairs: [string, string][] = [];
  let wrong: string | undefined;
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue;
    const [one = '', other = '', ...more] = line.split(/\s+[×x]\s+|[×,;\t]/).map((name) => name.trim());
    if (one !== '' && other !== '' && more.length === 0) pairs.push([one, other]);
    else wrong ??= line;
  }
  return { pairs, wrong };
}
