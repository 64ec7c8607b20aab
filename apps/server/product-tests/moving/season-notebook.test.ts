import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAIZE, type Person, type Product, type Project, startProduct } from '../../src/testing/product.ts';

const PYTHON = resolve(import.meta.dirname, '../../../../clients/python');
const NOTEBOOK = join(PYTHON, 'notebooks/season.ipynb');
const run = promisify(execFile);

let product: Product;
let ann: Person;
let project: Project;
let directory: string;
let environment: Record<string, string>;

beforeAll(async () => {
  product = await startProduct({ changes: { host: '127.0.0.1' } });
  ann = await product.person('ann');
  project = await product.project(ann);
  const server = await product.app.listen({ port: 0, host: '127.0.0.1' });
  // Signed addresses lead to the server that the notebook calls.
  Object.assign(product.services.config, { publicUrl: server });
  const made = await ann.call('POST', '/access_tokens', { name: 'Notebook', scopes: ['write'], expires_in_days: 1 });
  directory = await mkdtemp(join(tmpdir(), 'heterosis-notebook-'));
  environment = {
    ...{ PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? directory, LC_ALL: 'C.UTF-8' },
    ...{
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONPATH: [PYTHON, process.env['PYTHONPATH'] ?? ''].filter(Boolean).join(':'),
    },
    ...{ HETEROSIS_SERVER: server, HETEROSIS_TOKEN: made.body.token },
    ...{ HETEROSIS_PROJECT: project.projectId, HETEROSIS_DATA: MAIZE },
  };
});
afterAll(async () => {
  await product.close();
  await rm(directory, { recursive: true, force: true });
});

const python = (args: string[]) => run('python3', args, { cwd: directory, env: environment });
const has = (modules: string): Promise<boolean> =>
  python(['-c', `import ${modules}`]).then(
    () => true,
    () => false,
  );

/** Runs the notebook as Jupyter does or, without it, its cells one after the other. */
async function runNotebook(): Promise<void> {
  const script = join(directory, 'run.py');
  const asJupyter = `import nbformat
from nbclient import NotebookClient
notebook = nbformat.read(${JSON.stringify(NOTEBOOK)}, 4)
NotebookClient(notebook, timeout=600, resources={"metadata": {"path": "."}}).execute()
`;
  const { cells } = JSON.parse(await readFile(NOTEBOOK, 'utf8')) as {
    cells: { cell_type: string; source: string[] }[];
  };
  const asScript = cells
    .filter(({ cell_type }) => cell_type === 'code')
    .map(({ source }) => source.join(''))
    .join('\n\n');
  await writeFile(script, (await has('nbclient, ipykernel')) ? asJupyter : asScript);
  await python([script]);
}

test('the notebook of a season finishes, and its numbers are those of its runs', {
  tags: 'whole',
  timeout: 600_000,
}, async (context) => {
  if (!(await has('pandas'))) context.skip('python3 with pandas does not run on this machine');
  await runNotebook();
  const { series, evaluation, ranking, plan, ids } = JSON.parse(await readFile(join(directory, 'season.json'), 'utf8'));
  const read = async (path: string) => (await ann.call('GET', `${project.address}/${path}`)).body;
  const ofRun = await read(`trial_analyses/${ids.analysis}/series?trait=EarHT`);
  expect(series).toEqual({ means: ofRun.means, h2: ofRun.h2, log_likelihood: ofRun.log_likelihood });
  expect(series.means).toHaveLength(3);
  expect(evaluation).toEqual((await read(`models/${ids.model}`)).evaluation.EarHT);
  const { data } = await read(`predictions/${ids.prediction}/results?limit=500`);
  expect(ranking).toHaveLength(281);
  const gebv = (rows: Record<string, unknown>[]) => rows.map((row) => Object.values(row).map(String));
  expect(gebv(ranking)).toEqual(gebv(data));
  const { report } = await read(`crossing_plans/${ids.plan}`);
  expect(plan).toEqual({
    ...{ crosses: report.crosses, parents: report.parents },
    ...{ coancestry: report.coancestry, value: report.value },
  });
  expect(plan.crosses).toBe(10);
});
