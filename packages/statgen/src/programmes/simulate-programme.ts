import type { PackedGenome } from './packed-genome.ts';
import type { PackedPopulation } from './packed-population.ts';
import type { ProgrammeState } from './programme-state.ts';
import { createWorld, type TrueTrait } from './programme-world.ts';
import { runStages } from './run-stages.ts';
import type { Scheme } from './scheme.ts';

/** Name under which the founders stand before the first stage. */
export const FOUNDERS = 'founders';
/** Stage of the results under which a cycle's cost and year are written. */
const PROGRAMME_STAGE = 'programme';

/** What every replicate begins with. */
export interface ProgrammeInput {
  scheme: Scheme;
  genome: PackedGenome;
  founders: PackedPopulation;
  founderNames: readonly string[];
  seed: number;
}

/** One quantity of one replicate. */
export interface ProgrammeValue {
  cycle: number;
  stage: string;
  quantity: string;
  value: number;
}

/**
 * One replicate of a programme: its quantities in the order in which they were measured. It depends on the seed and on
 * the number of the replicate only, wherever and beside whatever it runs.
 *
 * @param traits the truth of this replicate
 * @throws StatgenError `bad-option` where a stage asks for what is not there, and what training refuses
 */
export function simulateReplicate(
  { scheme, genome, founders, founderNames, seed }: ProgrammeInput,
  traits: readonly TrueTrait[],
  replicate: number,
): ProgrammeValue[] {
  const values: ProgrammeValue[] = [];
  const first = scheme.first_cycle ?? 1;
  const state: ProgrammeState = {
    world: createWorld(
      genome,
      founders,
      scheme.dominance === false ? traits.map((trait) => ({ ...trait, dominance: null })) : traits,
    ),
    scheme,
    founderNames,
    populations: new Map([[FOUNDERS, { ...founders, columns: new Map(), genotyped: true }]]),
    records: new Map(),
    models: new Map(),
    cost: 0,
    totalCost: 0,
    year: 0,
  };
  const run = (stages: Scheme['start'], cycle: number) => {
    const put = (stage: string, quantity: string, value: number) => values.push({ cycle, stage, quantity, value });
    state.cost = 0;
    runStages(state, stages, { seed, replicate, cycle }, put);
    state.totalCost += state.cost;
    // Before a cycle 0 nothing is written: there is no cycle to write it under.
    if (cycle < 0) return;
    put(PROGRAMME_STAGE, 'cost', state.cost);
    put(PROGRAMME_STAGE, 'total_cost', state.totalCost);
    put(PROGRAMME_STAGE, 'year', state.year);
  };
  run(scheme.start, first - 1);
  for (let cycle = first; cycle < first + scheme.cycles; cycle++) run(scheme.cycle, cycle);
  if (scheme.end !== undefined && scheme.end.length > 0) run(scheme.end, first + scheme.cycles);
  return values;
}
