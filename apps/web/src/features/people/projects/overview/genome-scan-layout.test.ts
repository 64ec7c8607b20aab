import { describe, expect, it } from 'vitest';
import { layOutScan } from './genome-scan-layout.ts';

describe('the layout of a genome scan', () => {
  const points = Float32Array.from([0, 100, 1, 0, 300, 2, 1, 0, 8, 1, 700, 0]);

  it('puts chromosomes side by side, as long as their last marker', () => {
    const { x, isSecondTone } = layOutScan(points, 0.001);
    // 300 bp + 700 bp and a gap of 0.8 %.
    expect([...x].map((share) => Number(share.toFixed(4)))).toEqual([0.0992, 0.2976, 0.3056, 1]);
    expect([...isSecondTone]).toEqual([0, 0, 1, 1]);
  });

  it('ends at the largest value, or at the threshold where no marker reaches it', () => {
    expect(layOutScan(points, 0.001).largest).toBe(8);
    expect(layOutScan(points, 1e-10).largest).toBeCloseTo(10);
  });

  it('takes a scan without markers, and one marker at position 0', () => {
    expect(layOutScan(new Float32Array(), 0.05).x).toHaveLength(0);
    expect([...layOutScan(Float32Array.from([0, 0, 1]), 0.05).x]).toEqual([0]);
  });
});
