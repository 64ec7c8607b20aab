import type { Matrix } from '@heterosis/linalg/matrix';
import {
  externalReference,
  hasReference,
  largestRelativeError,
  numberColumn,
  readReferenceCsv,
  readReferencePanel,
  textColumn,
  traitOfPanel,
} from '@heterosis/test-support/reference-data';
import { describe, expect, test } from 'vitest';
import { createKinshipAccumulator } from '../kinship/accumulate-kinship.ts';
import { createMarkerEffectAccumulator } from './marker-effects.ts';
import { createRrblupModel } from './rrblup.ts';

const REPOSITORY = new URL('../../reference/', import.meta.url);
/** Data that may not be copied: used where it lies beside the repository. */

const sets = [
  { name: 'maize-mdp', data: new URL('maize-mdp/', REPOSITORY), gp: 'gp/' },
  { name: 'wheat-cimmyt', data: new URL('wheat-cimmyt/', REPOSITORY), gp: 'gp/' },
  { name: 'rice-44k', data: externalReference('rice-44k'), gp: 'reference/gp/' },
  { name: 'mice-hs', data: externalReference('mice-hs'), gp: 'reference/gp/' },
];

function rootMeanSquare(values: Float64Array): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
}

for (const { name, data, gp } of sets) {
  describe.skipIf(!hasReference(data))(`${name}${hasReference(data) ? '' : ' (not present)'}`, () => {
    test('variance components, marker effects and GEBV equal the exact reference', () => {
      const panel = readReferencePanel(new URL('genotypes.vcf.gz', data));
      const phenotypes = readReferenceCsv(new URL('phenotypes.csv', data));
      const varcomp = readReferenceCsv(new URL(`${gp}varcomp.csv`, data));
      const selection = { panelSize: panel.samples.length };
      const accumulator = createKinshipAccumulator({
        ...selection,
        filter: { maf: 0.05, callRate: 0.9 },
        methods: ['vanraden1'],
      });
      accumulator.add(panel.packed, panel.markerIds.length);
      const { kernels, divisors, scan } = accumulator.finish();
      const model = createRrblupModel(kernels.vanraden1 as Matrix);
      const divisor = divisors.vanraden1 as number;
      const traits = textColumn(varcomp, 'trait');
      const exact = (column: string, row: number) => numberColumn(varcomp, column)[row];
      traits.forEach((trait, row) => {
        const fit = model.fit(traitOfPanel(phenotypes, trait, panel.samples));
        const effectsOf = createMarkerEffectAccumulator({
          ...selection,
          method: 'vanraden1',
          kept: scan.kept,
          traits: [{ mean: fit.mean, weights: fit.weights, additiveScale: fit.varianceAdditive / divisor }],
        });
        effectsOf.add(panel.packed, panel.markerIds.length);
        const [effects] = effectsOf.finish();
        expect(fit.n).toBe(exact('n', row));
        expect(scan.keptCount).toBe(exact('m', row));
        expect(fit.boundary).toBe('none');
        // The bar of the reference: 1e-6 relative.
        expect(fit.varianceAdditive / divisor / exact('exact_rr_Vu', row)).toBeCloseTo(1, 6.3);
        expect(fit.varianceResidual / exact('exact_rr_Ve', row)).toBeCloseTo(1, 6.3);
        // Its mean refers to dosages − 1, its likelihood leaves out ½ log|XᵀX|.
        const mean = effects.intercept + effects.additive.reduce((sum, effect) => sum + effect, 0);
        expect(largestRelativeError([mean], [exact('exact_rr_beta', row)], 0)).toBeLessThan(1e-6);
        expect(fit.logLikelihood - 0.5 * Math.log(fit.n)).toBeCloseTo(exact('exact_rr_LL', row), 7);
        const gebv = readReferenceCsv(new URL(`${gp}gebv_${trait}.csv`, data));
        const gebvRows = new Map(textColumn(gebv, 'sample').map((sample, i) => [sample, i]));
        const exactPrediction = numberColumn(gebv, 'exact_pred');
        const expectedGebv = Float64Array.from(panel.samples, (sample) => {
          return exactPrediction[gebvRows.get(sample) as number];
        });
        // The reference knows its variance ratio to about 1e-7, so a value near 0 is right relative to the typical
        // value.
        expect(largestRelativeError(fit.gebv, expectedGebv, rootMeanSquare(expectedGebv))).toBeLessThan(1e-6);
        const effectFile = new URL(`${gp}marker_effects_${trait}.csv.gz`, data);
        if (!hasReference(effectFile)) return;
        const expected = readReferenceCsv(effectFile);
        const keptIds = panel.markerIds.filter((_, j) => scan.kept[j] === 1);
        expect(keptIds).toEqual(textColumn(expected, 'id'));
        const u = numberColumn(expected, 'u_exact_reml');
        // As above: an effect near 0 is a difference of large numbers in both programs.
        expect(largestRelativeError(effects.additive, u, rootMeanSquare(u))).toBeLessThan(1e-6);
      });
    });
  });
}
