import { someOf } from '@heterosis/test-support/whole';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DesignError } from './design-error.ts';
import { entriesOf, PLAIN_FIELD, requestOf } from './design-request.test-data.ts';
import { DESIGN_NAMES, type Design, type DesignedPlot, type DesignRequest } from './design-types.ts';
import { draftDesign, makeDesign, obstacleTo } from './make-design.ts';

const countsOf = (plots: readonly DesignedPlot[], entries: number): number[] => {
  const counts = Array.from({ length: entries }, () => 0);
  for (const { entry } of plots) if (entry !== null) counts[entry] = (counts[entry] ?? 0) + 1;
  return counts;
};

const grouped = (plots: readonly DesignedPlot[], key: (plot: DesignedPlot) => unknown): DesignedPlot[][] => [
  ...Map.groupBy(
    plots.filter(({ entry }) => entry !== null),
    (plot) => JSON.stringify(key(plot)),
  ).values(),
];

/** Every entry once in each group, and nothing else. */
function expectComplete(groups: readonly DesignedPlot[][], entries: number) {
  for (const group of groups) expect(countsOf(group, entries)).toEqual(Array.from({ length: entries }, () => 1));
}

/** Each cell of the field at most once, numbers from 1 on. */
function expectMap({ plots, places }: Design) {
  places.forEach((figures, place) => {
    const own = plots.filter((plot) => plot.place === place);
    expect(own.map(({ number }) => number)).toEqual(own.map((_, k) => k + 1));
    expect(new Set(own.map(({ row, column }) => `${row}:${column}`)).size).toBe(own.length);
    for (const { row, column } of own) {
      expect(row >= 1 && row <= figures.rows && column >= 1 && column <= figures.columns).toBe(true);
    }
  });
}

/** One request of every design. */
const ONE_OF_EACH: Record<(typeof DESIGN_NAMES)[number], DesignRequest> = {
  crd: requestOf({ design: 'crd', entries: entriesOf(7).map((entry, i) => ({ ...entry, replicates: 1 + (i % 3) })) }),
  rcbd: requestOf({ design: 'rcbd', entries: entriesOf(9), replicates: 3, places: 2 }),
  alpha: requestOf({ design: 'alpha', entries: entriesOf(24), replicates: 3, blockSize: 4 }),
  'row-column': requestOf({ design: 'row-column', entries: entriesOf(12), replicates: 2 }),
  'p-rep': requestOf({ design: 'p-rep', entries: entriesOf(20), field: { ...PLAIN_FIELD, rows: 5, columns: 6 } }),
  augmented: requestOf({ design: 'augmented', entries: entriesOf(20), checks: ['E1', 'E2'], blockSize: 8 }),
  diagonal: requestOf({ design: 'diagonal', entries: entriesOf(40), checks: ['E1', 'E2'] }),
  'split-plot': requestOf({ design: 'split-plot', entries: entriesOf(5), mainPlots: ['dry', 'wet'], replicates: 3 }),
  sparse: requestOf({ design: 'sparse', entries: entriesOf(12), checks: ['E3'], replicates: 2, places: 4 }),
};

describe.each(DESIGN_NAMES)('%s', (name) => {
  const request = ONE_OF_EACH[name];

  test('the same seed gives the same design, another seed another one', () => {
    const design = makeDesign(request);
    expectMap(design);
    expect(makeDesign(request)).toEqual(design);
    expect(makeDesign({ ...request, seed: 2 }).plots).not.toEqual(design.plots);
  });

  test('other names give the same map, and entries in another order the map of their places in the list', () => {
    const design = makeDesign(request);
    const renamed = { ...request, entries: request.entries.map((entry) => ({ ...entry, name: `${entry.name} neu` })) };
    const checks = request.checks.map((check) => `${check} neu`);
    expect(makeDesign({ ...renamed, checks })).toEqual(design);
  });

  test.each([
    ['top-right', ({ row, column }: DesignedPlot, columns: number) => [row, columns + 1 - column]],
    ['bottom-left', ({ row, column }: DesignedPlot, _: number, rows: number) => [rows + 1 - row, column]],
  ] as const)('a map that begins %s is mirrored', (start, mirror) => {
    const design = makeDesign(request);
    const mirrored = makeDesign({ ...request, field: { ...request.field, start } });
    const found = mirrored.plots.map(({ row, column, entry }) => [row, column, entry]);
    expect(found).toEqual(
      design.plots.map((plot) => {
        const { rows = 0, columns = 0 } = design.places[plot.place] ?? {};
        return [...mirror(plot, columns, rows), plot.entry];
      }),
    );
  });
});

