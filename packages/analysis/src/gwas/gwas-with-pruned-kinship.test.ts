import { blocksOf } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { subsetBlocks } from '@heterosis/file-formats/genotype/panel/subset-panel';
import { isWhole } from '@heterosis/test-support/whole';
import { expect, test } from 'vitest';
import { pruneMarkers, USUAL_WINDOWS } from '../genotype/prune-markers.ts';
import { openSmallPanel, smallPanel, smallPhenotype, withStandardErrors } from '../prediction/small-panel.test-data.ts';
import { runGwas } from './gwas-in-one-piece.test-data.ts';
import type { GwasInput } from './gwas-state.ts';
import { estimateGwas, prepareGwas } from './prepare-gwas.ts';

const CONTEXT = { threads: 1 };
const INDIVIDUALS = 1600;
const DISTINCT = 220;
const COPIES = 4;
/** Less than the equations of 880 markers and the kinship of 1,600 individuals take, enough for those of 220. */
const MEMORY_MB = 175;
/** The same with known errors, which take more. */
const MEMORY_WITH_ERRORS_MB = 190;

/** Each marker four times in a row. */
function copiedInput(): Omit<GwasInput, 'test'> {
  const world = smallPanel(INDIVIDUALS, DISTINCT, 40);
  for (const [j, marker] of world.markers.entries()) marker.chromosome = String(1 + Math.floor((3 * j) / DISTINCT));
  const markers = world.markers.flatMap((marker) =>
    Array.from({ length: COPIES }, (_, copy) => ({ ...marker, id: `${marker.id}.${copy}` })),
  );
  const dosages = world.dosages.map((row) => row.flatMap((call) => Array<number | null>(COPIES).fill(call)));
  const panel = blocksOf(openSmallPanel({ ...world, markers, dosages }));
  return { panel, phenotype: smallPhenotype(world, 3), traits: ['y'], callRate: 0.8, fixed: 2 };
}

const tests = [
  ['SCORE', ''],
  ['WALD', ' with known errors'],
  ['WALD', ''],
  ['LRT', ''],
] as const;
test.each(isWhole ? tests : tests.slice(0, 2))(
  'a GWAS whose kinship does not fit has that of pruned markers, and tests all: %s%s',
  async (name, words) => {
    const given = copiedInput();
    const errors = { phenotype: withStandardErrors(given.phenotype), standardErrors: ['se'] };
    const input = words === '' ? given : { ...given, ...errors };
    const memoryMb = words === '' ? MEMORY_MB : MEMORY_WITH_ERRORS_MB;
    const [own] = await runGwas({ ...input, test: name, memoryMb }, CONTEXT);
    const found = own?.result;
    if (found == null) throw new TypeError('no result');
    expect(found.state.engine).toMatchObject({
      name: 'markers',
      pruned: { r2: 0.95, markers: DISTINCT },
      reason: expect.stringMatching(
        /^the equations of all 880 markers do not fit into memory, so the kinship is that of the 220 left by pruning by LD \(r² > 0\.95\), and all are tested/,
      ),
    });
    const { kept } = await pruneMarkers(input.panel, { ...USUAL_WINDOWS, r2: 0.95 }, CONTEXT);
    const places = Int32Array.from(kept.keys()).filter((j) => kept[j] === 1);
    const pruned = subsetBlocks(input.panel, { samples: null, markers: places });
    const [byHand] = await runGwas({ ...input, panel: pruned, test: name, engine: 'individuals' }, CONTEXT);
    const expected = byHand?.result;
    if (expected == null) throw new TypeError('no result');
    expect(found.columns.markerIndex.length).toBe(COPIES * expected.columns.markerIndex.length);
    for (const column of ['freqA2', 'statistic', 'beta', 'sd', 'h2', 'negLog10P'] as const) {
      const size = Math.max(...Array.from(expected.columns[column], Math.abs));
      for (const [j, value] of expected.columns[column].entries()) {
        // A copy of a marker of the kinship has the tests of that marker.
        for (let copy = 0; copy < COPIES; copy++) {
          const other = found.columns[column][COPIES * j + copy] ?? Number.NaN;
          expect(Math.abs(other - value) / size, `${column} ${j}`).toBeLessThan(1e-8);
        }
      }
    }
    expect(found.summary.m).toBe(COPIES * expected.summary.m);
    for (const figure of ['n', 'h2', 'h2Se', 'kinshipPve'] as const) {
      expect(found.summary[figure], figure).toBeCloseTo(expected.summary[figure] ?? 0, 6);
    }
  },
);

test('the estimate says that the kinship will be pruned; leaving chromosomes out is refused as before', {
  tags: 'whole',
}, async () => {
  const input: GwasInput = { ...copiedInput(), test: 'SCORE', memoryMb: MEMORY_MB };
  const { pruning, reason, estimate } = await estimateGwas(input, CONTEXT);
  expect(pruning?.markers).toBe(DISTINCT * COPIES);
  expect(pruning?.atMost).toBeGreaterThan(DISTINCT);
  expect(estimate.memoryMb).toBeLessThanOrEqual(MEMORY_MB);
  expect(reason).toContain('all are tested, and those of the kinship are first pruned by LD, to r² 0.95');
  const { errors } = await prepareGwas({ ...input, leaveOneChromosomeOut: true }, CONTEXT);
  expect(errors[0]?.error.code).toBe('analysis/does-not-fit');
  const all = await prepareGwas({ ...input, memoryMb: 4000 }, CONTEXT);
  expect(all.states[0]?.engine.reason).not.toContain('pruning');
});
