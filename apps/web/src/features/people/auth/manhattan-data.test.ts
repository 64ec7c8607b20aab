import { expect, it } from 'vitest';
import packed from './maize-ear-height.json';
import { layOutManhattan } from './manhattan-data.ts';

it('draws every marker of the packed study between the ends of its chromosome', () => {
  const points = layOutManhattan(packed);
  expect(points.x).toHaveLength(packed.markers);
  expect(points.chromosomes.map((one) => one.name)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
  for (let index = 0; index < points.x.length; index++) {
    const chromosome = points.chromosomes[points.chromosome[index] ?? 0];
    expect(points.x[index]).toBeGreaterThanOrEqual((chromosome?.start ?? 1) - 1e-6);
    expect(points.x[index]).toBeLessThanOrEqual((chromosome?.end ?? 0) + 1e-6);
  }
});

it('has exactly the associations above the threshold that the text of the page tells', () => {
  const points = layOutManhattan(packed);
  expect(points.negLog10P.filter((value) => value > points.bonferroni)).toHaveLength(1);
  expect(points.largest).toBeGreaterThan(points.bonferroni);
  expect(packed.top[0]).toMatchObject({ id: 'PZA03188.4', chr: '1' });
});
