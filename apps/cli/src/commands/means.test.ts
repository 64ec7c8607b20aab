import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { heterosis } from '../main.test-data.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heterosis-means-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const place = (name: string) => join(folder, name);

function phenotype(name: string, rows: readonly string[]): string {
  writeFileSync(place(name), `${rows.join('\n')}\n`);
  return place(name);
}

/** 24 lines × 2 sites × 2 replicates, and a line whose only replicate shares no environment with the rest. */
const trial = [
  'line,site,rep,Yield (t/ha),"Height, cm"',
  ...Array.from({ length: 96 }, (_, row) => {
    const [line, site, rep] = [Math.floor(row / 4), Math.floor(row / 2) % 2, row % 2];
    const noise = ((row * 37) % 11) / 10 + (((line * 7 + site * 5) % 6) / 4) * (site === 0 ? 1 : -1);
    return `L${line},${site === 0 ? 'Bonn' : 'Kiel'},${rep + 1},${(10 + line / 5 + 3 * site + rep + noise).toFixed(3)},${100 + line}`;
  }),
  'Stray,Kiel,7,12,90',
];

describe('means', () => {
  test('writes the adjusted means of every trait with errors, and names what is left out', async () => {
    const path = phenotype('trial.csv', trial);
    const { code, stdout, stderr } = await heterosis('means', '--phenotype', path, '--out', place('means.csv'));
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain('W-PH-NOT-ESTIMABLE');
    expect(stderr).toContain('"Stray"');
    expect(stdout).toContain('line + environment + replicate in environment');
    const [header, ...rows] = readFileSync(place('means.csv'), 'utf8').trimEnd().split('\n');
    expect(header).toBe('id,trait,n,mean,se,flag');
    expect(rows).toHaveLength(50);
    expect(rows.find((row) => row.startsWith('Stray,Yield'))).toBe('Stray,Yield,1,,,not_estimable');
    // Balanced except for the stray plot: the mean of a line is the mean of its plots, and all errors are σ/2.
    const plots = trial.filter((row) => row.startsWith('L3,')).map((row) => Number(row.split(',')[3]));
    const [, , n, mean, se] = rows.find((row) => row.startsWith('L3,Yield'))?.split(',') ?? [];
    expect(Number(n)).toBe(4);
    expect(Number(mean)).toBeCloseTo(plots.reduce((a, b) => a + b, 0) / 4, 9);
    const { stdout: json } = await heterosis('means', '--phenotype', path, '--out', place('again.csv'), '--json');
    const [summary] = JSON.parse(json).traits;
    expect(summary).toMatchObject({
      trait: 'Yield',
      unit: 't/ha',
      n: 24,
      not_estimable: 1,
      environments: 2,
      groups: 1,
    });
    expect(Number(se)).toBeCloseTo(Math.sqrt(summary.residual.variance) / 2, 9);
    // Balanced, so both H² agree.
    expect(summary.h2_cullis).toBeCloseTo(summary.h2_entry_mean, 8);
    const { line, line_by_environment, residual } = summary.components;
    expect(summary.h2_cullis).toBeCloseTo(
      line.variance / (line.variance + line_by_environment.variance / 2 + residual.variance / 4),
      8,
    );
  });

  test.each([
    ['Yield', 'Yield'],
    ['yield', 'Yield'],
    ['Yield (t/ha)', 'Yield'],
    ['"Yield (t/ha)"', 'Yield'],
    ['"Height, cm"', 'Height, cm'],
  ])('--trait %s names a trait', async (asked, name) => {
    const path = phenotype('trial.csv', trial);
    const { code, stdout, stderr } = await heterosis(
      ...['means', '--phenotype', path, '--trait', asked, '--out', place('one.csv'), '--json'],
    );
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(JSON.parse(stdout).traits.map(({ trait }: { trait: string }) => trait)).toEqual([name]);
  });

  test('rows that nothing tells apart are averaged only when asked for, codes for missing are left out', async () => {
    const rows = Array.from({ length: 20 }, (_, i) => `L${i},${i % 6}`);
    const path = phenotype('repeated.csv', ['id,T', ...rows, 'L0,4', 'L1,-9', 'L2,-9']);
    const args = ['means', '--phenotype', path, '--missing-codes', '-9', '--out', place('repeated.out.csv')];
    const refused = await heterosis(...args);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain('--average-repeated-rows');
    expect(await heterosis(...args, '--average-repeated-rows')).toMatchObject({ code: 0 });
    const written = readFileSync(place('repeated.out.csv'), 'utf8').split('\n');
    expect(written.slice(1, 4).map((row) => row.split(',').slice(0, 4).join(','))).toEqual([
      'L0,T,2,2',
      'L1,T,1,1',
      'L2,T,1,2',
    ]);
  });

  test('columns, header and decimal mark of a file in its own words are told by options', async () => {
    const rows = Array.from({ length: 20 }, (_, i) => `${i};G${i};1.00${i % 10},5`);
    const path = phenotype('own.csv', ['Prüfung 2025;;', 'Nr;Bez.;Ertrag', ...rows]);
    const args = ['means', '--phenotype', path, '--out', place('own.out.csv')];
    const refused = await heterosis(...args);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain('E-COL-MISSING');
    const told = ['--columns', 'Nr=ignore,Bez.=individual,Ertrag=measurement', '--decimal-mark', 'comma'];
    expect(await heterosis(...args, ...told)).toMatchObject({ code: 0 });
    expect(readFileSync(place('own.out.csv'), 'utf8').split('\n')[2]).toMatch(/^G1,Ertrag,1,1001\.5,/);
    const wrong = await heterosis(...args, '--columns', 'Bez.=names');
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.stderr).toContain('measurement, covariate, ignore');
  });

  test('rows and cells that stand in the way are left out by options', async () => {
    const rows = Array.from({ length: 20 }, (_, i) => `G${i},${50 + i},${i === 4 ? '154 cm' : 150 + i}`);
    const path = phenotype('left.csv', ['id,Yield,Height', ...rows, 'Mittelwert,=AVERAGE(B2:B21),x']);
    const args = ['means', '--phenotype', path, '--out', place('left.out.csv')];
    expect((await heterosis(...args)).stderr).toContain('E-PH-NOT-NUMBER');
    const told = await heterosis(...args, '--left-out-rows', '22', '--left-out-cells', 'c6');
    expect(told).toMatchObject({ code: 0 });
    const written = readFileSync(place('left.out.csv'), 'utf8');
    expect(written).toMatch(/^G4,Yield,1,54,/m);
    expect(written).not.toMatch(/Mittelwert|G4,Height,1/);
    const wrong = await heterosis(...args, '--left-out-rows', '0');
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.stderr).toContain('--left-out-rows: "0" is not a line, such as 62.');
  });

  test('a value that may mean "missing" is refused until an option says what it is', async () => {
    const rows = Array.from({ length: 25 }, (_, i) => `L${i},${i % 8 === 0 ? -9 : 60 + (i % 7)}`);
    const args = ['means', '--phenotype', phenotype('asked.csv', ['id,T', ...rows]), '--out', place('asked.out.csv')];
    const refused = await heterosis(...args);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toMatch(/E-PH-MISSING-CODE.*--missing-codes -9.*--measured-values -9/s);
    expect(await heterosis(...args, '--measured-values', '-9')).toMatchObject({ code: 0 });
    expect(readFileSync(place('asked.out.csv'), 'utf8').split('\n')[1]).toMatch(/^L0,T,1,-9,/);
    expect(await heterosis(...args, '--missing-codes', '-9')).toMatchObject({ code: 0 });
    expect(readFileSync(place('asked.out.csv'), 'utf8')).not.toContain('-9');
  });

  test('dates become days by options', async () => {
    const rows = Array.from({ length: 25 }, (_, i) => `L${i},${String(1 + i)}.06.2025`);
    const args = ['means', '--phenotype', phenotype('dates.csv', ['id,flowering', ...rows])];
    const written = async (...options: string[]): Promise<string | undefined> => {
      expect(await heterosis(...args, '--out', place('dates.out.csv'), ...options)).toMatchObject({ code: 0 });
      return readFileSync(place('dates.out.csv'), 'utf8').split('\n')[1];
    };
    expect(await written('--dates', 'day-of-year')).toMatch(/^L0,flowering,1,152,/);
    expect(await written('--dates', 'days-after-sowing', '--sowing-date', '2025-04-01')).toMatch(/^L0,flowering,1,61,/);
    const alone = await heterosis(...args, '--out', place('dates.out.csv'), '--sowing-date', '2025-04-01');
    expect(alone).toMatchObject({ code: 2 });
    expect(alone.stderr).toContain('--dates');
  });

  test('values as given carry a flag when they come from several environments', async () => {
    const rows = Array.from({ length: 24 }, (_, i) => `L${i},${2019 + (i % 2)},${i % 7}`);
    const path = phenotype('single.csv', ['id,year,T', ...rows]);
    const { code, stderr } = await heterosis('means', '--phenotype', path, '--out', place('single.out.csv'));
    expect(code).toBe(0);
    expect(stderr).toContain('W-PH-ENVIRONMENTS');
    expect(readFileSync(place('single.out.csv'), 'utf8').split('\n')[1]).toBe('L0,T,1,0,,single_value');
  });
});

test('gwas takes a trait by its header and by its name in quotes, as train does', async () => {
  const lines = Array.from({ length: 24 }, (_, i) => `L${i}`);
  const markers = Array.from({ length: 8 }, (_, m) => lines.map((__, i) => (i * (m + 3) + ((i * i) % (m + 2))) % 3));
  const path = phenotype('traits.csv', [
    'id,Yield (t/ha),"a,b"',
    ...lines.map((id, i) => `${id},${i % 9},${(i * 5) % 7}`),
  ]);
  const genotype = phenotype('numeric.csv', [
    ['id', ...markers.map((_, m) => `m${m}`)].join(','),
    ...lines.map((id, i) => [id, ...markers.map((calls) => calls[i])].join(',')),
  ]);
  for (const command of ['gwas', 'train']) {
    for (const trait of ['Yield (t/ha)', '"a,b"']) {
      const run = await heterosis(
        ...[command, '--genotype', genotype, '--phenotype', path, '--trait', trait, '--out', place('out.file')],
      );
      expect(run, `${command} ${trait}: ${run.stderr}`).toMatchObject({ code: 0 });
    }
  }
});
