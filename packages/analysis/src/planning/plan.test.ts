import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { memorySource } from '@heterosis/file-formats/byte-source';
import { type PlanTables, packPlanTables, pairKey, unpackPlanTables } from '@heterosis/statgen/mating/plan-tables';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readParentalHaplotypes } from '../crossing/parental-haplotypes.ts';
import { rankAllPairs } from '../crossing/rank-all-pairs.ts';
import { openEffects, openLinkageMap } from '../crossing/read-crossing-files.ts';
import { CONTEXT, type ImportedPanel, importText } from '../maize.test-data.ts';
import { type PlanInput, planCrosses } from './plan.ts';
import { candidatesCsv, plannedCrossesCsv } from './plan-csv.ts';
import { planTables } from './plan-tables.ts';

const FOLDER = fileURLToPath(new URL('../../../statgen/reference/crossing-small/', import.meta.url));
const vcf = readFileSync(join(FOLDER, 'parents.vcf'), 'utf8');
let panel: ImportedPanel;
let tables: PlanTables;

async function tablesOf(text: string, scale = 1): Promise<PlanTables> {
  await using from = await importText(text);
  const { effects, map, parents } = await materialOf(text, from);
  const scaled = {
    ...effects,
    traits: effects.traits.map((trait) => ({ ...trait, additive: trait.additive.map((one) => one * scale) })),
  };
  return planTables({ effects: scaled, map, parents, population: 'DH' }, CONTEXT).tables;
}

async function materialOf(text: string, from: ImportedPanel) {
  return {
    effects: (await openEffects(join(FOLDER, 'effects.csv'), CONTEXT)).value,
    map: (await openLinkageMap(join(FOLDER, 'linkage_map.csv'), undefined, CONTEXT)).value,
    parents: await readParentalHaplotypes(
      { panel: from.panel, original: memorySource(Buffer.from(text)), names: from.panel.samples },
      CONTEXT,
    ),
  };
}

beforeAll(async () => {
  panel = await importText(vcf);
  tables = await tablesOf(vcf);
});
afterAll(async () => {
  await panel[Symbol.asyncDispose]();
});

const REQUEST: PlanInput = {
  index: { method: 'base', weights: [1, 0.5], isLow: [false, true], isKept: [false, false], accuracy: [1, 1] },
  candidates: null,
  crosses: 6,
  mostUses: 3,
  required: [],
  forbidden: [],
  allowMade: false,
  mates: 'usefulness',
  cap: null,
  fraction: 0.05,
  accuracy: 1,
};
const text = (chunks: Iterable<string>) => [...chunks].join('');

test('the usefulness of pairs is that of the ranking of all pairs', async () => {
  const { effects, map, parents } = await materialOf(vcf, panel);
  const one = { ...effects, traits: effects.traits.filter(({ name }) => name === 'height') };
  const { tables: ofHeight } = planTables({ effects: one, map, parents, population: 'RIL' }, CONTEXT);
  const index = { ...REQUEST.index, weights: [1], isLow: [false], isKept: [false], accuracy: [1] };
  const { ranking } = planCrosses(ofHeight, { ...REQUEST, index });
  const selection = { fraction: 0.05, accuracy: 1, direction: 'high' as const };
  const { rows } = await rankAllPairs({ effects: one, map, parents, population: 'RIL', selection }, CONTEXT);
  rows.sort((a, b) => b.usefulness - a.usefulness);
  expect(ranking.length).toBe(rows.length);
  for (const [k, pair] of ranking.entries()) expect(pair.usefulness).toBeCloseTo(rows[k]!.usefulness, 5);
});

test('breeding values have nothing of dominance, not even of markers that the genotype lacks', async () => {
  const { effects, map, parents } = await materialOf(vcf, panel);
  const { id, a2 } = effects.markers;
  const valuesOf = (dominance: number): Float64Array => {
    const trained = {
      ...effects,
      markers: { ...effects.markers, id: [...id.slice(0, -1), 'elsewhere'], a2 },
      trainingMeans: {
        freqA2: new Float64Array(id.length).fill(0.3),
        heterozygosity: new Float64Array(id.length).fill(0.4),
      },
      traits: effects.traits.map((trait) => ({ ...trait, dominance: trait.additive.map(() => dominance) })),
    };
    return planTables({ effects: trained, map, parents, population: null }, CONTEXT).tables.values;
  };
  expect(valuesOf(0.7)).toEqual(valuesOf(0));
});

