import { dosageClasses, NO_CLASS } from '../genotypes/dosage-classes.ts';
import type { FractionalDosages } from '../genotypes/fractional-dosages.ts';
import { type PanelSelection, requirePacked } from '../genotypes/packed-calls.ts';
import { StatgenError } from '../statgen-error.ts';

/**
 * r² between one marker and each marker of a block: the squared Pearson correlation of dosages over the individuals
 * with both calls, fractions as the nearest whole numbers; in polyploids the composite r² of their dosages. NaN where
 * either is constant among them.
 *
 * @param calls packed calls, count × ceil(panelSize / 4) bytes, and their dosages where there are any
 * @param focus position within the block of the marker to compare with
 * @throws StatgenError `shape-mismatch`
 */
export function linkageDisequilibrium(
  calls: { packed: Uint8Array; dosages: FractionalDosages | undefined },
  count: number,
  selection: PanelSelection,
  focus: number,
): Float64Array {
  requirePacked(calls.packed, count, selection);
  if (!(Number.isInteger(focus) && focus >= 0 && focus < count)) {
    throw new StatgenError('shape-mismatch', `marker ${focus} is not one of the ${count} of the block`);
  }
  const individuals = selection.individuals?.length ?? selection.panelSize;
  const [focal, others] = [new Uint8Array(individuals), new Uint8Array(individuals)];
  dosageClasses(calls, focus, selection, focal);
  return Float64Array.from({ length: count }, (_, marker) => {
    dosageClasses(calls, marker, selection, others);
    return dosageR2(focal, others);
  });
}

/**
 * Squared Pearson correlation of the dosages of two markers over the individuals with both; in polyploids the composite
 * r². NaN where either is constant among them.
 *
 * @param first copies by individual, {@link NO_CLASS} where missing
 */
export function dosageR2(first: Uint8Array, second: Uint8Array): number {
  let n = 0;
  let x = 0;
  let y = 0;
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (let i = 0; i < first.length; i++) {
    const one = first[i];
    const other = second[i];
    if (one === NO_CLASS || other === NO_CLASS) continue;
    n++;
    x += one;
    y += other;
    xx += one * one;
    yy += other * other;
    xy += one * other;
  }
  // Integer arithmetic throughout: exactly 0 for a constant marker.
  const varianceX = n * xx - x * x;
  const varianceY = n * yy - y * y;
  const covariance = n * xy - x * y;
  return varianceX > 0 && varianceY > 0 ? (covariance / varianceX) * (covariance / varianceY) : Number.NaN;
}
