/** Mean; NaN of nothing. */
export function meanOf(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum / values.length;
}

/** Variance with denominator n. */
export function varianceOf(values: ArrayLike<number>): number {
  const mean = meanOf(values);
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += (values[i] - mean) ** 2;
  return sum / values.length;
}

/** Correlation; NaN where either does not vary at all, which is not where it varies little. */
export function correlationOf(x: ArrayLike<number>, y: ArrayLike<number>): number {
  if (isConstant(x) || isConstant(y)) return Number.NaN;
  const [meanX, meanY] = [meanOf(x), meanOf(y)];
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (let i = 0; i < x.length; i++) {
    const [a, b] = [x[i] - meanX, y[i] - meanY];
    xx += a * a;
    yy += b * b;
    xy += a * b;
  }
  return xy / Math.sqrt(xx) / Math.sqrt(yy);
}

/** Mean of the correlations within groups that vary; NaN when none does. */
export function correlationWithin(x: Float64Array, y: Float64Array, group: Int32Array): number {
  const members = Map.groupBy(group.keys(), (i) => group[i]);
  const found = [...members.values()]
    .map((places) =>
      correlationOf(
        places.map((i) => x[i]),
        places.map((i) => y[i]),
      ),
    )
    .filter((r) => !Number.isNaN(r));
  return meanOf(found);
}

function isConstant(values: ArrayLike<number>): boolean {
  for (let i = 1; i < values.length; i++) if (values[i] !== values[0]) return false;
  return true;
}
