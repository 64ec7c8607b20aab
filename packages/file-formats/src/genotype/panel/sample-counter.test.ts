import { expect, test } from 'vitest';
import { createRandomStream } from '../random.test-data.ts';
import { packCalls } from './packed-calls.ts';
import { SampleCounter } from './sample-counter.ts';

test.each([1, 3, 63, 64, 65, 257])('counts of %i samples equal a plain count over 1,000 markers', (n) => {
  const random = createRandomStream(n);
  const counter = new SampleCounter(n);
  const missing = new Int32Array(n);
  const het = new Int32Array(n);
  for (let marker = 0; marker < 1000; marker++) {
    // Nothing but missing calls at first, then nothing but heterozygotes: every lane fills to its limit.
    const codes = Uint8Array.from({ length: n }, () =>
      marker < 300 ? 1 : marker < 600 ? 2 : Math.floor(4 * random()),
    );
    packCalls(codes, counter.row);
    counter.add();
    const count = (code: number) => codes.reduce((sum, value) => sum + Number(value === code), 0);
    expect(counter.counts).toEqual({ missing: count(1), het: count(2), homA2: count(3) });
    for (const [i, code] of codes.entries()) {
      missing[i] += Number(code === 1);
      het[i] += Number(code === 2);
    }
    if (marker === 700) counter.finish(); // in the middle, too
  }
  counter.finish();
  expect(counter.sampleMissing).toEqual(missing);
  expect(counter.sampleHet).toEqual(het);
});
