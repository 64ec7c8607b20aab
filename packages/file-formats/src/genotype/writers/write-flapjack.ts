import type { CodeTexts } from '../../text/code-texts.ts';
import type { LineBuffer } from '../../text/line-buffer.ts';
import type { GenotypePanel } from '../panel/genotype-panel.ts';
import { callPairs } from './call-pairs.ts';
import { lineChunks, sampleCalls, textChunks } from './marker-blocks.ts';
import type { PanelFile } from './panel-format.ts';

/**
 * A panel as Flapjack reads it: a genotype file (lines in rows, `A` for a homozygote, `A/G` for a heterozygote, `-`
 * missing) and its map file with base pairs. Which allele is A1 has no place in it. Source: flapjack.hutton.ac.uk,
 * "Projects & Data Formats".
 *
 * @throws FileFormatError E-GT-ALLELES before the first byte, when an allele of a marker is not a letter
 */
export function writeFlapjack(panel: GenotypePanel): PanelFile[] {
  const pairs = callPairs(panel.markers, {
    format: 'Flapjack',
    isAllele: (allele) => /^[ACGTB]$/.test(allele),
    call: (first, second) => (first === second ? `\t${first}` : `\t${first}/${second}`),
    missing: '\t-',
  });
  return [
    { ending: '.dat', chunks: lineChunks((lines) => genotypeRows(lines, panel, pairs)) },
    { ending: '.map', chunks: textChunks(mapRows(panel)) },
  ];
}

async function* genotypeRows(lines: LineBuffer, panel: GenotypePanel, pairs: CodeTexts): AsyncGenerator<void> {
  const { samples, markers } = panel;
  lines.text(`# fjFile = GENOTYPE\n${['', ...markers.id].join('\t')}\n`);
  for await (const { sample, packed } of sampleCalls(panel)) {
    lines.text(samples[sample]);
    lines.codes(packed, markers.id.length, pairs, 4);
    lines.newLine();
    yield;
  }
}

function* mapRows({ markers }: GenotypePanel): Generator<string> {
  yield '# fjFile = MAP\n';
  for (let j = 0; j < markers.id.length; j++)
    yield `${markers.id[j]}\t${markers.chromosome[j]}\t${markers.positionBp[j]}\n`;
}
