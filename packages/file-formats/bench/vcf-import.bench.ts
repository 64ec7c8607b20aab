// Import of a bgzipped VCF with nothing but genotypes against `plink2 --vcf --make-bed`: the same work, each a
// process from its start to its end. Ours checks ids, positions and duplicates and writes four lists besides; plink2
// inflates on a thread of its own beside the one asked for. Goals: faster, and at most 300 MB.
// apps/cli/bench/vcf-import.bench.ts measures `heterosis import`.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareInTurns, hasPeer, print, requireGnuTime, runMeasured, withFolder } from './run-measured.ts';
import { writeVcf } from './write-vcf.ts';

const READ_ONCE = fileURLToPath(new URL('./read-once.ts', import.meta.url));

const n = Number(process.argv[2] ?? 1000);
const markers = Number(process.argv[3] ?? 100_000);
const turns = Number(process.argv[4] ?? 9);
requireGnuTime();

await withFolder(async (folder) => {
  const text = await writeVcf(join(folder, 'panel.vcf.gz'), { n, markers });
  const packed = statSync(join(folder, 'panel.vcf.gz')).size;
  print(`n = ${n}, m = ${markers}`, `${(text / 1e6).toFixed(0)} MB of text in ${(packed / 1e6).toFixed(0)} MB`);
  if (!hasPeer('plink2')) return;
  compareInTurns(
    {
      ours: () => runMeasured(process.execPath, [READ_ONCE, 'panel.vcf.gz', 'ours'], folder),
      'plink2 --vcf --make-bed': () =>
        runMeasured('plink2', ['--vcf', 'panel.vcf.gz', '--make-bed', '--threads', '1', '--out', 'peer'], folder),
    },
    turns,
  );
  // Allele columns of the .bim differ by design (decision 1), and with them the code of homozygotes; missing and
  // heterozygous calls do not.
  print('missing and heterozygous calls', sameCalls(folder) ? 'the same in both' : 'DIFFER');
});

function sameCalls(folder: string): boolean {
  const [a, b] = ['ours.bed', 'peer.bed'].map((file) => readFileSync(join(folder, file)));
  if (a === undefined || b === undefined || a.length !== b.length) return false;
  // The low bits of calls that are missing (01) or heterozygous (10).
  const places = (byte: number) => (byte ^ (byte >> 1)) & 0x55;
  return a.every((byte, i) => {
    const other = b[i] ?? 0;
    return places(byte) === places(other) && (byte & places(byte)) === (other & places(other));
  });
}
