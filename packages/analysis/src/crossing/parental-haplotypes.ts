import type { ByteSource } from '@heterosis/file-formats/byte-source';
import type { GenotypePanel, MarkerTable } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { HET, HOM_A2, MISSING, packedLength, unpackCalls } from '@heterosis/file-formats/genotype/panel/packed-calls';
import { FileFormatError } from '@heterosis/file-formats/problem';
import { openText } from '@heterosis/file-formats/text/text-file';
import type { PhasedParent } from '@heterosis/statgen/crossing/crossing-genome';
import { type AnalysisContext, AnalysisError, reportProgress } from '../context.ts';
import { markerRanges } from '../inputs/open-panel.ts';

/** Haplotypes of some individuals, without gaps: 1 = allele A2. */
export interface ParentalHaplotypes {
  names: string[];
  markers: MarkerTable;
  /** By `names`; each haplotype has one entry a marker. */
  parents: PhasedParent[];
  /** Missing calls of each parent that were set to the commoner allele of the parents. */
  filledCalls: Int32Array;
}

export interface HaplotypeInput {
  panel: GenotypePanel;
  /** The original file, for the phase of heterozygous parents; a panel itself holds none. */
  original: ByteSource | null;
  /** Parents wanted, as the panel names them. */
  names: readonly string[];
}

/** Stands for a missing allele while reading. */
const MISSING_ALLELE = 255;
/** A parent with more missing calls than this cannot be judged. */
const MAX_MISSING_SHARE = 0.2;
/** A VCF of any size may be read for phase. */
const VCF_LIMITS = { maxCompressedBytes: 10e9, maxInflatedBytes: 400e9, maxLineBytes: 256e6 };
const FIXED_COLUMNS = 9;

/**
 * Haplotypes of parents. Homozygous parents need no phase, whatever the file; heterozygous ones are read from a phased VCF
 * (`0|1`). Missing calls take the commoner allele of the parents asked for, and are counted.
 *
 * @throws AnalysisError `crossing/unphased-parents`, `crossing/missing-calls`
 */
export async function readParentalHaplotypes(
  input: HaplotypeInput,
  context: AnalysisContext,
): Promise<ParentalHaplotypes> {
  const { panel, original, names } = input;
  const index = new Map(panel.samples.map((name, i) => [name, i]));
  const columns = names.map((name) => index.get(name) ?? -1);
  const unknown = names.filter((_, i) => columns[i] < 0);
  if (unknown.length > 0) throw new RangeError(`not in the panel: ${unknown.join(', ')}`);

  const fromPanel = await panelHaplotypes(panel, columns, context);
  let found: { markers: MarkerTable; parents: PhasedParent[] } = { markers: panel.markers, parents: fromPanel.parents };
  if (fromPanel.heterozygous.some((count) => count > 0)) {
    const phased = original === null ? null : await vcfHaplotypes(original, names, context);
    const unphased = phased?.unphased ?? fromPanel.heterozygous;
    const concerned = names.filter((_, i) => unphased[i] > 0);
    if (phased === null || concerned.length > 0) {
      throw new AnalysisError(
        'crossing/unphased-parents',
        `${listed(concerned)} ${concerned.length === 1 ? 'has' : 'have'} heterozygous calls without phase, and the variance of a cross depends on it.`,
        'Phase the genotype first (heterosis phase, or the phasing of the file page), or use inbred parents.',
        { parents: concerned },
      );
    }
    found = phased;
  }
  return { names: [...names], ...found, filledCalls: fillMissing(found.parents, names) };
}

interface PanelHaplotypes {
  parents: PhasedParent[];
  /** Heterozygous calls per parent; their haplotypes are not to be used then. */
  heterozygous: Int32Array;
}

