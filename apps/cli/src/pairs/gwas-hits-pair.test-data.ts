import { readFileSync } from 'node:fs';
import {
  type DenseMultiLocus,
  denseClumps,
  denseEffectiveTests,
  denseStepwise,
} from '@heterosis/analysis/dense/gwas-hits.test-data';
import type { Asked } from './asked.test-data.ts';
import { type Comparison, rowsOfCsv } from './compare.test-data.ts';

/** h² of both comes from a search on a flat top; what follows from it is less exact than the likelihood. */
const TOLERANCE = 1e-5;

type Row = Record<string, string>;

/** What `gwas` makes of its tests, and the multi-locus models. */
export function compareHits(
  asked: Asked,
  summary: Record<string, unknown>,
  rows: readonly Row[],
  found: Comparison,
): void {
  if (asked.effectiveTests)
    found.close('effective tests', Number(summary['effective_tests']), denseEffectiveTests(asked), 1e-8);
  if (asked.clumps !== null) compareClumps(asked, asked.clumps, rows, found);
  if (asked.stepwise === null) return;
  if (asked.errors !== null) {
    found.notCompared.push('multi-locus models given errors');
    return;
  }
  const models = denseStepwise(asked, asked.stepwise);
  const least = Math.min(...models.map(({ mbic }) => mbic));
  const chosen = models.findIndex(({ mbic }) => mbic === least);
  const given = summary['stepwise'] as Record<string, unknown> & { markers: { id: string }[] };
  compareModel(found, models[chosen], { ...given, pve_together: given['pve'] }, given.markers);
  if (asked.stepwiseOut === null) return;
  const table = Map.groupBy(rowsOfCsv(readFileSync(asked.stepwiseOut, 'utf8')), (row) => row['model'] ?? '');
  found.same('multi-locus models', table.size, models.length);
  for (const [k, model] of models.entries()) {
    const own = table.get(String(k)) ?? [];
    found.same('multi-locus model chosen', own[0]?.['chosen'], k === chosen ? '1' : '0');
    compareModel(found, model, own[0] ?? {}, model.markers.length === 0 ? [] : own);
  }
}

function compareModel(
  found: Comparison,
  model: DenseMultiLocus | undefined,
  given: Record<string, unknown>,
  markers: readonly Record<string, unknown>[],
): void {
  if (model === undefined) throw new Error('no multi-locus model');
  const named = (figure: string): string => `multi-locus ${figure}`;
  found.same(named('direction'), given['direction'], model.direction);
  found.same(
    named('markers'),
    markers.map(({ id }) => id),
    model.markers.map(({ id }) => id),
  );
  found.close(named('log-likelihood'), Number(given['log_likelihood']), model.logLikelihood, TOLERANCE, 1);
  found.close(named('mbic'), Number(given['mbic']), model.mbic, TOLERANCE, 1);
  found.close(named('ebic'), Number(given['ebic']), model.ebic, TOLERANCE, 1);
  found.close(named('h2'), Number(given['h2']), model.h2, TOLERANCE, 1);
  found.close(named('pve together'), Number(given['pve_together']), model.pve, TOLERANCE, 1);
  for (const [k, { effect, se, p, pve }] of model.markers.entries()) {
    const marker = markers[k] ?? {};
    found.close(named('effect'), Number(marker['effect']), effect, TOLERANCE, se);
    found.close(named('effect_se'), Number(marker['effect_se']), se, TOLERANCE);
    found.close(named('p'), Number(marker['p']), p, TOLERANCE, 1);
    found.close(named('pve'), Number(marker['pve']), pve, TOLERANCE, 1);
  }
}

/** From the p of the first test, where the table says that markers lie. */
function compareClumps(asked: Asked, path: string, rows: readonly Row[], found: Comparison): void {
  const ending = asked.tests.length > 1 ? `_${asked.tests[0]?.toLowerCase()}` : '';
  const hits = rows.map((row) => ({
    id: row['id'] ?? '',
    chromosome: row['chr'] ?? '',
    positionBp: Number(row['pos']),
    p: Number(row[`p${ending}`]),
  }));
  const expected = denseClumps(asked, hits, asked.clumping);
  const clumps = rowsOfCsv(readFileSync(path, 'utf8'));
  found.same(
    'clumps',
    clumps.map(({ id, members }) => ({ id, members: members === '' ? [] : members?.split(' ') })),
    expected,
  );
  for (const [k, { id, members }] of expected.entries()) {
    const own = hits.filter((hit) => hit.id === id || members.includes(hit.id));
    const positions = own.map(({ positionBp }) => positionBp);
    const row = clumps[k];
    found.same(
      'clump figures',
      [row?.['others'], row?.['first_pos'], row?.['last_pos'], row?.['p']],
      [members.length, Math.min(...positions), Math.max(...positions), hits.find((hit) => hit.id === id)?.p].map(
        String,
      ),
    );
  }
}
