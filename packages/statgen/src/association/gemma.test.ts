import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { matrixOf } from '@heterosis/linalg/matrix';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandomStream } from '../random/random-stream.ts';
import { prepareGwas } from './prepare-gwas.ts';
import { createMarkerTester, type TestColumns } from './test-markers.ts';

const BED_MAGIC = [0x6c, 0x1b, 0x01];
const N = 300;
const MARKERS = 400;
const isInstalled = spawnSync('gemma', ['-h']).error === undefined;

/** Outbred individuals without missing calls; the trait has many effects. */
function simulate(): { packed: Uint8Array; y: Float64Array } {
  const random = createRandomStream(21, 'gemma');
  const stride = (N + 3) >> 2;
  const packed = new Uint8Array(MARKERS * stride);
  const y = Float64Array.from({ length: N }, () => 6 * random.normal());
  for (let j = 0; j < MARKERS; j++) {
    const frequency = 0.2 + 0.6 * random.uniform();
    const effect = random.normal() * (j === 0 ? 4 : 0.4);
    for (let i = 0; i < N; i++) {
      const dosage = Number(random.uniform() < frequency) + Number(random.uniform() < frequency);
      packed[j * stride + (i >> 2)] |= [0, 2, 3][dosage] << (2 * (i & 3));
      y[i] += effect * dosage;
    }
  }
  return { packed, y };
}

describe.skipIf(!isInstalled)(`GEMMA${isInstalled ? '' : ' (not installed)'}`, () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gemma-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('with its kinship, likelihood ratios and effects equal its own to the digits it prints', () => {
    const { packed, y } = simulate();
    writeFileSync(join(folder, 'p.bed'), Buffer.concat([Buffer.from(BED_MAGIC), packed]));
    writeFileSync(
      join(folder, 'p.bim'),
      Array.from({ length: MARKERS }, (_, j) => `1\tM${j}\t0\t${j + 1}\tA\tG\n`).join(''),
    );
    writeFileSync(join(folder, 'p.fam'), Array.from(y, (value, i) => `I${i} I${i} 0 0 0 ${value}\n`).join(''));
    const gemma = (...args: string[]) =>
      execFileSync('gemma', ['-bfile', 'p', ...args], {
        cwd: folder,
        env: { ...process.env, OPENBLAS_NUM_THREADS: '1' },
        stdio: 'ignore',
      });
    gemma('-gk', '2', '-o', 'k');
    gemma('-k', join('output', 'k.sXX.txt'), '-lmm', '4', '-o', 'tests');
    const read = (name: string): string[] =>
      readFileSync(join(folder, 'output', name), 'utf8')
        .trim()
        .split('\n');
    const kinship = Float64Array.from(
      read('k.sXX.txt').flatMap((line) => line.trim().split(/\s+/)),
      Number,
    );
    const [header = '', ...rows] = read('tests.assoc.txt');
    const names = header.split('\t');
    const table = rows.map((row) => new Map(row.split('\t').map((value, i) => [names[i], value])));
    expect(table).toHaveLength(MARKERS);

    const state = prepareGwas({ kinship: matrixOf(N, N, kinship), traits: [y], principalComponents: 0 });
    const tester = createMarkerTester(state, {
      panelSize: N,
      filter: { maf: 0, callRate: 0 },
      tests: ['WALD', 'LRT'],
    });
    const { WALD, LRT } = tester.test(packed, MARKERS).traits[0] as { WALD: TestColumns; LRT: TestColumns };
    let compared = 0;
    for (const [j, row] of table.entries()) {
      const number = (name: string): number => Number(row.get(name));
      // Beyond our bound of 0.99 the two programs maximise over different ranges.
      if (WALD.atBound[j] === 1 || LRT.atBound[j] === 1) continue;
      compared++;
      expect(Math.abs(LRT.negLog10P[j] + Math.log10(number('p_lrt')))).toBeLessThan(2e-6);
      // GEMMA counts the allele in column 5, and stops its REML search slightly earlier.
      expect(Math.abs(WALD.beta[j] + number('beta'))).toBeLessThan(1e-5 * (Math.abs(WALD.beta[j]) + WALD.se[j]));
      expect(Math.abs(WALD.se[j] / number('se') - 1)).toBeLessThan(1e-5);
    }
    expect(compared).toBeGreaterThan(MARKERS / 2);
  });
});
