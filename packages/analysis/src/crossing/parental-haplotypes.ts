import type { ByteSource } from '@heterosis/file-formats/byte-source';
import type { GenotypePanel, MarkerTable } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { HET, HOM_A2, MISSING, packedLength, unpackCalls } from '@heterosis/file-formats/genotype/panel/packed-calls';
import { MISSING_ALLELE, readHaplotypes } from '@heterosis/file-formats/genotype/read-haplotypes';
import type { PhasedParent } from '@heterosis/statgen/crossing/crossing-genome';
import { createRelationshipToBase } from '@heterosis/statgen/kinship/relationship-to-base';
import type { RandomStream } from '@heterosis/statgen/random/random-stream';
import { type AnalysisContext, AnalysisError, reportProgress } from '../context.ts';
import { markerRanges } from '../inputs/open-panel.ts';

/** Haplotypes of some individuals, without gaps: 1 = allele A2. */
export interface ParentalHaplotypes {
  names: string[];
  markers: MarkerTable;
  /** By `names`; each haplotype has one entry per marker. */
  parents: PhasedParent[];
  /** Missing calls of each parent, filled with the more common allele among the parents. */
  filledCalls: Int32Array;
  /**
   * Genomic relationship of the parents (VanRaden 2008, method 1), n × n by `names`, with the allele frequencies of
   * all individuals of the panel; null when no marker varies.
   */
  kinship: Float64Array | null;
  /** Heterozygous calls without phase of each parent, which `randomPhase` has put on either haplotype. */
  unphasedCalls?: Int32Array;
}

export interface HaplotypeInput {
  panel: GenotypePanel;
  /** The original file, for the phase of heterozygous parents; a panel stores none. */
  original: ByteSource | null;
  /** Requested parents, named as in the panel. */
  names: readonly string[];
  /**
   * True when only dosages matter: heterozygous calls then have the allele A2 on the first haplotype, phased or not.
   */
  ignorePhase?: boolean;
  /**
   * Puts the heterozygous calls of parents with calls without phase on either haplotype at random, in place of
   * refusing them: linkage disequilibrium within these plants is lost.
   */
  randomPhase?: RandomStream;
  /** Takes parents however many of their calls are missing; otherwise a share above a fifth is refused. */
  takesGaps?: boolean;
}

/** A parent with more missing calls than this is refused, unless all are taken. */
export const MAX_MISSING_SHARE = 0.2;

/**
 * Haplotypes of parents. Homozygous parents need no phase, whatever the file; those of heterozygous parents are read
 * from a phased VCF (`0|1`). Missing calls are filled with the more common allele of the requested parents, and
 * counted.
 *
 * @throws AnalysisError `crossing/unphased-parents`, `crossing/missing-calls`, `crossing/other-original`
 */
export async function readParentalHaplotypes(
  input: HaplotypeInput,
  context: AnalysisContext,
): Promise<ParentalHaplotypes> {
  const { panel, original, names, ignorePhase = false, randomPhase, takesGaps = false } = input;
  const index = new Map(panel.samples.map((name, i) => [name, i]));
  const columns = names.map((name) => index.get(name) ?? -1);
  const unknown = names.filter((_, i) => columns[i] < 0);
  if (unknown.length > 0) throw new RangeError(`not in the panel: ${unknown.join(', ')}`);

  const fromPanel = await panelHaplotypes(panel, columns, context);
  let { parents } = fromPanel;
  let unphasedCalls: Int32Array = new Int32Array(names.length);
  if (!ignorePhase && fromPanel.heterozygous.some((count) => count > 0)) {
    const phased = original === null ? null : await vcfHaplotypes(original, panel, names, context);
    const unphased = phased?.unphased ?? fromPanel.heterozygous;
    const concerned = names.filter((_, i) => unphased[i] > 0);
    if (concerned.length > 0 && randomPhase === undefined) {
      throw new AnalysisError(
        'crossing/unphased-parents',
        `${listed(concerned)} ${concerned.length === 1 ? 'has' : 'have'} heterozygous calls without phase, and the variance of a cross depends on it.`,
        'Phase the genotype file and use the phased file, or choose inbred parents.',
        { parents: concerned },
      );
    }
    parents = phased?.parents ?? parents;
    if (randomPhase !== undefined) {
      for (const [i, parent] of parents.entries()) if (unphased[i] > 0) shufflePhase(parent, randomPhase);
      unphasedCalls = unphased;
    }
  }
  const filledCalls = fillMissing(parents, names, takesGaps ? 1 : MAX_MISSING_SHARE);
  return { names: [...names], markers: panel.markers, parents, filledCalls, kinship: fromPanel.kinship, unphasedCalls };
}

/** Which allele of a heterozygous call stands first, at random. */
function shufflePhase({ first, second }: PhasedParent, random: RandomStream): void {
  for (let j = 0; j < first.length; j++) {
    if (first[j] !== second[j] && random.uniform() < 0.5) [first[j], second[j]] = [second[j], first[j]];
  }
}

interface PanelHaplotypes {
  parents: PhasedParent[];
  /** Heterozygous calls per parent; if there are any, the parent's haplotypes have no phase. */
  heterozygous: Int32Array;
  kinship: Float64Array | null;
}

