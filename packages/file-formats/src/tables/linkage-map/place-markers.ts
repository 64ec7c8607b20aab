import type { MarkerTable } from '../../genotype/panel/genotype-panel.ts';
import { normalizeName } from '../../names/normalize-name.ts';
import { ProblemCollector, type ProblemReport } from '../../problem.ts';
import { groupedNumber } from '../../text/grouped-number.ts';
import { chromosomeKey, isKnownChromosome } from './chromosome-name.ts';
import type { LinkageMap } from './linkage-map.ts';
import { firstDisorder } from './linkage-map-order.ts';
import { DEFAULT_BP_PER_CM } from './linkage-map-template.ts';

export interface PlaceMarkersOptions {
  /** Handling of genotype markers that the map lacks; default `refuse` (an error). */
  missingMarkers?: 'refuse' | 'interpolate' | 'drop';
  /**
   * The genotype file that the markers are part of. So the map may hold more (W-LM-EXTRA is not reported), and a row of
   * a map without base pairs has those of its marker in this file.
   */
  partOf?: MarkerTable;
}

/** Positions of the markers of a genotype according to a linkage map, one entry per marker. */
export interface PlacedMarkers {
  /**
   * Chromosome: from the map if it has the marker, otherwise from the genotype. Each chromosome has one spelling: that
   * of the genotype if it names the chromosome, otherwise that of the map.
   */
  chromosome: string[];
  /** Base pairs; 0 when unknown. */
  positionBp: Float64Array;
  /** centimorgan; NaN = unmapped. Negative if extrapolated before the first anchor. */
  positionCm: Float64Array;
  /** Genotype markers that the map lacks, and how they were handled. */
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
 * Places the markers of a genotype on a linkage map. A marker is matched by id, otherwise by chromosome and base
 * pairs; comparison of chromosome names ignores case, the prefix `chr` and leading zeros.
 *
 * The map determines a marker's chromosome and position. If the genotype disagrees (another chromosome, other base
 * pairs), the two files do not belong together, and E-LM-CHR-MISMATCH or E-LM-PHYS-MISMATCH reports it with the line
 * of the map. A marker without a chromosome (`UN`, `0`) contradicts nothing and takes chromosome and base pairs from
 * the map. On a chromosome for which neither file has base pairs, they are derived from the map at {@link
 * DEFAULT_BP_PER_CM}, in map order and all different (I-LM-BP-MADE).
 *
 * `interpolate` places a marker that the map lacks linearly between its neighbours by base pairs. Neighbours are all
 * rows of the map with base pairs, including markers that this genotype does not have, so that a framework map serves
 * any panel, and markers of the genotype file that are not among those to place. Before the first and after the last
 * row the chromosome's mean rate applies; on a chromosome with fewer than two positions, no marker can be placed.
 *
 * Reports E-LM-MISSING-MARKERS (only when refusing), E-LM-PHYS-MISMATCH, E-LM-CHR-MISMATCH, W-LM-EXTRA, W-LM-ORDER
 * and I-LM-BP-MADE.
 */
export function placeMarkers(map: LinkageMap, markers: MarkerTable, options: PlaceMarkersOptions = {}): PlacedMarkers {
  const problems = new ProblemCollector();
  const count = markers.id.length;
  const rowOf = matchRows(map, markers);
  const chromosome = chromosomesOf(map, markers, rowOf);
  const positionBp = new Float64Array(count);
  const positionCm = new Float64Array(count).fill(Number.NaN);
  const isUsed = new Uint8Array(map.markerId.length);
  const missing: number[] = [];
  for (let marker = 0; marker < count; marker++) {
    const row = rowOf[marker];
    positionBp[marker] = markers.positionBp[marker];
    if (row < 0) {
      missing.push(marker);
      continue;
    }
    isUsed[row] = 1;
    positionCm[marker] = map.positionCm[row];
    if (Number.isNaN(positionCm[marker])) missing.push(marker);
    if (isKnownChromosome(markers.chromosome[marker])) reportMismatch(map, row, markers, marker, problems);
    else positionBp[marker] = 0;
    // Negative if a damaged map was stored; 0 and NaN mean "unknown".
    if (positionBp[marker] === 0 && map.positionBp[row] > 0) positionBp[marker] = map.positionBp[row];
  }
  const placed = { chromosome, positionBp, positionCm };
  const anchors = anchorsOf(map, [
    { positionBp, rowOf },
    ...(options.partOf ? [knownPlaces(map, options.partOf)] : []),
  ]);
  makeBasePairs(placed, anchors, problems);
  reportOrder(markers.id, placed, problems);
  const extra = isUsed.reduce((sum, used) => sum + 1 - used, 0);
  if (extra > 0 && options.partOf === undefined) reportExtra(extra, map, problems);
  const choice = options.missingMarkers ?? 'refuse';
  if (missing.length > 0 && choice === 'refuse') reportMissing(missing, markers.id, problems);
  const interpolated = choice === 'interpolate' ? interpolate(placed, anchors, missing) : 0;
  return {
    ...placed,
    missing: missing.length,
    interpolated,
    dropped: choice === 'refuse' ? 0 : missing.length - interpolated,
    missingMarkers: missing.slice(0, MAX_LISTED_MARKERS).map((marker) => markers.id[marker]),
    report: problems.report(),
  };
}

