import { expect, test } from 'vitest';
import { crossProducts, zeroProducts } from './dosage-products.ts';
import { createPackedMarkers, type PackedMarkers } from './packed-markers.ts';
import { markerBlocks, placeTile, productTile, tilePlaces } from './product-tiles.ts';
import { inbredPanel } from './small-panel.test-data.ts';

const FILTER = { maf: 0, callRate: 0 };
const PANEL = { n: 300, m: 97, missing: 0, seed: 12 };

function packedOf({ packed, n }: { packed: Uint8Array; n: number }, first: number, count: number): PackedMarkers {
  const stride = (n + 3) >> 2;
  const builder = createPackedMarkers({ panelSize: n }, FILTER);
  builder.add(packed.subarray(first * stride, (first + count) * stride), count);
  return builder.finish();
}

test('blocks are as even as can be, and follow each other without a gap', () => {
  for (const [m, side] of [
    [97, 16],
    [96, 16],
    [1, 8],
    [8193, 8192],
  ] as const) {
    const blocks = markerBlocks(m, side);
    expect(blocks).toHaveLength(Math.ceil(m / side));
    let next = 0;
    for (const { first, count } of blocks) {
      expect(first).toBe(next);
      next += count;
    }
    expect(next).toBe(m);
    const counts = blocks.map(({ count }) => count);
    expect(Math.max(...counts)).toBeLessThanOrEqual(side);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  }
});

for (const side of [97, 50, 13]) {
  test(`tiles of ${side} markers make the products of all, to the last bit, for all individuals and for some`, () => {
    const panel = inbredPanel(PANEL);
    const whole = packedOf(panel, 0, panel.m);
    const blocks = markerBlocks(panel.m, side);
    for (const individuals of [null, Int32Array.from({ length: 211 }, (_, i) => i + (i >> 2))]) {
      const expected = crossProducts(whole, individuals);
      const products = zeroProducts(panel.m ** 2, individuals?.length ?? panel.n);
      for (const { row, column } of tilePlaces(blocks.length).toReversed()) {
        const [rows, columns] = [blocks[row], blocks[column]];
        if (rows === undefined || columns === undefined) throw new TypeError('no block');
        const left = packedOf(panel, rows.first, rows.count);
        const right = row === column ? null : packedOf(panel, columns.first, columns.count);
        const seen: number[] = [];
        placeTile(
          products,
          panel.m,
          { rows, columns },
          productTile(left, right, individuals, (done, total) => seen.push(done / total)),
        );
        expect(seen.at(-1)).toBe(1);
      }
      expect(products).toEqual(expected);
    }
  });
}

test('missing calls have no tiles, and a tile of another shape has no place', () => {
  const panel = inbredPanel({ ...PANEL, missing: 0.1 });
  const markers = packedOf(panel, 0, panel.m);
  expect(() => productTile(markers, null, null)).toThrow('without missing calls');
  const rows = { first: 0, count: 3 };
  expect(() => placeTile(new Float32Array(25), 5, { rows, columns: rows }, new Float32Array(8))).toThrow('3 × 3');
  expect(() => placeTile(new Float64Array(25), 5, { rows, columns: rows }, new Float32Array(9))).toThrow('3 × 3');
});
