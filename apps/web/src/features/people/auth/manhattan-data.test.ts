import { expect, it } from 'vitest';
import packed from './maize-known-loci.json';
import { layOutManhattan, nearestPoint } from './manhattan-data.ts';

const points = layOutManhattan(packed);

it('draws every marker of the packed study between the ends of its chromosome', () => {
  expect(points.x).toHaveLength(packed.markers);
  expect(points.chromosomes.map((one) => one.name)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
  for (let index = 0; index < points.x.length; index++) {
    const chromosome = points.chromosomes[points.chromosome[index] ?? 0];
    expect(points.x[index]).toBeGreaterThanOrEqual((chromosome?.start ?? 1) - 1e-6);
    expect(points.x[index]).toBeLessThanOrEqual((chromosome?.end ?? 0) + 1e-6);
  }
});

it('tells which of the true loci have a marker beyond the threshold beside them', () => {
  expect(points.loci.map(({ isFound }) => isFound)).toEqual([true, true, true, true, true, true]);
  const beyond = [...points.x.keys()].filter((index) => (points.negLog10P[index] ?? 0) > points.bonferroni);
  const toLocus = (index: number): number => {
    const chr = points.chromosomes[points.chromosome[index] ?? 0]?.name;
    const distances = points.loci
      .filter((locus) => locus.chr === chr)
      .map((locus) => Math.abs(locus.pos - (points.position[index] ?? 0)));
    return Math.min(...distances);
  };
  // Ten markers, one of them 11 Mb from the locus of its chromosome.
  expect(beyond).toHaveLength(10);
  expect(beyond.filter((index) => toLocus(index) <= 1_000_000)).toHaveLength(9);
});

it('finds the point under the mouse, and none where there is none', () => {
  const toPixel = (index: number) => ({
    x: (points.x[index] ?? 0) * 600,
    y: 300 - (points.negLog10P[index] ?? 0) * 20,
  });
  const highest = points.negLog10P.indexOf(Math.max(...points.negLog10P));
  const { x, y } = toPixel(highest);
  expect(nearestPoint(points, { x: x + 3, y: y - 4 }, toPixel, 14)).toBe(highest);
  expect(nearestPoint(points, { x: x + 200, y }, toPixel, 14)).toBeUndefined();
});
