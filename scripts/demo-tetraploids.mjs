// Makes the files of the simulated tetraploids of the demo from the population that the tests of statgen compare with
// (packages/statgen/reference/sim4x): npx node scripts/demo-tetraploids.mjs. The same population gives the same bytes.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { generator, normal } from './simulated/random-numbers.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const from = join(root, 'packages/statgen/reference/sim4x');
const to = join(root, 'apps/server/src/features/operation/demo/data');

/** A trait that the population lacks: one copy of ALT at this marker resists as four do. */
const RESISTANCE = { marker: 'c4_104', effect: 2, mean: 5, small: 0.06, smallLoci: 40, error: 0.9 };
const NEAR_BP = 5_000_000;
const SEED = 4;
/** Traits of the population on the scale of a potato trial; the scale changes no correlation. */
const YIELD = (y) => (2 * y).toFixed(1);
const DRY_MATTER = (y2) => (2 * y2).toFixed(1);
/** Crossed in a half diallel, and some of them selfed as well. */
const PARENTS = ['P01', 'P02', 'P03', 'P10'];
const SELFED = ['P01', 'P10'];
const PROGENY = 100;
/** Enough for the demo, which is made whenever somebody tries the product. */
const PLANTS_PER_FAMILY = 10;

const [head, ...markers] = gunzipSync(readFileSync(join(from, 'sim4x.vcf.gz')))
  .toString()
  .trimEnd()
  .split('\n')
  .filter((line) => !line.startsWith('##'))
  .map((line) => line.split('\t'));
const samples = head.slice(9);
/** The parents and the first plants of each family. */
const chosen = samples.filter((name) => Number(name.split('_')[1] ?? 0) <= PLANTS_PER_FAMILY);
/**
 * Every third marker, which is enough for progeny of one generation, and those around the one that resists, whose page
 * shows its neighbours; of them all that have both alleles.
 */
const resisting = markers.find(([, , id]) => id === RESISTANCE.marker);
const kept = markers.filter((row, i) => (i % 3 === 1 || isNear(row, resisting)) && hasBothAlleles(callsOfChosen(row)));
writeVcf('tetraploids.vcf.gz', chosen, (row) => chosen.map((name) => row[9 + samples.indexOf(name)].split(':', 1)[0]));

const [parents, ...homologs] = rowsOf(gunzipSync(readFileSync(join(from, 'phased_parents.csv.gz'))).toString());
const phased = new Map(homologs.map(([marker, ...calls]) => [marker, calls]));
writeVcf('tetraploid_parents.vcf.gz', parents.slice(1), ([, , id]) => phased.get(id));

write('tetraploid_phenotypes.csv', [
  ['sample', 'Tuber yield (t/ha)', 'Dry matter (%)', 'Late blight resistance'],
  ...withResistance(rowsOf(readFileSync(join(from, 'phenotypes.csv'), 'utf8'))).filter(isChosen),
]);
write('tetraploid_pedigree.csv', [
  ['name', 'female', 'male'],
  ...rowsOf(readFileSync(join(from, 'pedigree.csv'), 'utf8'))
    .filter(isChosen)
    .map(([name, mother, father]) => [name, mother, father].map((one) => (one === '0' ? '' : one))),
]);
write('tetraploid_crosses.csv', [
  ['cross', 'female', 'male', 'type', 'progeny'],
  ...PARENTS.flatMap((female, i) =>
    PARENTS.slice(i + 1).map((male) => [`${female}×${male}`, female, male, 'biparental', PROGENY]),
  ),
  ...SELFED.map((plant) => [`${plant} selfed`, plant, '', 'self', PROGENY]),
]);

function isChosen([name]) {
  return chosen.includes(name);
}

function rowsOf(text) {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','));
}

function write(name, rows) {
  writeFileSync(join(to, name), `${rows.map((row) => row.join(',')).join('\n')}\n`);
}

/** Calls alone: reads and dosages made of them would say the same in ten times the bytes. */
function writeVcf(name, names, callsOf) {
  const chromosomes = [...new Set(markers.map(([chrom]) => chrom))];
  const lines = [
    '##fileformat=VCFv4.2',
    '##source=simulated by scripts/demo-tetraploids.mjs',
    ...chromosomes.map((one) => `##contig=<ID=${one}>`),
    '##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">',
    [...head.slice(0, 9), ...names].join('\t'),
    ...kept.map((row) => [...row.slice(0, 8), 'GT', ...callsOf(row)].join('\t')),
  ];
  writeFileSync(join(to, name), gzipSync(`${lines.join('\n')}\n`, { level: 9 }));
}

/** Yield, dry matter and a score of resistance from 1 to 9; the parents were in no trial and have no row. */
function withResistance(rows) {
  const random = generator(SEED);
  const dosages = new Map(markers.map((row) => [row[2], row.slice(9).map(copies)]));
  const small = Array.from({ length: RESISTANCE.smallLoci }, () => ({
    copies: dosages.get(markers[Math.floor(random() * markers.length)][2]),
    effect: RESISTANCE.small * normal(random) * 2,
  }));
  const measured = rows.slice(1).filter(([, y]) => y !== '');
  return measured.map(([name, y, y2]) => {
    const i = samples.indexOf(name);
    const background = small.reduce((sum, one) => sum + one.effect * (one.copies[i] - 2), 0);
    const resists = dosages.get(RESISTANCE.marker)[i] > 0 ? RESISTANCE.effect : 0;
    const score = RESISTANCE.mean + resists + background + RESISTANCE.error * normal(random);
    return [name, YIELD(y), DRY_MATTER(y2), Math.min(9, Math.max(1, score)).toFixed(1)];
  });
}

function callsOfChosen(row) {
  return chosen.map((name) => row[9 + samples.indexOf(name)].split(':', 1)[0]);
}

function isNear([chrom, pos], [other, place]) {
  return chrom === other && Math.abs(pos - place) <= NEAR_BP;
}

function hasBothAlleles(calls) {
  const seen = calls.join('');
  return seen.includes('0') && seen.includes('1');
}

/** Copies of ALT; a missing call counts as the middle of five classes. */
function copies(call) {
  const alleles = call.split(':', 1)[0].split('/');
  return alleles.includes('.') ? 2 : alleles.filter((one) => one === '1').length;
}
