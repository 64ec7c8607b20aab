import { createCrossingPlanBody } from '@heterosis/contracts/work/crossing-plans';
import { describe, expect, it } from 'vitest';
import { installBrowser } from '../../../testing/browser.ts';

// What the modules below need of a browser is read when they are loaded.
installBrowser();
const { planBody, planValues, unphasedCandidates } = await import('./plan-form.ts');

const ID = '01900000-0000-7000-8000-000000000001';
const filled = () => ({ ...planValues(undefined, 'Next season'), model_id: { id: ID, name: 'Model' } });

describe('the request of a crossing plan', () => {
  it('fits the contract with what the dialog shows at first, and looks at the germplasm list', () => {
    const body = planBody(filled(), ['yield']);
    expect(createCrossingPlanBody.safeParse(body).error).toBeUndefined();
    expect(body).toMatchObject({ made_from: ['germplasm'], allow_made: false, crosses: 20, max_uses: 4 });
  });

  it('names one crossing table, unless all are asked for', () => {
    const values = { ...filled(), crossing_table_id: { id: ID, name: 'made.csv' } };
    expect(planBody(values, [])).toMatchObject({ crossing_table_id: ID });
    expect(planBody({ ...values, made_from: ['crossing_tables'] }, [])).not.toHaveProperty('crossing_table_id');
  });

  it('leaves out genotype, map and population for candidates from the model, which only a pedigree allows', () => {
    const file = { id: ID, name: 'file' };
    const values = { ...filled(), candidates_from: 'model' as const, genotype_id: file, linkage_map_id: file };
    expect(planBody(values, [])).toMatchObject({ candidates_from: 'genotype', genotype_id: ID });
    const body = planBody({ ...values, pedigree_id: file }, []);
    expect(body).toMatchObject({ candidates_from: 'model', pedigree_id: ID, population: null });
    expect(body).not.toHaveProperty('genotype_id');
    expect(body).not.toHaveProperty('linkage_map_id');
    expect(createCrossingPlanBody.safeParse(body).error).toBeUndefined();
  });
});

describe('candidates with heterozygous calls without phase', () => {
  it('stand against a plan with a population, when they are among the candidates', () => {
    const unphased = ['H1', 'H2'];
    expect(unphasedCandidates(filled(), unphased)).toEqual(unphased);
    expect(unphasedCandidates({ ...filled(), population: '' }, unphased)).toEqual([]);
    const of = (...names: string[]) => ({ ...filled(), candidates: { list: 'Elite', names } });
    expect(unphasedCandidates(of('L1', 'H2'), unphased)).toEqual(['H2']);
    expect(unphasedCandidates(of('L1'), unphased)).toEqual([]);
    const pedigree = { id: ID, name: 'pedigree.csv' };
    expect(unphasedCandidates({ ...filled(), pedigree_id: pedigree, candidates_from: 'model' }, unphased)).toEqual([]);
  });
});