/** The map row of each marker, −1 if there is none. A row on an unknown chromosome (`UN`, `0`) gives no position. */
function matchRows(map: LinkageMap, markers: MarkerTable): Int32Array {
  const byId = new Map<string, number>();
  const byPlace = new Map<string, number>();
  map.markerId.forEach((id, row) => {
    if (!isKnownChromosome(map.chromosome[row])) return;
    byId.set(id, row);
    if (!Number.isNaN(map.positionBp[row]))
      byPlace.set(`${chromosomeKey(map.chromosome[row])}:${map.positionBp[row]}`, row);
  });
  return Int32Array.from(markers.id, (id, marker) => {
    const row = byId.get(id) ?? byId.get(normalizeName(id));
    if (row !== undefined) return row;
    if (!isKnownChromosome(markers.chromosome[marker])) return -1;
    return byPlace.get(`${chromosomeKey(markers.chromosome[marker])}:${markers.positionBp[marker]}`) ?? -1;
  });
}

/** The chromosome of each marker, in one spelling. */
function chromosomesOf(map: LinkageMap, markers: MarkerTable, rowOf: Int32Array): string[] {
  const spellings = new Map<string, string>();
  for (const name of markers.chromosome) {
    const key = chromosomeKey(name);
    if (isKnownChromosome(name) && !spellings.has(key)) spellings.set(key, name);
  }
  return markers.chromosome.map((name, marker) => {
    const row = rowOf[marker];
    const decided = row < 0 ? name : map.chromosome[row];
    const key = chromosomeKey(decided);
    const known = spellings.get(key);
    if (known !== undefined) return known;
    spellings.set(key, decided);
    return decided;
  });
}

function reportMismatch(
  map: LinkageMap,
  row: number,
  markers: MarkerTable,
  marker: number,
  problems: ProblemCollector,
): void {
  const id = markers.id[marker];
  const line = map.line?.[row] ?? null;
  if (chromosomeKey(map.chromosome[row]) !== chromosomeKey(markers.chromosome[marker])) {
    problems.error('E-LM-CHR-MISMATCH', {
      line,
      value: id,
      message: `"${id}" lies on chromosome ${map.chromosome[row]} in the map and on ${markers.chromosome[marker]} in the genotype file.`,
      suggestion: 'Correct the map, or use the map that belongs to this genome version.',
    });
    return;
  }
  const bp = markers.positionBp[marker];
  if (Number.isNaN(map.positionBp[row]) || bp === 0 || map.positionBp[row] === bp) return;
  problems.error('E-LM-PHYS-MISMATCH', {
    line,
    value: id,
    message: `"${id}" lies at ${map.positionBp[row]} bp in the map and at ${bp} bp in the genotype file.`,
    suggestion: 'Use the map that belongs to this genome version, or leave out the physPos column.',
  });
}

type Places = Pick<PlacedMarkers, 'chromosome' | 'positionBp' | 'positionCm'>;

/** Positions of one chromosome known in both base pairs and cM, sorted by base pairs. */
interface Anchors {
  bp: number[];
  cm: number[];
}

/** Base pairs of markers, and their rows of the map. */
interface RowPlaces {
  positionBp: Float64Array;
  rowOf: Int32Array;
}

/** Those of a genotype file; base pairs without a chromosome are none. */
function knownPlaces(map: LinkageMap, markers: MarkerTable): RowPlaces {
  const positionBp = markers.positionBp.map((bp, marker) => (isKnownChromosome(markers.chromosome[marker]) ? bp : 0));
  return { positionBp, rowOf: matchRows(map, markers) };
}

/** All rows of the map with base pairs, their own or those of the genotype's marker, by chromosome key. */
function anchorsOf(map: LinkageMap, places: readonly RowPlaces[]): Map<string, Anchors> {
  const bpOf = Float64Array.from(map.positionBp);
  for (const { positionBp, rowOf } of places)
    rowOf.forEach((row, marker) => {
      if (row >= 0 && !(bpOf[row] > 0)) bpOf[row] = positionBp[marker];
    });
  const rows = Array.from(bpOf.keys()).filter(
    (row) => bpOf[row] > 0 && !Number.isNaN(map.positionCm[row]) && isKnownChromosome(map.chromosome[row]),
  );
  rows.sort((a, b) => bpOf[a] - bpOf[b] || map.positionCm[a] - map.positionCm[b]);
  const byChromosome = new Map<string, Anchors>();
  for (const row of rows) {
    const key = chromosomeKey(map.chromosome[row]);
    const anchors = byChromosome.get(key) ?? { bp: [], cm: [] };
    byChromosome.set(key, anchors);
    anchors.bp.push(bpOf[row]);
    anchors.cm.push(map.positionCm[row]);
  }
  return byChromosome;
}