test('the same tables give the same bytes, read back from a file too', () => {
  const first = planCrosses(tables, REQUEST);
  const again = planCrosses(unpackPlanTables(packPlanTables(tables)), REQUEST);
  expect(text(plannedCrossesCsv(again))).toBe(text(plannedCrossesCsv(first)));
  expect(text(candidatesCsv(again))).toBe(text(candidatesCsv(first)));
  expect(first.plan.crosses).toHaveLength(6);
  expect(text(plannedCrossesCsv(first)).split('\n')[0]).toBe(
    'parent1,parent2,name,index,sd,usefulness,inbreeding,mean_yield,mean_height',
  );
});

test('a plan does not depend on the order of the samples or the unit of the effects', async () => {
  const lines = vcf.trimEnd().split('\n');
  const turned = lines.map((line) => {
    if (line.startsWith('##')) return line;
    const cells = line.split('\t');
    return [...cells.slice(0, 9), ...cells.slice(9).toReversed()].join('\t');
  });
  const plan = planCrosses(tables, REQUEST);
  const namesOf = ({ tables: { candidates }, plan: { crosses } }: typeof plan) =>
    crosses
      .map(({ parents }) =>
        parents
          .map((i) => candidates[i]!)
          .sort()
          .join(' '),
      )
      .sort();
  const permuted = planCrosses(await tablesOf(`${turned.join('\n')}\n`), REQUEST);
  expect(namesOf(permuted)).toEqual(namesOf(plan));
  expect(permuted.plan.value).toBeCloseTo(plan.plan.value, 6);
  const scaled = planCrosses(await tablesOf(vcf, 1000), REQUEST);
  expect(namesOf(scaled)).toEqual(namesOf(plan));
  expect(scaled.changes[0]).toBeCloseTo(1000 * plan.changes[0]!, 3);
});

test('pairs already made are left out unless they are required or allowed, and kept in the file of the tables', () => {
  const first = planCrosses(tables, REQUEST);
  const made = first.plan.crosses.map(({ parents: [i, j] }) => [j, i] as [number, number]);
  const known = unpackPlanTables(packPlanTables({ ...tables, made }));
  expect(known.made).toEqual(made);
  const keysOf = ({ plan: { crosses } }: typeof first) => crosses.map(({ parents }) => pairKey(parents)).sort();
  const others = keysOf(planCrosses(known, REQUEST));
  expect(others.filter((key) => keysOf(first).includes(key))).toEqual([]);
  const allowed = planCrosses(known, { ...REQUEST, allowMade: true });
  expect(keysOf(allowed)).toEqual(keysOf(first));
  const lines = text(plannedCrossesCsv(allowed)).trimEnd().split('\n');
  expect(lines.map((line) => line.split(',').at(-1))).toEqual(['made', ...made.map(() => 'yes')]);
  const [i, j] = made[0]!;
  const required = [[tables.candidates[i]!, tables.candidates[j]!]] as [string, string][];
  expect(keysOf(planCrosses(known, { ...REQUEST, required }))).toContain(pairKey([i, j]));
});

test('required crosses that cannot be made are named', () => {
  const [a, b, c, d, e] = tables.candidates as [string, string, string, string, string];
  const refusal = (changes: Partial<PlanInput>) => () => planCrosses(tables, { ...REQUEST, ...changes });
  expect(refusal({ required: [[a, a]] })).toThrow(`required cross ${a} × ${a} is one of a line with itself`);
  expect(refusal({ required: [[a, 'nobody']] })).toThrow(/is not among the candidates: nobody/);
  expect(refusal({ required: [[a, b]], candidates: [a, c, d, e] })).toThrow(`is not among the candidates: ${b}`);
  expect(refusal({ required: [[a, b]], forbidden: [[b, a]] })).toThrow(/cross .* × .* is both required and forbidden/);
  expect(refusal({ required: [a, b, c].map((one) => [one, d] as const), crosses: 2 })).toThrow(
    '3 crosses are required, and the plan has 2',
  );
  expect(refusal({ required: [a, b, c, e].map((one) => [one, d] as const), mostUses: 3 })).toThrow(
    `parent ${d} is in 4 required crosses, and may be in 3`,
  );
  // A pair written twice, or the other way round, is one.
  expect(refusal({ required: [...Array(7)].flatMap(() => [[a, b] as const, [b, a] as const]) })).not.toThrow();
});

test('a plan that cannot be is refused with the reason', () => {
  expect(() => planCrosses(tables, { ...REQUEST, crosses: 1000 })).toThrow(/cannot be used 2000 times/);
  const index = { ...REQUEST.index, weights: [0, 0] };
  expect(() => planCrosses(tables, { ...REQUEST, index })).toThrow('No trait has a weight in the index.');
});
