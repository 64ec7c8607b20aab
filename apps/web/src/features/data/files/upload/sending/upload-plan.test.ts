import { expect, test } from 'vitest';
import { planParts, SpeedMeter, waitBeforeTry } from './upload-plan.ts';

test('the parts of a file cover every byte once', () => {
  expect(planParts(10, 4)).toEqual([
    { number: 1, from: 0, to: 4 },
    { number: 2, from: 4, to: 8 },
    { number: 3, from: 8, to: 10 },
  ]);
  expect(planParts(8, 4)).toHaveLength(2);
  expect(planParts(0, 4)).toEqual([]);
});

test('waits double up to half a minute and are spread', () => {
  expect([1, 2, 3, 6, 50].map((failures) => waitBeforeTry(failures, 1))).toEqual([1000, 2000, 4000, 30_000, 30_000]);
  expect(waitBeforeTry(1, 0)).toBe(500);
});

test('the speed is that of the last seconds and is not guessed from a single moment', () => {
  const meter = new SpeedMeter();
  meter.take(0, 0);
  expect(meter.bytesPerSecond).toBeUndefined();
  meter.take(100, 500);
  expect(meter.bytesPerSecond).toBeUndefined();
  meter.take(2000, 2000);
  expect(meter.bytesPerSecond).toBe(1000);
  for (let second = 3; second <= 30; second++) meter.take(2000 + (second - 2) * 10, second * 1000);
  expect(meter.bytesPerSecond).toBeCloseTo(10);
  meter.reset();
  expect(meter.bytesPerSecond).toBeUndefined();
});

test('a part that is sent again makes the speed start anew instead of going below nothing', () => {
  const meter = new SpeedMeter();
  meter.take(0, 0);
  meter.take(8000, 4000);
  meter.take(4000, 4100);
  expect(meter.bytesPerSecond).toBeUndefined();
  meter.take(6000, 6100);
  expect(meter.bytesPerSecond).toBe(1000);
});
