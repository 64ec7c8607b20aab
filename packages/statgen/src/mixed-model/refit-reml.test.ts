import { matrixOf, mirrorLower } from '@heterosis/linalg/matrix';
import { expect, test } from 'vitest';
import { createRandomStream } from '../random/random-stream.ts';
import { fitReml, reduceKernel } from './fit-reml.ts';
import { refitReml } from './refit-reml.ts';

/** A kinship of 300 lines at 400 loci, and values of a heritability. */
function simulated(heritability: number) {
  const random = createRandomStream(3, 'refit');
  const [n, m] = [300, 400];
  const codes = Float64Array.from({ length: n * m }, () => (random.uniform() < 0.5 ? -1 : 1));
  const effects = Float64Array.from({ length: m }, () => random.normal() / Math.sqrt(m));
  const kinship = matrixOf(n, n, new Float64Array(n * n));
  for (let j = 0; j < n; j++) {
    for (let i = j; i < n; i++) {
      for (let k = 0; k < m; k++) kinship.data[i + j * n] += (codes[i * m + k] * codes[j * m + k]) / m;
    }
  }
  const y = Float64Array.from({ length: n }, (_, i) => {
    let value = 10 + random.normal() * Math.sqrt((1 - heritability) / heritability);
    for (let k = 0; k < m; k++) value += codes[i * m + k] * effects[k];
    return value;
  });
  mirrorLower(kinship);
  const room = { factor: new Float32Array(n * n), inverse: new Float32Array(n * n) };
  return { n, y, kinship, single: Float32Array.from(kinship.data), room };
}

test.for([0.2, 0.5, 0.8])('a search from another δ ends where the whole search does, heritability %s', (h2) => {
  const { n, y, kinship, single, room } = simulated(h2);
  const whole = fitReml(reduceKernel(kinship, matrixOf(n, 1, new Float64Array(n).fill(1))), y);
  for (const factor of [0.3, 1, 4]) {
    const near = refitReml(single, y, whole.delta * factor, room);
    expect(Math.abs(Math.log((near?.delta ?? Number.NaN) / whole.delta))).toBeLessThan(1e-2);
    expect((near?.varianceGenetic ?? Number.NaN) / whole.varianceGenetic).toBeCloseTo(1, 2);
    const largest = whole.weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0);
    whole.weights.forEach((weight, i) => {
      expect(Math.abs((near?.weights[i] ?? Number.NaN) - weight)).toBeLessThan(1e-2 * largest);
    });
  }
});

test.for([0.5, 0.8])('a short step needs no second factor to end there, heritability %s', (h2) => {
  const { n, y, kinship, single, room } = simulated(h2);
  const whole = fitReml(reduceKernel(kinship, matrixOf(n, 1, new Float64Array(n).fill(1))), y);
  for (const move of [-0.12, -0.06, 0.06, 0.12]) {
    const near = refitReml(single, y, whole.delta * Math.exp(move), room);
    expect(Math.abs(Math.log((near?.delta ?? Number.NaN) / whole.delta))).toBeLessThan(1e-2);
    // The room holds the factor of the first place, whose pivot is the square root of its first diagonal.
    const first = single[0] + whole.delta * Math.exp(move);
    expect([h2, move, Math.abs(room.factor[0] ** 2 / first - 1) < 1e-4]).toEqual([h2, move, true]);
  }
});

test('values without genetic variance end at zero as the whole search does', () => {
  const { n, single, kinship, room } = simulated(0.5);
  const random = createRandomStream(9, 'noise');
  const reduced = reduceKernel(kinship, matrixOf(n, 1, new Float64Array(n).fill(1)));
  let zeros = 0;
  for (let trial = 0; trial < 8; trial++) {
    const noise = Float64Array.from({ length: n }, () => random.normal());
    const whole = fitReml(reduced, noise);
    const near = refitReml(single, noise, 2, room);
    if (near === null) continue;
    if (whole.varianceGenetic === 0) zeros++;
    expect([trial, near.varianceGenetic > 0]).toEqual([trial, whole.varianceGenetic > 0]);
    expect(near.varianceResidual / whole.varianceResidual).toBeCloseTo(1, 2);
  }
  expect(zeros).toBeGreaterThan(1);
});