test('every place is randomised on its own', () => {
  const { plots } = makeDesign(ONE_OF_EACH.rcbd);
  const orderAt = (place: number) => plots.filter((plot) => plot.place === place).map(({ entry }) => entry);
  expect(orderAt(0)).not.toEqual(orderAt(1));
});

test('completely randomised designs have every entry as often as the list says', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 30 }), fc.nat(), (counts, seed) => {
      const entries = entriesOf(counts.length).map((entry, i) => ({ ...entry, replicates: counts[i] ?? 1 }));
      const design = makeDesign(requestOf({ design: 'crd', entries, seed }));
      expectMap(design);
      expect(countsOf(design.plots, counts.length)).toEqual(counts);
    }),
    { numRuns: someOf(50), seed: 1 },
  );
});

test('replicates of complete blocks, and of split plots every whole plot, hold each entry once', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 20 }), fc.integer({ min: 1, max: 4 }), fc.nat(), (v, r, seed) => {
      const blocks = makeDesign(requestOf({ design: 'rcbd', entries: entriesOf(v), replicates: r, seed }));
      expectMap(blocks);
      const replicates = grouped(blocks.plots, ({ replicate }) => replicate);
      expect(replicates).toHaveLength(r);
      expectComplete(replicates, v);
      const mainPlots = ['dry', 'wet', 'wetter'];
      const split = makeDesign(
        requestOf({ design: 'split-plot', entries: entriesOf(v), replicates: r, mainPlots, seed }),
      );
      const wholes = grouped(split.plots, ({ block }) => block);
      expect(wholes).toHaveLength(3 * r);
      expectComplete(wholes, v);
      expectComplete(
        grouped(split.plots, ({ replicate, mainPlot }) => [replicate, mainPlot]),
        v,
      );
    }),
    { numRuns: someOf(40), seed: 2 },
  );
});

test('alpha designs have blocks of the stated size within complete replicates, and pairs meet as often as that allows', () => {
  fc.assert(
    fc.property(
      ...[fc.integer({ min: 2, max: 6 }), fc.integer({ min: 2, max: 6 }), fc.integer({ min: 2, max: 4 }), fc.nat()],
      (k, s, r, seed) => {
        const v = k * s;
        const request = requestOf({ design: 'alpha', entries: entriesOf(v), replicates: r, blockSize: k, seed });
        const { plots, places } = makeDesign(request);
        expectComplete(
          grouped(plots, ({ replicate }) => replicate),
          v,
        );
        const blocks = grouped(plots, ({ block }) => block);
        expect(blocks.map(({ length }) => length)).toEqual(Array.from({ length: r * s }, () => k));
        for (const block of blocks) expect(new Set(block.map(({ replicate }) => replicate)).size).toBe(1);
        const [figures] = places;
        // Pairs within blocks, counted twice.
        expect(figures?.concurrences['blocks']?.mean).toBeCloseTo((r * (k - 1)) / (v - 1), 12);
        expect(figures?.efficiency ?? 0).toBeLessThanOrEqual((figures?.upperBound ?? 0) + 1e-9);
      },
    ),
    { numRuns: someOf(40), seed: 3 },
  );
});

test('lattices are found: 9 lines in 4 replicates of blocks of 3 meet once each', () => {
  const request = requestOf({ design: 'alpha', entries: entriesOf(9), replicates: 4, blockSize: 3, effort: 0.2 });
  const [figures] = makeDesign(request).places;
  expect(figures?.concurrences['blocks']).toMatchObject({ min: 1, max: 1 });
  expect(figures?.efficiency).toBeCloseTo(0.75, 9);
});

test.each([
  ['alpha', { entries: entriesOf(24), replicates: 3, blockSize: 4 }],
  ['alpha', { entries: entriesOf(56), replicates: 2, blockSize: 8 }],
] as const)(
  '%s: plots are exchanged from a random start to 98 % of the bound, and no two plots of a line adjoin',
  (design, said) => {
    const request = requestOf({ design, ...said, effort: 0.1 });
    const [start] = makeDesign({ ...request, effort: 0 }).places;
    const [found] = makeDesign(request).places;
    expect(found?.efficiency ?? 0).toBeGreaterThan(start?.efficiency ?? 1);
    expect(found?.efficiency ?? 0).toBeGreaterThan(0.98 * (found?.upperBound ?? 1));
    expect(found?.neighbours.sameEntry).toBe(0);
  },
);

