// `heterosis import` of a bgzipped VCF with nothing but genotypes against `plink2 --vcf --make-bed`. Our import also
// computes the quality figures that plink2 leaves out; packages/file-formats/bench/vcf-import.bench.ts compares the
// same work. Goals: faster, and at most 300 MB.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import {
  compareInTurns,
  hasPeer,
  print,
  requireGnuTime,
  runMeasured,
  withFolder,
} from '@heterosis/file-formats/bench/run-measured';
import { writeVcf } from '@heterosis/file-formats/bench/write-vcf';
import { runHeterosis } from './run-heterosis.ts';

const n = Number(process.argv[2] ?? 1000);
const markers = Number(process.argv[3] ?? 100_000);
const turns = Number(process.argv[4] ?? 9);
requireGnuTime();

await withFolder(async (folder) => {
  const path = join(folder, 'panel.vcf.gz');
  const text = await writeVcf(path, { n, markers });
  const size = `${(text / 1e6).toFixed(0)} MB of text in ${(statSync(path).size / 1e6).toFixed(0)} MB`;
  process.stdout.write(
    `n = ${n}, m = ${markers}, ${size}, --threads 1 (plink2 inflates on a second one all the same)\n`,
  );
  const ours = () => runHeterosis(['import', '--genotype', 'panel.vcf.gz', '--out', 'ours'], folder);
  const stages = Object.entries(ours().seconds).map(([stage, seconds]) => `${stage} ${(seconds ?? 0).toFixed(2)} s`);
  print('stages of heterosis import on the clock', stages.join(', '));
  if (!hasPeer('plink2')) return;
  const peer = ['--vcf', 'panel.vcf.gz', '--make-bed', '--threads', '1', '--out', 'peer'];
  compareInTurns(
    { 'heterosis import': ours, 'plink2 --vcf --make-bed': () => runMeasured('plink2', peer, folder) },
    turns,
  );
});
