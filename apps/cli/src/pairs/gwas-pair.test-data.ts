import { readFileSync } from 'node:fs';
import { denseGwas, pOfStatistic } from '@heterosis/analysis/dense/gwas.test-data';
import type { Asked } from './asked.test-data.ts';
import { type Comparison, rowsOfCsv } from './compare.test-data.ts';

/** The plain definition climbs by bisection, and its h² is exact to 1e-9 or so; SCORE and effects follow it. */
const TOLERANCE = 2e-6;
/** The kinship in single precision. */
const SINGLE = 2e-3;

interface Figures {
  lambda: number;
  permutations: { p: number } | null;
}

/** The table and the summary of `gwas` against the definition. */
export function compareGwas(asked: Asked, summary: Record<string, unknown>, table: string, found: Comparison): void {
  const expected = denseGwas(asked);
  const rows = rowsOfCsv(readFileSync(table, 'utf8'));
  const tolerance = asked.single ? SINGLE : TOLERANCE;
  found.same('n', summary['n'], expected.n);
  found.same('m', summary['m'], expected.markers.length);
  found.same(
    'markers tested',
    rows.map(({ id }) => id),
    expected.markers.map(({ id }) => id),
  );
  const several = asked.tests.length > 1;
  for (const test of asked.tests) {
    const ending = several ? `_${test.toLowerCase()}` : '';
    const statisticOf = (row: Record<string, string>): number =>
      test === 'WALD'
        ? (Number(row['beta']) / Number(row['sd'])) ** 2
        : Number(row[test === 'SCORE' ? 'score' : 'LRT']);
    for (const [k, marker] of expected.markers.entries()) {
      const row = rows[k] ?? {};
      const dense = marker[test];
      found.close(`${test} statistic`, statisticOf(row), dense.statistic, tolerance, Math.max(1, dense.statistic));
      found.close(`${test} effect`, Number(row[`effect${ending}`]), dense.effect, tolerance, dense.effect_se);
      found.close(`${test} effect_se`, Number(row[`effect_se${ending}`]), dense.effect_se, tolerance);
      found.close(`${test} h2`, Number(row[`h2${ending}`]), dense.h2, tolerance, 1);
      found.close(`${test} p`, Number(row[`p${ending}`]), pOfStatistic(statisticOf(row)), 1e-9);
    }
    const figures = (several
      ? (summary['tests'] as (Figures & { test: string })[]).find((one) => one.test === test)
      : summary) as unknown as Figures | undefined;
    const sorted = expected.markers.map((marker) => marker[test].statistic).sort((a, b) => a - b);
    const middle = 0.5 * ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0));
    found.close('lambda', figures?.lambda ?? Number.NaN, middle / CHI_SQUARE_MEDIAN, 10 * tolerance, 1);
    if (expected.thresholds !== null) {
      found.close(
        'permutation p',
        figures?.permutations?.p ?? Number.NaN,
        pOfStatistic(expected.thresholds[test]),
        1e-3,
      );
    }
  }
  if (asked.permutations !== null && expected.thresholds === null)
    found.notCompared.push('thresholds, the kinship being singular');
  if (!asked.dominance) return;
  for (const [k, { id, dominance }] of expected.markers.entries()) {
    const row = rows[k] ?? {};
    found.same(`dominance tested`, `${id} ${(row['dom_p'] ?? '') !== ''}`, `${id} ${dominance !== null}`);
    if (dominance === null) continue;
    found.close('dominance effect', Number(row['dom_effect']), dominance.effect, 10 * tolerance, dominance.se);
    found.close('dominance se', Number(row['dom_se']), dominance.se, 10 * tolerance);
  }
}

const CHI_SQUARE_MEDIAN = 0.454936423119572;
