/** Space between chromosomes, as a share of the length of the genome. */
const GAP = 0.008;
const PER_POINT = 3;

export interface ScanPoints {
  /** 0–1 along the genome, with a small gap between chromosomes. */
  x: Float32Array;
  /** −log10 p. */
  y: Float32Array;
  /** Whether the chromosome is drawn in the second tone. */
  isSecondTone: Uint8Array;
  /** Top of the axis: the largest value or the threshold. */
  largest: number;
}

/**
 * Lays out the points of a scan for a picture without axes. Each chromosome is as long as its last marker; all start at
 * 0. `points` are triples: index of the chromosome, position in bp, −log10 p.
 */
export function layOutScan(points: Float32Array, thresholdP: number): ScanPoints {
  const count = Math.floor(points.length / PER_POINT);
  const lengths: number[] = [];
  for (let at = 0; at < count * PER_POINT; at += PER_POINT) {
    const chromosome = points[at] ?? 0;
    lengths[chromosome] = Math.max(lengths[chromosome] ?? 0, points[at + 1] ?? 0);
  }
  const starts: number[] = [];
  const genome = lengths.reduce((sum, length) => sum + (length ?? 0), 0);
  let end = 0;
  for (let chromosome = 0; chromosome < lengths.length; chromosome++) {
    starts[chromosome] = end;
    end += (lengths[chromosome] ?? 0) + GAP * genome;
  }
  const total = Math.max(1, end - GAP * genome);
  const laid: ScanPoints = {
    x: new Float32Array(count),
    y: new Float32Array(count),
    isSecondTone: new Uint8Array(count),
    largest: -Math.log10(thresholdP),
  };
  for (let index = 0; index < count; index++) {
    const chromosome = points[index * PER_POINT] ?? 0;
    const value = points[index * PER_POINT + 2] ?? 0;
    laid.x[index] = ((starts[chromosome] ?? 0) + (points[index * PER_POINT + 1] ?? 0)) / total;
    laid.y[index] = value;
    laid.isSecondTone[index] = chromosome % 2;
    if (value > laid.largest) laid.largest = value;
  }
  return laid;
}
