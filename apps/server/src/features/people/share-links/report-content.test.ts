import { sharedThing } from '@heterosis/contracts/people/share-links';
import { expect, test } from 'vitest';
import type { Report } from '../../work/runs/report/index.ts';
import { contentOf } from './report-content.ts';

const ID = '01a22481-915a-7318-ae0d-4b807c0ee9da';
const report = (parts: Report['parts']): Report => ({
  ...{ page: 'A4', organization: 'Acme', logo: null, project: 'Secret', kind: 'GWAS', name: 'Height' },
  ...{ description: null, sentences: ['One hit'], inputs: [['Genotype', 'a.vcf']], parts, methods: 'REML' },
  ...{ provenance: [['Seed', '1']], link: `/projects/${ID}`, date: '2026-11-28T20:00:00.000Z' },
});

test('a figure is sent as numbers that JSON has, to seven digits, and positions as they are stored', () => {
  const points = Float32Array.of(0, 280_719_872, 4.97);
  const { parts } = contentOf(
    report([
      {
        ...{ what: 'figure', title: 'EarHT', width: 'whole', height: 190 },
        figure: { chart: 'manhattan', given: { points, chromosomes: ['1'], thresholds: [], y: '−log₁₀ p' } },
      },
    ]),
  );
  expect(JSON.parse(JSON.stringify(parts))).toEqual([
    {
      ...{ what: 'figure', title: 'EarHT', width: 'whole' },
      figure: {
        chart: 'manhattan',
        given: { points: [0, 280_719_872, 4.97], chromosomes: ['1'], thresholds: [], y: '−log₁₀ p' },
      },
    },
  ]);
});

test('neither the project nor the ways of a table into it are sent', () => {
  const table = { what: 'table', title: 'Crosses', columns: [{ title: 'Cross' }], rows: [['A × B']] } as const;
  const content = contentOf(report([{ ...table, links: [`/projects/${ID}/germplasm`] }]));
  expect(content.parts).toEqual([table]);
  const sent = JSON.stringify(content);
  for (const hidden of [ID, 'Secret', '/projects/']) expect(sent).not.toContain(hidden);
  expect(sharedThing.safeParse({ ...content, expires_at: '2026-12-28T00:00:00.000Z' }).error).toBeUndefined();
});
