import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { MAIZE, type Person, type Product, type Project, startProduct } from '../../src/testing/product.ts';

const PYTHON = resolve(import.meta.dirname, '../../../../clients/python');
const NOTEBOOK = join(PYTHON, 'notebooks/season.ipynb');
const R_CLIENT = resolve(import.meta.dirname, '../../../../clients/r');
const run = promisify(execFile);

let product: Product;
let ann: Person;
let token: string;
let server: string;
let project: Project;
let directory: string;
let environment: Record<string, string>;

beforeAll(async () => {
  product = await startProduct({ changes: { host: '127.0.0.1' } });
  ann = await product.person('ann');
  server = await product.app.listen({ port: 0, host: '127.0.0.1' });
  // Signed addresses lead to the server that the scripts call.
  Object.assign(product.services.config, { publicUrl: server });
  const made = await ann.call('POST', '/access_tokens', { name: 'Season', scopes: ['write'], expires_in_days: 1 });
  token = made.body.token;
});
afterAll(() => product.close());
beforeEach(async () => {
  project = await product.project(ann);
  directory = await mkdtemp(join(tmpdir(), 'heterosis-season-'));
  environment = {
    ...{ PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? directory, LC_ALL: 'C.UTF-8' },
    ...{
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONPATH: [PYTHON, process.env['PYTHONPATH'] ?? ''].filter(Boolean).join(':'),
      R_LIBS: directory,
    },
    ...{ HETEROSIS_SERVER: server, HETEROSIS_TOKEN: token },
    ...{ HETEROSIS_PROJECT: project.projectId, HETEROSIS_DATA: MAIZE },
  };
});
afterEach(() => rm(directory, { recursive: true, force: true }));

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

/** Compares the numbers that a script of the season has written with those of its runs. */
async function expectNumbersOfRuns(): Promise<void> {
  const { series, evaluation, ranking, plan, ids } = JSON.parse(await readFile(join(directory, 'season.json'), 'utf8'));
  const read = async (path: string) => (await ann.call('GET', `${project.address}/${path}`)).body;
  const ofRun = await read(`trial_analyses/${ids.analysis}/series?trait=EarHT`);
  expect(series).toEqual({ means: ofRun.means, h2: ofRun.h2, log_likelihood: ofRun.log_likelihood });
  expect(series.means).toHaveLength(3);
  expect(evaluation).toEqual((await read(`models/${ids.model}`)).evaluation.EarHT);
  const { data, traits } = await read(`predictions/${ids.prediction}/results?limit=500`);
  expect(ranking).toHaveLength(281);
  expect(ranking).toEqual(data.map((row: object) => flat(row, traits)));
  const { report } = await read(`crossing_plans/${ids.plan}`);
  expect(plan).toEqual({
    ...{ crosses: report.crosses, parents: report.parents },
    ...{ coancestry: report.coancestry, value: report.value },
  });
  expect(plan.crosses).toBe(10);
}

/** Values of traits as fields of their own, such as `gebv.EarHT`, as data frames have them. */
const flat = (row: object, traits: string[]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      Array.isArray(value) ? value.map((one, t) => [`${name}.${traits[t]}`, one]) : [[name, value]],
    ),
  );

const READ_IN_FRAMES = `import json, os
from heterosis import Heterosis
project = Heterosis().project(os.environ["HETEROSIS_PROJECT"])
(prediction,) = project.server.rows(f"/projects/{project.id}/predictions")
frames = list(project.frames({**prediction, "kind": "predictions"}, rows=100))
print(json.dumps([[len(frame), *frame.columns] for frame in frames]))
`;

/** Writes what the vignette has saved as JSON with all digits; jsonlite writes 15. */
const WRITE_NUMBERS = `json <- function(x) {
  if (is.data.frame(x)) x <- lapply(seq_len(nrow(x)), function(i) as.list(x[i, , drop = FALSE]))
  if (is.list(x) && length(names(x)) > 0)
    return(paste0("{", paste0('"', names(x), '":', vapply(x, json, ""), collapse = ","), "}"))
  if (is.list(x)) return(paste0("[", paste(vapply(x, json, ""), collapse = ","), "]"))
  if (is.null(x) || is.na(x)) return("null")
  if (is.numeric(x)) sprintf("%.17g", x) else jsonlite::toJSON(x, auto_unbox = TRUE)
}
writeLines(json(readRDS("season.rds")), "season.json")
`;

test('the notebook of a season finishes, and its numbers are those of its runs', {
  tags: 'whole',
  timeout: 600_000,
}, async (context) => {
  if (!(await has('pandas'))) context.skip('python3 with pandas does not run on this machine');
  await runNotebook();
  await expectNumbersOfRuns();
  const [first, ...others] = JSON.parse((await python(['-c', READ_IN_FRAMES])).stdout);
  const [rows, ...columns] = first;
  expect([rows, ...others]).toEqual([100, [100, ...columns], [81, ...columns]]);
});

test('the R Markdown vignette of a season finishes, and its numbers are those of its runs', {
  tags: 'whole',
  timeout: 600_000,
}, async (context) => {
  const R = (program: string, ...args: string[]) => run(program, args, { cwd: directory, env: environment });
  const needed = 'library(jsonlite); library(knitr); stopifnot(rmarkdown::pandoc_available())';
  const runs = await R('Rscript', '-e', needed).then(
    () => true,
    () => false,
  );
  if (!runs) context.skip('R with jsonlite, knitr, rmarkdown and pandoc does not run on this machine');
  await R('R', 'CMD', 'INSTALL', '--no-test-load', `--library=${directory}`, R_CLIENT);
  await copyFile(join(R_CLIENT, 'vignettes/season.Rmd'), join(directory, 'season.Rmd'));
  await R('Rscript', '-e', 'rmarkdown::render("season.Rmd", quiet = TRUE)');
  await writeFile(join(directory, 'write.R'), WRITE_NUMBERS);
  await R('Rscript', 'write.R');
  await expectNumbersOfRuns();
  expect(await readFile(join(directory, 'season.html'), 'utf8')).toContain('10 crosses of ');
});
