import type { CrossingSimulationDetail } from '@heterosis/contracts/work/crossing-simulations';
import { expect, test } from 'vitest';
import { crossingMethods } from './methods-paragraph.ts';

test('the share selected is written as it was asked for', () => {
  const paragraph = (selected_fraction: number): string =>
    crossingMethods({
      model: null,
      linkage_map: null,
      report: null,
      provenance: {
        seed: 1,
        software_version: '1.0.0',
        parameters: { population: 'DH', selected_fraction, accuracy: 1, low_traits: [], bp_per_cm: 1_000_000 },
      },
    } as unknown as CrossingSimulationDetail);
  expect(paragraph(0.05)).toContain('(best 5 %)');
  expect(paragraph(0.07)).toContain('(best 7 %)');
  expect(paragraph(0.001)).toContain('(best 0.1 %)');
});
