import type { GenotypePanel } from '../genotype-panel.ts';
import { callPairs } from './call-pairs.ts';
import { sampleCalls, textChunks } from './marker-blocks.ts';
import type { PanelFile } from './write-panel.ts';

/**
 * A panel as Flapjack reads it: a genotype file (lines in rows, `A` for a homozygote, `A/G` for a heterozygote, `-` missing) and its
 * map file with base pairs. Which allele is A1 has no place in it. Source: flapjack.hutton.ac.uk, "Projects & Data Formats".
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
    { ending: '.dat', chunks: textChunks(genotypeRows(panel, pairs)) },
    { ending: '.map', chunks: textChunks(mapRows(panel)) },
  ];
}

async function* genotypeRows(panel: GenotypePanel, pairs: readonly string[]): AsyncGenerator<string> {
  const { samples, markers } = panel;
  yield '# fjFile = GENOTYPE\n';
  yield `${['', ...markers.id].join('\t')}\n`;
  for await (const { sample, codeOf } of sampleCalls(panel)) {
    const parts = [samples[sample]];
    for (let j = 0; j < markers.id.length; j++) parts.push(pairs[4 * j + codeOf(j)]);
    yield `${parts.join('')}\n`;
  }
}

function* mapRows({ markers }: GenotypePanel): Generator<string> {
  yield '# fjFile = MAP\n';
  for (let j = 0; j < markers.id.length; j++)
    yield `${markers.id[j]}\t${markers.chromosome[j]}\t${markers.positionBp[j]}\n`;
}
