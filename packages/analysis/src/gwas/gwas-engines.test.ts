import { blocksOf } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { expect, test } from 'vitest';
import { openSmallPanel, smallPanel, smallPhenotype, withStandardErrors } from '../prediction/small-panel.test-data.ts';
import { gwasStateFromBytes, gwasStateToBytes } from './gwas-columns.ts';
import { runGwas } from './gwas-in-one-piece.test-data.ts';
import type { GwasInput } from './gwas-state.ts';
import { prepareGwas } from './prepare-gwas.ts';

const CONTEXT = { threads: 1 };
const TESTS = ['SCORE', 'WALD', 'LRT'] as const;
const WORLD = smallPanel(140, 60, 40);
const INPUT: Omit<GwasInput, 'test'> = {
  panel: blocksOf(openSmallPanel(WORLD)),
  phenotype: smallPhenotype(WORLD, 4),
  traits: ['y'],
  fixed: 2,
  covariates: ['origin'],
  callRate: 0.92,
};

for (const [name, leaveOneChromosomeOut, hasErrors] of [
  ...TESTS.map((name) => [name, false, false] as const),
  ...TESTS.map((name) => [name, true, false] as const),
  ['WALD', false, true] as const,
  ['LRT', true, true] as const,
]) {
  const words = `${leaveOneChromosomeOut ? ' with a chromosome left out' : ''}${hasErrors ? ' and known errors' : ''}`;
  test(`${name}${words} from the markers is that from the individuals, in the table and in the summary`, async () => {
    const errors = hasErrors ? { phenotype: withStandardErrors(INPUT.phenotype), standardErrors: ['se'] } : {};
    const input = { ...INPUT, ...errors, test: name, leaveOneChromosomeOut };
    const [own] = await runGwas({ ...input, engine: 'markers' }, CONTEXT);
    const [other] = await runGwas({ ...input, engine: 'individuals' }, CONTEXT);
    expect(other?.result?.state.engine.name).toBe('individuals');
    const [a, b] = [own?.result, other?.result];
    if (a == null || b == null) throw new TypeError('no result');
    expect(a.state.engine.name).toBe('markers');
    expect(a.columns.markerIndex).toEqual(b.columns.markerIndex);
    expect(a.columns.markerIndex.length).toBeLessThan(60);
    for (const column of ['freqA2', 'statistic', 'beta', 'sd', 'h2', 'negLog10P'] as const) {
      const size = Math.max(...Array.from(b.columns[column], Math.abs));
      for (const [j, value] of b.columns[column].entries()) {
        expect(Math.abs((a.columns[column][j] ?? 0) - value) / size, column).toBeLessThan(1e-8);
      }
    }
    for (const figure of ['n', 'm', 'lambda', 'h2', 'h2Se', 'kinshipPve', 'kinshipPveSe', 'hits'] as const) {
      expect(a.summary[figure], figure).toBeCloseTo(b.summary[figure] ?? 0, 6);
    }
    const [ownNull, otherNull] = [a.state.model.traits[0], b.state.model.traits[0]];
    for (const figure of ['remlLogLikelihood', 'scoreVariance'] as const) {
      expect(ownNull?.[figure]).toBeCloseTo(otherNull?.[figure] ?? 0, 6);
    }
    if (name === 'LRT' && !leaveOneChromosomeOut)
      expect(ownNull?.mlLogLikelihood).toBeCloseTo(otherNull?.mlLogLikelihood ?? 0, 6);
    expect(gwasStateFromBytes(gwasStateToBytes(a.state)).panelTests?.status).toEqual(a.state.panelTests?.status);
  });
}

test('a chromosome left out has no marker in its own kinship', async () => {
  const [whole] = await runGwas({ ...INPUT, test: 'WALD', engine: 'markers' }, CONTEXT);
  const [left] = await runGwas({ ...INPUT, test: 'WALD', leaveOneChromosomeOut: true }, CONTEXT);
  expect(left?.result?.state.chromosomesLeftOut?.length).toBeGreaterThan(1);
  expect(left?.result?.columns.markerIndex).toEqual(whole?.result?.columns.markerIndex);
  // Calls of one chromosome changed beside a marker change no test of it.
  const changed = {
    ...WORLD,
    dosages: WORLD.dosages.map((row) => row.map((g, j) => (j === 3 ? (WORLD.dosages[0]?.[j] === g ? 1 : 2) : g))),
  };
  const panel = blocksOf(openSmallPanel(changed));
  const [after] = await runGwas({ ...INPUT, fixed: 0, panel, test: 'SCORE', leaveOneChromosomeOut: true }, CONTEXT);
  const [before] = await runGwas({ ...INPUT, fixed: 0, test: 'SCORE', leaveOneChromosomeOut: true }, CONTEXT);
  const betaOf = (run: typeof after, marker: number): number => {
    const columns = run?.result?.columns;
    return columns?.beta[columns.markerIndex.indexOf(marker)] ?? Number.NaN;
  };
  // Marker 3 lies on the chromosome of marker 6, whose null model and kinship have no marker of it.
  expect(betaOf(after, 6) / betaOf(before, 6)).toBeCloseTo(1, 9);
  expect(betaOf(after, 4)).not.toBe(betaOf(before, 4));
});

