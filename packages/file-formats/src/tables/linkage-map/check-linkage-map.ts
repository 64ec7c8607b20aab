import type { MarkerTable } from '../../genotype/panel/genotype-panel.ts';
import { ProblemCollector, type ProblemReport } from '../../problem.ts';
import { groupedNumber } from '../../text/grouped-number.ts';
import type { LinkageMap } from './linkage-map.ts';
import { firstDisorder } from './linkage-map-order.ts';

export interface MapCheckOptions {
  /** What to do with markers of the genotype that the map lacks; `refuse` (an error) unless told. */
  missingMarkers?: 'refuse' | 'interpolate' | 'drop';
  /** The markers are a part of the genotype file, so that the map may well hold more: W-LM-EXTRA is not reported. */
  arePart?: boolean;
}

export interface CheckedMap {
  /** cM of each genotype marker; NaN = leave the marker out. May be below 0 where extrapolated before the first mapped marker. */
  positionCm: Float64Array;
  /** Chromosome of each marker as the genotype writes it. */
  chromosome: string[];
  /** Genotype markers that the map lacks, and what became of them. */
  missing: number;
  interpolated: number;
  dropped: number;
  /** The first 100 missing markers. */
  missingMarkers: string[];
  report: ProblemReport;
}

const MAX_LISTED_MARKERS = 100;
const MAX_SHOWN_MARKERS = 10;

/**
 * Places the markers of a genotype on a linkage map: by marker id, else by chromosome and base pairs. Chromosome names are
 * compared without case, `chr` in front and leading zeros.
 * `interpolate` places a missing marker linearly between its mapped neighbours by base pairs, and beyond the first and last of
 * them at the chromosome's mean rate; on a chromosome with fewer than two mapped markers it is left out.
 * Reports E-LM-MISSING-MARKERS (only when refusing), E-LM-PHYS-MISMATCH, E-LM-CHR-MISMATCH, W-LM-EXTRA and W-LM-ORDER.
 */
export function checkMapAgainstMarkers(
  map: LinkageMap,
  markers: MarkerTable,
  options: MapCheckOptions = {},
): CheckedMap {
  const problems = new ProblemCollector();
  const count = markers.id.length;
  const rowOf = matchRows(map, markers);
  const positionCm = new Float64Array(count).fill(Number.NaN);
  const used = new Uint8Array(map.markerId.length);
  const missing: number[] = [];
  for (let marker = 0; marker < count; marker++) {
    const row = rowOf[marker];
    if (row >= 0) used[row] = 1;
    if (row < 0 || Number.isNaN(map.positionCm[row])) {
      missing.push(marker);
      continue;
    }
    positionCm[marker] = map.positionCm[row];
    reportMismatch(map, row, markers, marker, problems);
  }
  reportOrder(markers, positionCm, problems);

  const extra = used.reduce((sum, isUsed) => sum + 1 - isUsed, 0);
  if (extra > 0 && options.arePart !== true) {
    problems.warning('W-LM-EXTRA', {
      value: String(extra),
      message: `${groupedNumber(extra)} of ${groupedNumber(map.markerId.length)} markers of the map are not in the genotype file and are ignored.`,
      suggestion: 'Nothing to do when the map covers more markers than the panel.',
    });
  }
  const choice = options.missingMarkers ?? 'refuse';
  if (missing.length > 0 && choice === 'refuse') {
    const shown = missing.slice(0, MAX_SHOWN_MARKERS).map((marker) => `"${markers.id[marker]}"`);
    const rest = missing.length > shown.length ? ` and ${missing.length - shown.length} more` : '';
    problems.error('E-LM-MISSING-MARKERS', {
      value: String(missing.length),
      message: `${groupedNumber(missing.length)} of ${groupedNumber(count)} markers of the genotype file have no position on the map: ${shown.join(', ')}${rest}.`,
      suggestion: 'Add them to the map, or choose to interpolate their positions or to leave these markers out.',
    });
  }
  const interpolated = choice === 'interpolate' ? interpolate(markers, positionCm, missing) : 0;
  return {
    positionCm,
    chromosome: markers.chromosome,
    missing: missing.length,
    interpolated,
    dropped: choice === 'refuse' ? 0 : missing.length - interpolated,
    missingMarkers: missing.slice(0, MAX_LISTED_MARKERS).map((marker) => markers.id[marker]),
    report: problems.report(),
  };
}

