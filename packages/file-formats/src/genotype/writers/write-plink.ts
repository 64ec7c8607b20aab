import type { CodeTexts } from '../../text/code-texts.ts';
import type { LineBuffer } from '../../text/line-buffer.ts';
import type { GenotypePanel, MarkerTable } from '../panel/genotype-panel.ts';
import { UNKNOWN_ALLELE } from '../panel/marker-columns.ts';
import { BED_MAGIC, exchangeAlleles } from '../panel/packed-calls.ts';
import { callPairs } from './call-pairs.ts';
import { lineChunks, sampleCalls, textChunks } from './marker-blocks.ts';
import type { PanelFile } from './panel-format.ts';

const MARKERS_PER_READ = 4096;
/**
 * A panel as `.bed`, `.bim` and `.fam` (PLINK 1, SNP-major) in PLINK 2's order: ALT (A2) in column 5 of the `.bim`,
 * REF (A1) in column 6. PLINK reads a name up to the next blank, so blanks in the names of samples, markers and
 * chromosomes become `_`. Source: www.cog-genomics.org/plink/2.0/formats#bim.
 */
export function writePlinkBinary(panel: GenotypePanel): PanelFile[] {
  return [
    { ending: '.bed', chunks: bedBytes(panel) },
    { ending: '.bim', chunks: textChunks(bimRows(panel)) },
    { ending: '.fam', chunks: textChunks(famRows(panel)) },
  ];
}

/**
 * A panel as `.ped` and `.map` (PLINK 1 text): the two alleles of every call by name, `0 0` when missing. Which
 * allele is A1 has no place in it; programs take the commoner one. Names as in {@link writePlinkBinary}.
 *
 * @throws FileFormatError E-GT-ALLELES before the first byte, when a marker's two alleles have no names that differ
 */
export function writePlinkText(panel: GenotypePanel): PanelFile[] {
  const pairs = callPairs(panel.markers, {
    format: 'PLINK text',
    isAllele: (allele) => /^[^\s0]\S*$/.test(allele),
    call: (first, second) => ` ${first} ${second}`,
    missing: ' 0 0',
  });
  return [
    { ending: '.ped', chunks: lineChunks((lines) => pedRows(lines, panel, pairs)) },
    { ending: '.map', chunks: textChunks(mapRows(panel)) },
  ];
}

async function* bedBytes(panel: GenotypePanel): AsyncGenerator<Uint8Array> {
  yield BED_MAGIC;
  const count = panel.markers.id.length;
  for (let first = 0; first < count; first += MARKERS_PER_READ)
    yield exchangeAlleles(
      await panel.readPacked(first, Math.min(MARKERS_PER_READ, count - first)),
      panel.samples.length,
    );
}

function* bimRows({ markers }: GenotypePanel): Generator<string> {
  const allele = (text: string) => (text === UNKNOWN_ALLELE ? '0' : text);
  for (let j = 0; j < markers.id.length; j++)
    yield `${placeOf(markers, j)}\t${allele(markers.a2[j])}\t${allele(markers.a1[j])}\n`;
}

function* famRows({ samples }: GenotypePanel): Generator<string> {
  for (const sample of samples) yield `0\t${withoutBlanks(sample)}\t0\t0\t0\t-9\n`;
}

const placeOf = ({ chromosome, id, positionBp }: MarkerTable, j: number) =>
  `${withoutBlanks(chromosome[j])}\t${withoutBlanks(id[j])}\t0\t${positionBp[j]}`;

const withoutBlanks = (name: string) => name.replaceAll(/\s/g, '_');

async function* pedRows(lines: LineBuffer, panel: GenotypePanel, pairs: CodeTexts): AsyncGenerator<void> {
  for await (const { sample, packed } of sampleCalls(panel)) {
    lines.text(`0 ${withoutBlanks(panel.samples[sample])} 0 0 0 -9`);
    lines.codes(packed, panel.markers.id.length, pairs, 4);
    lines.newLine();
    yield;
  }
}

function* mapRows({ markers }: GenotypePanel): Generator<string> {
  for (let j = 0; j < markers.id.length; j++) yield `${placeOf(markers, j)}\n`;
}
