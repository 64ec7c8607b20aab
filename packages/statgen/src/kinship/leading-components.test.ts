import { readReferencePanel } from '@heterosis/test-support/reference-data';
import { expect, test } from 'vitest';
import { createKinshipAccumulator } from './accumulate-kinship.ts';
import { createLeadingComponents } from './leading-components.ts';
import { principalComponents } from './principal-components.ts';

const filter = { maf: 0.05, callRate: 0.9 };

test('components of the maize panel equal those of its kinship matrix', () => {
  const panel = readReferencePanel(new URL('../../reference/maize-mdp/genotypes.vcf.gz', import.meta.url));
  const n = panel.samples.length;
  const markers = panel.markerIds.length;
  const accumulator = createKinshipAccumulator({ panelSize: n, filter, methods: ['standardized'] });
  accumulator.add(panel.packed, markers);
  const { kernels } = accumulator.finish();
  if (kernels.standardized === undefined) throw new Error('no kinship');
  const exact = principalComponents(kernels.standardized, 3);

  const leading = createLeadingComponents({ panelSize: n, filter, count: 3, markers });
  const half = Math.floor(markers / 2);
  const stride = Math.ceil(n / 4);
  leading.add(panel.packed.subarray(0, half * stride), half);
  leading.add(panel.packed.subarray(half * stride), markers - half);
  const found = leading.finish();
  for (let axis = 0; axis < 3; axis++) {
    expect(found.eigenvalues[axis] / exact.eigenvalues[axis]).toBeCloseTo(1, 5);
    expect(found.shares[axis]).toBeCloseTo(exact.shares[axis], 6);
    let agreement = 0;
    for (let i = 0; i < n; i++) agreement += found.axes.data[axis * n + i] * exact.axes.data[axis * n + i];
    expect(Math.abs(agreement)).toBeCloseTo(1, 3);
  }
});

test('fewer markers than vectors, a constant marker and one individual more than components are no obstacle', () => {
  const leading = createLeadingComponents({ panelSize: 6, filter: { maf: 0, callRate: 0 }, count: 5, markers: 2 });
  leading.add(Uint8Array.of(0b11_10_00_11, 0b0011, 0b00_00_00_00, 0b0000), 2);
  const { axes, shares } = leading.finish();
  expect(shares).toHaveLength(5);
  expect(shares[0]).toBeCloseTo(1, 10);
  expect(Array.from(shares.slice(1)).every((share) => Math.abs(share) < 1e-10)).toBe(true);
  expect(axes.data.every(Number.isFinite)).toBe(true);
});

test('options that make no sense are refused', () => {
  const options = { panelSize: 4, filter, markers: 1 };
  expect(() => createLeadingComponents({ ...options, count: 5 })).toThrow(
    expect.objectContaining({ code: 'bad-option' }),
  );
  const leading = createLeadingComponents({ ...options, count: 2 });
  leading.add(Uint8Array.of(0), 1);
  expect(() => leading.add(Uint8Array.of(0), 1)).toThrow(expect.objectContaining({ code: 'bad-option' }));
  expect(() => leading.finish()).toThrow(expect.objectContaining({ code: 'no-markers-left' }));
});
