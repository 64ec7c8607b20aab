import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { heterosis } from '../main.test-data.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heterosis-design-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const place = (name: string) => join(folder, name);
const design = (...args: string[]) => heterosis('design', ...args, '--effort', '0.02');

function rows(path: string): Record<string, string>[] {
  const [header = '', ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n');
  const names = header.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, i) => [names[i] ?? '', cell])));
}

function entries(name: string, lines: readonly string[]): string {
  writeFileSync(place(name), `${lines.join('\n')}\n`);
  return place(name);
}

const plain = (count: number) =>
  entries(`plain-${count}.csv`, ['name', ...Array.from({ length: count }, (_, i) => `L${i + 1}`)]);

describe('design', () => {
  test('writes the layout and its figures, the same bytes for the same seed', async () => {
    const args = ['--design', 'alpha', '--entries', plain(24), '--replicates', '3', '--block-size', '4', '--seed', '7'];
    const run = await design(...args, '--out', place('a.csv'), '--report', place('a.json'));
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('24 entries on 72 plots, efficiency 0.7');
    expect(readFileSync(place('a.csv'), 'utf8').split('\n')[0]).toBe(
      'place,plot,row,column,replicate,block,entry,kind',
    );
    const plots = rows(place('a.csv'));
    expect(plots).toHaveLength(72);
    expect(plots[0]).toMatchObject({
      place: '1',
      plot: '1',
      row: '1',
      column: '1',
      replicate: '1',
      block: '1',
      kind: 'entry',
    });
    const report = JSON.parse(readFileSync(place('a.json'), 'utf8'));
    expect(report).toMatchObject({ design: 'alpha', seed: 7, entries: 24, allocation: null });
    const [figures] = report.places;
    expect(figures.share_of_bound).toBeCloseTo(figures.efficiency / figures.upper_bound, 12);
    expect(figures).toMatchObject({ place: '1', plots: 72, neighbours: { same_entry: 0, same_family: 0 } });
    await design(...args, '--out', place('b.csv'));
    expect(readFileSync(place('b.csv'))).toEqual(readFileSync(place('a.csv')));
  });

  test('lists of entries are read as other programs write them', async () => {
    const list = entries('fieldhub.csv', ['\uFEFFENTRY,NAME,REPS', '101,Check A,4', '102,B,2', '103,C,1', '104,D,1']);
    expect(
      await design('--design', 'crd', '--entries', list, '--checks', 'Check A', '--out', place('c.csv')),
    ).toMatchObject({
      ...{ code: 0, stderr: '' },
    });
    const names = rows(place('c.csv'))
      .filter(({ kind }) => kind !== 'filler')
      .map(({ entry }) => entry);
    expect(names.sort()).toEqual(['B', 'B', 'C', 'Check A', 'Check A', 'Check A', 'Check A', 'D']);
    expect(rows(place('c.csv')).filter(({ kind }) => kind === 'check')).toHaveLength(4);
  });

  test('places have names, plots have names by a template, borders and treatments of whole plots', async () => {
    const args = ['--design', 'split-plot', '--entries', plain(6), '--main-plots', 'dry,"wet, late"', '--places', '2'];
    const field = [
      '--place-names',
      'Bonn,Kiel',
      '--borders',
      'all',
      '--first-plot',
      '101',
      '--plot-name',
      '{place}-{plot:4}',
    ];
    expect(await design(...args, ...field, '--out', place('s.csv'))).toMatchObject({ code: 0, stderr: '' });
    const [header, first] = readFileSync(place('s.csv'), 'utf8').split('\n');
    expect(header).toBe('place,plot,row,column,replicate,block,entry,kind,whole_plot,plot_name');
    expect(first).toBe('Bonn,101,1,1,,,,border,,Bonn-0101');
    expect(readFileSync(place('s.csv'), 'utf8')).toContain('"wet, late"');
  });

  test('a layout with values is a file that trial analyses', async () => {
    const args = [
      '--design',
      'rcbd',
      '--entries',
      plain(24),
      '--replicates',
      '3',
      '--places',
      '2',
      '--place-names',
      'Bonn,Kiel',
    ];
    await design(...args, '--out', place('l.csv'));
    const lines = readFileSync(place('l.csv'), 'utf8').trimEnd().split('\n');
    const values = lines.map((line, i) => `${line},${i === 0 ? 'yield' : (5 + ((i * 37) % 17) / 10).toFixed(1)}`);
    const filled = entries('filled.csv', values);
    const run = await heterosis(
      'trial',
      '--phenotype',
      filled,
      '--trait',
      'yield',
      '--model',
      'blocks',
      '--out',
      place('m.csv'),
    );
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(new Set(rows(place('m.csv')).map(({ environment }) => environment))).toEqual(new Set(['Bonn', 'Kiel']));
    expect(rows(place('m.csv'))).toHaveLength(48);
  });

  test('sparse designs report what places and lines share, also with a kinship', async () => {
    const names = Array.from({ length: 8 }, (_, i) => `L${i + 1}`);
    const kinship = entries('k.csv', [
      ['id', ...names].join(),
      ...names.map((name, i) => [name, ...names.map((_, j) => (i === j ? 1 : i % 2 === j % 2 ? 0.5 : 0))].join()),
    ]);
    const args = ['--design', 'sparse', '--entries', plain(8), '--places', '4', '--replicates', '2'];
    const run = await design(...args, '--kinship-file', kinship, '--out', place('p.csv'), '--report', place('p.json'));
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('CDmean 0.');
    const { allocation } = JSON.parse(readFileSync(place('p.json'), 'utf8'));
    expect(allocation.lines).toEqual({ 1: 4, 2: 4, 3: 4, 4: 4 });
    expect(allocation.concurrences_of_places.max - allocation.concurrences_of_places.min).toBeLessThanOrEqual(1);
    expect(allocation.expected_accuracy).toBeCloseTo(Math.sqrt(allocation.cd_mean), 12);
    const few = entries('few.csv', ['name', ...names, 'L9']);
    const missing = await design(
      '--design',
      'sparse',
      '--entries',
      few,
      '--places',
      '3',
      '--replicates',
      '1',
      '--kinship-file',
      kinship,
      '--out',
      place('q.csv'),
    );
    expect(missing).toMatchObject({ code: 2 });
    expect(missing.stderr).toContain('design/kinship');
    expect(missing.stderr).toContain('"L9"');
  });

  test('sizes come from the variances of earlier analyses, or as given', async () => {
    const trials = [
      { trait: 'yield', variances: { lines: { value: 3 }, residual: { value: 7 }, units: { value: 1 } } },
      { trait: 'yield', variances: { lines: { value: 5 }, residual: { value: 8 } } },
      { trait: 'height', variances: { lines: { value: 1 }, residual: { value: 1 } } },
    ];
    entries('trial.json', [JSON.stringify({ trials })]);
    entries('series.json', [
      JSON.stringify({
        series: [
          {
            trait: 'yield',
            genetic_covariance: [
              [5, 3],
              [3, 7],
            ],
          },
        ],
      }),
    ]);
    const args = ['--design', 'crd', '--entries', plain(10), '--out', place('x.csv'), '--sizes', place('sizes.csv')];
    const limits = ['--most-places', '2', '--most-replicates', '1', '--cost-place', '100', '--cost-plot', '2'];
    const read = ['--variances', `${place('trial.json')},${place('series.json')}`, '--trait', 'yield'];
    expect(await design(...args, ...limits, ...read)).toMatchObject({ code: 0, stderr: '' });
    // Lines 3 (covariance), interaction (5 + 7)/2 − 3, plots (7 + 1 + 8)/2.
    expect(rows(place('sizes.csv')).map(({ cost, heritability }) => [Number(cost), Number(heritability)])).toEqual([
      [120, 3 / (3 + 3 + 8)],
      [240, 3 / (3 + 1.5 + 4)],
    ]);
    await design(...args, ...limits, '--variance-lines', '4', '--variance-residual', '4');
    expect(Number(rows(place('sizes.csv'))[0]?.['heritability'])).toBe(0.5);
    for (const [more, code] of [
      [['--variances', place('trial.json')], 'design/variances'],
      [['--variances', place('trial.json'), '--trait', 'protein'], 'design/variances'],
      [['--variances', plain(10)], 'design/variances'],
      [['--variance-lines', '4'], 'E-CLI-MISSING'],
      [['--variance-lines', '0', '--variance-residual', '1'], 'design/variances'],
    ] as const) {
      const run = await design(
        ...args.slice(0, 4),
        '--out',
        place('never.csv'),
        '--sizes',
        place('never-sizes.csv'),
        ...more,
      );
      expect(run).toMatchObject({ code: 2 });
      expect(run.stderr).toContain(code);
    }
    expect(existsSync(place('never.csv')) || existsSync(place('never-sizes.csv'))).toBe(false);
  });

  test('lines are allocated to places by the factors of a series', async () => {
    const environments = ['Kiel', 'Ulm', 'Halle'];
    entries('places.json', [
      JSON.stringify({
        trials: environments.map((environment) => ({
          ...{ environment, trait: 'yield', variances: { residual: { value: environment === 'Ulm' ? 0.2 : 3 } } },
        })),
        series: [
          {
            ...{ trait: 'yield', environments, genetic_covariance: [], residual_lines: null },
            loadings: [[1], [2], [1]],
            specific: environments.map(() => ({ value: 0.1 })),
          },
        ],
      }),
    ]);
    const args = ['--design', 'sparse', '--entries', plain(12), '--places', '3', '--replicates', '1'];
    const report = async (...more: string[]) => {
      const run = await design(...args, ...more, '--out', place('sparse.csv'), '--report', place('sparse.json'));
      expect(run).toMatchObject({ code: 0, stderr: '' });
      return JSON.parse(readFileSync(place('sparse.json'), 'utf8')).allocation;
    };
    const read = ['--variances', place('places.json')];
    const named = await report(...read, '--place-names', 'Ulm,Kiel,Nowhere');
    const average = await report(...read);
    // Nobody knows the places: they are alike, with the mean loading 4/3, and its variance 2/9 among the plots.
    const ratio = (0.1 + 6.2 / 3 + 2 / 9) / (16 / 9);
    const alike = await report('--variance-ratio', String(ratio));
    expect(average.cd_mean).toBeCloseTo(alike.cd_mean, 8);
    expect(named.cd_mean).not.toBeCloseTo(average.cd_mean, 2);
  });

  test.each([
    ['design/field-too-small', ['--design', 'rcbd', '--rows', '3', '--columns', '3']],
    ['design/block-size', ['--design', 'alpha', '--block-size', '7']],
    ['design/block-cut', ['--design', 'alpha', '--block-size', '4', '--rows', '7', '--columns', '4', '--holes', '2:2']],
    ['design/checks', ['--design', 'augmented', '--checks', 'Nobody']],
    ['design/field-shape', ['--design', 'row-column', '--rows', '5']],
    ['E-CLI-VALUE', ['--design', 'crd', '--holes', '2-2']],
    ['E-CLI-VALUE', ['--design', 'crd', '--places', '2', '--place-names', 'Bonn']],
    ['E-CLI-VALUE', ['--design', 'crd', '--plot-name', '{site}']],
    ['E-CLI-VALUE', ['--design', 'augmented', '--check-placing', 'spread', '--check-plots', '1:1']],
    ['E-CLI-VALUE', ['--design', 'latin']],
  ])('%s says what to change, and nothing is written', async (code, args) => {
    const run = await design(
      '--entries',
      plain(12),
      ...args,
      '--out',
      place('refused.csv'),
      '--report',
      place('refused.json'),
    );
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain(`error ${code}`);
    expect(existsSync(place('refused.csv')) || existsSync(place('refused.json'))).toBe(false);
  });

  test.each([
    ['E-EN-DUP', ['name', 'A', 'B', 'A'], ':4'],
    ['E-EN-NAME', ['colour,size', 'red,1'], 'no column with their names'],
    ['E-EN-NAME', ['name,reps', ',2'], ':2'],
    ['E-EN-REPLICATES', ['name,reps', 'A,2', 'B,often'], '"often"'],
  ])('%s: a bad list of entries is refused with its line', async (code, lines, words) => {
    const run = await design('--design', 'crd', '--entries', entries('bad.csv', lines), '--out', place('bad-out.csv'));
    expect(run).toMatchObject({ code: 2 });
    expect(run.stderr).toContain(code);
    expect(run.stderr).toContain(words);
  });
});