test('row-column designs come near their bound too, which only squares of orthogonal letters attain', () => {
  const request = requestOf({ design: 'row-column', entries: entriesOf(49), replicates: 2, effort: 0.1 });
  const [found] = makeDesign(request).places;
  expect(found?.efficiency ?? 0).toBeGreaterThan(0.97 * (found?.upperBound ?? 1));
  expect(found?.neighbours.sameEntry).toBe(0);
});

test.each([
  ['rows', ({ row }: DesignedPlot, side: number) => Math.ceil(row / side), 6],
  ['columns', ({ column }: DesignedPlot, side: number) => Math.ceil(column / side), 6],
] as const)(
  'row-column designs that are resolvable in %s hold every entry once in each band',
  (resolvable, band, side) => {
    const { plots } = makeDesign(
      requestOf({ design: 'row-column', entries: entriesOf(36), replicates: 3, resolvable }),
    );
    const bands = grouped(plots, (plot) => band(plot, side));
    expect(bands).toHaveLength(3);
    expectComplete(bands, 36);
    expectComplete(
      grouped(plots, ({ replicate }) => replicate),
      36,
    );
  },
);

test('row-column designs that are resolvable in both directions hold every entry once in bands of rows and of columns', () => {
  const request = requestOf({ design: 'row-column', entries: entriesOf(36), replicates: 3, resolvable: 'both' });
  const { plots, places } = makeDesign(request);
  const { rows = 0, columns = 0 } = places[0] ?? {};
  expectComplete(
    grouped(plots, ({ row }) => Math.ceil(row / (rows / 3))),
    36,
  );
  expectComplete(
    grouped(plots, ({ column }) => Math.ceil(column / (columns / 3))),
    36,
  );
});

test('the field says how many entries of a p-rep design are replicated, unless the list does', () => {
  const field = { ...PLAIN_FIELD, rows: 10, columns: 13 };
  const byField = makeDesign(requestOf({ design: 'p-rep', entries: entriesOf(100), field }));
  const counts = countsOf(byField.plots, 100);
  expect(counts.filter((count) => count === 2)).toHaveLength(30);
  expect(counts.filter((count) => count === 1)).toHaveLength(70);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 4, maxLength: 30 }), fc.nat(), (own, seed) => {
      const entries = entriesOf(own.length).map((entry, i) => ({ ...entry, replicates: own[i] ?? 1 }));
      const { plots } = makeDesign(requestOf({ design: 'p-rep', entries, seed }));
      expect(countsOf(plots, own.length)).toEqual(own);
      const parts = grouped(plots, ({ replicate }) => replicate);
      for (const part of parts) expect(Math.max(...countsOf(part, own.length))).toBe(1);
      const sizes = parts.map(({ length }) => length);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    }),
    { numRuns: someOf(40), seed: 4 },
  );
});

test('checks of a p-rep design stand evenly apart in each part of the field, as often as the list says', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 2, max: 6 }), fc.nat(), (c, copies, seed) => {
      const entries = entriesOf(30 + c).map((entry, i) => ({ ...entry, replicates: i < c ? copies : 1 + (i % 2) }));
      const checks = entries.slice(0, c).map(({ name }) => name);
      const { plots } = makeDesign(requestOf({ design: 'p-rep', entries, checks, checkPlaces: 'spread', seed }));
      expect(countsOf(plots, entries.length)).toEqual(entries.map(({ replicates }) => replicates));
      for (const part of grouped(plots, ({ replicate }) => replicate)) {
        const places = part.flatMap(({ kind }, at) => (kind === 'check' ? [at] : []));
        const step = part.length / places.length;
        for (const [k, at] of places.slice(1).entries()) expect(Math.abs(at - (places[k] ?? 0) - step)).toBeLessThan(1);
      }
    }),
    { numRuns: someOf(40), seed: 8 },
  );
});

