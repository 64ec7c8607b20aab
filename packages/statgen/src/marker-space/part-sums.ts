/** Sum of `count` values from `first` on. */
export function sumOfPart(values: Float64Array, first: number, count: number): number {
  let sum = 0;
  for (let i = first; i < first + count; i++) sum += values[i];
  return sum;
}

/** Sum of the squares of `count` values from `first` on. */
export function squaresOfPart(values: Float64Array, first: number, count: number): number {
  let sum = 0;
  for (let i = first; i < first + count; i++) sum += values[i] * values[i];
  return sum;
}
