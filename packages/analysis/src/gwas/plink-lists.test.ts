// Lists of pruned and of clumped markers against those of plink2 and plink 1.9 on the same files.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pruneMarkers } from '../genotype/prune-markers.ts';
import { openPanelBlocks } from '../inputs/open-panel.ts';
import { clumpsCsv, createHitGatherer } from './clump-hits.ts';

const N = 130;
const M = 900;
const CONTEXT = { threads: 1 };
const isInstalled = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;
const PLINK2 = isInstalled('plink2');
const PLINK = isInstalled('plink1.9');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plink-lists-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Kind {
  name: string;
  isInbred: boolean;
  missing: number;
}

const KINDS: Kind[] = [
  { name: 'outbred', isInbred: false, missing: 0 },
  { name: 'outbred with missing calls', isInbred: false, missing: 0.06 },
  { name: 'inbred with missing calls', isInbred: true, missing: 0.06 },
];

/** Haplotypes change from marker to marker, on three chromosomes. Some markers share a place, some have one allele. */
function writeFiles(prefix: string, { name, isInbred, missing }: Kind): void {
  const random = createRandomStream(8, 'plink lists', name);
  const stride = (N + 3) >> 2;
  const packed = new Uint8Array(M * stride);
  const haplotypes = new Uint8Array(2 * N);
  const places: string[] = [];
  let position = 1;
  for (let j = 0; j < M; j++) {
    const chromosome = 1 + Math.floor(j / 300);
    position = j % 300 === 0 ? 1 : position + Math.floor(4000 * random.uniform() ** 2);
    places.push(`${chromosome}\tm${j}\t0\t${position}\tA\tG\n`);
    const frequency = 0.05 + 0.9 * random.uniform();
    for (let h = 0; h < 2 * N; h++) {
      if (j % 300 === 0 || random.uniform() < 0.25) haplotypes[h] = Number(random.uniform() < frequency);
    }
    for (let i = 0; i < N; i++) {
      const [one = 0, other = 0] = [haplotypes[2 * i], haplotypes[2 * i + 1]];
      const dosage = j % 97 === 5 ? 0 : isInbred ? 2 * one : one + other;
      const code = random.uniform() < missing ? 1 : dosage === 0 ? 0 : dosage + 1;
      packed[j * stride + (i >> 2)] |= code << (2 * (i & 3));
    }
  }
  writeFileSync(`${prefix}.bed`, Buffer.concat([Buffer.of(0x6c, 0x1b, 1), packed]));
  writeFileSync(`${prefix}.bim`, places.join(''));
  writeFileSync(`${prefix}.fam`, Array.from({ length: N }, (_, i) => `I${i} I${i} 0 0 0 -9\n`).join(''));
}

for (const kind of KINDS) {
  describe.skipIf(!PLINK2)(`plink2 --indep-pairwise, ${kind.name}${PLINK2 ? '' : ' (not installed)'}`, () => {
    test.each([
      ['50 5 0.2', { window: 50, unit: 'markers', step: 5, r2: 0.2 }],
      ['23 7 0.05', { window: 23, unit: 'markers', step: 7, r2: 0.05 }],
      ['10 1 0.4', { window: 10, unit: 'markers', step: 1, r2: 0.4 }],
      ['400 100 0.1', { window: 400, unit: 'markers', step: 100, r2: 0.1 }],
      ['20kb 0.3', { window: 20_000, unit: 'bp', step: 1, r2: 0.3 }],
      ['3kb 0.6', { window: 3000, unit: 'bp', step: 1, r2: 0.6 }],
    ] as const)('%s keeps the same markers', async (setting, rule) => {
      const prefix = join(folder, 'pruned');
      writeFiles(prefix, kind);
      const args = ['--bfile', prefix, '--indep-pairwise', ...setting.split(' '), '--out', prefix, '--threads', '1'];
      execFileSync('plink2', args, { stdio: 'ignore' });
      const panel = await openPanelBlocks(prefix);
      const { kept, keptCount } = await pruneMarkers(panel, rule, CONTEXT);
      await panel.close();
      const ours = Array.from(kept.keys()).flatMap((j) => (kept[j] === 1 ? [`m${j}`] : []));
      expect(ours).toEqual(readFileSync(`${prefix}.prune.in`, 'utf8').trim().split('\n'));
      expect(keptCount).toBe(ours.length);
      expect(keptCount).toBeLessThan(M - 50);
    });
  });

  describe.skipIf(!PLINK)(`plink --clump, ${kind.name}${PLINK ? '' : ' (not installed)'}`, () => {
    test.each([
      { p1: 1e-4, p2: 0.01, r2: 0.5, bp: 250_000 },
      { p1: 1e-3, p2: 0.05, r2: 0.2, bp: 100_000 },
      { p1: 0.01, p2: 1, r2: 0.1, bp: 20_000 },
    ])('with p1 $p1, p2 $p2, r² $r2 and $bp bp has the same clumps', async (rule) => {
      const prefix = join(folder, 'clumped');
      writeFiles(prefix, kind);
      const random = createRandomStream(9, 'p', kind.name);
      const p = Float64Array.from({ length: M }, () => random.uniform() ** 6);
      writeFileSync(`${prefix}.assoc`, `SNP P\n${Array.from(p, (value, j) => `m${j} ${value}\n`).join('')}`);
      const limits = [
        '--clump-p1',
        rule.p1,
        '--clump-p2',
        rule.p2,
        '--clump-r2',
        rule.r2,
        '--clump-kb',
        rule.bp / 1000,
      ];
      const args = ['--bfile', prefix, '--clump', `${prefix}.assoc`, ...limits.map(String), '--out', prefix];
      execFileSync('plink1.9', [...args, '--allow-no-sex', '--threads', '1'], { stdio: 'ignore' });
      const theirs = readFileSync(`${prefix}.clumped`, 'utf8')
        .split('\n')
        .map((line) => line.trim().split(/\s+/))
        .filter((cells) => cells.length > 3)
        .slice(1)
        .map(({ 2: id = '', 11: members = '' }) => [id, namesOf(members)]);
      const panel = await openPanelBlocks(prefix);
      const gatherer = createHitGatherer(rule);
      gatherer.add({
        markerIndex: Int32Array.from(p.keys()),
        p,
        negLog10P: p.map((value) => -Math.log10(value)),
      });
      const individuals = Int32Array.from({ length: N }, (_, i) => i);
      const clumps = await gatherer.finish(panel, individuals, CONTEXT);
      await panel.close();
      expect(clumps.map(({ id, members }) => [id, members.map((member) => member.id).sort()])).toEqual(theirs);
      expect(clumps.some(({ members }) => members.length > 1)).toBe(true);
      const lines = [...clumpsCsv(clumps)].join('').trim().split('\n');
      expect(lines).toHaveLength(clumps.length + 1);
    });
  });
}

/** Names of "m1(1),m2(1)"; of NONE none. */
const namesOf = (cell: string): string[] =>
  cell === 'NONE'
    ? []
    : cell
        .split(',')
        .map((name) => name.replace(/\(.*/, ''))
        .sort();
