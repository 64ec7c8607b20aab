import type { ProjectOverview } from '@heterosis/contracts/people/projects';
import { expect, it } from 'vitest';
import { tourStops } from './tour-stops.ts';

const run = (kind: string, id: string, state = 'success') => ({ kind, id, state }) as ProjectOverview['recent'][number];
const overview = {
  newest: { genotype_id: 'g', phenotype_id: 'p' },
  results: {
    accuracies: [{ model: { id: 'm', name: 'Model' } }],
    associations: [{ gwas: { id: 'w', name: 'Scan' } }],
    crosses: null,
  },
  recent: [
    run('prediction', 'failed', 'error'),
    run('prediction', 'r'),
    run('crossing_plan', 'c'),
    run('trial_analysis', 't'),
  ],
} as unknown as ProjectOverview;

it('leads along the results of a project in the order of the work', () => {
  expect(tourStops('1', overview).map(({ name }) => name)).toEqual([
    'overview',
    'data',
    'trials',
    'accuracy',
    'loci',
    'ranking',
    'crosses',
  ]);
  expect(tourStops('1', overview)[5]?.link).toEqual({
    to: '/projects/$projectId/predictions/$predictionId',
    params: { projectId: '1', predictionId: 'r' },
  });
});

it('leaves out what a project has not got', () => {
  const results = { accuracies: [], associations: [], ranking: null, crosses: null };
  const empty = { ...overview, newest: { genotype_id: null, phenotype_id: null }, results, recent: [] };
  expect(tourStops('1', empty).map(({ name }) => name)).toEqual(['overview']);
});
