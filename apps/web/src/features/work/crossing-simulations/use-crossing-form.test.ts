import { CROSSING_OPTIONS } from '@heterosis/contracts/options/crossing';
import {
  type CrossingSimulationDetail,
  createCrossingSimulationBody,
} from '@heterosis/contracts/work/crossing-simulations';
import type { TFunction } from 'i18next';
import { describe, expect, it } from 'vitest';
import { installBrowser } from '../../../testing/browser.ts';
import type { CrossingValues } from './use-crossing-form.ts';

// What the hook needs of a browser is read when its module is loaded.
installBrowser();
const { crossingBody, crossingErrors, crossingValues } = await import('./use-crossing-form.ts');
const { limitsOf } = await import('../run-dialog/index.ts');

const NUMBER_LIMITS = {
  bp_per_cm: limitsOf(CROSSING_OPTIONS.bp_per_cm),
  progeny: limitsOf(CROSSING_OPTIONS.progeny),
  selected_fraction: limitsOf(CROSSING_OPTIONS.selected_fraction),
  accuracy: limitsOf(CROSSING_OPTIONS.accuracy),
};

const ID = (last: number): string => `01900000-0000-7000-8000-00000000000${last}`;
const file = (last: number) => ({ id: ID(last), name: `file ${last}` });

const filled = (): CrossingValues => ({
  ...crossingValues(undefined, 'Half diallel'),
  model_id: file(1),
  crossing_table_id: file(2),
});

describe('the request of a crossing simulation', () => {
  it('fits the contract with what the dialog shows at first', () => {
    const body = crossingBody(filled(), []);
    expect(createCrossingSimulationBody.safeParse(body).error).toBeUndefined();
    expect(body).toMatchObject({
      model_id: ID(1),
      crossing_table_id: ID(2),
      bp_per_cm: CROSSING_OPTIONS.bp_per_cm.default,
    });
    expect(body).not.toHaveProperty('genotype_id');
    expect(body).not.toHaveProperty('linkage_map_id');
  });

  it('has the selected share, which the dialog asks for in percent', () => {
    expect(crossingBody({ ...filled(), selected_fraction: 2.5 }, []).selected_fraction).toBeCloseTo(0.025, 12);
  });

  it('takes a linkage map in place of one rate for the whole genome', () => {
    const body = crossingBody({ ...filled(), linkage_map_id: file(3) }, []);
    expect(body).toMatchObject({ linkage_map_id: ID(3) });
    expect(body).not.toHaveProperty('bp_per_cm');
    expect(createCrossingSimulationBody.safeParse(body).success).toBe(true);
  });

  it('leaves out low traits that the model, chosen anew, does not have', () => {
    const values = { ...filled(), low_traits: ['height', 'lodging'] };
    expect(crossingBody(values, ['yield', 'height']).low_traits).toEqual(['height']);
  });

  it('keeps the map function of a simulation that is run again, and is Haldane’s otherwise', () => {
    expect(crossingBody(filled(), [])).toMatchObject({ map_function: 'haldane', progeny: 1000 });
    const asked = { ...crossingBody(filled(), []), map_function: 'kosambi', progeny: 80 };
    const { name: _, model_id: __, crossing_table_id: ___, ...parameters } = createCrossingSimulationBody.parse(asked);
    const source = { provenance: { parameters } } as unknown as CrossingSimulationDetail;
    const again = { ...filled(), ...crossingValues(source, 'Again'), model_id: file(1), crossing_table_id: file(2) };
    const body = crossingBody(again, []);
    expect(body).toMatchObject({ map_function: 'kosambi', progeny: 80 });
    expect(createCrossingSimulationBody.safeParse(body).error).toBeUndefined();
  });

  it('says of polyploids the one generation that is predicted, and of diploids nothing about their homologs', () => {
    const values = { ...filled(), population: 'DH' as const, pairing: 'quadrivalent' as const };
    expect(crossingBody(values, [], 4)).toMatchObject({ population: 'F1', pairing: 'quadrivalent' });
    expect(crossingBody(values, [], 2)).toMatchObject({ population: 'DH', pairing: 'bivalent' });
  });
});

describe('the number fields of a crossing simulation', () => {
  const t = ((key: string) => key) as unknown as TFunction;
  const wrong = (values: CrossingValues): string[] =>
    Object.entries(crossingErrors(t, values)).flatMap(([field, error]) => (error ? [field] : []));

  it('are right at first, and at every limit, which the contract accepts too', () => {
    expect(wrong(filled())).toEqual([]);
    for (const [field, { min, max }] of Object.entries(NUMBER_LIMITS))
      for (const limit of [min, max]) {
        const values = { ...filled(), [field]: limit };
        expect(wrong(values)).toEqual([]);
        expect(createCrossingSimulationBody.safeParse(crossingBody(values, [])).error).toBeUndefined();
      }
  });

  it('refuse an empty field and a number beyond the limits, as the contract does', () => {
    for (const [field, { min, max }] of Object.entries(NUMBER_LIMITS)) {
      expect(wrong({ ...filled(), [field]: '' })).toEqual([field]);
      for (const beyond of [min - 1, max * 2]) {
        const values = { ...filled(), [field]: beyond };
        expect(wrong(values)).toEqual([field]);
        expect(createCrossingSimulationBody.safeParse(crossingBody(values, [])).success).toBe(false);
      }
    }
    expect(wrong({ ...filled(), progeny: 1.5 })).toEqual(['progeny']);
  });

  it('ask for no base pairs per cM where a linkage map is chosen', () => {
    expect(wrong({ ...filled(), bp_per_cm: '', linkage_map_id: file(3) })).toEqual([]);
  });
});
