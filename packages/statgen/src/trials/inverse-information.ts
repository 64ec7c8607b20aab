import { type RemlMaximum, solvePositive } from '../mixed-model/maximize-reml.ts';

/**
 * Standard errors from the inverse of the average information of the parameters that are not at a bound; NaN at one.
 */
export function inverseInformation({ point, atBound }: RemlMaximum): Float64Array {
  const q = atBound.length;
  const free = [...atBound.keys()].filter((k) => atBound[k] === 0);
  const errors = new Float64Array(q).fill(Number.NaN);
  const matrix = free.map((k) => free.map((l) => point.information[k + l * q]));
  free.forEach((k, i) => {
    const column = solvePositive(
      matrix,
      free.map((_, j) => Number(i === j)),
    );
    if (column !== null) errors[k] = Math.sqrt(column[i]);
  });
  return errors;
}