/** Base pairs for chromosomes for which neither file has any, so that their markers have an order and positions. */
function makeBasePairs(
  { chromosome, positionBp, positionCm }: Places,
  anchors: ReadonlyMap<string, Anchors>,
  problems: ProblemCollector,
): void {
  const hasBp = new Set(anchors.keys());
  chromosome.forEach((name, marker) => {
    if (positionBp[marker] > 0) hasBp.add(chromosomeKey(name));
  });
  const concerned = Array.from(chromosome.keys()).filter(
    (marker) => !Number.isNaN(positionCm[marker]) && !hasBp.has(chromosomeKey(chromosome[marker])),
  );
  if (concerned.length === 0) return;
  concerned.sort((a, b) => positionCm[a] - positionCm[b] || a - b);
  const last = new Map<string, number>();
  for (const marker of concerned) {
    const bp = Math.max(
      1 + Math.round(positionCm[marker] * DEFAULT_BP_PER_CM),
      1 + (last.get(chromosome[marker]) ?? 0),
    );
    last.set(chromosome[marker], bp);
    positionBp[marker] = bp;
  }
  problems.info('I-LM-BP-MADE', {
    value: String(concerned.length),
    message: `${groupedNumber(concerned.length)} markers have a map position but no base pairs; theirs were made from the map at ${groupedNumber(DEFAULT_BP_PER_CM)} bp per cM.`,
    suggestion: 'Add a physPos column to the map when base pairs are known.',
  });
}

function reportOrder(ids: readonly string[], placed: Places, problems: ProblemCollector): void {
  const { chromosome, positionBp, positionCm } = placed;
  const byChromosome = new Map<string, number[]>();
  chromosome.forEach((name, marker) => {
    if (Number.isNaN(positionCm[marker]) || positionBp[marker] === 0) return;
    const members = byChromosome.get(name);
    if (members === undefined) byChromosome.set(name, [marker]);
    else members.push(marker);
  });
  for (const [name, members] of byChromosome) {
    members.sort((a, b) => positionCm[a] - positionCm[b]);
    const swap = firstDisorder(members, positionBp, positionCm);
    if (swap === null) continue;
    problems.warning('W-LM-ORDER', {
      value: ids[swap[1]],
      message: `On chromosome ${name} the order by map position differs from the order by base pairs, first at "${ids[swap[0]]}" and "${ids[swap[1]]}".`,
      suggestion: 'Check the positions; confirm when the map is right.',
    });
  }
}

function reportExtra(extra: number, map: LinkageMap, problems: ProblemCollector): void {
  problems.warning('W-LM-EXTRA', {
    value: String(extra),
    message: `${groupedNumber(extra)} of ${groupedNumber(map.markerId.length)} markers of the map are not in the genotype file.`,
    suggestion: 'Nothing to do when the map covers more markers than the panel.',
  });
}

function reportMissing(missing: readonly number[], ids: readonly string[], problems: ProblemCollector): void {
  const shown = missing.slice(0, MAX_SHOWN_MARKERS).map((marker) => `"${ids[marker]}"`);
  const rest = missing.length > shown.length ? ` and ${missing.length - shown.length} more` : '';
  problems.error('E-LM-MISSING-MARKERS', {
    value: String(missing.length),
    message: `${groupedNumber(missing.length)} of ${groupedNumber(ids.length)} markers of the genotype file have no position on the map: ${shown.join(', ')}${rest}.`,
    suggestion: 'Add them to the map, or choose to interpolate their positions or to leave these markers out.',
  });
}

/** Fills in the cM of missing markers; returns the number placed. */
function interpolate(
  { chromosome, positionBp, positionCm }: Places,
  anchors: ReadonlyMap<string, Anchors>,
  missing: readonly number[],
): number {
  let placed = 0;
  for (const marker of missing) {
    if (!(positionBp[marker] > 0) || !isKnownChromosome(chromosome[marker])) continue;
    const cm = interpolated(anchors.get(chromosomeKey(chromosome[marker])), positionBp[marker]);
    if (cm === null) continue;
    positionCm[marker] = cm;
    placed++;
  }
  return placed;
}

function interpolated(anchors: Anchors | undefined, positionBp: number): number | null {
  if (anchors === undefined) return null;
  const { bp, cm } = anchors;
  const end = bp.length - 1;
  if (bp[0] === bp[end]) return null;
  let low = 0;
  let high = bp.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bp[middle] < positionBp) low = middle + 1;
    else high = middle;
  }
  const isInside = low > 0 && low <= end;
  const [left, right] = isInside ? [low - 1, low] : [0, end];
  const rate = (cm[right] - cm[left]) / (bp[right] - bp[left]);
  const nearest = low > end ? right : left;
  return cm[nearest] + rate * (positionBp - bp[nearest]);
}
