import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { heterosis } from '../main.test-data.ts';

const REFERENCE = join(import.meta.dirname, '../../../../packages/statgen/reference/trials');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heterosis-trial-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const place = (name: string) => join(folder, name);
const data = (trial: string) => join(REFERENCE, 'data', `${trial}.csv`);

function table(path: string): Record<string, string>[] {
  const [header = '', ...rows] = readFileSync(path, 'utf8').trimEnd().split('\n');
  const names = header.split(',');
  return rows.map((row) => Object.fromEntries(row.split(',').map((cell, i) => [names[i] ?? '', cell])));
}

function phenotype(name: string, rows: readonly string[]): string {
  writeFileSync(place(name), `${rows.join('\n')}\n`);
  return place(name);
}

const trial = (...args: string[]) => heterosis('trial', ...args, '--threads', '1');

/** 24 lines in three replicates of four blocks over a field of 6 × 12, as rows of a file. */
function field(change: (plot: Plot) => Partial<Plot> = () => ({})): string[] {
  const rows = Array.from({ length: 72 }, (_, i) => {
    const [row, column] = [i % 6, Math.floor(i / 6)];
    const replicate = Math.floor(column / 4);
    const line = (i * 5 + replicate * 7 + Math.floor(i / 5)) % 24;
    const noise = ((i * 37) % 17) / 10 + (line % 7) + 0.1 * row + 0.05 * column * row;
    const plot: Plot = {
      ...{ site: 'Bonn', line: `L${line}`, replicate: `${replicate + 1}`, block: `${replicate + 1}.${column % 4}` },
      ...{ row: `${row + 1}`, column: `${column + 1}`, kind: 'entry', stand: `${40 + ((i * 11) % 13)}` },
      value: noise.toFixed(3),
    };
    return { ...plot, ...change(plot) };
  });
  return [
    'site,line,rep,block,row,column,kind,stand,Yield (t/ha)',
    ...rows.map((plot) =>
      [
        plot.site,
        plot.line,
        plot.replicate,
        plot.block,
        plot.row,
        plot.column,
        plot.kind,
        plot.stand,
        plot.value,
      ].join(),
    ),
  ];
}

interface Plot {
  site: string;
  line: string;
  replicate: string;
  block: string;
  row: string;
  column: string;
  kind: string;
  stand: string;
  value: string;
}

