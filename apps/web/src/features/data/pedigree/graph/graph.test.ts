import type { PedigreeIndividual } from '@heterosis/contracts/data/pedigree';
import { describe, expect, it } from 'vitest';
import { heliumText, pedigreeCsv } from './export-graph.ts';
import { kinOf, lineageOf, linesTo } from './kin.ts';
import { layoutPedigree, placeAt, STEP_X, STEP_Y } from './layout.ts';

type Given = [name: string, maternal: number | null, paternal: number | null, crossType?: 'CLONE' | 'DH'];

function individuals(given: readonly Given[]): PedigreeIndividual[] {
  const generation: number[] = [];
  return given.map(([name, maternal, paternal, cross_type = undefined], i) => {
    const above = [maternal, paternal].flatMap((parent) => (parent === null ? [] : [generation[parent] ?? 0]));
    generation[i] = above.length === 0 ? 0 : 1 + Math.max(...above);
    return {
      ...{ id: String(i), name, maternal, paternal, collection: null, selfing_generations: null },
      ...{ cross_type: cross_type ?? null, generation: generation[i] ?? 0, inbreeding: 0 },
    };
  });
}

const FAMILY = individuals([
  ['A', null, null],
  ['B', null, null],
  ['F1', 0, 1],
  ['S', 2, 2],
  ['BC', 0, 2],
  ['K', 2, 2, 'CLONE'],
  ['C', null, null],
  ['D', 6, null],
]);

const everybody = (all: readonly PedigreeIndividual[]): Set<number> => new Set(all.keys());

describe('layoutPedigree', () => {
  it('puts each generation in a row, founders on top, the female left of the male', () => {
    const layout = layoutPedigree(kinOf(FAMILY), everybody(FAMILY));
    const yOf = (i: number) => layout.y[layout.placeOf[i] ?? 0] ?? 0;
    const xOf = (i: number) => layout.x[layout.placeOf[i] ?? 0] ?? 0;
    expect([0, 1, 6].map(yOf)).toEqual([0.5 * STEP_Y, 0.5 * STEP_Y, 0.5 * STEP_Y]);
    expect(yOf(2)).toBe(1.5 * STEP_Y);
    expect(yOf(4)).toBe(2.5 * STEP_Y);
    expect(xOf(0)).toBeLessThan(xOf(1));
  });

  it('keeps a step between neighbours and finds each box under its middle, also of thousands', () => {
    const many: Given[] = Array.from({ length: 5000 }, (_, i) =>
      i < 50 ? [`P${i}`, null, null] : [`P${i}`, (i * 7919) % (i - 40), (i * 104_729) % (i - 30)],
    );
    const all = individuals(many);
    const started = performance.now();
    const layout = layoutPedigree(kinOf(all), everybody(all));
    expect(performance.now() - started).toBeLessThan(2000);
    for (let row = 0; row + 1 < layout.rows.length; row++) {
      for (let at = (layout.rows[row] ?? 0) + 1; at < (layout.rows[row + 1] ?? 0); at++) {
        expect((layout.x[at] ?? 0) - (layout.x[at - 1] ?? 0)).toBeGreaterThan(STEP_X - 1e-6);
      }
    }
    for (const at of [0, 17, 1234, 4999]) expect(placeAt(layout, layout.x[at] ?? 0, layout.y[at] ?? 0)).toBe(at);
    expect(placeAt(layout, -500, 20)).toBe(-1);
  });

  it('puts families without a common relative beside each other', () => {
    const layout = layoutPedigree(kinOf(FAMILY), everybody(FAMILY));
    const xs = (of: number[]) => of.map((i) => layout.x[layout.placeOf[i] ?? 0] ?? 0);
    expect(Math.max(...xs([0, 1, 2, 3, 4, 5]))).toBeLessThan(Math.min(...xs([6, 7])));
  });

  it('puts many small families below each other, founders of each on top of it', () => {
    const many = individuals(
      Array.from({ length: 40 }, (_, f): Given[] => [
        [`F${f}`, null, null],
        [`M${f}`, null, null],
        [`C${f}`, 3 * f, 3 * f + 1],
      ]).flat(),
    );
    const layout = layoutPedigree(kinOf(many), everybody(many));
    const shape = layout.width / STEP_X / (layout.height / STEP_Y);
    expect(shape).toBeGreaterThan(0.6);
    expect(shape).toBeLessThan(2.5);
    for (let f = 0; f < 40; f++) {
      const yOf = (i: number) => layout.y[layout.placeOf[i] ?? 0] ?? 0;
      expect([yOf(3 * f), yOf(3 * f + 2)]).toEqual([yOf(3 * f + 1), yOf(3 * f) + STEP_Y]);
    }
  });

  it('numbers generations among those shown', () => {
    const layout = layoutPedigree(kinOf(FAMILY), new Set([2, 3]));
    expect(layout.rows).toHaveLength(3);
    expect(layout.height).toBe(2 * STEP_Y);
  });
});

describe('lines and exports', () => {
  it('tells crosses, selfings, clones and backcrosses apart', () => {
    const kin = kinOf(FAMILY);
    expect(linesTo(kin, 2)).toEqual([
      { parent: 0, kind: 'female' },
      { parent: 1, kind: 'male' },
    ]);
    expect(linesTo(kin, 3)).toEqual([{ parent: 2, kind: 'selfed' }]);
    expect(linesTo(kin, 4)).toEqual([
      { parent: 0, kind: 'recurrent' },
      { parent: 2, kind: 'male' },
    ]);
    expect(linesTo(kin, 5)).toEqual([{ parent: 2, kind: 'clone' }]);
  });

  it('finds ancestors and descendants and nobody beside', () => {
    expect([...lineageOf(kinOf(FAMILY), 1)].sort()).toEqual([1, 2, 3, 4, 5]);
  });

  it('writes tables that can be uploaded again', () => {
    expect(pedigreeCsv(FAMILY, [2, 7]).split('\n')[1]).toContain('F1,A,B');
    expect(heliumText(FAMILY, [0, 2, 7])).toBe(
      '# heliumInput=PEDIGREE\nLineName\tParent\tParentType\nA\t\t\nF1\tA\tF\nF1\tB\tM\nD\tC\tF\n',
    );
  });
});
