import {
  appendSegment,
  createMeiosisMap,
  crossoverGap,
  type Homolog,
  markerAfter,
  type UniformSource,
} from '../meiosis.ts';
import { type PairingModel, requirePairing } from './gametes.ts';
import type { PolyploidGenome } from './polyploid-cross.ts';

/**
 * One meiosis of a plant of k homologs, which are whole: those of its haplotypes `origin` … `origin + k − 1`. Writes
 * the k/2 chromatids of a gamete. O(crossovers).
 */
export type PolyploidMeiosis = (origin: number, random: UniformSource, gamete: readonly Homolog[]) => void;

/**
 * Meioses as {@link PairingModel} describes them, without interference; chromosomes pair independently. Chromatids of
 * bivalents of neighbours stand in the order of these; otherwise their order is random.
 *
 * @throws RangeError as `requirePairing`
 */
export function createPolyploidMeiosis(genome: PolyploidGenome, model: PairingModel): PolyploidMeiosis {
  requirePairing(model);
  const { ploidy, quadrivalents, preferential = 0 } = model;
  const map = createMeiosisMap(genome);
  const { chromosomeStart, chromosomeEndMorgan, markerMorgan } = map;
  const order = new Uint8Array(ploidy);

  /** First marker beyond a place, within the chromosome. */
  const markerBeyond = (morgan: number, c: number): number =>
    morgan < markerMorgan[chromosomeStart[c]]
      ? chromosomeStart[c]
      : morgan < chromosomeEndMorgan[c]
        ? markerAfter(map, morgan, chromosomeStart[c + 1])
        : chromosomeStart[c + 1];

  /** One chromatid of two homologs that have paired. */
  function bivalent(c: number, pair: readonly [number, number], random: UniformSource, chromatid: Homolog): void {
    const endMarker = chromosomeStart[c + 1];
    let morgan = markerMorgan[chromosomeStart[c]];
    let from = chromosomeStart[c];
    for (let side = random.uniform() < 0.5 ? 0 : 1; from < endMarker; side = 1 - side) {
      morgan += crossoverGap(random);
      const to = markerBeyond(morgan, c);
      if (to > from) appendSegment(chromatid, from, pair[side]);
      from = Math.max(from, to);
    }
  }

  /** Two of the eight chromatids of a quadrivalent. */
  function quadrivalent(c: number, origin: number, random: UniformSource, [one, other]: readonly Homolog[]): void {
    const centromere =
      markerMorgan[chromosomeStart[c]] + genome.centromereMorgan[c] - genome.positionMorgan[chromosomeStart[c]];
    const i = below(4, random);
    const start: HomologPair = [i, (i + 1 + below(3, random)) % 4];
    const left = walk(start, centromere - markerMorgan[chromosomeStart[c]], random).reverse();
    const right = walk(start, chromosomeEndMorgan[c] - centromere, random);
    const pieces = [
      ...left.map(({ pair, distance }) => ({ pair, end: centromere - distance })),
      ...[start, ...right.map(({ pair }) => pair)].map((pair, at) => ({
        ...{ pair, end: at < right.length ? centromere + right[at].distance : Number.POSITIVE_INFINITY },
      })),
    ];
    let from = chromosomeStart[c];
    for (const { pair, end } of pieces) {
      const to = markerBeyond(end, c);
      if (to <= from) continue;
      appendSegment(one, from, origin + pair[0]);
      appendSegment(other, from, origin + pair[1]);
      from = to;
    }
  }

  return (origin, random, gamete) => {
    for (const chromatid of gamete) chromatid.count = 0;
    for (let c = 0; c + 1 < chromosomeStart.length; c++) {
      if (quadrivalents > 0 && random.uniform() < quadrivalents) {
        quadrivalent(c, origin, random, gamete);
        continue;
      }
      for (let k = 0; k < ploidy; k++) order[k] = k;
      if (preferential === 0 || random.uniform() >= preferential) shuffle(order, random);
      for (const [k, chromatid] of gamete.entries())
        bivalent(c, [origin + order[2 * k], origin + order[2 * k + 1]], random, chromatid);
    }
  };
}

/** Homologs of a quadrivalent that the two chromatids of a gamete come from. */
type HomologPair = readonly [number, number];

/** Rates a Morgan at which a pair changes, in sixths: of two homologs, and of one twice. */
const SIXTHS = { apart: 11, alike: 12 };

/** Where the pair changes on the way outwards from the centromere, and what it is from there. */
function walk(start: HomologPair, length: number, random: UniformSource): { distance: number; pair: HomologPair }[] {
  const changes: { distance: number; pair: HomologPair }[] = [];
  let pair = start;
  let distance = 0;
  for (;;) {
    const sixths = pair[0] === pair[1] ? SIXTHS.alike : SIXTHS.apart;
    distance += (6 / sixths) * crossoverGap(random);
    if (distance >= length) return changes;
    pair = changed(pair, below(sixths, random));
    changes.push({ distance, pair });
  }
}

/** The transitions of `createTransition`, each as often as it has sixths of a Morgan. */
function changed([i, j]: HomologPair, way: number): HomologPair {
  if (i === j) {
    const k = (i + 1 + (way % 3)) % 4;
    return way < 6 ? [k, i] : [i, k];
  }
  if (way === 0) return [j, i];
  if (way === 1) return [i, i];
  if (way === 2) return [j, j];
  const others = [0, 1, 2, 3].filter((k) => k !== i && k !== j);
  const k = others[way % 2];
  return way < 7 ? [k, j] : [i, k];
}

const below = (count: number, random: UniformSource): number => Math.floor(count * random.uniform());

function shuffle(order: Uint8Array, random: UniformSource): void {
  for (let k = order.length - 1; k > 0; k--) {
    const other = below(k + 1, random);
    [order[k], order[other]] = [order[other], order[k]];
  }
}
