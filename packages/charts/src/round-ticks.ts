const ABOUT_TICKS = 6;

/** Round values (1, 2 or 5 times a power of ten) between two ends, about six of them. */
export function roundTicks(start: number, end: number): number[] {
  const step = roundStep(end - start);
  const ticks: number[] = [];
  for (let value = Math.ceil(start / step) * step; value <= end; value += step) ticks.push(value);
  return ticks;
}

/** `max` and `interval` of an axis from 0 that ends on a mark, with a little room above the largest value. */
export function axisToRoundEnd(largest: number): { max: number; interval: number } {
  const interval = roundStep(largest);
  return { max: Math.ceil((largest * 1.04) / interval) * interval, interval };
}

/** `min`, `max` and `interval` of an axis that begins and ends on a mark. */
export function roundRange(low: number, high: number): { min: number; max: number; interval: number } {
  const interval = roundStep(high - low);
  return { min: Math.floor(low / interval) * interval, max: Math.ceil(high / interval) * interval, interval };
}

function roundStep(range: number): number {
  const rough = Math.max(range, Number.MIN_VALUE) / ABOUT_TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const share = rough / power;
  // Four marks at least, and no more than nine.
  return power * (share <= 1.2 ? 1 : share <= 3 ? 2 : share <= 6.5 ? 5 : 10);
}
