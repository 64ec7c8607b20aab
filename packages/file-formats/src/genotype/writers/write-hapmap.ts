import { FileFormatError } from '../../problem.ts';
import { type CodeTexts, codeTexts } from '../../text/code-texts.ts';
import type { LineBuffer } from '../../text/line-buffer.ts';
import type { GenotypePanel, MarkerTable } from '../panel/genotype-panel.ts';
import { lineChunks, packedMarkers } from './marker-blocks.ts';

const LEAD = 'rs# alleles chrom pos strand assembly# center protLSID assayLSID panelLSID QCcode'.split(' ');

/**
 * A panel as TASSEL HapMap with two letters a call; A1 stands first in `alleles`. An allele of several bases is
 * written `+` in the calls, its text in `alleles`.
 *
 * @throws FileFormatError E-GT-ALLELES before the first byte, when a marker has alleles that HapMap cannot tell
 * apart: names that are not known,
 *   or two alleles of several bases
 */
export function writeHapmap(panel: GenotypePanel): AsyncGenerator<Uint8Array> {
  requireLetters(panel.markers);
  return lineChunks((lines) => hapmapRows(lines, panel));
}

/** The sign of an allele in calls; null when HapMap has none. */
function signOf(allele: string): string | null {
  if (/^[ACGT]$/.test(allele)) return allele;
  if (allele === '-') return '-';
  return /^[ACGTN]{2,}$/.test(allele) ? '+' : null;
}

function requireLetters({ id, a1, a2 }: MarkerTable): void {
  for (let j = 0; j < id.length; j++) {
    const first = signOf(a1[j]);
    const second = signOf(a2[j]);
    if (first !== null && second !== null && first !== second) continue;
    throw new FileFormatError('E-GT-ALLELES', {
      value: id[j],
      message: `HapMap has no letters for the marker ${id[j]} with the alleles ${a1[j]} and ${a2[j]}.`,
      suggestion: 'Export VCF, PLINK or numbers instead.',
    });
  }
}

async function* hapmapRows(lines: LineBuffer, panel: GenotypePanel): AsyncGenerator<void> {
  const { samples, markers } = panel;
  const callsOf = new Map<string, CodeTexts>();
  lines.text(`${[...LEAD, ...samples].join('\t')}\n`);
  for await (const { marker, packed } of packedMarkers(panel)) {
    const first = signOf(markers.a1[marker]) ?? 'N';
    const second = signOf(markers.a2[marker]) ?? 'N';
    const lead = [
      markers.id[marker],
      `${markers.a1[marker]}/${markers.a2[marker]}`,
      markers.chromosome[marker],
      markers.positionBp[marker],
    ].join('\t');
    lines.text(`${lead}\t+\tNA\tNA\tNA\tNA\tNA\tNA`);
    const calls = callsOf.get(first + second) ?? callTexts(first, second);
    callsOf.set(first + second, calls);
    lines.codes(packed, samples.length, calls);
    lines.newLine();
    yield;
  }
}

function callTexts(first: string, second: string): CodeTexts {
  return codeTexts([`\t${first}${first}`, '\tNN', `\t${first}${second}`, `\t${second}${second}`]);
}
