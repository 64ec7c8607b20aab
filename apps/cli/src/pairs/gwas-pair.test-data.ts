import { readFileSync } from 'node:fs';
import {
  type DenseNullModel,
  denseGwas,
  denseNullModel,
  pOfStatistic,
  prepareDenseGwas,
} from '@heterosis/analysis/dense/gwas.test-data';
import type { Asked } from './asked.test-data.ts';
import { type Comparison, rowsOfCsv } from './compare.test-data.ts';
import { compareHits } from './gwas-hits-pair.test-data.ts';

/** The plain definition climbs by bisection, and its h² is exact to 1e-9 or so; SCORE and effects follow it. */
const TOLERANCE = 2e-6;
/** The kinship in single precision. */
const SINGLE = 2e-3;

interface Figures {
  lambda: number;
  h2_null: number;
  kinship_pve: number;
  bonferroni: number;
  fdr: number | null;
  fdr_hits: number;
  hits: number;
  top: string | null;
  permutations: { p: number } | null;
}

/** The table and the summary of `gwas` against the definition. */
export function compareGwas(asked: Asked, summary: Record<string, unknown>, table: string, found: Comparison): void {
  asked.residualLines = Number(summary['residual_lines'] ?? 0);
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
  const model = prepareDenseGwas(asked);
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
      const explained = dense.effect ** 2 / (dense.effect ** 2 + expected.n * dense.effect_se ** 2);
      found.close(`${test} pve`, Number(row[`pve${ending}`]), explained, tolerance, 1);
    }
    const figures = (several
      ? (summary['tests'] as (Figures & { test: string })[]).find((one) => one.test === test)
      : summary) as unknown as Figures | undefined;
    const sorted = expected.markers.map((marker) => marker[test].statistic).sort((a, b) => a - b);
    const middle = 0.5 * ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0));
    if (figures === undefined) throw new Error(`no summary of ${test}`);
    compareSummary(figures, rows, ending, found);
    // The kinship in single precision has another likelihood.
    if (!asked.single) compareNullModel(figures, denseNullModel(model, test, figures.h2_null), found);
    found.close('lambda', figures.lambda, middle / CHI_SQUARE_MEDIAN, 10 * tolerance, 1);
    if (expected.thresholds !== null) {
      found.close(
        'permutation p',
        figures.permutations?.p ?? Number.NaN,
        pOfStatistic(expected.thresholds[test]),
        1e-3,
      );
    }
  }
  compareHits(asked, summary, rows, found);
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

/** What follows from the p of all markers. */
function compareSummary(
  figures: Figures,
  rows: readonly Record<string, string>[],
  ending: string,
  found: Comparison,
): void {
  const p = rows.map((row) => Number(row[`p${ending}`]));
  found.close('bonferroni', figures.bonferroni, LEVEL / p.length, 1e-12);
  found.same('hits', figures.hits, p.filter((value) => value <= LEVEL / p.length).length);
  const sorted = p.toSorted((a, b) => a - b);
  // Benjamini & Hochberg (1995): the smallest m·p/rank of this and all larger p.
  const q = p.map((value) =>
    Math.min(1, ...sorted.flatMap((other, k) => (other >= value ? (other * p.length) / (k + 1) : []))),
  );
  for (const [k, value] of q.entries()) found.close('q', Number(rows[k]?.[`q${ending}`]), value, 1e-9);
  const discoveries = p.filter((_, k) => (q[k] ?? 1) <= LEVEL);
  found.same('discoveries', figures.fdr_hits, discoveries.length);
  found.same('fdr', figures.fdr, discoveries.length === 0 ? null : Math.max(...discoveries));
  const top = rows.find(({ id }) => id === figures.top)?.[`p${ending}`];
  found.close('p of the top', Number(top), sorted[0] ?? Number.NaN, 1e-9);
}

function compareNullModel(figures: Figures, dense: DenseNullModel, found: Comparison): void {
  if (dense.gain > GAIN)
    throw new Error(`h² ${figures.h2_null} of the null model: ${dense.best} is likelier by ${dense.gain}`);
  found.same('h2 of the null model', true, true);
  found.close('kinship_pve', figures.kinship_pve, dense.kinshipPve, 1e-6, 1);
}

const LEVEL = 0.05;
/** A log-likelihood that could be larger by less than this is at its maximum. */
const GAIN = 1e-6;
