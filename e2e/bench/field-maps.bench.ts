// The four maps of a field of 10,000 plots in Chromium: from the answer of the server to the first picture (goal 1 s),
// and frame times while the maps are moved, enlarged and coloured anew (goal: median below 17 ms). The plots are given
// here in place of the server, so that the browser alone is measured. A number sets another size; `--keep FOLDER`
// leaves a picture of the page there.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import config from '../playwright.config.ts';
import { openDemo } from '../support/demo.ts';
import { baseUrl } from '../support/journeys.ts';
import startProduct from '../support/start-product.ts';
import { frameTimes, median, recolourTimes } from './frame-times.ts';

const size = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 10_000);
const keepAt = process.argv.indexOf('--keep');
const folder = keepAt < 0 ? undefined : process.argv[keepAt + 1];
const ID = '01900000-0000-7000-8000-000000000001';
const AT = '2026-01-01T00:00:00.000Z';

/** Plots with a trend in both directions and noise, in a field about as wide as long. */
function plots() {
  const columns = Math.ceil(Math.sqrt(size));
  const all = Array.from({ length: size }, (_, plot) => plot);
  const at = all.map((plot) => ({ row: Math.floor(plot / columns) + 1, column: (plot % columns) + 1 }));
  const trend = at.map(({ row, column }) => 2 * Math.sin(row / 9) + 2 * Math.cos(column / 13));
  const residual = all.map((plot) => Math.sin(plot * 12.9898));
  return {
    ...{ environment: 'Field', trait: 'Yield', unit: 't/ha', phenotype_id: ID, total: size, has_field: true },
    file_line: all.map((plot) => plot + 2),
    row: at.map(({ row }) => row),
    column: at.map(({ column }) => column),
    line: all.map((plot) => `Line ${plot % 5000}`),
    replicate: at.map(({ row }) => (row <= columns / 2 ? 'R1' : 'R2')),
    block: all.map(() => null),
    kind: all.map(() => 'entry'),
    value: all.map((plot) => 8 + (trend[plot] ?? 0) + (residual[plot] ?? 0)),
    fitted: all.map((plot) => 8 + (trend[plot] ?? 0)),
    ...{ trend, residual, studentized: residual },
    outlier: all.map((plot) => plot % 500 === 7),
    set_aside: all.map(() => null),
  };
}

const strip = {
  ...{ environment: 'Field', phenotype_id: ID, state: 'ANALYSED', reason: null, action: null, sentence: 'H² 0.80' },
  ...{ model: 'psanova', chosen_by: 'criterion', design: null, plots: size, lines: 5000, set_aside: 0 },
  ...{
    log_likelihood: 0,
    aic: 0,
    bic: 0,
    converged: true,
    h2: null,
    h2_reasons: {},
    variances: {},
    correlations: null,
  },
  ...{ effective_dimensions: {}, alternatives: [], suspicions: [], outliers: [], trend: [], trend_along: null },
  ...{ mean_sed: null, notes: [] },
};

function runOf(project: string) {
  const byTrait = <Value>(value: Value) => ({ Yield: value });
  const none = byTrait(null);
  const summary = {
    ...{ sentence: 'Yield: H² 0.80', unit: 't/ha', environments: 1, left_out: 0, plots: size, lines: 5000 },
    ...{ outliers: 0, suspicions: 0, h2: null, structure: null, no_series: null },
  };
  return {
    ...{ id: ID, name: 'Field', project_id: project, phenotype_ids: [], phenotype_names: [], description: null },
    ...{ genotype_id: null, genotype_name: null, pedigree_id: null, pedigree_name: null, traits: ['Yield'] },
    ...{ status: byTrait('SUCCESS'), error_extras: none, progress: none, summary: byTrait(summary) },
    ...{ created_by: null, created_by_id: null, created_at: AT, updated_at: AT },
    ...{ phenotypes: [], genotype: null, pedigree: null, means_urls: none, covariance_urls: none, plots_urls: none },
    ...{ report_urls: none, series_urls: none, series_report_urls: none, methods: '' },
    provenance: {
      ...{ created_by: null, seed: null, software_version: '1.0.0', input_sha256: {}, seconds: 1 },
      ...{ parameters: { model: 'auto', structure: 'auto' }, started_at: AT, finished_at: AT },
    },
  };
}

/** Answers in place of the server what the page asks of the analysis. */
async function giveAnswers(page: Page, project: string): Promise<void> {
  const answers: Record<string, object> = {
    '': runOf(project),
    trials: { trait: 'Yield', unit: 't/ha', data: [strip] },
    plots: plots(),
    variogram: {
      environment: 'Field',
      trait: 'Yield',
      reason: 'none',
      rows: 0,
      columns: 0,
      semivariance: [],
      pairs: [],
    },
    means: { unit: 't/ha', mean_sed: null, data: [], next_cursor: null, total: 0 },
  };
  await page.route(
    (url) => url.pathname.includes(`/trial_analyses/${ID}`),
    (route) => {
      const what = new URL(route.request().url()).pathname.split(ID)[1]?.slice(1) ?? '';
      return route.fulfill({ json: answers[what] ?? {} });
    },
  );
}

const stop = process.env.HETEROSIS_URL === undefined ? await startProduct() : undefined;
const browser = await chromium.launch(config.use?.launchOptions);
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  const { project } = await openDemo(page);
  await giveAnswers(page, project.split('/').at(-1) ?? '');
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith('/plots'));
  await page.goto(`${baseUrl()}${project}/trialAnalyses/${ID}`);
  await answered;
  const start = Date.now();
  await page.waitForFunction(() => {
    const maps = [...document.querySelectorAll<HTMLCanvasElement>('canvas[data-field-map]')];
    return maps.length === 4 && maps.every(({ width }) => width > 300);
  });
  const first = Date.now() - start;
  const zoom = await frameTimes(page, 'zoom');
  await page.getByRole('button', { name: 'Enlarge' }).click({ clickCount: 3 });
  const move = await frameTimes(page, 'move');
  const recolour = await recolourTimes(page, 'What the first map shows', ['replicate', 'value']);
  if (folder) {
    mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: join(folder, 'field-maps.png') });
  }
  process.stdout.write(
    `four maps of ${size} plots: first picture after ${first} ms (goal 1,000); median frame ${median(zoom).toFixed(1)} ms ` +
      `enlarging, ${median(move).toFixed(1)} ms moving (goal 17); coloured anew in ${median(recolour).toFixed(0)} ms\n`,
  );
} finally {
  await browser.close();
  await stop?.();
}
process.exit(0);