describe('trial', () => {
  test('writes means, covariance, plots and a report that agree with the reference', async () => {
    const args = ['--trait', 'yield', '--model', 'blocks', '--fixed', 'replicate', '--random', 'replicate:block'];
    const paths = ['--covariance', place('c.csv'), '--plots', place('p.csv'), '--report', place('r.json')];
    const run = await trial('--phenotype', data('john.alpha'), ...args, '--out', place('m.csv'), ...paths);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    const means = table(place('m.csv'));
    expect(Object.keys(means[0] ?? {}).join()).toBe('environment,trait,line,mean,se,blup,blup_se,replicates');
    expect(means).toHaveLength(24);
    const g01 = means.find(({ line }) => line === 'G01');
    expect(g01).toMatchObject({ environment: 'trial', trait: 'yield', replicates: '3' });
    // blues.csv and blups.csv of the reference have eight digits.
    expect(Number(g01?.['mean'])).toBeCloseTo(5.1076995, 6);
    expect(Number(g01?.['se'])).toBeCloseTo(0.19553871, 7);
    expect(Number(g01?.['blup'])).toBeCloseTo(0.50118365, 7);
    expect(Number(g01?.['blup_se'])).toBeCloseTo(0.17916695, 7);

    const covariance = table(place('c.csv'));
    expect(Object.keys(covariance[0] ?? {}).join()).toBe('environment,trait,line1,line2,covariance');
    expect(covariance).toHaveLength((24 * 25) / 2);
    const own = covariance.find(({ line1, line2 }) => line1 === 'G01' && line2 === 'G01');
    expect(Math.sqrt(Number(own?.['covariance']))).toBeCloseTo(Number(g01?.['se']), 12);

    const plots = table(place('p.csv'));
    expect(Object.keys(plots[0] ?? {}).join()).toBe(
      'environment,trait,row,column,line,value,fitted,trend,residual,studentized,outlier',
    );
    expect(plots).toHaveLength(72);
    for (const { value, fitted, residual } of plots)
      expect(Number(fitted) + Number(residual)).toBeCloseTo(Number(value));

    const [report] = JSON.parse(readFileSync(place('r.json'), 'utf8')).trials;
    expect(report).toMatchObject({ environment: 'trial', trait: 'yield', model: 'blocks', lines: 'random' });
    expect(report.log_likelihood).toBeCloseTo(-46.59691012, 6);
    expect(report.fits.fixed.log_likelihood).toBeCloseTo(-32.44923071, 6);
    expect(Object.keys(report.variances)).toEqual(['lines', 'blocks', 'residual']);
    expect(report.variances.blocks.value).toBeCloseTo(0.07021831786, 6);
    expect(report.variances.blocks).toMatchObject({ at_bound: false });
    expect(report.effective_dimensions.lines).toBeCloseTo(18.610072, 4);
    expect(report.h2.cullis).toBeCloseTo(0.80913357, 6);
    expect(report.h2.piepho).toBeCloseTo(0.803017, 6);
    expect(report.h2.plot).toBeCloseTo(0.142901973 / (0.142901973 + 0.081617174), 6);
  });

  test.each([
    ['fixed', { blup: '', blup_se: '' }],
    ['random', { mean: '', se: '' }],
  ])('--lines %s leaves the other columns empty', async (lines, empty) => {
    const args = ['--trait', 'yield', '--model', 'blocks', '--lines', lines, '--out', place('one.csv')];
    expect(await trial('--phenotype', data('kempton.rowcol'), ...args)).toMatchObject({ code: 0 });
    expect(table(place('one.csv'))[0]).toMatchObject(empty);
  });

  test('auto considers all models, and says what the design columns gave and what does not apply', async () => {
    const run = await trial(
      ...['--phenotype', data('kempton.rowcol'), '--trait', 'yield', '--out', place('auto.csv'), '--json'],
    );
    const [found] = JSON.parse(run.stdout).trials;
    expect(found).toMatchObject({ model: 'rowcol', design: { fixed: ['replicate'], random: [] } });
    // Rows and columns start again in every replicate: they are those of the reference's rep:row and rep:col.
    expect(found.log_likelihood).toBeCloseTo(-64.8306, 3);
    expect(found.alternatives).toHaveLength(5);
    const psanova = found.alternatives.find(({ model }: { model: string }) => model === 'psanova');
    expect(psanova).toMatchObject({ log_likelihood: null, aic: null });
    expect(psanova.left_out).toContain('begin anew');
  });

  test('environments, traits, checks, covariates and segments are what the options say', async () => {
    const both = [...field(), ...field(() => ({ site: 'Kiel' })).slice(1)];
    const path = phenotype('both.csv', both);
    const args = ['--phenotype', path, '--trait', 'Yield', '--out', place('e.csv'), '--json'];
    const all = JSON.parse((await trial(...args, '--model', 'blocks')).stdout).trials;
    expect(all.map(({ environment }: { environment: string }) => environment)).toEqual(['Bonn', 'Kiel']);
    expect(all[0].unit).toBe('t/ha');
    const kiel = JSON.parse(
      (await trial(...args, '--environment', 'kiel', '--model', 'psanova', '--segments', '4,7')).stdout,
    );
    expect(kiel.trials).toHaveLength(1);
    expect(kiel.trials[0].notes.join()).toContain('4 segments along rows and 7 along columns');
    const covariate = JSON.parse(
      (
        await trial(
          ...args,
          '--environment',
          'Bonn',
          '--model',
          'ar1',
          '--fixed',
          'covariate:stand',
          '--lines',
          'fixed',
        )
      ).stdout,
    );
    expect(covariate.trials[0].fixed_effects).toBe(25);
    const checks = ['--model', 'blocks', '--environment', 'Bonn', '--checks', 'L1'];
    const fixed = JSON.parse((await trial(...args, ...checks)).stdout);
    expect(fixed.trials[0].fixed_effects).toBe(1 + 1 + 2);
    expect(table(place('e.csv')).find(({ line }) => line === 'L1')).toMatchObject({ blup: '' });
  });

  test('filler plots keep their place and get no mean', async () => {
    const rows = field(({ row, column }) => (row === '2' && column === '2' ? { kind: 'filler', line: 'FILL' } : {}));
    const run = await trial(
      ...[
        '--phenotype',
        phenotype('filler.csv', rows),
        '--trait',
        'Yield',
        '--model',
        'psanova',
        '--out',
        place('f.csv'),
      ],
    );
    expect(run).toMatchObject({ code: 0 });
    expect(run.stderr).toContain('W-TR-FILLER');
    expect(table(place('f.csv')).map(({ line }) => line)).not.toContain('FILL');
  });

  const at = (row: string, column: string, change: Partial<Plot>) => (plot: Plot) =>
    plot.row === row && plot.column === column ? change : {};

  test.each<[string, string[], string[], string]>([
    ['two plots at one place', field(at('3', '5', { row: '4' })), ['E-TR-PLACE'], 'both stand in row 4, column 5'],
    ['a row that is no number', field(at('3', '5', { row: 'C' })), ['E-TR-COORDINATE'], 'is "C", which is no number'],
    ['a column that is missing', field(at('3', '5', { column: '' })), ['E-TR-COORDINATE'], 'has no column'],
    [
      'a block in two replicates',
      field(at('3', '5', { replicate: '3' })),
      ['E-TR-BLOCK'],
      'block "2.0" belongs to replicate "2"',
    ],
    ['one line', field(() => ({ line: 'Only' })), ['E-TR-ONE-LINE'], 'Only "Only" has values'],
    [
      'values that do not vary',
      field(() => ({ value: '4' })),
      ['E-TR-CONSTANT'],
      'All 72 plots of Bonn have the value 4',
    ],
    [
      'two mistakes at once',
      field((plot) => ({ ...at('3', '5', { row: '4' })(plot), ...at('1', '1', { replicate: '2' })(plot) })),
      ['E-TR-PLACE', 'E-TR-BLOCK'],
      'line 2',
    ],
  ])('%s: a code, the plots, and nothing written', async (name, rows, codes, text) => {
    const out = place(`refused ${name}.csv`);
    const run = await trial(
      '--phenotype',
      phenotype(`${name}.csv`, rows),
      '--trait',
      'Yield',
      '--out',
      out,
      '--plots',
      `${out}.p`,
    );
    expect(run).toMatchObject({ code: 2 });
    for (const code of codes) expect(run.stderr).toContain(code);
    expect(run.stderr).toContain(text);
    expect([out, `${out}.p`].filter((path) => existsSync(path))).toEqual([]);
  });

  test('a wrong option names what there is', async () => {
    const path = phenotype('options.csv', field());
    const args = ['--phenotype', path, '--trait', 'Yield', '--out', place('o.csv')];
    const refusals: [string[], string, string][] = [
      [['--random', 'replicate:bed'], 'trials/unknown-column', 'no column "bed"'],
      [['--fixed', 'covariate:block'], 'trials/covariate-not-numeric', '"block" is not a column of numbers'],
      [['--environment', 'Ulm'], 'trials/unknown-environment', 'Its environments are Bonn'],
      [['--checks', 'CK9'], 'trials/unknown-check', 'No plot has the check "CK9"'],
      [['--segments', '1,x'], 'E-CLI-VALUE', 'two whole numbers'],
      [['--override', 'Bonn=ar2'], 'E-CLI-VALUE', 'the models are auto, blocks'],
      [['--override', 'Ulm=blocks'], 'E-CLI-VALUE', 'Its environments are Bonn'],
      [['--set-aside', 'Bonn'], 'E-CLI-VALUE', 'an environment and a line of the file'],
      [['--set-aside', 'bonn:1'], 'E-CLI-VALUE', 'Bonn has no plot on line 1'],
      [['--covariance', place('x.csv'), '--lines', 'random'], 'E-CLI-VALUE', '--lines fixed or both'],
      [['--model', 'ar2'], 'E-CLI-VALUE', 'auto, blocks, rowcol, psanova, ar1, ar1-units'],
    ];
    for (const [more, code, text] of refusals) {
      const run = await trial(...args, ...more);
      expect(run, more.join(' ')).toMatchObject({ code: 2 });
      expect(run.stderr).toContain(code);
      expect(run.stderr).toContain(text);
    }
    const without = phenotype(
      'nofield.csv',
      field(() => ({ row: '', column: '' })),
    );
    const refused = await trial('--phenotype', without, '--trait', 'Yield', '--model', 'ar1', '--out', place('o.csv'));
    expect(refused.stderr).toContain('the plots have no rows and columns');
  });
});
