import { join } from 'node:path';
import { blocksOf } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { subsetPanel } from '@heterosis/file-formats/genotype/panel/subset-panel';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { panelKinship } from '../../inputs/panel-kinship.ts';
import { openPhenotype } from '../../inputs/read-phenotype.ts';
import { CONTEXT, type ImportedPanel, importText } from '../../maize.test-data.ts';
import { SIMBIG1, simbig1Vcf } from '../../prediction/sampling/simbig1.test-data.ts';
import { type SeveralTraitsInput, scanSeveralTraits } from './scan-several-traits.ts';

const N = 150;

let lines: ImportedPanel;
let input: SeveralTraitsInput;
beforeAll(async () => {
  lines = await importText(simbig1Vcf());
  const { table } = await openPhenotype(join(SIMBIG1, 'phenotypes.csv'), CONTEXT);
  const [trait] = table.traits;
  const y = table.values[0]!.map((value, i) => (i < N ? value : Number.NaN));
  const other = y.map((value, i) => 0.6 * value + Math.sin(7 * i));
  const phenotype = { ...table, traits: [trait!, { ...trait!, name: 'other' }], values: [y, other] };
  input = {
    ...{ panel: blocksOf(lines.panel), phenotype, traits: ['y', 'other'], covariates: [] },
    ...{ fixed: 0, maf: 0.05, callRate: 0.9 },
  };
});
afterAll(async () => {
  await lines[Symbol.asyncDispose]();
});

/** χ² of all markers. */
async function testsOf(asked: SeveralTraitsInput): Promise<Map<number, number>> {
  const found = new Map<number, number>();
  for await (const { first, columns } of (await scanSeveralTraits(asked, CONTEXT)).blocks())
    for (const [k, value] of columns.any.entries()) if (!Number.isNaN(value)) found.set(first + k, value);
  return found;
}

test('each chromosome is tested with the kinship of the others, at covariances of its own', async () => {
  const without = await testsOf({ ...input, leaveOneChromosomeOut: true });
  const { chromosome } = lines.panel.markers;
  const chosen = chromosome[0]!;
  const others = Int32Array.from(chromosome.keys()).filter((j) => chromosome[j] !== chosen);
  const { kernels } = await panelKinship(
    {
      panel: blocksOf(subsetPanel(lines.panel, { samples: null, markers: others })),
      ...{ maf: 0.05, callRate: 0.9, methods: ['standardized'] },
      individuals: Int32Array.from({ length: N }, (_, i) => i),
    },
    CONTEXT,
  );
  const kinship = { individuals: lines.panel.samples.slice(0, N), values: kernels.standardized!.data };
  const given = await testsOf({ ...input, kinship });
  const whole = await testsOf(input);
  let [compared, changed] = [0, 0];
  for (const [j, value] of given) {
    if (chromosome[j] !== chosen) continue;
    compared++;
    if (Math.abs(whole.get(j)! / value - 1) > 0.01) changed++;
    // As near as two searches for the same maximum end.
    expect(without.get(j)! / value).toBeCloseTo(1, 4);
  }
  expect(compared).toBeGreaterThan(20);
  expect(changed).toBeGreaterThan(compared / 2);
  expect([...without.keys()]).toEqual([...given.keys()]);
});
