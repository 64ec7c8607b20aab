// Makes the study that the start page draws: a trait simulated on the real genotypes of the demo, so that the answer
// is known, analysed by the product as anybody's data are. Run it when the analysis changes:
// npx node scripts/home-figure.mjs
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { generator, normal } from './simulated/random-numbers.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const panel = join(root, 'apps/server/src/features/operation/demo/data/genotypes.vcf.gz');
const figure = join(root, 'apps/web/src/features/people/auth/maize-known-loci.json');

/** Shares of the variance of the trait: of each locus, of many small ones together; the rest is noise. */
const LOCI = [0.15, 0.12, 0.1, 0.09, 0.08, 0.07];
const BACKGROUND = { loci: 150, share: 0.14 };
const SEED = 1;
/** Where the loci may be: common, well called, and apart from each other by being on different chromosomes. */
const LEAST_FREQUENCY = 0.25;
const LEAST_CALLED = 0.97;

const folder = mkdtempSync(join(tmpdir(), 'home-figure-'));
try {
  const { samples, markers } = readVcf(panel);
  const { values, loci } = simulate(samples.length, markers);
  const table = join(folder, 'trait.csv');
  writeFileSync(table, `line,trait\n${samples.map((name, i) => `${name},${values[i].toFixed(4)}`).join('\n')}\n`);
  execFileSync(
    process.execPath,
    [
      join(root, 'apps/cli/bin/heterosis.mjs'),
      ...[
        'gwas',
        '--genotype',
        panel,
        '--phenotype',
        table,
        '--trait',
        'trait',
        '--loco',
        '--out',
        join(folder, 'gwas.csv'),
      ],
    ],
    { stdio: 'inherit' },
  );
  writeFileSync(figure, `${JSON.stringify(pack(samples.length, readResult(join(folder, 'gwas.csv')), loci))}\n`);
  execFileSync('npx', ['biome', 'format', '--write', figure], { cwd: root, stdio: 'inherit' });
} finally {
  rmSync(folder, { recursive: true });
}

/** Calls as counts of the second allele, −1 where there is none. */
function readVcf(path) {
  const lines = gunzipSync(readFileSync(path)).toString().trimEnd().split('\n');
  const head = lines.findIndex((line) => line.startsWith('#CHROM'));
  const samples = lines[head].split('\t').slice(9);
  const markers = lines.slice(head + 1).map((line) => {
    const [chr, pos, id, , , , , , , ...calls] = line.split('\t');
    const dosages = calls.map((call) => (/[01][/|][01]/.test(call) ? Number(call[0]) + Number(call[2]) : -1));
    return { chr, pos: Number(pos), id, dosages };
  });
  return { samples, markers };
}

function simulate(count, markers) {
  const random = generator(SEED);
  const suited = markers.filter(({ dosages }) => {
    const called = dosages.filter((one) => one >= 0);
    const frequency = called.reduce((sum, one) => sum + one, 0) / (2 * called.length);
    return called.length / count >= LEAST_CALLED && Math.min(frequency, 1 - frequency) >= LEAST_FREQUENCY;
  });
  const pick = (from) => from[Math.floor(random() * from.length)];
  const loci = [];
  for (const share of LOCI) {
    const free = suited.filter(({ chr }) => !loci.some((one) => one.marker.chr === chr));
    loci.push({ marker: pick(free), share });
  }
  const small = Array.from({ length: BACKGROUND.loci }, () => pick(markers));
  const parts = [
    ...loci.map(({ marker, share }) => ({ values: standardized(marker.dosages), share })),
    { values: standardized(sumOf(small.map(({ dosages }) => standardized(dosages)))), share: BACKGROUND.share },
  ];
  const left = 1 - parts.reduce((sum, { share }) => sum + share, 0);
  parts.push({ values: standardized(Array.from({ length: count }, () => normal(random))), share: left });
  const values = sumOf(parts.map((part) => part.values.map((one) => one * Math.sqrt(part.share))));
  return { values, loci: loci.map(({ marker: { id, chr, pos }, share }) => ({ id, chr, pos, share })) };
}

function sumOf(lists) {
  return lists[0].map((_, i) => lists.reduce((sum, list) => sum + list[i], 0));
}

/** Mean 0 and variance 1; missing calls at the mean. */
function standardized(list) {
  const known = list.filter((one) => one !== -1);
  const mean = known.reduce((sum, one) => sum + one, 0) / known.length;
  const centred = list.map((one) => (one === -1 ? 0 : one - mean));
  const sd = Math.sqrt(centred.reduce((sum, one) => sum + one * one, 0) / list.length) || 1;
  return centred.map((one) => one / sd);
}

function readResult(out) {
  const [head, ...rows] = readFileSync(out, 'utf8').trimEnd().split('\n');
  const names = head.split(',');
  return rows.map((row) => {
    const cells = row.split(',');
    return Object.fromEntries(names.map((name, i) => [name, cells[i]]));
  });
}

function pack(lines, rows, loci) {
  const chromosomes = [...Map.groupBy(rows, ({ chr }) => chr)].map(([name, markers]) => {
    let before = 0;
    const steps = markers.map(({ pos }) => {
      const place = Math.round(Number(pos) / 10_000);
      const step = place - before;
      before = place;
      return step;
    });
    return {
      name,
      position_steps: steps,
      neg_log10_p: markers.map(({ p }) => Math.round(-Math.log10(Number(p)) * 100)),
    };
  });
  const top = rows
    .toSorted((one, other) => one.p - other.p)
    .slice(0, 8)
    .map(({ id, chr, pos, p }) => ({ id, chr, pos: Number(pos), p: Number(Number(p).toPrecision(3)) }));
  return {
    trait: 'simulated',
    lines,
    markers: rows.length,
    units: { position_steps: '10 kb from the marker before', neg_log10_p: 'hundredths' },
    source:
      'Trait simulated on the maize diversity panel (Flint-Garcia et al. 2005 Plant J 44:1054, AGPv1 positions) by scripts/home-figure.mjs; mixed model with kinship, likelihood-ratio test',
    loci,
    chromosomes,
    top,
  };
}
