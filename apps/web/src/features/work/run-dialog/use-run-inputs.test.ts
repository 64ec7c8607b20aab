import type { TFunction } from 'i18next';
import { describe, expect, it } from 'vitest';
import { installBrowser } from '../../../testing/browser.ts';

// What the hook needs of a browser is read when its module is loaded.
installBrowser();
const { runInputBody, runInputValues } = await import('./use-run-inputs.ts');

const t = ((_: string, { name }: { name: string }) => `${name} (again)`) as unknown as TFunction;
const genotype = { id: 'g', name: 'panel.vcf.gz' };
const phenotype = { id: 'p', name: 'trials.csv' };
const source = { name: 'Yield', genotype, phenotype, traits: ['yield', 'height'], provenance: { parameters: {} } };

describe('the values of a run dialog', () => {
  it('are empty for a new run', () => {
    expect(runInputValues(undefined, t)).toEqual({
      name: '',
      genotype_id: undefined,
      phenotype_id: undefined,
      traits: [],
      renames: [],
    });
  });

  it('are those of the run that is repeated', () => {
    expect(runInputValues(source, t)).toEqual({
      name: 'Yield (again)',
      genotype_id: genotype,
      phenotype_id: phenotype,
      traits: ['yield', 'height'],
      renames: [],
    });
  });

  it('do without a file that was deleted since; without the phenotype there are no traits to keep', () => {
    expect(runInputValues({ ...source, genotype: null }, t)).toMatchObject({
      genotype_id: undefined,
      traits: source.traits,
    });
    expect(runInputValues({ ...source, phenotype: null }, t)).toMatchObject({ phenotype_id: undefined, traits: [] });
  });
});

describe('the request', () => {
  it('names the chosen files by their ids, under the names of the fields', () => {
    const body = runInputBody(runInputValues(source, t));
    expect(body).toEqual({ name: 'Yield (again)', genotype_id: 'g', phenotype_id: 'p', traits: ['yield', 'height'] });
    // Complaints of the server are put on fields by name.
    const { renames: _renames, ...fields } = runInputValues(source, t);
    expect(Object.keys(body).sort()).toEqual(Object.keys(fields).sort());
  });
});