const CHECKED: DesignRequest[] = [
  requestOf({ design: 'crd', entries: entriesOf(20), checks: ['E1', 'E2'], replicates: 2 }),
  requestOf({ design: 'rcbd', entries: entriesOf(12), checks: ['E1', 'E2'], replicates: 3 }),
  requestOf({ design: 'alpha', entries: entriesOf(16), checks: ['E3'], replicates: 2, blockSize: 4 }),
  requestOf({ design: 'row-column', entries: entriesOf(16), checks: ['E1', 'E9'], replicates: 2 }),
  requestOf({
    ...{ design: 'p-rep', checks: ['E1', 'E2'] },
    entries: entriesOf(30).map((entry, i) => ({ ...entry, replicates: i < 2 ? 4 : 1 + (i % 2) })),
  }),
  requestOf({ design: 'augmented', entries: entriesOf(20), checks: ['E1', 'E2'], blockSize: 8 }),
  requestOf({
    ...{ design: 'diagonal', entries: entriesOf(40), checks: ['E1', 'E2'] },
    field: { ...PLAIN_FIELD, rows: 6, columns: 8 },
  }),
  requestOf({ design: 'split-plot', entries: entriesOf(8), checks: ['E1'], replicates: 2, mainPlots: ['dry', 'wet'] }),
  requestOf({ design: 'sparse', entries: entriesOf(13), checks: ['E3'], replicates: 2, places: 3 }),
];

test.each(CHECKED.map((request) => [request.design, request] as const))(
  'checks of %s stand in the cells that were named, and everything else as it must',
  (design, request) => {
    const cellsOf = ({ plots }: Design): string[] =>
      plots.flatMap(({ kind, place, row, column }) => (kind === 'check' && place === 0 ? [`${row}:${column}`] : []));
    const zones = ({ plots }: Design): string[] =>
      plots
        .filter(({ entry }) => entry !== null && design !== 'sparse')
        .map(({ entry, replicate, mainPlot }) => `${replicate} ${mainPlot} ${entry}`)
        .sort();
    const other = makeDesign({ ...request, seed: 2 });
    const checkPlaces = cellsOf(other).map((cell) => {
      const [row = 0, column = 0] = cell.split(':').map(Number);
      return { row, column };
    });
    const placed = makeDesign({ ...request, checkPlaces });
    expect(cellsOf(placed).sort()).toEqual(cellsOf(other).sort());
    if (design !== 'p-rep' && design !== 'diagonal') expect(zones(placed)).toEqual(zones(makeDesign(request)));
    expect(placed.plots.filter(({ kind }) => kind === 'check')).toHaveLength(checkPlaces.length * request.places);
    // One plot of a check less, or one where there is none.
    const fewer = () => makeDesign({ ...request, checkPlaces: checkPlaces.slice(design === 'diagonal' ? -1 : 1) });
    expect(fewer).toThrow(design === 'diagonal' ? '1 named plot for 2 checks' : 'named plot');
    expect(() => makeDesign({ ...request, checkPlaces: [{ row: 500, column: 1 }] })).toThrow('no plot for a check');
    if (design === 'diagonal') return;
    const even = makeDesign({ ...request, checkPlaces: 'spread' });
    expect(cellsOf(even)).toHaveLength(checkPlaces.length);
  },
);

test('augmented designs have new entries once and every check in every block, where they were put', () => {
  fc.assert(
    fc.property(
      ...[fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 3 }), fc.integer({ min: 4, max: 9 }), fc.nat()],
      (news, c, blockSize, seed) => {
        const entries = entriesOf(c + news);
        const checks = entries.slice(0, c).map(({ name }) => name);
        const { plots } = makeDesign(requestOf({ design: 'augmented', entries, checks, blockSize, seed }));
        const blocks = grouped(plots, ({ block }) => block);
        expect(blocks).toHaveLength(Math.ceil(news / (blockSize - c)));
        const counts = countsOf(plots, c + news);
        expect(counts.slice(c)).toEqual(Array.from({ length: news }, () => 1));
        for (const block of blocks)
          expect(countsOf(block, c + news).slice(0, c)).toEqual(Array.from({ length: c }, () => 1));
        for (const { kind, entry } of plots) if (entry !== null) expect(kind).toBe(entry < c ? 'check' : 'entry');
      },
    ),
    { numRuns: someOf(40), seed: 5 },
  );
  const field = { ...PLAIN_FIELD, rows: 4, columns: 5 };
  const checkPlaces = [1, 2, 3, 4].map((row) => ({ row, column: row }));
  const entries = entriesOf(17);
  const fixed = makeDesign(
    requestOf({ design: 'augmented', entries, checks: ['E1'], blockSize: 5, field, checkPlaces }),
  );
  const found = fixed.plots.filter(({ kind }) => kind === 'check').map(({ row, column }) => [row, column]);
  expect(found.sort()).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 4],
  ]);
});

