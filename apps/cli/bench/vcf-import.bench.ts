// VCF import by the command line against plink2: bgzipped, nothing but GT. Goal at 1,000 × 100,000: faster than
// plink2, at most 300 MB. Ours also counts and checks every call, draws quality figures with kinship and principal
// components, and writes lists; plink2 writes .bed, .bim and .fam. Both were asked for one thread and both inflate on others
// beside it, so CPU seconds compare fairly and the clock flatters whoever finds an idle core.
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
  process.stdout.write(`n = ${n}, m = ${markers}, ${size}, --threads 1 (both inflate on more)\n`);
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
