import { expect, test } from 'vitest';
import { pageSize, pagesOf } from '../../../../platform/pdf/testing.ts';
import type { Report } from './report.ts';
import { reportAsPdf } from './report-pdf.ts';

const rows = Array.from({ length: 80 }, (_, k) => [`m${k}`, String(k)]);
const REPORT: Report = {
  ...{ page: 'A4', organization: 'Acme', logo: null, project: 'Maize', kind: 'GWAS', name: 'Height' },
  description: null,
  sentences: ['EarHT: 1 marker above the Bonferroni threshold'],
  inputs: [['Genotype', 'panel.vcf']],
  parts: [
    {
      ...{ what: 'figure', title: 'EarHT', width: 'half' },
      figure: {
        chart: 'scatter',
        given: {
          ...{ x: 'Predicted', y: 'Observed (cm)' },
          points: [
            { name: 'a', x: 0, y: 0 },
            { name: 'b', x: 10, y: 4 },
            { name: 'c', x: 5, y: 2 },
          ],
        },
      },
    },
    { what: 'table', title: 'Markers', columns: [{ title: 'Marker' }, { title: 'n', align: 'right' }], rows },
  ],
  methods: 'Associations were tested marker by marker. '.repeat(60),
  provenance: [['Version', 'Heterosis 1.0.0']],
  link: 'https://heterosis.example/projects/p/gwas/g',
  date: '2026-11-28T20:00:00.000Z',
};

test('a report goes on over pages of the paper asked for, and is the same bytes each time', async () => {
  const a4 = await reportAsPdf(REPORT);
  expect(pageSize(a4)).toEqual([595.28, 841.89]);
  expect(pagesOf(a4).length).toBeGreaterThan(2);
  expect(Buffer.compare(Buffer.from(a4), Buffer.from(await reportAsPdf(REPORT)))).toBe(0);
  expect(pageSize(await reportAsPdf({ ...REPORT, page: 'LETTER' }))).toEqual([612, 792]);
});

test('points of a figure are drawn as vectors within its frame', async () => {
  const [page = ''] = pagesOf(await reportAsPdf({ ...REPORT, parts: REPORT.parts.slice(0, 1) }));
  // A circle is four curves; its path begins at its right.
  const circles = [...page.matchAll(/([\d.]+) ([\d.]+) m\n(?:[\d. ]+ c\n){4}/g)].map(([, x, y]) => [
    Number(x),
    Number(y),
  ]);
  expect(circles).toHaveLength(3);
  const [[left = 0, bottom = 0] = [], [right = 0, top = 0] = [], [middle = 0, half = 0] = []] = circles;
  expect(left).toBeLessThan(right);
  expect(middle).toBeCloseTo((left + right) / 2, 3);
  expect(half).toBeCloseTo((top + bottom) / 2, 3);
});

test('what people wrote becomes neither link nor script', async () => {
  const hostile = '=HYPERLINK("http://evil.example")\u202e\u0007 javascript:alert(1) (/URI) >> endobj';
  const given = { ...REPORT, name: hostile, description: hostile, sentences: [hostile], methods: hostile };
  const text = Buffer.from(await reportAsPdf(given)).toString('latin1');
  expect([...text.matchAll(/\/URI \(/g)]).toHaveLength(1);
  expect(text).toContain(`/URI (${REPORT.link})`);
  expect(text).not.toMatch(/\/JavaScript|\/JS\b|\/Launch|\/AcroForm/);
});
