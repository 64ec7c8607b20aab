// `heterosis import` of a bgzipped VCF with nothing but genotypes against `plink2 --vcf --make-bed`. Goals: faster, and at most
// 300 MB. Our import also computes the quality figures that plink2 leaves out, so its reading stage is shown by itself. plink2
// inflates on a thread of its own beside the one asked for; ours does so too where libdeflate is not installed.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { figuresOf, hasPeer, print, requireGnuTime, runHeterosis, runMeasured, withFolder } from './run-measured.ts';
import { writeVcf } from './write-panel.ts';

const n = Number(process.argv[2] ?? 1000);
const markers = Number(process.argv[3] ?? 100_000);
requireGnuTime();

await withFolder(async (folder) => {
  const path = join(folder, 'panel.vcf.gz');
  const text = await writeVcf(path, { n, markers });
  const size = `${(text / 1e6).toFixed(0)} MB of text in ${(statSync(path).size / 1e6).toFixed(0)} MB`;
  process.stdout.write(
    `n = ${n}, m = ${markers}, ${size}, --threads 1 (plink2 inflates on a second one all the same)\n`,
  );
  const ours = runHeterosis(['import', '--genotype', 'panel.vcf.gz', '--out', 'ours'], folder);
  const stages = Object.entries(ours.seconds).map(([stage, seconds]) => `${stage} ${(seconds ?? 0).toFixed(2)} s`);
  print('heterosis import', figuresOf(ours));
  print('  its stages on the clock', stages.join(', '));
  if (!hasPeer('plink2')) return;
  const peer = runMeasured(
    'plink2',
    ['--vcf', 'panel.vcf.gz', '--make-bed', '--threads', '1', '--out', 'peer'],
    folder,
  );
  print('plink2 --vcf --make-bed', figuresOf(peer));
  print(
    'plink2 ÷ heterosis import',
    `${(peer.cpuSeconds / ours.cpuSeconds).toFixed(2)} by CPU, ${(peer.wallSeconds / ours.wallSeconds).toFixed(2)} by the clock`,
  );
  print(
    'plink2 ÷ the reading stage of import',
    `${(peer.wallSeconds / (ours.seconds['read'] ?? Number.NaN)).toFixed(2)} by the clock`,
  );
});
