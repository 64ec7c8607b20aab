import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONTEXT, type ImportedPanel, importText } from '../maize.test-data.ts';
import { findLeftOut, type LeavingOut, leaveOutOfBlocks, leaveOutOfPanel } from './leaving-out.ts';

type Call = 0 | 1 | 2 | null;
interface World {
  samples: string[];
  markers: string[];
  /** By marker, then sample: copies of A2. */
  calls: Call[][];
}

/** 30 samples × 180 markers; the last two samples repeat others, with some calls lost. */
function world(): World {
  const random = createRandomStream(17, 'leaving-out');
  const samples = Array.from({ length: 30 }, (_, i) => `line ${i + 1}`);
  const markers = Array.from({ length: 180 }, (_, j) => `m${j}`);
  const calls = markers.map((_, j) => {
    const p = j % 12 === 0 ? 0.04 : 0.2 + 0.6 * random.uniform();
    const row = samples.map((_name, i): Call => {
      const isLost = random.uniform() < (i === 4 ? 0.4 : j % 15 === 1 ? 0.3 : 0.04);
      const first = random.uniform() < p;
      const second = random.uniform() < (i % 7 === 3 ? 0.5 : 0.1) ? random.uniform() < p : first;
      return isLost ? null : ((Number(first) + Number(second)) as Call);
    });
    for (const [copy, original] of [
      [28, 2],
      [29, 2],
    ] as const)
      row[copy] = random.uniform() < 0.02 * (30 - copy) ? null : (row[original] ?? null);
    return row;
  });
  return { samples, markers, calls };
}

const TEXT: Record<string, string> = { '0': '0/0', '1': '0/1', '2': '1/1', null: './.' };

function vcfOf({ samples, markers, calls }: World): string {
  const head = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...samples];
  const rows = markers.map((id, j) => {
    // Places of the whole panel, so that a file without some markers has the same ones.
    const place = Number(id.slice(1));
    return [
      ...[String(1 + Math.floor(place / 60)), String(1000 * (place + 1)), id, 'A', 'C', '.', '.', '.', 'GT'],
      ...(calls[j] ?? []).map((call) => TEXT[String(call)]),
    ];
  });
  return `##fileformat=VCFv4.3\n${[head, ...rows].map((row) => `${row.join('\t')}\n`).join('')}`;
}

function without(full: World, isOut: { sample?: (i: number) => boolean; marker?: (j: number) => boolean }): World {
  const keep = (_: unknown, i: number) => isOut.sample?.(i) !== true;
  const keepMarker = (_: unknown, j: number) => isOut.marker?.(j) !== true;
  return {
    samples: full.samples.filter(keep),
    markers: full.markers.filter(keepMarker),
    calls: full.calls.filter(keepMarker).map((row) => row.filter(keep)),
  };
}

/** The plain definition of each rule, on copies of A2. */
const share = (calls: readonly Call[], of: (call: Call) => boolean, among = calls.length) =>
  calls.filter(of).length / among;
const isCalled = (call: Call) => call !== null;
const columnOf = ({ calls }: World, i: number): Call[] => calls.map((row) => row[i] ?? null);
const callRate = (calls: readonly Call[]) => share(calls, isCalled);
const heterozygosity = (calls: readonly Call[]) => share(calls, (call) => call === 1, calls.filter(isCalled).length);
const mafOf = (calls: readonly Call[]) => {
  const known = calls.filter(isCalled) as number[];
  const p = known.reduce((sum, call) => sum + call, 0) / (2 * known.length);
  return Math.min(p, 1 - p);
};

const FULL = world();
const listed = (names: readonly string[]) => names.map((name, k) => ({ name, line: k + 1 }));
let opened: ImportedPanel;
beforeAll(async () => {
  opened = await importText(vcfOf(FULL));
});
afterAll(async () => opened[Symbol.asyncDispose]());

/** Names, places and packed calls of a panel and of its view by blocks. */
async function contentOf({ panel, blocks }: Pick<ImportedPanel, 'panel' | 'blocks'>) {
  const m = panel.markers.id.length;
  return {
    samples: panel.samples,
    markers: panel.markers,
    packed: await panel.readPacked(0, m),
    blocks: {
      samples: blocks.samples,
      runs: await blocks.chromosomeRuns(),
      markers: await blocks.readMarkers(0, m),
      packed: await blocks.readPacked(0, m),
    },
  };
}

async function restricted(asked: LeavingOut) {
  const one = await leaveOutOfPanel(opened.panel, asked, CONTEXT);
  const blocks = await leaveOutOfBlocks(opened.blocks, asked, CONTEXT);
  expect(blocks.leftOut?.report).toEqual(one.leftOut?.report);
  return { content: await contentOf({ panel: one.panel, blocks: blocks.panel }), report: one.leftOut?.report };
}

