import { readFileSync } from 'node:fs';
import { parseScheme } from '@heterosis/contracts/work/programmes/programme-schemes';
import { expect, test } from 'vitest';

const PAGE = readFileSync(new URL('../../../../docs/user-guide/programmes.md', import.meta.url), 'utf8');
const BLOCKS = [...PAGE.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json]) => json ?? '');

test('every scheme of the help page is one', () => {
  expect(BLOCKS).toHaveLength(6);
  for (const block of BLOCKS) expect(parseScheme(block).problems).toEqual([]);
});

const changed = (change: (scheme: { cycle: Record<string, unknown>[] } & Record<string, unknown>) => void) => {
  const scheme = JSON.parse(BLOCKS[2] ?? '');
  change(scheme);
  return parseScheme(JSON.stringify(scheme)).problems;
};

test('a problem names its stage and field', () => {
  expect(
    changed(({ cycle }) => {
      Object.assign(cycle[1] ?? {}, { lines: 0 });
    }),
  ).toEqual([{ stage: 'cycle, stage 2 (dh)', field: 'lines', message: expect.stringContaining('1') }]);
  expect(
    changed(({ cycle }) => {
      Object.assign(cycle[1] ?? {}, { plants: 3 });
    }),
  ).toEqual([{ stage: 'cycle, stage 2 (dh)', field: '', message: 'There is no field "plants" here' }]);
  expect(
    changed(({ cycle }) => {
      Object.assign(cycle[1] ?? {}, { do: 'double' });
    }),
  ).toEqual([
    { stage: 'cycle, stage 2 (double)', field: 'do', message: expect.stringContaining('take, cross, backcross') },
  ]);
  expect(
    changed((scheme) => {
      scheme['error'] = { plot: -1, environment: 0 };
    }),
  ).toEqual([{ stage: '', field: 'error.plot', message: expect.stringContaining('0') }]);
  expect(parseScheme('{').problems).toEqual([{ stage: '', field: '', message: expect.stringContaining('not JSON') }]);
});

test('fields that a plan, a score or a range is nothing without are asked for', () => {
  const first = (stage: object) =>
    changed((scheme) => {
      scheme.cycle.unshift(stage as Record<string, unknown>);
    })[0];
  expect(first({ do: 'take', from: 'founders', into: 'some', range: [5, 2] })).toEqual({
    stage: 'cycle, stage 1 (take)',
    field: 'range',
    message: 'A range ends after it begins',
  });
  expect(first({ do: 'take', from: 'parents', into: 'some', individuals: ['AL01'] })?.field).toBe('individuals');
  expect(first({ do: 'take', from: 'parents', into: 'some' })?.field).toBe('range');
  expect(first({ do: 'cross', from: 'parents', into: 'some', plan: 'optimal', by: 'y' })?.field).toBe('rate');
  expect(first({ do: 'cross', from: 'parents', into: 'some', plan: 'useful', model: 'other' })).toEqual({
    stage: 'cycle, stage 1 (cross)',
    field: 'model',
    message: 'No stage has trained the model "other" at this point',
  });
  expect(first({ do: 'score', kind: 'share', population: 'parents', like: 'founders', as: 'x' })?.field).toBe('unlike');
});

test('a stage that asks for what is not made yet is refused', () => {
  const withoutStage = (index: number) => changed(({ cycle }) => void cycle.splice(index, 1));
  expect(withoutStage(0)[0]).toEqual({
    stage: 'cycle, stage 1 (dh)',
    field: 'from',
    message: 'There is no population "F1" at this point; there are founders, parents',
  });
  expect(withoutStage(2)).toEqual([
    {
      stage: 'cycle, stage 4 (train)',
      field: 'population',
      message: '"dh" is not genotyped; put a stage "genotype" before',
    },
    expect.objectContaining({ stage: 'cycle, stage 5 (predict)' }),
  ]);
  expect(withoutStage(4)).toEqual([
    { stage: 'cycle, stage 5 (predict)', field: 'model', message: 'No stage has trained the model "gs" at this point' },
  ]);
  expect(withoutStage(5)[0]).toEqual({
    stage: 'cycle, stage 6 (measure)',
    field: 'criterion',
    message: 'The population has no column "gebv" at this point; it has y1',
  });
});
