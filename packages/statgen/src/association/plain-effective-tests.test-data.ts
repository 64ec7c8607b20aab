// The effective number of tests as Li & Ji define it, computed plainly from the whole correlation matrix.

/** Dosages of the markers, one array each; a missing call is NaN and takes its marker's mean. */
export function plainEffectiveTests(markers: readonly Float64Array[]): number {
  const columns = markers.map((dosages) => {
    const called = dosages.filter((dosage) => !Number.isNaN(dosage));
    const mean = called.reduce((sum, dosage) => sum + dosage, 0) / called.length;
    return dosages.map((dosage) => (Number.isNaN(dosage) ? 0 : dosage - mean));
  });
  const product = (a: Float64Array, b: Float64Array): number => a.reduce((sum, value, i) => sum + value * b[i], 0);
  const correlation = columns.map((a) => columns.map((b) => product(a, b) / Math.sqrt(product(a, a) * product(b, b))));
  return eigenvaluesOf(correlation).reduce((sum, value) => {
    // Snap to whole numbers: f(x) = [x ≥ 1] + (x − ⌊x⌋) jumps there.
    const x = Math.abs(value - Math.round(value)) < 1e-8 ? Math.round(value) : value;
    return sum + (x >= 1 ? 1 : 0) + (x - Math.floor(x));
  }, 0);
}

/** By Jacobi rotations. */
function eigenvaluesOf(matrix: readonly (readonly number[])[]): number[] {
  const a = matrix.map((row) => [...row]);
  const n = a.length;
  for (let sweep = 0; sweep < 30; sweep++) {
    let off = 0;
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) {
        off += a[p][q] ** 2;
        if (Math.abs(a[p][q]) < 1e-300) continue;
        const theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const c = 1 / Math.sqrt(t * t + 1);
        const s = t * c;
        for (let k = 0; k < n; k++) [a[k][p], a[k][q]] = [c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]];
        for (let k = 0; k < n; k++) [a[p][k], a[q][k]] = [c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]];
      }
    }
    if (off < 1e-26) break;
  }
  return a.map((row, i) => row[i]);
}