for (const engine of ['markers', 'individuals'] as const) {
  test(`markers without a chromosome, from the ${engine}: in the kinship of no chromosome, and tested with that of all`, async () => {
    const isUnplaced = (j: number): boolean => WORLD.markers[j]?.chromosome === '2' && j % 2 === 0;
    const markers = WORLD.markers.map((marker, j) => (isUnplaced(j) ? { ...marker, chromosome: '0' } : marker));
    const columnsOf = async (world: typeof WORLD, leaveOneChromosomeOut: boolean) => {
      const input = { ...INPUT, fixed: 0, tests: TESTS, leaveOneChromosomeOut, engine };
      const panel = blocksOf(openSmallPanel(world));
      return Promise.all(
        TESTS.map(async (name) => (await runGwas({ ...input, panel, test: name }, CONTEXT))[0]?.result ?? null),
      );
    };
    const found = await columnsOf({ ...WORLD, markers }, true);
    const whole = await columnsOf(WORLD, false);
    // Without these markers altogether the other chromosomes have the same kinship, but for its divisor.
    const kept = [...WORLD.markers.keys()].filter((j) => !isUnplaced(j));
    const placed = await columnsOf(
      {
        ...WORLD,
        markers: kept.map((j) => WORLD.markers[j] ?? WORLD.markers[0]!),
        dosages: WORLD.dosages.map((row) => kept.map((j) => row[j] ?? null)),
      },
      true,
    );
    for (const [k, result] of found.entries()) {
      const [ofWhole, ofPlaced] = [whole[k]?.columns, placed[k]?.columns];
      if (result === null || ofWhole === undefined || ofPlaced === undefined) throw new TypeError('no result');
      const { columns, summary } = result;
      for (const [at, j] of columns.markerIndex.entries()) {
        const other = isUnplaced(j) ? ofWhole : ofPlaced;
        const place = other.markerIndex.indexOf(isUnplaced(j) ? j : kept.indexOf(j));
        expect((columns.statistic[at] ?? 0) / (other.statistic[place] ?? 1), `${TESTS[k]} ${j}`).toBeCloseTo(1, 6);
      }
      const [unplaced, ...others] = summary.chromosomesLeftOut ?? [];
      expect(unplaced).toMatchObject({ chromosome: null, h2: expect.closeTo(summary.h2, 8) });
      expect(unplaced?.markers).toBe(columns.markerIndex.filter(isUnplaced).length);
      expect(others.map(({ chromosome }) => chromosome).sort()).toEqual(['1', '2', '3']);
    }
  });
}

test('leaving chromosomes out is refused with a kinship in single precision, and with one chromosome', async () => {
  const error = async (input: Partial<GwasInput>): Promise<string | undefined> => {
    const { errors } = await prepareGwas({ ...INPUT, test: 'WALD', leaveOneChromosomeOut: true, ...input }, CONTEXT);
    return errors[0]?.error.code;
  };
  expect(await error({ kinshipPrecision: 'single' })).toBe('gwas/chromosomes-left-out');
  const one = { ...WORLD, markers: WORLD.markers.map((marker) => ({ ...marker, chromosome: '1' })) };
  expect(await error({ panel: blocksOf(openSmallPanel(one)) })).toBe('gwas/chromosomes-left-out');
});

test('dominance with a chromosome left out beside several tests is that of each alone', async () => {
  const input = { ...INPUT, leaveOneChromosomeOut: true, dominance: true } as const;
  const [both] = await runGwas({ ...input, test: 'WALD', tests: ['WALD', 'LRT'] }, CONTEXT);
  const [alone] = await runGwas({ ...input, test: 'WALD' }, CONTEXT);
  const [without] = await runGwas({ ...INPUT, dominance: true, test: 'WALD' }, CONTEXT);
  expect(both?.result?.columns.domP).toEqual(alone?.result?.columns.domP);
  expect(both?.result?.columns.domP).not.toEqual(without?.result?.columns.domP);
  expect(both?.result?.columns.domEffect.every(Number.isFinite)).toBe(true);
});