describe('what is left out', () => {
  test.each<[string, LeavingOut, World]>([
    [
      'samples of a list',
      { samples: listed(['line 7', 'LINE-2']) },
      without(FULL, { sample: (i) => i === 1 || i === 6 }),
    ],
    [
      'samples that are not on a list',
      { onlySamples: listed(['line 9', 'line 3', 'line 20']) },
      without(FULL, { sample: (i) => ![2, 8, 19].includes(i) }),
    ],
    ['markers of a list', { markers: listed(['m170', 'm3']) }, without(FULL, { marker: (j) => j === 3 || j === 170 })],
    [
      'samples with few calls',
      { minSampleCallRate: 0.8 },
      without(FULL, { sample: (i) => callRate(columnOf(FULL, i)) < 0.8 }),
    ],
    [
      'heterozygous samples',
      { maxSampleHeterozygosity: 0.1 },
      without(FULL, { sample: (i) => heterozygosity(columnOf(FULL, i)) > 0.1 }),
    ],
    // Of the three copies the original lost no call a second time.
    ['all but one of the duplicates', { duplicates: true }, without(FULL, { sample: (i) => i > 27 })],
    [
      'markers with few calls',
      { minMarkerCallRate: 0.9 },
      without(FULL, { marker: (j) => callRate(FULL.calls[j] ?? []) < 0.9 }),
    ],
    ['rare alleles', { minMaf: 0.15 }, without(FULL, { marker: (j) => mafOf(FULL.calls[j] ?? []) < 0.15 })],
  ])('leaves the panel of a file without them: %s', async (_, asked, expected) => {
    await using file = await importText(vcfOf(expected));
    const { content, report } = await restricted(asked);
    expect(content).toEqual(await contentOf(file));
    const [rule] = report?.rules ?? [];
    const isSample = expected.markers.length === FULL.markers.length;
    const gone = (isSample ? FULL.samples : FULL.markers).filter(
      (name) => !(isSample ? expected.samples : expected.markers).includes(name),
    );
    expect(gone.length).toBeGreaterThan(0);
    expect(rule).toMatchObject({ count: gone.length, names: gone });
    expect(report).toMatchObject({
      samples_read: 30,
      samples_kept: expected.samples.length,
      markers_read: 180,
      markers_kept: expected.markers.length,
    });
  });

  test('each rule sees what those before it have left', async () => {
    const lists = without(FULL, { sample: (i) => i === 2, marker: (j) => j < 30 });
    const bySamples = without(lists, {
      sample: (i) => callRate(columnOf(lists, i)) < 0.8 || heterozygosity(columnOf(lists, i)) > 0.15,
    });
    // Without the original the copy with fewer losses is kept.
    const single = without(bySamples, { sample: (i) => bySamples.samples[i] === 'line 29' });
    const expected = without(single, {
      marker: (j) => callRate(single.calls[j] ?? []) < 0.85 || mafOf(single.calls[j] ?? []) < 0.1,
    });
    const asked: LeavingOut = {
      samples: listed(['line 3']),
      markers: listed(FULL.markers.slice(0, 30)),
      minSampleCallRate: 0.8,
      maxSampleHeterozygosity: 0.15,
      duplicates: true,
      minMarkerCallRate: 0.85,
      minMaf: 0.1,
    };
    await using file = await importText(vcfOf(expected));
    const { content, report } = await restricted(asked);
    expect(content).toEqual(await contentOf(file));
    expect(report?.rules.map(({ rule }) => rule)).toEqual([
      ...['samples', 'markers', 'sample_call_rate', 'sample_heterozygosity', 'duplicates', 'marker_call_rate', 'maf'],
    ]);
    expect(report?.rules.filter(({ count }) => count === 0)).toEqual([]);
  });

  test('is the same in any order of the names, and however often they are given', async () => {
    const names = ['line 5', 'line 12', 'line 1'];
    const one = await restricted({ samples: listed(names), markers: listed(['m9', 'm2']) });
    const other = await restricted({
      samples: listed([...names].reverse().concat(names)),
      markers: listed(['m2', 'm9', 'm2']),
    });
    expect(other).toEqual(one);
  });

  test('is nothing, and the panel itself, where nothing is asked for', async () => {
    const { panel, leftOut } = await leaveOutOfPanel(opened.panel, { duplicates: false }, CONTEXT);
    expect(panel).toBe(opened.panel);
    expect(leftOut).toBeNull();
  });

  test('says when duplicates were not searched for', async () => {
    const few = { markers: listed(FULL.markers.slice(0, 100)), duplicates: true };
    const { report } = await findLeftOut(opened.blocks, few, CONTEXT);
    expect(report.rules.at(-1)).toEqual({
      rule: 'duplicates',
      limit: null,
      count: 0,
      names: [],
      skipped: 'few-markers',
    });
  });
});

describe('what cannot be left out', () => {
  test('is a sample or marker that the genotype lacks: an error with line and suggestion', async () => {
    await expect(
      findLeftOut(opened.blocks, { samples: listed(['line 1', 'line 222']) }, CONTEXT),
    ).rejects.toMatchObject({
      code: 'analysis/unknown-names',
      list: 'leave-out-samples',
      problems: [{ code: 'E-LO-UNKNOWN', line: 2, value: 'line 222', suggestion: expect.stringContaining('line 2') }],
    });
    await expect(findLeftOut(opened.blocks, { markers: listed(['m1', 'M7', 'x']) }, CONTEXT)).rejects.toMatchObject({
      message: 'Line 2 of the list: The genotype has no marker "M7". One more name is not in it either.',
      problems: [
        { line: 2, suggestion: 'Did you mean "m7"?' },
        { line: 3, suggestion: 'Marker names are compared letter by letter.' },
      ],
    });
  });

  test.each<[string, LeavingOut, string]>([
    ['every sample', { maxSampleHeterozygosity: 0 }, 'No individual is left'],
    ['every marker', { markers: listed(FULL.markers) }, 'No marker is left'],
  ])('is %s', async (_, asked, message) => {
    await expect(findLeftOut(opened.blocks, asked, CONTEXT)).rejects.toMatchObject({
      code: 'analysis/nothing-left',
      message: expect.stringContaining(message),
    });
  });
});
