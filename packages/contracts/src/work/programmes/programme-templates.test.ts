import { expect, test } from 'vitest';
import { numbersOf, withNumber } from './programme-numbers.ts';
import { parseScheme } from './programme-schemes.ts';
import { memoryOfReplicate, schemeSizes, secondsOfReplicate } from './programme-sizes.ts';
import { schemeOfTemplate, TEMPLATE_NAMES, USUAL_COSTS } from './programme-templates.ts';

const input = (founders: number) => ({
  founders: Array.from({ length: founders }, (_, i) => `L${i + 1}`),
  trait: 'yield',
  error: { environment: 1, plot: 2 },
  costs: USUAL_COSTS,
  locus: 'm1',
});
const schemes = TEMPLATE_NAMES.map((name) => [name, schemeOfTemplate(name, name, input(60))] as const);

test.each(schemes)('the template %s is a scheme that can be simulated, also with few founders', (name, scheme) => {
  for (const founders of [60, 12, 4]) {
    const made = schemeOfTemplate(name, name, input(founders));
    expect(parseScheme(JSON.stringify(made)).problems).toEqual([]);
    const { problems, totalCost, totalYears } = schemeSizes(made, founders);
    if (founders === 60) expect(problems).toEqual([]);
    expect(totalCost).toBeGreaterThan(0);
    expect(totalYears).toBeGreaterThan(1);
  }
  const seconds = secondsOfReplicate(scheme, schemeSizes(scheme, 60), { ...SIZE, loci: 5000 });
  expect(seconds).toBeGreaterThan(secondsOfReplicate(scheme, schemeSizes(scheme, 60), SIZE));
  expect(memoryOfReplicate(schemeSizes(scheme, 60), SIZE)).toBeGreaterThan(100);
});
const SIZE = { loci: 1000, founders: 60, modelRecords: 0, modelMarkers: 0 };

test.each(schemes)('every number of %s is found by its path and set there', (_, scheme) => {
  for (const { path, value, min, max } of numbersOf(scheme)) {
    expect(value).toBeGreaterThanOrEqual(min);
    expect(value).toBeLessThanOrEqual(max);
    const changed = withNumber(scheme, path, max);
    expect(numbersOf(changed).find((one) => one.path === path)?.value).toBe(max);
    expect(withNumber(changed, path, value)).toMatchObject(scheme);
  }
  expect(() => withNumber(scheme, 'cycle.99.lines', 1)).toThrow('no number at cycle.99.lines');
});

test('costs, plots and years of DH lines are those of the reference', () => {
  // Per cycle 10 × 20 + 200 × 30 + (200 + 240) × 25 = 17,200, four years.
  const sizes = schemeSizes(schemeOfTemplate('phenotypic_dh', 'DH', input(60)), 60);
  expect(sizes.cost).toEqual({ start: 60 * 6 * 25, cycle: 17_200, end: 0 });
  expect(sizes.years).toEqual({ start: 0, cycle: 4, end: 0 });
  expect(sizes.totalCost).toBe(9000 + 5 * 17_200);
  const trials = sizes.stages.filter(({ list, plots }) => list === 'cycle' && plots > 0);
  expect(trials.map(({ plots, begins, ends }) => [plots, begins, ends])).toEqual([
    [200, 2, 3],
    [240, 3, 4],
  ]);
});

test('numbers that ask for more than there is are told with their place', () => {
  const scheme = schemeOfTemplate('phenotypic_dh', 'DH', input(60));
  const many = withNumber(scheme, 'cycle.4.count', 201);
  expect(schemeSizes(many, 60).problems).toEqual([
    { list: 'cycle', index: 4, field: 'count', message: 'There are 200 candidates' },
  ]);
  const genomic = schemeOfTemplate('genomic_two_stages', 'GS', input(60));
  const at = genomic.cycle.findIndex((stage) => stage.do === 'select' && stage.per_family !== undefined);
  const strict = withNumber(withNumber(genomic, `cycle.${at}.per_family`, 1), `cycle.${at}.count`, 11);
  expect(schemeSizes(strict, 60).problems.map(({ message }) => message)).toEqual([
    '10 families give at most 10 at 1 each',
  ]);
});
