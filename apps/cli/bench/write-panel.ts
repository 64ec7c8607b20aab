import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { simulatePanel } from '@heterosis/statgen/bench/simulate-panel';

const BED_MAGIC = Uint8Array.of(0x6c, 0x1b, 0x01);
const CHROMOSOMES = 10;

/**
 * Writes a seeded panel as `name`.bed, .bim, .fam (trait in its sixth column, for GEMMA) and `name`.csv (trait `y`).
 *
 * @param subsets numbers of markers; for each the first ones also as `name`-`count`.bed, .bim, .fam
 */
export function writePanel(
  folder: string,
  name: string,
  size: { n: number; markers: number; subsets?: readonly number[] },
): void {
  const panel = simulatePanel(size.n, size.markers, 1);
  const individuals = Array.from(panel.y, (value, i) => ({ name: `I${i + 1}`, value }));
  const stride = (size.n + 3) >> 2;
  for (const count of [size.markers, ...(size.subsets ?? [])]) {
    const prefix = join(folder, count === size.markers ? name : `${name}-${count}`);
    writeFileSync(`${prefix}.bed`, Buffer.concat([BED_MAGIC, panel.packed.subarray(0, count * stride)]));
    writeFileSync(
      `${prefix}.bim`,
      Array.from({ length: count }, (_, j) => `${placeOf(j, size.markers).join('\t')}\tA\tG\n`).join(''),
    );
    writeFileSync(`${prefix}.fam`, individuals.map(({ name: id, value }) => `${id} ${id} 0 0 0 ${value}\n`).join(''));
  }
  writeFileSync(
    join(folder, `${name}.csv`),
    `id,y\n${individuals.map((one) => `${one.name},${one.value}\n`).join('')}`,
  );
}

/** Chromosome, name, centimorgan and position of marker `j`. */
function placeOf(j: number, markers: number): [number, string, number, number] {
  const perChromosome = Math.ceil(markers / CHROMOSOMES);
  return [Math.floor(j / perChromosome) + 1, `M${j + 1}`, 0, ((j % perChromosome) + 1) * 100];
}