/** A chromosome name as it is compared: `Chr01`, `chromosome 1` and `1` are the same. */
export function chromosomeKey(name: string): string {
  const key = name
    .trim()
    .toLowerCase()
    .replace(/^(?:chromosome|chrom|chr)[\s_-]*(?=.)/, '');
  return key.replace(/^0+(?=\d)/, '');
}

function matchRows(map: LinkageMap, markers: MarkerTable): Int32Array {
  const byId = new Map<string, number>();
  const byPlace = new Map<string, number>();
  map.markerId.forEach((id, row) => {
    byId.set(id, row);
    if (!Number.isNaN(map.positionBp[row]))
      byPlace.set(`${chromosomeKey(map.chromosome[row])}:${map.positionBp[row]}`, row);
  });
  return Int32Array.from(
    markers.id,
    (id, marker) =>
      byId.get(id) ?? byPlace.get(`${chromosomeKey(markers.chromosome[marker])}:${markers.positionBp[marker]}`) ?? -1,
  );
}

function reportMismatch(
  map: LinkageMap,
  row: number,
  markers: MarkerTable,
  marker: number,
  problems: ProblemCollector,
): void {
  const id = markers.id[marker];
  if (chromosomeKey(map.chromosome[row]) !== chromosomeKey(markers.chromosome[marker])) {
    problems.error('E-LM-CHR-MISMATCH', {
      value: id,
      message: `"${id}" lies on chromosome ${map.chromosome[row]} in the map and on ${markers.chromosome[marker]} in the genotype file.`,
      suggestion: 'Correct the map, or use the map that belongs to this genome version.',
    });
    return;
  }
  const bp = markers.positionBp[marker];
  if (Number.isNaN(map.positionBp[row]) || bp === 0 || map.positionBp[row] === bp) return;
  problems.error('E-LM-PHYS-MISMATCH', {
    value: id,
    message: `"${id}" lies at ${map.positionBp[row]} bp in the map and at ${bp} bp in the genotype file.`,
    suggestion: 'Use the map that belongs to this genome version, or leave out the physPos column.',
  });
}

function markersByChromosome(markers: MarkerTable, positionCm: Float64Array): Map<string, number[]> {
  const byChromosome = new Map<string, number[]>();
  for (let marker = 0; marker < positionCm.length; marker++) {
    if (Number.isNaN(positionCm[marker]) || markers.positionBp[marker] === 0) continue;
    const key = chromosomeKey(markers.chromosome[marker]);
    const members = byChromosome.get(key);
    if (members === undefined) byChromosome.set(key, [marker]);
    else members.push(marker);
  }
  return byChromosome;
}

function reportOrder(markers: MarkerTable, positionCm: Float64Array, problems: ProblemCollector): void {
  for (const members of markersByChromosome(markers, positionCm).values()) {
    members.sort((a, b) => positionCm[a] - positionCm[b]);
    const swap = firstDisorder(members, markers.positionBp, positionCm);
    if (swap === null) continue;
    problems.warning('W-LM-ORDER', {
      value: markers.id[swap[1]],
      message: `On chromosome ${markers.chromosome[swap[1]]} the order by map position differs from the order by base pairs, first at "${markers.id[swap[0]]}" and "${markers.id[swap[1]]}".`,
      suggestion: 'Check the positions; confirm when the map is right.',
    });
  }
}

/** Fills in the positions of missing markers; returns how many could be placed. */
function interpolate(markers: MarkerTable, positionCm: Float64Array, missing: readonly number[]): number {
  const byChromosome = markersByChromosome(markers, positionCm);
  for (const members of byChromosome.values()) members.sort((a, b) => markers.positionBp[a] - markers.positionBp[b]);
  const placed = new Map<number, number>();
  for (const marker of missing) {
    const members = byChromosome.get(chromosomeKey(markers.chromosome[marker])) ?? [];
    const bp = markers.positionBp[marker];
    const first = members[0];
    const last = members.at(-1);
    if (bp === 0 || last === undefined || markers.positionBp[first] === markers.positionBp[last]) continue;
    let low = 0;
    let high = members.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (markers.positionBp[members[middle]] < bp) low = middle + 1;
      else high = middle;
    }
    const isInside = low > 0 && low < members.length;
    const [left, right] = isInside ? [members[low - 1], members[low]] : [first, last];
    const rate = (positionCm[right] - positionCm[left]) / (markers.positionBp[right] - markers.positionBp[left]);
    const anchor = low === members.length ? right : left;
    placed.set(marker, positionCm[anchor] + rate * (bp - markers.positionBp[anchor]));
  }
  for (const [marker, position] of placed) positionCm[marker] = position;
  return placed.size;
}