test('checks on diagonals fill the field, are equally many, and stand at least a knight’s move apart', () => {
  const entries = entriesOf(266);
  const checks = ['E1', 'E2', 'E3', 'E4'];
  const field = { ...PLAIN_FIELD, rows: 15, columns: 20 };
  const { plots, places } = makeDesign(requestOf({ design: 'diagonal', entries, checks, field }));
  const counts = countsOf(plots, 266);
  expect(counts.slice(4)).toEqual(Array.from({ length: 262 }, () => 1));
  const ofChecks = counts.slice(0, 4);
  expect(Math.max(...ofChecks) - Math.min(...ofChecks)).toBeLessThanOrEqual(1);
  expect(places[0]?.fillers).toBeLessThanOrEqual(4);
  const cells = plots.filter(({ kind }) => kind === 'check');
  for (const a of cells) {
    for (const b of cells) {
      const distance = (a.row - b.row) ** 2 + (a.column - b.column) ** 2;
      if (a !== b) expect(distance).toBeGreaterThanOrEqual(5);
    }
  }
});

test('families are kept apart', () => {
  const entries = entriesOf(48).map((entry, i) => ({ ...entry, family: `F${Math.floor(i / 12)}` }));
  const request = requestOf({ design: 'rcbd', entries, replicates: 2, effort: 0.1 });
  const apart = makeDesign(request).places[0]?.neighbours.sameFamily ?? 0;
  const drawn = makeDesign({ ...request, effort: 0 }).places[0]?.neighbours.sameFamily ?? 0;
  expect(apart).toBeLessThan(drawn / 2);
});

test.each([
  [
    'field-too-small',
    { design: 'rcbd', entries: entriesOf(13), field: { ...PLAIN_FIELD, rows: 5, columns: 5 } },
    '26 plots',
  ],
  ['block-size', { design: 'alpha', entries: entriesOf(56), blockSize: 9 }, 'blocks of 9'],
  ['block-size', { design: 'alpha', entries: entriesOf(13) }, '13 entries'],
  ['block-size', { design: 'augmented', entries: entriesOf(20), checks: ['E1', 'E2', 'E3'], blockSize: 3 }, 'no room'],
  [
    'block-cut',
    {
      ...{ design: 'alpha', entries: entriesOf(12), blockSize: 4 },
      field: { ...PLAIN_FIELD, rows: 7, columns: 4, holes: [{ row: 2, column: 2 }] },
    },
    'The hole at row 2, column 2 cuts block 2 of replicate 1',
  ],
  ['field-shape', { design: 'row-column', entries: entriesOf(13) }, '13 entries'],
  [
    'field-shape',
    { design: 'crd', entries: entriesOf(3), field: { ...PLAIN_FIELD, rows: 2, borders: 'rows' } },
    'no plot',
  ],
  [
    'field-shape',
    {
      design: 'crd',
      entries: entriesOf(3),
      field: { ...PLAIN_FIELD, rows: 3, columns: 3, holes: [{ row: 4, column: 1 }] },
    },
    'row 4, column 1',
  ],
  ['checks', { design: 'augmented', entries: entriesOf(9), checks: ['E1', 'Nobody'] }, '"Nobody"'],
  ['checks', { design: 'diagonal', entries: entriesOf(9) }, 'there are none'],
  ['entries', { design: 'crd', entries: [{ name: 'A' }, { name: 'A' }] }, '"A" stands twice'],
  ['entries', { design: 'split-plot', entries: entriesOf(4) }, 'whole plots'],
  [
    'replicates',
    {
      design: 'rcbd',
      entries: [
        { name: 'A', replicates: 2 },
        { name: 'B', replicates: 3 },
      ],
    },
    'different',
  ],
  ['replicates', { design: 'p-rep', entries: entriesOf(9) }, 'which entries are replicated'],
  ['places', { design: 'sparse', entries: entriesOf(9), places: 3, replicates: 4 }, '4 places'],
  ['replicates', { design: 'sparse', entries: entriesOf(9), places: 3 }, 'how many places'],
] as const)('refuses what makes no design with %s', (code, said, words) => {
  let found: unknown;
  try {
    makeDesign(requestOf(said as Parameters<typeof requestOf>[0]));
  } catch (error) {
    found = error;
  }
  expect(found).toBeInstanceOf(DesignError);
  const { code: own, message, action } = found as DesignError;
  expect(own).toBe(code);
  expect(message).toContain(words);
  expect(action).toMatch(/^[A-Z].+\.$/);
});