async function panelHaplotypes(
  panel: GenotypePanel,
  columns: readonly number[],
  context: AnalysisContext,
): Promise<PanelHaplotypes> {
  const markers = panel.markers.id.length;
  const haplotypes = columns.map(() => new Uint8Array(markers));
  const heterozygous = new Int32Array(columns.length);
  const codes = new Uint8Array(panel.samples.length);
  const rowBytes = packedLength(panel.samples.length);
  const ranges = markerRanges(markers);
  for (const [block, { first, count }] of ranges.entries()) {
    reportProgress(context, 'read', block, ranges.length);
    const packed = await panel.readPacked(first, count);
    for (let k = 0; k < count; k++) {
      unpackCalls(packed, codes, k * rowBytes);
      for (const [parent, column] of columns.entries()) {
        const code = codes[column];
        if (code === HET) heterozygous[parent]++;
        haplotypes[parent][first + k] = code === HOM_A2 ? 1 : code === MISSING ? MISSING_ALLELE : 0;
      }
    }
  }
  // Separate arrays, because missing calls are filled in each haplotype.
  return { parents: haplotypes.map((first) => ({ first, second: first.slice() })), heterozygous };
}

interface VcfHaplotypes {
  markers: MarkerTable;
  parents: PhasedParent[];
  /** Heterozygous calls without phase, per parent. */
  unphased: Int32Array;
}

/** Haplotypes from a VCF that the import has already accepted; markers with more than two alleles are left out. Null when the file is no VCF. */
async function vcfHaplotypes(
  source: ByteSource,
  names: readonly string[],
  context: AnalysisContext,
): Promise<VcfHaplotypes | null> {
  const text = await openVcfText(source, context);
  if (text === null) return null;
  const columns = names.map(() => -1);
  const alleles: number[][] = names.flatMap(() => [[], []]);
  const unphased = new Int32Array(names.length);
  const position: number[] = [];
  const markers: Omit<MarkerTable, 'positionBp'> = { id: [], chromosome: [], a1: [], a2: [] };
  let hasHeader = false;
  for await (const { text: line, number } of text.lines()) {
    if (number % 1000 === 0) reportProgress(context, 'read', 0, 0);
    if (line.startsWith('##') || line === '') {
      if (number === 1 && !/^##fileformat=VCF/i.test(line)) return null;
      continue;
    }
    const cells = line.split('\t');
    if (line.startsWith('#')) {
      hasHeader = true;
      const samples = new Map(cells.slice(FIXED_COLUMNS).map((name, i) => [name.trim(), FIXED_COLUMNS + i]));
      names.forEach((name, i) => {
        columns[i] = samples.get(name) ?? -1;
      });
      if (columns.includes(-1)) return null;
      continue;
    }
    if (!hasHeader) return null;
    const [chromosome, pos, id, ref, alt] = cells;
    const field = (cells[8] ?? '').split(':').indexOf('GT');
    if (alt === undefined || alt.includes(',') || field < 0) continue;
    markers.id.push(id === '.' ? `${chromosome}@${pos}` : id);
    markers.chromosome.push(chromosome);
    position.push(Number(pos));
    markers.a1.push(ref);
    markers.a2.push(alt);
    for (const [parent, column] of columns.entries()) {
      const call = (cells[column] ?? '.').split(':')[field] ?? '.';
      const [first, second] = call.split(/[/|]/);
      const u = alleleOf(first);
      const v = second === undefined ? u : alleleOf(second);
      if (u !== v && u !== MISSING_ALLELE && v !== MISSING_ALLELE && !call.includes('|')) unphased[parent]++;
      const isMissing = u === MISSING_ALLELE || v === MISSING_ALLELE;
      alleles[2 * parent].push(isMissing ? MISSING_ALLELE : u);
      alleles[2 * parent + 1].push(isMissing ? MISSING_ALLELE : v);
    }
  }
  return {
    markers: { ...markers, positionBp: Float64Array.from(position) },
    parents: names.map((_, i) => ({
      first: Uint8Array.from(alleles[2 * i]),
      second: Uint8Array.from(alleles[2 * i + 1]),
    })),
    unphased,
  };
}

async function openVcfText(
  source: ByteSource,
  context: AnalysisContext,
): Promise<Awaited<ReturnType<typeof openText>> | null> {
  try {
    return await openText(source, VCF_LIMITS, context.signal);
  } catch (error) {
    // A zip or binary file: it was imported, so it is a genotype of another kind, without phase.
    if (error instanceof FileFormatError) return null;
    throw error;
  }
}

function alleleOf(text: string | undefined): number {
  return text === '0' ? 0 : text === '1' ? 1 : MISSING_ALLELE;
}

function fillMissing(parents: readonly PhasedParent[], names: readonly string[]): Int32Array {
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
  const bad = names.filter((_, i) => filled[i] > MAX_MISSING_SHARE * markers);
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
