import { describe, expect, test } from 'vitest';
import { inbreedingOf } from './inbreeding.ts';
import { CLONE, createPedigree, FULLY_INBRED } from './pedigree.ts';
import { equilibriumInbreeding, polyploidRelationships } from './polyploid-relationships.ts';
import { relationshipsAmong } from './relationships.ts';

/** Two founders and an inbred one, F1s, a selfing, a backcross, a line of three selfings, a clone, one known parent. */
const DESCENT = {
  maternal: Int32Array.of(-1, -1, -1, 0, 3, 3, 0, 5, 4, 1),
  paternal: Int32Array.of(-1, -1, -1, 1, 3, 0, 2, 4, 4, -1),
  selfings: Float64Array.of(0, 0, FULLY_INBRED, 0, 0, 0, 3, 0, CLONE, 0),
};
const pedigree = createPedigree(DESCENT);
const everybody = pedigree.place;

const MODEL = { ploidy: 4, doubleReduction: 0.1, founders: 'non-inbred' } as const;

describe('relationships of polyploids', () => {
  test('of ploidy 2 are those of diploids', () => {
    const inbreeding = inbreedingOf(pedigree);
    const diploid = relationshipsAmong(pedigree, inbreeding, everybody);
    const { matrix, inbreeding: f } = polyploidRelationships(pedigree, everybody, { ...MODEL, ploidy: 2 });
    expect(matrix).toEqual(diploid);
    expect(f).toEqual(Float64Array.from(everybody, (k) => inbreeding.coefficients[k]));
  });

  test('of the selfed progeny of a tetraploid are those worked by hand', () => {
    const { matrix, inbreeding } = polyploidRelationships(pedigree, everybody, { ...MODEL, doubleReduction: 0 });
    // θ of a founder with itself is 1/4; selfed: F = 4·θ/6, of an F1 of two founders 4·(1/4)/6 = 1/6.
    expect(inbreeding[3]).toBe(0);
    expect(inbreeding[4]).toBeCloseTo(1 / 6, 15);
    expect(matrix.data[4 + 4 * 10]).toBeCloseTo(1 + 3 / 6, 15);
    // Double reduction: φ = 0.1 of both gametes of an F1 of founders, F = (0.1 + 0.1)/6.
    expect(polyploidRelationships(pedigree, everybody, MODEL).inbreeding[3]).toBeCloseTo(0.2 / 6, 15);
  });

  test('keep the inbreeding of founders at equilibrium in their progeny', () => {
    const model = { ...MODEL, founders: 'equilibrium' } as const;
    expect(equilibriumInbreeding(model)).toBeCloseTo(0.1 / 2.1, 15);
    const { inbreeding } = polyploidRelationships(pedigree, everybody, model);
    expect(inbreeding[0]).toBeCloseTo(0.1 / 2.1, 15);
    expect(inbreeding[3]).toBeCloseTo(0.1 / 2.1, 15);
  });

  test('of some individuals are those among all, in any order', () => {
    const all = polyploidRelationships(pedigree, everybody, MODEL).matrix;
    const chosen = [7, 0, 5];
    const some = polyploidRelationships(
      pedigree,
      Int32Array.from(chosen, (i) => everybody[i] ?? -1),
      MODEL,
    ).matrix;
    for (const [r, i] of chosen.entries()) {
      for (const [c, j] of chosen.entries()) expect(some.data[r + 3 * c]).toBe(all.data[i + 10 * j]);
    }
  });

  test('are refused for an odd ploidy and an impossible double reduction', () => {
    for (const wrong of [{ ploidy: 3 }, { doubleReduction: 1.5 }]) {
      expect(() => polyploidRelationships(pedigree, everybody, { ...MODEL, ...wrong })).toThrowError(
        expect.objectContaining({ code: 'bad-option' }),
      );
    }
  });
});
