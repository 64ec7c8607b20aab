// A GWAS of tetraploids against one of diploids, from .bed (and .dosage) to CSV by the command line, in turns of one
// run. Goal at 1,000 × 100,000: at most 1.5 times. Classes of random mating, frequencies from 0.05 to 0.95, 1 % of the
// calls missing, whole dosages.
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { compareInTurns, print, requireGnuTime, withFolder } from '@heterosis/file-formats/bench/run-measured';
import { BED_MAGIC, packedLength } from '@heterosis/file-formats/genotype/panel/packed-calls';
import { MISSING_NIBBLE, PolyploidRows, packClasses } from '@heterosis/file-formats/genotype/panel/polyploid-file';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { runHeterosis } from './run-heterosis.ts';

const TURNS = Number(process.argv[4] ?? 5);
const THREADS = Number(process.argv[5] ?? 1);
const CHROMOSOMES = 10;
const MISSING = 0.01;

const n = Number(process.argv[2] ?? 1000);
const markers = Number(process.argv[3] ?? 100_000);
requireGnuTime();

await withFolder(async (folder) => {
  const stream = createRandomStream(1, 'polyploids', n, markers);
  const random = (): number => stream.uint32() / 2 ** 32;
  for (const ploidy of [2, 4]) await writePanel(folder, ploidy, random);
  const values = Array.from({ length: n }, (_, i) => `I${i},${(random() + random() + random()).toFixed(6)}\n`);
  writeFileSync(join(folder, 'y.csv'), `id,y\n${values.join('')}`);
  for (const test of ['SCORE', 'LRT']) {
    print(`heterosis gwas --test ${test}, n = ${n}, m = ${markers}, threads: ${THREADS}`, '');
    const input = ['--phenotype', 'y.csv', '--trait', 'y', '--test', test, '--out', 'out.csv'];
    const scan = (ploidy: number) => () =>
      runHeterosis(['gwas', '--genotype', `x${ploidy}`, ...input], folder, THREADS);
    compareInTurns({ diploids: scan(2), tetraploids: scan(4) }, TURNS);
  }
});

/** Writes `x2` or `x4`, a panel as `heterosis import` writes one. */
async function writePanel(folder: string, ploidy: number, random: () => number): Promise<void> {
  const prefix = join(folder, `x${ploidy}`);
  const rows = new PolyploidRows(`${prefix}.rows`, n, ploidy);
  const codes = new Uint8Array(n);
  const packed = new Uint8Array(packedLength(n));
  const bed = openSync(`${prefix}.bed`, 'w');
  const bim: string[] = [];
  writeSync(bed, Uint8Array.from(BED_MAGIC));
  for (let j = 0; j < markers; j++) {
    const frequency = 0.05 + 0.9 * random();
    for (let i = 0; i < n; i++) {
      let copies = 0;
      for (let k = 0; k < ploidy; k++) copies += Number(random() < frequency);
      codes[i] = random() < MISSING ? MISSING_NIBBLE : copies === 0 ? 0 : copies + 1;
    }
    packClasses(codes, ploidy, packed);
    writeSync(bed, packed);
    if (ploidy > 2) {
      rows.addWhole(codes);
      await rows.drain();
    }
    const chromosome = 1 + Math.floor((CHROMOSOMES * j) / markers);
    bim.push(`${chromosome}\tM${j}\t0\t${100 * (j + 1)}\tG\tA\n`);
  }
  closeSync(bed);
  if (ploidy > 2) await rows.write(`${prefix}.dosage`, null);
  await rows.close();
  writeFileSync(`${prefix}.bim`, bim.join(''));
  writeFileSync(`${prefix}.fam`, Array.from({ length: n }, (_, i) => `I${i} I${i} 0 0 0 -9\n`).join(''));
}
