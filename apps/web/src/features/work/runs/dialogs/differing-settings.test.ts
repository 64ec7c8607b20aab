import { expect, it } from 'vitest';
import { differingSettings } from './differing-settings.ts';

const run = (genotype: string | null, parameters: object) => ({
  genotype: genotype === null ? null : { name: genotype },
  phenotype: { name: 'trials.csv' },
  provenance: { seed: 1, software_version: '1.0.0', parameters },
});

it('names what differs between runs and leaves out what is the same', () => {
  const runs = [
    run('panel.vcf', { thresh_maf: 0.05, covariates: [], test: 'LRT' }),
    run('panel.vcf', { thresh_maf: 0.01, covariates: ['site', 'year'], test: 'LRT' }),
  ];
  expect(differingSettings(runs)).toEqual([
    { name: 'thresh_maf', values: ['0.05', '0.01'] },
    { name: 'covariates', values: [undefined, 'site, year'] },
  ]);
});

it('tells an input that was deleted from one that is there, and finds nothing between equal runs', () => {
  expect(differingSettings([run(null, {}), run('panel.vcf', {})])).toEqual([
    { name: 'genotype', values: [undefined, 'panel.vcf'] },
  ]);
  expect(differingSettings([run('p', { a: [1] }), run('p', { a: [1] })])).toEqual([]);
});

it('lists the settings within a setting, without those that are not set', () => {
  const clumps = { p1: 0.0001, kb: 250, r2: null };
  const runs = [run('p', { clumps, trait_accuracy: {} }), run('p', { clumps: null, trait_accuracy: null })];
  expect(differingSettings(runs)).toEqual([{ name: 'clumps', values: ['p1 0.0001, kb 250', undefined] }]);
});

it('names the files of a run that takes several', () => {
  const runs = [['a.csv'], ['a.csv', 'b.csv']].map((names) => ({
    ...run(null, {}),
    phenotypes: names.map((name) => ({ name })),
  }));
  expect(differingSettings(runs)).toEqual([{ name: 'phenotype', values: ['a.csv', 'a.csv, b.csv'] }]);
});
