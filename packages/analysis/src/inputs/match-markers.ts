/** The data that identify markers in another file; one entry per marker. */
export interface NamedMarkers {
  id: readonly string[];
  chromosome: readonly string[];
  /** Base pairs; 0 when unknown. */
  positionBp: Float64Array;
  a1: readonly string[];
  a2: readonly string[];
}

/** The position of each marker of a model in a panel. */
export interface MarkerMatch {
  /** Panel index by model marker; −1 if the panel lacks it. */
  panelIndex: Int32Array;
  /** 1 if the panel counts the other allele (A1 and A2 swapped), by model marker. */
  isSwapped: Uint8Array;
  shared: number;
  /** Of the shared markers, those found by chromosome and position because the ids differ. */
  byPosition: number;
  swapped: number;
  /** Found by name or position but with different alleles: treated as missing. */
  mismatched: number;
  missing: number;
}

const COMPLEMENT: Record<string, string> = { A: 'T', C: 'G', G: 'C', T: 'A' };
const UNKNOWN_ALLELES = new Set(['.', '0', '', 'N']);

/**
 * Finds the markers of a model in another panel: by id, then by chromosome and position. The alleles must match: the
 * same two in the same order, swapped (then the dosage is 2 − dosage), or on the other strand (A/G versus T/C).
 * Markers with different alleles are different markers. If either file does not name the alleles, they are assumed to
 * match. Each panel marker matches at most one model marker. O(model + panel).
 */
export function matchMarkers(model: NamedMarkers, panel: NamedMarkers): MarkerMatch {
  const byId = new Map<string, number>();
  const byPlace = new Map<string, number[]>();
  for (let k = 0; k < panel.id.length; k++) {
    if (!byId.has(panel.id[k])) byId.set(panel.id[k], k);
    const place = placeKey(panel, k);
    if (place === null) continue;
    const others = byPlace.get(place);
    if (others === undefined) byPlace.set(place, [k]);
    else others.push(k);
  }
  const markers = model.id.length;
  const match: MarkerMatch = {
    panelIndex: new Int32Array(markers).fill(-1),
    isSwapped: new Uint8Array(markers),
    shared: 0,
    byPosition: 0,
    swapped: 0,
    mismatched: 0,
    missing: 0,
  };
  const isTaken = new Uint8Array(panel.id.length);
  const hasConflict = new Uint8Array(markers);
  const take = (j: number, k: number, order: 'same' | 'swapped') => {
    match.panelIndex[j] = k;
    isTaken[k] = 1;
    match.shared++;
    if (order === 'swapped') {
      match.isSwapped[j] = 1;
      match.swapped++;
    }
  };
  for (let j = 0; j < markers; j++) {
    const k = byId.get(model.id[j]);
    if (k === undefined || isTaken[k] === 1) continue;
    const order = alleleOrder(model.a1[j], model.a2[j], panel.a1[k], panel.a2[k]);
    if (order === 'different') hasConflict[j] = 1;
    else take(j, k, order);
  }
  for (let j = 0; j < markers; j++) {
    if (match.panelIndex[j] >= 0) continue;
    const place = placeKey(model, j);
    for (const k of place === null ? [] : (byPlace.get(place) ?? [])) {
      if (isTaken[k] === 1) continue;
      const order = alleleOrder(model.a1[j], model.a2[j], panel.a1[k], panel.a2[k]);
      if (order === 'different') {
        hasConflict[j] = 1;
        continue;
      }
      take(j, k, order);
      match.byPosition++;
      break;
    }
    if (match.panelIndex[j] >= 0) continue;
    match.missing++;
    if (hasConflict[j] === 1) match.mismatched++;
  }
  return match;
}

/** Whether two allele pairs are the same, swapped, or different; the other strand counts as the same. */
function alleleOrder(a1: string, a2: string, b1: string, b2: string): 'same' | 'swapped' | 'different' {
  const pair = [a1, a2, b1, b2].map((allele) => allele.toUpperCase());
  if (pair.some((allele) => UNKNOWN_ALLELES.has(allele))) return orderWithUnknown(pair);
  const [x1, x2, y1, y2] = pair;
  if (x1 === y1 && x2 === y2) return 'same';
  if (x1 === y2 && x2 === y1) return 'swapped';
  const [c1, c2] = [complement(y1), complement(y2)];
  if (x1 === c1 && x2 === c2) return 'same';
  if (x1 === c2 && x2 === c1) return 'swapped';
  return 'different';
}

/** If one allele is unnamed, the named ones may still reveal a swap or a contradiction. */
function orderWithUnknown([a1, a2, b1, b2]: string[]): 'same' | 'swapped' | 'different' {
  const fits = (x: string, y: string) => UNKNOWN_ALLELES.has(x) || UNKNOWN_ALLELES.has(y) || x === y;
  if (fits(a1, b1) && fits(a2, b2)) return 'same';
  if (fits(a1, b2) && fits(a2, b1)) return 'swapped';
  return 'different';
}

function complement(allele: string): string {
  return Array.from(allele, (base) => COMPLEMENT[base] ?? base)
    .reverse()
    .join('');
}

/** `chr01`, `Chr1` and `1` are treated as one chromosome; null if the position is unknown. */
function placeKey(markers: NamedMarkers, j: number): string | null {
  if (!(markers.positionBp[j] > 0)) return null;
  const chromosome = markers.chromosome[j]
    .toUpperCase()
    .replace(/^(?:CHROMOSOME|CHROM|CHR)[ _.-]?/, '')
    .replace(/^0+(?=.)/, '');
  return `${chromosome}\t${markers.positionBp[j]}`;
}