async function panelHaplotypes(
  panel: GenotypePanel,
  columns: readonly number[],
  context: AnalysisContext,
): Promise<PanelHaplotypes> {
  const markers = panel.markers.id.length;
  const haplotypes = columns.map(() => new Uint8Array(markers));
  // Separate arrays, because missing calls are filled per haplotype.
  const second = columns.map(() => new Uint8Array(markers));
  const heterozygous = new Int32Array(columns.length);
  const codes = new Uint8Array(panel.samples.length);
  const rowBytes = packedLength(panel.samples.length);
  const ranges = markerRanges(markers);
  const relationship = createRelationshipToBase(columns.length);
  const dosages = new Float64Array(columns.length);
  for (const [block, { first, count }] of ranges.entries()) {
    reportProgress(context, 'read', block, ranges.length);
    const packed = await panel.readPacked(first, count);
    for (let k = 0; k < count; k++) {
      unpackCalls(packed, codes, k * rowBytes);
      for (const [parent, column] of columns.entries()) {
        const code = codes[column];
        if (code === HET) heterozygous[parent]++;
        const allele = code === HOM_A2 ? 1 : code === MISSING ? MISSING_ALLELE : 0;
        haplotypes[parent][first + k] = code === HET ? 1 : allele;
        second[parent][first + k] = allele;
        dosages[parent] = DOSAGES[code];
      }
      relationship.add(dosages, frequencyOf(codes));
    }
  }
  return {
    parents: haplotypes.map((first, parent) => ({ first, second: second[parent] })),
    heterozygous,
    kinship: relationship.finish(),
  };
}

/** Copies of A2 by code. */
const DOSAGES = Float64Array.from({ length: 4 }, (_, code) =>
  code === HOM_A2 ? 2 : code === HET ? 1 : code === MISSING ? Number.NaN : 0,
);

/** Frequency of A2 among the calls of a marker; NaN without any. */
function frequencyOf(codes: Uint8Array): number {
  let copies = 0;
  let missing = 0;
  for (const code of codes) {
    if (code === MISSING) missing++;
    else copies += DOSAGES[code];
  }
  return copies / (2 * (codes.length - missing));
}

interface PhasedHaplotypes {
  parents: PhasedParent[];
  /** Unphased heterozygous calls, per parent. */
  unphased: Int32Array;
}

/** Haplotypes from the VCF that the panel was imported from, in panel order; null for another format. */
async function vcfHaplotypes(
  source: ByteSource,
  panel: GenotypePanel,
  names: readonly string[],
  context: AnalysisContext,
): Promise<PhasedHaplotypes | null> {
  const found = await readHaplotypes(source, names, {
    signal: context.signal,
    onProgress: (done, total) => reportProgress(context, 'read', done, total),
  });
  if (found === null) return null;
  const placeOf = new Map(found.ids.map((id, place) => [id, place]));
  const places = Int32Array.from(panel.markers.id, (id) => placeOf.get(id) ?? -1);
  const lost = places.indexOf(-1);
  if (lost >= 0) {
    throw new AnalysisError(
      'crossing/other-original',
      `The marker ${panel.markers.id[lost]} of the genotype is not in the VCF that phase is read from.`,
      'Import the VCF again.',
    );
  }
  const haplotype = (h: number) => Uint8Array.from(places, (place) => found.alleles[h][place]);
  return {
    parents: names.map((_, i) => ({ first: haplotype(2 * i), second: haplotype(2 * i + 1) })),
    unphased: found.unphased,
  };
}

/** Fills missing alleles with the commoner one of all; how many of each parent. */
export function fillMissing(
  parents: readonly PhasedParent[],
  names: readonly string[],
  most: number = MAX_MISSING_SHARE,
): Int32Array {
  const markers = parents.at(0)?.first.length ?? 0;
  const filled = new Int32Array(parents.length);
  for (let j = 0; j < markers; j++) {
    let copies = 0;
    let called = 0;
    let hasGap = false;
    for (const { first, second } of parents) {
      if (first[j] === MISSING_ALLELE) hasGap = true;
      else {
        copies += first[j] + second[j];
        called += 2;
      }
    }
    if (!hasGap) continue;
    const commoner = 2 * copies > called ? 1 : 0;
    for (const [i, parent] of parents.entries()) {
      if (parent.first[j] !== MISSING_ALLELE) continue;
      parent.first[j] = commoner;
      parent.second[j] = commoner;
      filled[i]++;
    }
  }
  const bad = names.filter((_, i) => filled[i] > most * markers);
  if (bad.length > 0) {
    throw new AnalysisError(
      'crossing/missing-calls',
      `More than ${100 * MAX_MISSING_SHARE} % of the calls of ${listed(bad)} are missing.`,
      'Phase the genotype first: phasing fills missing calls from related individuals.',
      { parents: bad },
    );
  }
  return filled;
}

const SHOWN_NAMES = 5;

function listed(names: readonly string[]): string {
  const rest = names.length - SHOWN_NAMES;
  return names.slice(0, SHOWN_NAMES).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
