import { readReferencePanel } from '@heterosis/test-support/reference-data';
import { expect, test } from 'vitest';
import { createRandomStream } from '../random/random-stream.ts';
import { createKinshipAccumulator } from './accumulate-kinship.ts';
import { COMPONENT_TOLERANCE, createLeadingComponents, leadingComponentsOf } from './leading-components.ts';
import { type PrincipalComponents, principalComponents } from './principal-components.ts';

const filter = { maf: 0.05, callRate: 0.9 };

function kinshipOf(packed: Uint8Array, markers: number, panelSize: number) {
  const accumulator = createKinshipAccumulator({ panelSize, filter, methods: ['standardized'] });
  accumulator.add(packed, markers);
  const { kernels, scan } = accumulator.finish();
  if (kernels.standardized === undefined) throw new Error('no kinship');
  return { kinship: kernels.standardized, kept: scan.keptCount };
}

/** Asserts equal eigenvalues, shares and axes, the axes up to sign. */
function expectSame(found: PrincipalComponents, exact: PrincipalComponents, count: number): void {
  const n = exact.axes.rows;
  for (let axis = 0; axis < count; axis++) {
    expect(Math.abs(found.eigenvalues[axis] / exact.eigenvalues[axis] - 1)).toBeLessThan(1e-12);
    expect(Math.abs(found.shares[axis] - exact.shares[axis])).toBeLessThan(1e-13);
    let agreement = 0;
    for (let i = 0; i < n; i++) agreement += found.axes.data[axis * n + i] * exact.axes.data[axis * n + i];
    expect(Math.abs(Math.abs(agreement) - 1)).toBeLessThan(1e-12);
  }
}

test('components of the maize panel equal those of its kinship matrix, with and without forming it', () => {
  const panel = readReferencePanel(new URL('../../reference/maize-mdp/genotypes.vcf.gz', import.meta.url));
  const n = panel.samples.length;
  const markers = panel.markerIds.length;
  const { kinship, kept } = kinshipOf(panel.packed, markers, n);
  const exact = principalComponents(kinship, 5);

  const leading = createLeadingComponents({ panelSize: n, filter, count: 5 });
  const half = Math.floor(markers / 2);
  const stride = Math.ceil(n / 4);
  leading.add(panel.packed.subarray(0, half * stride), half);
  leading.add(panel.packed.subarray(half * stride), markers - half);
  const found = leading.finish();
  expect(found.residual).toBeLessThan(COMPONENT_TOLERANCE);
  expect(found.markers).toBe(kept);
  expectSame(found, exact, 5);
  expectSame(leadingComponentsOf(kinship, 5), exact, 5);
});

test('a panel without structure, whose eigenvalues lie close together, converges all the same', () => {
  const n = 640;
  const markers = 900;
  const random = createRandomStream(3, 'unstructured');
  const packed = Uint8Array.from({ length: (markers * n) / 4 }, () => {
    let byte = 0;
    for (let k = 0; k < 8; k += 2) byte |= [0, 2, 2, 3][random.nextInt(4)] << k;
    return byte;
  });
  const { kinship } = kinshipOf(packed, markers, n);
  const exact = principalComponents(kinship, 5);
  const leading = createLeadingComponents({ panelSize: n, filter, count: 5 });
  leading.add(packed, markers);
  const found = leading.finish();
  expect(found.residual).toBeLessThan(COMPONENT_TOLERANCE);
  expectSame(found, exact, 5);
});

test('fewer markers than vectors, a constant marker and one individual more than components are no obstacle', () => {
  const leading = createLeadingComponents({ panelSize: 6, filter: { maf: 0, callRate: 0 }, count: 5 });
  leading.add(Uint8Array.of(0b11_10_00_11, 0b0011, 0b00_00_00_00, 0b0000), 2);
  const { axes, shares } = leading.finish();
  expect(shares).toHaveLength(5);
  expect(shares[0]).toBeCloseTo(1, 10);
  expect(Array.from(shares.slice(1)).every((share) => Math.abs(share) < 1e-10)).toBe(true);
  expect(axes.data.every(Number.isFinite)).toBe(true);
});

test('options that make no sense are refused', () => {
  expect(() => createLeadingComponents({ panelSize: 4, filter, count: 5 })).toThrow(
    expect.objectContaining({ code: 'bad-option' }),
  );
  const leading = createLeadingComponents({ panelSize: 4, filter, count: 2 });
  leading.add(Uint8Array.of(0), 1);
  expect(() => leading.finish()).toThrow(expect.objectContaining({ code: 'no-markers-left' }));
});
