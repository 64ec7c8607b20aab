import { deflateBgzf } from '@heterosis/file-formats/compression/bgzf';
import { compareChromosomes } from '@heterosis/file-formats/genotype/panel/chromosome-order';
import type { MarkerTable } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { packCalls, packedLength } from '@heterosis/file-formats/genotype/panel/packed-calls';
import { type VcfRow, writeVcfRows } from '@heterosis/file-formats/genotype/writers/write-vcf';
import { codeTexts } from '@heterosis/file-formats/text/code-texts';
import type { Population } from '@heterosis/statgen/crossing/population';
import { createAlleleReader, type ProgenyHomologs } from '@heterosis/statgen/crossing/progeny-homologs';
import { type AnalysisContext, reportProgress } from '../context.ts';

/** Simulated progeny of crosses, kept as breakpoints; their genotypes are computed while writing. */
export interface SimulatedProgeny {
  seed: number;
  /** Homologs of a progeny. */
  ploidy: number;
  /** How those of polyploids paired, for the header. */
  pairing?: { quadrivalents: number; preferential: number };
  /** Markers of the parents' genotype. */
  markers: MarkerTable;
  /** By genome position, the simulated marker's index in `markers`. */
  markerIndex: Int32Array;
  crosses: ProgenyOfCross[];
}

export interface ProgenyOfCross {
  name: string;
  /** Two to four names. */
  parents: string[];
  population: Population;
  homologs: ProgenyHomologs;
  /** As many haplotypes per parent as it has homologs, in genome order; 1 = allele A2 of `markers`. */
  haplotypes: Uint8Array[];
}

/** Name of the i-th progeny of a cross, from 0: `CROSS-1`, `CROSS-2` … */
export function progenyName(cross: string, i: number): string {
  return `${cross}-${i + 1}`;
}

/**
 * Phased genotypes of simulated progeny as VCF (blocked gzip when `isCompressed`), one column per progeny of all
 * crosses, sorted by chromosome and base pairs; the left allele is on the homolog from the female gamete, in polyploids
 * every second one from the left. The header records the seed and, for each cross, its parents, population and number
 * of progeny. It contains the simulated markers: those with an effect and a map position.
 */
export function progenyVcf(
  progeny: SimulatedProgeny,
  isCompressed: boolean,
  context: AnalysisContext,
): AsyncIterable<Uint8Array> {
  const { crosses, markers, ploidy } = progeny;
  const samples = crosses.flatMap(({ name, homologs }) =>
    Array.from({ length: plantsIn(homologs, ploidy) }, (_, i) => progenyName(name, i)),
  );
  const text = writeVcfRows({ samples, markers, meta: progenyMeta(progeny), rows: progenyRows(progeny, context) });
  return isCompressed ? deflateBgzf(text) : text;
}

const plantsIn = ({ first }: ProgenyHomologs, ploidy: number): number => (first.length - 1) / ploidy;

const PARENT_KEYS = ['Female', 'Male', 'Parent3', 'Parent4'];

function* progenyMeta({ seed, crosses, ploidy, pairing }: SimulatedProgeny): Generator<string> {
  const paired = pairing
    ? `,Ploidy=${ploidy},Quadrivalents=${pairing.quadrivalents},Preferential=${pairing.preferential}`
    : '';
  yield `##simulation=<Model=Haldane,Seed=${seed}${paired}>`;
  for (const { name, parents, population, homologs } of crosses) {
    const count = plantsIn(homologs, ploidy);
    const named = parents.map((parent, k) => `${PARENT_KEYS[k]}=${quoted(parent)}`).join(',');
    yield `##cross=<ID=${quoted(name)},${named},Population=${population},Progeny=${count}>`;
  }
}

/** A text quoted as VCF 4.2 requires in header lines. */
function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** By the alleles of a plant as bits, the first one highest: `\t0|0`, `\t0|1`, `\t1|0`, `\t1|1`. */
const callTexts = (ploidy: number): string[] =>
  Array.from({ length: 1 << ploidy }, (_, code) => `\t${code.toString(2).padStart(ploidy, '0').split('').join('|')}`);
const MARKERS_A_REPORT = 100;

function* progenyRows(
  { crosses, markers, markerIndex, ploidy }: SimulatedProgeny,
  context: AnalysisContext,
): Generator<VcfRow> {
  const { chromosome, positionBp } = markers;
  const order = Array.from(markerIndex.keys()).sort(
    (a, b) =>
      compareChromosomes(chromosome[markerIndex[a]], chromosome[markerIndex[b]]) ||
      positionBp[markerIndex[a]] - positionBp[markerIndex[b]] ||
      a - b,
  );
  const readers = crosses.map(({ homologs, haplotypes }) => ({
    read: createAlleleReader(homologs, haplotypes),
    alleles: new Uint8Array(homologs.first.length - 1),
  }));
  const codes = new Uint8Array(readers.reduce((count, { alleles }) => count + alleles.length / ploidy, 0));
  const writeCalls = callWriter(codes, ploidy);
  for (const [done, place] of order.entries()) {
    if (done % MARKERS_A_REPORT === 0) reportProgress(context, 'write', done, order.length);
    let i = 0;
    for (const { read, alleles } of readers) {
      read(place, alleles);
      for (let h = 0; h < alleles.length; i++) {
        let code = 0;
        for (const end = h + ploidy; h < end; h++) code = 2 * code + alleles[h];
        codes[i] = code;
      }
    }
    yield { marker: markerIndex[place], writeCalls };
  }
}

/** Writes codes as they stand when it is called. */
function callWriter(codes: Uint8Array, ploidy: number): VcfRow['writeCalls'] {
  const texts = callTexts(ploidy);
  if (ploidy !== 2) {
    return (lines) => {
      for (const code of codes) lines.text(texts[code]);
    };
  }
  const calls = codeTexts(texts);
  const packed = new Uint8Array(packedLength(codes.length));
  return (lines) => {
    packCalls(codes, packed);
    lines.codes(packed, codes.length, calls);
  };
}