test('holes, borders and fillers: nothing grows where there is no plot, and every cell has its kind', () => {
  const holes = [
    { row: 4, column: 4 },
    { row: 6, column: 2 },
  ];
  const field = { ...PLAIN_FIELD, rows: 8, columns: 7, holes, borders: 'all', along: 'columns' } as const;
  const design = makeDesign(requestOf({ design: 'crd', entries: entriesOf(12), replicates: 2, field }));
  expectMap(design);
  expect(design.plots).toHaveLength(8 * 7 - 2);
  for (const { row, column } of holes)
    expect(design.plots.some((plot) => plot.row === row && plot.column === column)).toBe(false);
  const kinds = Map.groupBy(design.plots, ({ kind }) => kind);
  expect(kinds.get('border')).toHaveLength(2 * 8 + 2 * 5);
  expect(kinds.get('entry')).toHaveLength(24);
  expect(kinds.get('filler')).toHaveLength(6 * 5 - 2 - 24);
});

test('plots are numbered along rows or columns, there and back or from one side', () => {
  const cells = (said: Partial<typeof PLAIN_FIELD>) =>
    makeDesign(
      requestOf({
        design: 'crd',
        entries: entriesOf(6),
        replicates: 1,
        field: { ...PLAIN_FIELD, rows: 2, columns: 3, ...said },
      }),
    ).plots.map(({ row, column }) => `${row}:${column}`);
  expect(cells({})).toEqual(['1:1', '1:2', '1:3', '2:3', '2:2', '2:1']);
  expect(cells({ numbering: 'plain' })).toEqual(['1:1', '1:2', '1:3', '2:1', '2:2', '2:3']);
  expect(cells({ along: 'columns', start: 'bottom-left' })).toEqual(['2:1', '1:1', '1:2', '2:2', '2:3', '1:3']);
});

test('an obstacle is found without making the design, and says what making it says', () => {
  const field = { ...PLAIN_FIELD, rows: 4, columns: 5 };
  for (const request of [
    requestOf({ design: 'alpha', entries: entriesOf(11), replicates: 2 }),
    requestOf({ design: 'rcbd', entries: entriesOf(11), replicates: 2, field }),
    requestOf({ design: 'augmented', entries: entriesOf(11) }),
    requestOf({ design: 'p-rep', entries: entriesOf(11) }),
    requestOf({ design: 'sparse', entries: entriesOf(11), places: 2, replicates: 3 }),
    requestOf({ design: 'sparse', entries: entriesOf(50), places: 2, replicates: 1, field }),
    requestOf({ design: 'split-plot', entries: entriesOf(11) }),
  ]) {
    const obstacle = obstacleTo(request);
    expect(obstacle, request.design).toBeInstanceOf(DesignError);
    expect(() => makeDesign(request)).toThrow(obstacle?.message);
  }
  expect(obstacleTo(requestOf({ design: 'sparse', entries: entriesOf(40), places: 2, replicates: 1, field }))).toBe(
    null,
  );
  expect(obstacleTo(requestOf({ design: 'rcbd', entries: entriesOf(10), replicates: 2, field }))).toBe(null);
});

test('swaps of a person move entries, and the figures follow them', () => {
  const draft = draftDesign(requestOf({ design: 'rcbd', entries: entriesOf(8), checks: ['E1'], replicates: 2 }));
  const { plots } = draft.design;
  expect(draft.afterSwaps(0, [])).toEqual({ plots, figures: draft.design.places[0] });
  const check = plots.find(({ kind }) => kind === 'check');
  const other = plots.find(({ replicate, kind }) => replicate !== check?.replicate && kind === 'entry');
  const swapped = draft.afterSwaps(0, [[check?.number ?? 0, other?.number ?? 0]]);
  const after = (number = 0) => swapped.plots[number - 1];
  expect(after(other?.number)).toMatchObject({ entry: check?.entry, kind: 'check', replicate: other?.replicate });
  expect(after(check?.number)).toMatchObject({ entry: other?.entry, kind: 'entry', replicate: check?.replicate });
  // Two blocks no longer hold every entry once.
  expect(swapped.figures.efficiency).toBeLessThan((draft.design.places[0]?.efficiency ?? 0) - 0.01);
  expect(
    draft.afterSwaps(0, [
      [1, 5],
      [5, 1],
    ]).plots,
  ).toEqual(plots);
  expect(() => draft.afterSwaps(0, [[1, 99]])).toThrow(RangeError);
});
