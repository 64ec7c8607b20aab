import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { connect, formOf, HeterosisError } from '@heterosis/client';
import { TABLE_TYPES } from '@heterosis/contracts/endpoint';
import { filesApi } from '@heterosis/contracts/endpoints/data/files';
import { projectGermplasmUploadsApi } from '@heterosis/contracts/endpoints/data/germplasm-uploads';
import { projectsApi } from '@heterosis/contracts/endpoints/people/projects';
import { modelsApi } from '@heterosis/contracts/endpoints/work/models';
import { predictionsApi } from '@heterosis/contracts/endpoints/work/predictions';
import { createModelBody } from '@heterosis/contracts/work/models';
import { RUN_CONTRACTS } from '@heterosis/contracts/work/run-contracts';
import { ENDED_STATES, RUN_KINDS, type RunKind } from '@heterosis/contracts/work/run-kinds';
import { type RepeatableRun, requestOfRun } from '@heterosis/contracts/work/run-request';
import { runScript, type ScriptLanguage } from '@heterosis/contracts/work/run-scripts';
import { afterAll, beforeAll, beforeEach, expect, type TestContext, test } from 'vitest';
import {
  MAIZE,
  type Person,
  type Product,
  type Project,
  SMALL_PHENOTYPE,
  SMALL_VCF,
  startProduct,
  until,
} from '../src/testing/product.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const TRAIT = 'EarHT';
const GENOTYPE = join(MAIZE, 'genotypes.vcf.gz');
const PHENOTYPE = join(MAIZE, 'phenotypes.csv');
const run = promisify(execFile);

let product: Product;
let ann: Person;
let project: Project;
let server: string;
let token: string;
let directory: string;

beforeAll(async () => {
  product = await startProduct({ changes: { host: '127.0.0.1' } });
  ann = await product.person('ann');
  server = await product.app.listen({ port: 0, host: '127.0.0.1' });
  // Signed addresses lead to the server that the clients call.
  Object.assign(product.services.config, { publicUrl: server });
  const made = await ann.call('POST', '/access_tokens', { name: 'Script', scopes: ['write'], expires_in_days: 1 });
  token = made.body.token;
  directory = await mkdtemp(join(tmpdir(), 'heterosis-clients-'));
});
afterAll(async () => {
  await product?.close();
  await rm(directory, { recursive: true, force: true });
});
beforeEach(async () => {
  project = await product.project(ann);
});

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

const environment = (more: Record<string, string> = {}) => ({
  PATH: process.env['PATH'] ?? '',
  HOME: directory,
  // Otherwise the command line would be compiled once more below this HOME.
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
  LC_ALL: 'C.UTF-8',
  PYTHONDONTWRITEBYTECODE: '1',
  ...more,
});

async function ran(program: string, args: string[], env: Record<string, string>, input?: string): Promise<Ended> {
  const started = run(program, args, { cwd: directory, env });
  started.child.stdin?.end(input);
  try {
    return { code: 0, ...(await started) };
  } catch (error) {
    const { code, stdout, stderr } = error as Ended;
    return { code, stdout, stderr };
  }
}

const signedIn = () => environment({ HETEROSIS_SERVER: server, HETEROSIS_TOKEN: token });
const heterosis = (args: string[], env = environment(), input?: string): Promise<Ended> =>
  ran(process.execPath, [join(ROOT, 'apps/cli/bin/heterosis.mjs'), ...args], env, input);

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Without the program the test is skipped, and says so. */
async function needs(context: TestContext, program: string, ...args: string[]): Promise<void> {
  const { code } = await ran(program, args, environment());
  if (code !== 0) context.skip(`${program} ${args.join(' ')} does not run on this machine`);
}

const isZip = (bytes: Buffer): boolean => bytes.subarray(0, 2).toString() === 'PK';

test('move-in sends the lines first, then the files; what is unsure stays behind', async () => {
  const folder = join(directory, 'left');
  await mkdir(folder);
  await writeFile(
    join(folder, 'trial.csv'),
    'plot_name,accession_name,plot_number,rep_number,trial_name,height|CO_334:0000018\np1,A,1,1,T,12\np2,B,2,1,T,14\n',
  );
  await writeFile(join(folder, 'scores.csv'), 'name,rust\nA,1\nB,2\n');
  const args = ['move-in', '--folder', folder, '--out', join(directory, 'moved'), '--project', project.projectId];
  const { code, stderr } = await heterosis(args, signedIn());
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('error')]);
  const lines = await ann.call('GET', `/organizations/${project.organizationId}/germplasms`);
  expect(lines.body.data.map(({ name }: { name: string }) => name)).toEqual(['A', 'B']);
  const files = await ann.call('GET', `${project.address}/files`);
  expect(files.body.data).toMatchObject([{ name: 'trial.phenotypes.csv', file_type: 'PHENOTYPE' }]);
  const opened = await ann.call('POST', `${project.address}/trials/from_file`, {
    ...{ file_id: files.body.data[0].id, season: '2025', location_name: 'Ibadan' },
  });
  expect(opened.status, opened.text).toBe(201);
  const plots = await ann.call('GET', `${project.address}/trials/${opened.body.data[0].id}/plots`);
  expect(plots.body).toMatchObject({ number: [1, 2], replicate: [1, 1], entries: [{ name: 'A' }, { name: 'B' }] });
  const report = await readFile(join(directory, 'moved/report.txt'), 'utf8');
  expect(report).toContain('as GERMPLASM: lines 2; stored in the germplasm list');
  expect(report).toContain('not sent: look at it');
});

test('login keeps a token for its owner only, and never for another server', async () => {
  const refused = await heterosis(['login', '--server', server], environment(), 'hx_wrong\n');
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('E-CLI-SERVER')]);
  const kept = await heterosis(['login', '--server', `${server}/`], environment(), `${token}\n`);
  expect(kept.stderr).toBe('');
  expect(kept.stdout).toContain(`ann@example.org may read and change on ${server}`);
  const path = join(directory, '.config/heterosis/credentials.json');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(kept.stdout).not.toContain(token);

  const listed = await heterosis(['remote', 'projects']);
  expect(listed.stdout).toContain(project.projectId);
  const elsewhere = await heterosis(['remote', 'projects'], environment({ HETEROSIS_SERVER: 'http://127.0.0.1:9' }));
  expect([elsewhere.code, elsewhere.stderr]).toEqual([2, expect.stringContaining('There is no access token for')]);
  await rm(path);
  const out = await heterosis(['remote', 'projects']);
  expect([out.code, out.stderr]).toEqual([2, expect.stringContaining('E-CLI-LOGIN')]);
});

test('the command line uploads, trains, predicts, tests markers, crosses, waits and downloads', {
  timeout: 180_000,
}, async () => {
  const remote = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await heterosis(['remote', ...args, '--project', project.projectId], signedIn());
    expect(code, stderr).toBe(0);
    return stdout.trim();
  };
  const genotype = await remote('upload', '--file', GENOTYPE, '--type', 'GENOTYPE');
  await remote('upload', '--file', PHENOTYPE, '--type', 'PHENOTYPE', '--name', 'trials.csv');
  expect(await remote('files')).toContain(`${genotype}\tGENOTYPE\tREADY`);
  const stored = await ann.call('GET', `${project.address}/files/${genotype}`);
  expect(stored.body.sha256).toBe(sha256(await readFile(GENOTYPE)));

  const inputs = ['--genotype', 'genotypes.vcf.gz', '--phenotype', 'trials.csv', '--traits', TRAIT];
  const settings = ['--settings', '{"n_fold": 2, "n_repetition": 1, "seed": 7}'];
  const model = await remote('train', '--name', 'Ears', ...inputs, ...settings);
  expect(await remote('wait', '--kind', 'models', '--run', 'Ears')).toBe(`${TRAIT}\tEVALUATED`);
  const trained = await ann.call('GET', `${project.address}/models/${model}`);
  expect(trained.body.provenance).toMatchObject({ seed: 7 });
  await remote('predict', '--name', 'Lines', '--model', 'Ears', '--genotype', genotype, '--wait');
  const zip = join(directory, 'ears.zip');
  await remote('download', '--kind', 'models', '--run', model, '--out', zip);
  expect(isZip(await readFile(zip))).toBe(true);

  const scan = await remote(
    'gwas',
    '--name',
    'Scan',
    ...inputs,
    '--settings',
    '{"test": "WALD", "thresh_maf": 0.4}',
    '--wait',
  );
  const tested = await ann.call('GET', `${project.address}/gwas/${scan}`);
  expect(tested.body).toMatchObject({
    name: 'Scan',
    status: { [TRAIT]: 'SUCCESS' },
    provenance: { parameters: { test: 'WALD' } },
  });
  await remote('upload', '--file', join(MAIZE, 'crosses.csv'), '--type', 'CROSSING_TABLE');
  await remote(
    'upload',
    '--file',
    join(MAIZE, 'genotypes_phased.vcf.gz'),
    '--type',
    'GENOTYPE',
    '--name',
    'phased.vcf.gz',
  );
  const table = ['--model', 'Ears', '--genotype', 'phased.vcf.gz', '--crossing-table', 'crosses.csv'];
  const simulated = await remote('cross', '--name', 'Crosses', ...table, '--settings', '{"progeny": 20}');
  const kind = ['--kind', 'crossing_simulations', '--run', 'Crosses'];
  expect(await remote('wait', ...kind)).toBe('Crosses\tSUCCESS');
  const crossing = await ann.call('GET', `${project.address}/crossing_simulations/${simulated}`);
  expect(crossing.body.provenance.parameters).toMatchObject({ progeny: 20 });
  await remote('download', ...kind, '--out', zip);
  expect(isZip(await readFile(zip))).toBe(true);
});

test('the command line says what is wrong: a bad file, an unknown name, a failed run', async () => {
  const bad = join(directory, 'bad.csv');
  await writeFile(bad, 'line,Yield\nA,1\nA,2\n,3\n');
  const place = ['--project', project.projectId];
  const upload = await heterosis(['remote', 'upload', '--file', bad, '--type', 'PHENOTYPE', ...place], signedIn());
  expect(upload.code).toBe(2);
  expect(upload.stderr).toMatch(/bad\.csv/);
  expect(upload.stderr).toContain('E-CLI-RUN');
  const unknown = await heterosis(['remote', 'files', '--project', 'Nowhere'], signedIn());
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('There is no project "Nowhere"')]);
  const verb = await heterosis(['remote', 'trian'], signedIn());
  expect(verb.stderr).toContain('Did you mean remote train?');
});

test('the Python client goes from files to results', { timeout: 180_000 }, async (context) => {
  await needs(context, 'python3', '--version');
  const script = join(directory, 'flow.py');
  await writeFile(
    script,
    `import sys
sys.path.insert(0, ${JSON.stringify(join(ROOT, 'clients/python'))})
from heterosis import Heterosis, HeterosisError
server = Heterosis()
project = server.project(${JSON.stringify(project.projectId)})
shares = []
panel = project.upload(${JSON.stringify(GENOTYPE)}, "GENOTYPE", progress=lambda name, share: shares.append(share))
trials = project.upload(${JSON.stringify(PHENOTYPE)}, "PHENOTYPE")
model = project.train("Ears", panel, trials, [${JSON.stringify(TRAIT)}], n_fold=2, n_repetition=1)
prediction = project.predict("Lines", project.wait(model), panel)
project.download(project.wait(prediction), "lines.zip")
try:
    assert len(project.frame(prediction)) == 281
    assert [len(some) for some in project.frames(prediction, rows=200)] == [200, 81]
    assert list(project.frame(prediction, search="A1")["individual"]) == [one["individual"] for one in project.results(prediction, search="A1")]
except HeterosisError as error:
    assert error.code == "client/no-pandas", error
print(len(list(project.results(prediction))), shares[-1], project.file("phenotypes.csv")["id"] == trials["id"])
for attempt in (lambda: server.project("Nowhere"), lambda: server.call("GET", "/projects/x"), lambda: project.start("x", "y")):
    try:
        attempt()
    except HeterosisError as error:
        print(error.code, error)
`,
  );
  const { code, stdout, stderr } = await ran('python3', [script], signedIn());
  expect(stderr).toBe('');
  expect(code).toBe(0);
  const [first, ...refusals] = stdout.trim().split('\n');
  expect(first).toBe('281 1.0 True');
  expect(refusals.map((line) => line.split(' ')[0])).toEqual([
    'client/not-found',
    'request/not-found',
    'request/not-found',
  ]);
  expect(isZip(await readFile(join(directory, 'lines.zip')))).toBe(true);
});

test('the R package is installed and goes from files to results', { timeout: 180_000 }, async (context) => {
  await needs(context, 'Rscript', '-e', 'library(jsonlite)');
  await needs(context, 'curl', '--version');
  const library = await mkdtemp(join(directory, 'r-'));
  const install = ['CMD', 'INSTALL', '--no-test-load', `--library=${library}`, join(ROOT, 'clients/r')];
  const installed = await ran('R', install, environment());
  expect(installed.code, installed.stderr).toBe(0);
  const script = join(directory, 'flow.R');
  await writeFile(
    script,
    `library(heterosis, lib.loc = ${JSON.stringify(library)})
.libPaths(c(${JSON.stringify(library)}, .libPaths()))
documents <- list(tools::undoc("heterosis"), tools::codoc("heterosis"), tools::checkDocFiles("heterosis"))
stopifnot(lengths(lapply(documents, unlist)) == 0)
project <- hx_project(hx_server(), ${JSON.stringify(project.projectId)})
shares <- c()
panel <- hx_upload(project, ${JSON.stringify(GENOTYPE)}, "GENOTYPE", progress = function(name, share) shares <<- c(shares, share))
trials <- hx_upload(project, ${JSON.stringify(PHENOTYPE)}, "PHENOTYPE")
model <- hx_train(project, "Ears", panel, trials, ${JSON.stringify(TRAIT)}, n_fold = 2, n_repetition = 1)
prediction <- hx_predict(project, "Lines", hx_wait(project, model), panel)
hx_download(project, hx_wait(project, prediction, progress = hx_progress), "lines-r.zip")
lines <- hx_results(project, prediction)
parts <- list()
hx_frames(project, prediction, function(frame) parts[[length(parts) + 1]] <<- frame, rows = 100)
stopifnot(isTRUE(all.equal(do.call(rbind, parts), lines, check.attributes = FALSE)))
cat(nrow(lines), tail(shares, 1), vapply(parts, nrow, 0L), hx_files(project)$id == c(panel$id, trials$id), "\n")
for (attempt in expression(
  hx_project(project$server, "Nowhere"), hx_call(project$server, "GET", "/projects/x"),
  hx_start(project, "models", "Ears", genotype_id = panel, phenotype_id = trials, traits = "Yeild"),
  hx_wait(project, list(kind = "predictions", id = project$id), timeout = 1)
)) cat(tryCatch(eval(attempt), heterosis_error = function(error) error$code), "\n")
`,
  );
  const { code, stdout, stderr } = await ran('Rscript', ['--vanilla', script], signedIn());
  expect(stderr.trim().split('\r').at(-1)).toBe('Lines: 100%');
  expect(code, stderr).toBe(0);
  const [first, ...refusals] = stdout.trim().split('\n');
  expect(first?.trim()).toBe('281 1 100 100 81 TRUE TRUE');
  expect(refusals.map((line) => line.trim())).toEqual([
    'client/not-found',
    'request/not-found',
    'models/trait-not-in-phenotype',
    'request/not-found',
  ]);
  expect(isZip(await readFile(join(directory, 'lines-r.zip')))).toBe(true);
});

/** Begins the upload of a file as a client does whose connection breaks after the first part. */
const BROKEN_OFF = {
  python: `import os, sys
sys.path.insert(0, ${JSON.stringify(join(ROOT, 'clients/python'))})
import heterosis
project = heterosis.Heterosis().project(sys.argv[1])
def broken(name, share):
    os._exit(3)
project.upload("large.csv", "PHENOTYPE", progress=None if sys.argv[2] == "again" else broken)
`,
  r: `source(${JSON.stringify(join(ROOT, 'clients/r/R/heterosis.R'))})
arguments <- commandArgs(TRUE)
project <- hx_project(hx_server(), arguments[[1]])
broken <- function(name, share) quit(status = 3)
file <- hx_upload(project, "large.csv", "PHENOTYPE", progress = if (arguments[[2]] != "again") broken)
`,
};

test.for([
  ['python', 'python3', 'py'],
  ['r', 'Rscript', 'R'],
] as const)(
  'an upload from %s that broke off goes on where it was',
  { tags: 'whole' },
  async ([language, program, ending], context) => {
    if (language === 'r') await needs(context, 'Rscript', '-e', 'library(jsonlite)');
    else await needs(context, program, '--version');
    const script = join(directory, `upload.${ending}`);
    await writeFile(script, BROKEN_OFF[language]);
    // Two parts.
    const table = `line,Yield\n${Array.from({ length: 200_000 }, (_, i) => `L${i},${i}.${'5'.repeat(48)}`).join('\n')}\n`;
    await writeFile(join(directory, 'large.csv'), table);
    const broken = await ran(program, [script, project.projectId, 'first'], signedIn());
    expect(broken.code, broken.stderr).toBe(3);
    const [upload, ...others] = (await ann.call('GET', `${project.address}/uploads`)).body.data;
    expect(others).toEqual([]);
    const { body: state } = await ann.call('GET', `${project.address}/uploads/${upload.id}`);
    expect(state.parts.map(({ number }: { number: number }) => number)).toEqual([1]);
    expect(Math.ceil(table.length / state.part_bytes)).toBe(2);

    const again = await ran(program, [script, project.projectId, 'again'], signedIn());
    expect(again.code, again.stderr).toBe(0);
    const { body: files } = await ann.call('GET', `${project.address}/files`);
    expect(files.data.map(({ id }: { id: string }) => id)).toEqual([upload.id]);
    const { body: file } = await ann.call('GET', `${project.address}/files/${upload.id}`);
    expect(file.sha256).toBe(sha256(Buffer.from(table)));
  },
);

test('the TypeScript client goes from files to results', { tags: 'whole', timeout: 180_000 }, async () => {
  const { projectId } = project;
  const { call, rows, upload, wait, bundle } = connect({ server, token });
  const panel = await upload(projectId, await openAsBlob(GENOTYPE), { name: 'panel.vcf.gz', type: 'GENOTYPE' });
  const trials = await upload(projectId, await openAsBlob(PHENOTYPE), { name: 'trials.csv', type: 'PHENOTYPE' });
  const model = await call(modelsApi.createRun, {
    project_id: projectId,
    body: { name: 'Ears', genotype_id: panel.id, phenotype_id: trials.id, traits: [TRAIT], n_fold: 2, n_repetition: 1 },
  });
  const trained = await wait(projectId, 'models', model.id);
  expect(trained.status).toEqual({ [TRAIT]: 'EVALUATED' });
  const zip = await (await bundle(projectId, 'models', trained.id)).arrayBuffer();
  expect(isZip(Buffer.from(zip))).toBe(true);

  const names: string[] = [];
  const parameters = { project_id: projectId, query: { limit: 1 } };
  for await (const { name } of rows(filesApi.listFiles, parameters)) names.push(name);
  expect(names).toEqual(['panel.vcf.gz', 'trials.csv']);

  await expect(
    upload(projectId, new Blob(['line,Yield\nA,1\nA,2\n,3\n']), { name: 'bad.csv', type: 'PHENOTYPE' }),
  ).rejects.toThrow(/^line 3: |line 4: /);
  const file = new File(['name;mother\nT1;\nT2;T1\n'], 'lines.csv');
  const lines = await call(projectGermplasmUploadsApi.uploadGermplasm, {
    project_id: projectId,
    body: formOf({ file, generate_unknown_parent: 'true' }),
  });
  expect(lines.data.map(({ name, maternal }) => [name, maternal?.name])).toEqual([
    ['T1', undefined],
    ['T2', 'T1'],
  ]);

  const refused = call(projectsApi.readProject, { project_id: 'x' });
  await expect(refused).rejects.toMatchObject({ code: 'request/not-found', status: 404 });
  await expect(refused).rejects.toBeInstanceOf(HeterosisError);
});

/** Stands before the server and breaks off the first whole table of each kind in its middle. */
async function breakingProxy(): Promise<{ url: string; ranges: string[]; close: () => void }> {
  const broken = new Set<string>();
  const ranges: string[] = [];
  const proxy = createServer(async (request, response) => {
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => name !== 'host'));
    const answer = await fetch(`${server}${request.url}`, { headers: headers as Record<string, string> });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const type = answer.headers.get('content-type') ?? '';
    const isTable = (TABLE_TYPES as readonly string[]).includes(type);
    if (isTable && request.headers.range !== undefined) ranges.push(request.headers.range);
    response.writeHead(answer.status, {
      ...Object.fromEntries(answer.headers),
      'content-length': bytes.length,
      connection: 'close',
    });
    if (!isTable || broken.has(type)) return response.end(bytes);
    broken.add(type);
    return response.write(bytes.subarray(0, 3_000), () => response.destroy());
  });
  await new Promise<void>((listens) => proxy.listen(0, '127.0.0.1', listens));
  const { port } = proxy.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, ranges, close: () => proxy.close() };
}

const SAVE_TABLES = {
  python: `import sys
sys.path.insert(0, ${JSON.stringify(join(ROOT, 'clients/python'))})
from heterosis import Heterosis, HeterosisError
project = Heterosis().project(sys.argv[1])
run = {"kind": "predictions", "id": sys.argv[2]}
for form in ("parquet", "lines"):
    project.save_table(run, "table." + form, format=form)
try:
    project.save_table(run, "none", "citation")
except HeterosisError as error:
    print(error.code)
`,
  r: `source(${JSON.stringify(join(ROOT, 'clients/r/R/heterosis.R'))})
arguments <- commandArgs(TRUE)
project <- hx_project(hx_server(), arguments[[1]])
run <- list(kind = "predictions", id = arguments[[2]])
for (form in c("parquet", "lines")) hx_save_table(project, run, paste0("table.", form), format = form)
cat(tryCatch(hx_save_table(project, run, "none", "citation"), heterosis_error = function(error) error$code))
`,
};

test('tables of which a download breaks off arrive whole, in every client', {
  tags: 'whole',
  timeout: 180_000,
}, async () => {
  const genotype = { name: 'panel.vcf.gz', fileType: 'GENOTYPE', bytes: await readFile(GENOTYPE) } as const;
  const phenotype = { name: 'trials.csv', fileType: 'PHENOTYPE', bytes: await readFile(PHENOTYPE) } as const;
  const genotype_id = (await product.uploadChecked(ann, project, genotype)).id;
  const phenotype_id = (await product.uploadChecked(ann, project, phenotype)).id;
  const inputs = { genotype_id, phenotype_id, traits: [TRAIT], n_fold: 2, n_repetition: 1 };
  const model = await started('model', inputs);
  const { id } = await started('prediction', { model_id: model.id });
  const address = `${server}${project.address}/predictions/${id}/results`;
  const whole = async (accept: string) =>
    sha256(
      Buffer.from(
        await (await fetch(address, { headers: { accept, authorization: `Bearer ${token}` } })).arrayBuffer(),
      ),
    );
  const expected = [await whole(TABLE_TYPES[0]), await whole(TABLE_TYPES[1])];

  const languages = [
    ['python', 'python3', ['--version'], 'py'],
    ['r', 'Rscript', ['-e', 'library(jsonlite)'], 'R'],
  ] as const;
  for (const [language, program, probe, ending] of languages) {
    if ((await ran(program, [...probe], environment())).code !== 0) continue;
    const proxy = await breakingProxy();
    const script = join(directory, `tables.${ending}`);
    await writeFile(script, SAVE_TABLES[language]);
    const { code, stdout, stderr } = await ran(program, [script, project.projectId, id], {
      ...signedIn(),
      HETEROSIS_SERVER: proxy.url,
    });
    proxy.close();
    expect([code, stdout.trim()], stderr).toEqual([0, 'client/no-table']);
    const saved = ['parquet', 'lines'].map(async (form) => sha256(await readFile(join(directory, `table.${form}`))));
    expect(await Promise.all(saved), language).toEqual(expected);
    expect(proxy.ranges, language).toEqual(['bytes=3000-', 'bytes=3000-']);
    expect(await readdir(directory)).not.toContain('none');
  }

  const proxy = await breakingProxy();
  const { table } = connect({ server: proxy.url, token });
  for (const [i, form] of (['parquet', 'lines'] as const).entries()) {
    const parts: Uint8Array[] = [];
    const parameters = { project_id: project.projectId, id };
    for await (const part of table(predictionsApi.getResults, parameters, form)) parts.push(part);
    expect(sha256(Buffer.concat(parts))).toBe(expected[i]);
  }
  expect(proxy.ranges).toHaveLength(2);
  proxy.close();
});

/** Characters that mean something in one of the languages. */
const AWKWARD = `O'Neil "$HOME" \\n \`x\` é🌽`;

/** How each language is run, and what it needs beside the script. */
const LANGUAGES: Record<ScriptLanguage, { program: string; ending: string; client?: string; probe: string[] }> = {
  python: { program: 'python3', ending: 'py', client: 'clients/python/heterosis/__init__.py', probe: ['--version'] },
  r: { program: 'Rscript', ending: 'R', client: 'clients/r/R/heterosis.R', probe: ['-e', 'library(jsonlite)'] },
  shell: { program: 'sh', ending: 'sh', probe: ['-c', 'curl --version'] },
};

async function needsLanguages(context: TestContext): Promise<void> {
  for (const { program, probe } of Object.values(LANGUAGES)) await needs(context, program, ...probe);
}

interface AnyRun extends RepeatableRun {
  id: string;
  name: string;
  status: unknown;
  [field: string]: unknown;
}

const endedRun = (kind: RunKind, id: string): Promise<AnyRun> =>
  until(
    async () => (await ann.call('GET', `${project.address}/${RUN_KINDS[kind].path}/${id}`)).body as AnyRun,
    ({ status }) =>
      (typeof status === 'object' ? Object.values(status ?? {}) : [status]).every((one) =>
        ENDED_STATES.includes(one as string),
      ),
    120_000,
  );

async function started(kind: RunKind, fields: object): Promise<AnyRun> {
  const { status, body, text } = await ann.call('POST', `${project.address}/${RUN_KINDS[kind].path}`, {
    name: AWKWARD,
    ...fields,
  });
  expect(status, text).toBe(201);
  return await endedRun(kind, body.id);
}

/** Runs the script that repeats a run under another name. */
async function ranScript(kind: RunKind, run: AnyRun, language: ScriptLanguage, name: string): Promise<Ended> {
  const { program, ending, client } = LANGUAGES[language];
  const { body, gone } = requestOfRun(RUN_CONTRACTS[RUN_KINDS[kind].path].endpoints.createRun.body, run, name);
  expect(gone).toEqual([]);
  if (client !== undefined) await copyFile(join(ROOT, client), join(directory, `heterosis.${ending}`));
  const file = join(directory, `repeat.${ending}`);
  await writeFile(file, runScript(language, { kind, name: run.name, projectId: project.projectId, server, body }));
  return await ran(program, [file], signedIn());
}

/** The run that the script of another one has made. */
async function repeated(kind: RunKind, run: AnyRun, language: ScriptLanguage): Promise<AnyRun> {
  const name = `${AWKWARD} ${kind} ${language}`;
  const { code, stderr } = await ranScript(kind, run, language, name);
  expect([code, stderr]).toEqual([0, '']);
  const bundle = (await readdir(directory)).find((file) => file.endsWith(`_${kind}_${language}.zip`));
  expect(isZip(await readFile(join(directory, bundle ?? '')))).toBe(true);
  const { body: list } = await ann.call('GET', `${project.address}/${RUN_KINDS[kind].path}`);
  return await endedRun(kind, list.data.find((one: AnyRun) => one.name === name).id);
}

/** All of a run that must be the same when it is repeated. */
async function outcomeOf(kind: RunKind, run: AnyRun, table: string): Promise<object> {
  const { seed, parameters, input_sha256 } = run.provenance;
  const { traits, evaluation, variance, report } = run;
  const rows = await ann.call('GET', `${project.address}/${RUN_KINDS[kind].path}/${run.id}/${table}`);
  expect(rows.status, rows.text).toBe(200);
  return { seed, parameters, input_sha256, traits, evaluation, variance, report, rows: rows.body ?? rows.text };
}

/** Names go through every language; what a script makes equals what it was made from. */
async function expectSame(kind: RunKind, run: AnyRun, table: string, languages: ScriptLanguage[]): Promise<void> {
  const original = await outcomeOf(kind, run, table);
  for (const language of languages)
    expect(await outcomeOf(kind, await repeated(kind, run, language), table), language).toEqual(original);
}

test('the scripts of result pages repeat runs of every kind', { tags: 'whole', timeout: 400_000 }, async (context) => {
  const languages = Object.keys(LANGUAGES) as ScriptLanguage[];
  await needsLanguages(context);
  const upload = async (
    name: string,
    fileType: 'GENOTYPE' | 'PHENOTYPE' | 'CROSSING_TABLE',
    bytes: string | Uint8Array,
  ) => (await product.uploadChecked(ann, project, { name, fileType, bytes })).id;
  const genotype_id = await upload('panel.vcf.gz', 'GENOTYPE', await readFile(join(MAIZE, 'genotypes_phased.vcf.gz')));
  const phenotypes = await readFile(PHENOTYPE, 'utf8');
  const phenotype_id = await upload(
    'trials.csv',
    'PHENOTYPE',
    phenotypes.replace(TRAIT, `"${AWKWARD.replaceAll('"', '""')}"`),
  );
  const files = { genotype_id, phenotype_id, traits: [AWKWARD] };
  const ofTrait = (table: string): string => `${table}?trait=${encodeURIComponent(AWKWARD)}`;

  const folds = { n_fold: 2, n_repetition: 1, seed: 7, optimize_time: null };
  const model = await started('model', { ...files, ...folds, exclusions: { samples: ['A188'] } });
  await expectSame('model', model, ofTrait('gebv'), languages);
  const gwas = await started('gwas', { ...files, test: 'WALD', fixed: 2, permutations: 19 });
  await expectSame('gwas', gwas, ofTrait('results'), languages);

  const prediction = await started('prediction', { model_id: model.id });
  await expectSame('prediction', prediction, 'results', ['shell']);
  const check = await started('parentage_check', { genotype_id, pedigree: 'none', seek: 'all' });
  await expectSame('parentage_check', check, 'results', ['python']);
  const plan = { model_id: model.id, crosses: 5, population: null, weights: { [AWKWARD]: 2 } };
  const pairs = {
    required_pairs: [['33-16', '38-11']],
    candidates: ['33-16', '38-11', '4226', '4722', 'A214N', 'A239'],
  };
  await expectSame('crossing_plan', await started('crossing_plan', { ...plan, ...pairs }), 'tables', ['r']);
  const crossing_table_id = await upload('crosses.csv', 'CROSSING_TABLE', await readFile(join(MAIZE, 'crosses.csv')));
  const crossing = await started('crossing_simulation', { model_id: model.id, crossing_table_id, progeny: 20 });
  await expectSame('crossing_simulation', crossing, ofTrait('results'), ['python']);

  const { status } = await ann.call('DELETE', `${project.address}/files/${phenotype_id}?cascade=true`);
  expect(status).toBe(204);
  const orphan = await endedRun('model', model.id);
  expect(requestOfRun(createModelBody, orphan, 'x').gone).toEqual(['phenotype']);
});

test('a script fails with the words of the server where its run is refused or fails', async (context) => {
  await needsLanguages(context);
  const small = { name: 'small.vcf', fileType: 'GENOTYPE', bytes: SMALL_VCF } as const;
  const { id: genotype_id } = await product.uploadChecked(ann, project, small);
  const lines = SMALL_PHENOTYPE.trim().split('\n');
  const same = lines.map((line, i) => `${line},${i === 0 ? 'Same' : 1}`).join('\n');
  const trials = { name: 'trials.csv', fileType: 'PHENOTYPE', bytes: same } as const;
  const { id: phenotype_id } = await product.uploadChecked(ann, project, trials);
  const check = await started('parentage_check', { genotype_id });
  const gwas = await started('gwas', { genotype_id, phenotype_id, traits: ['Same'] });
  const ofCheck = (check['error_extra'] as { code: string; message: string }).message;
  const ofGwas = (gwas['error_extras'] as Record<string, { message: string }>)['Same']?.message ?? '';
  for (const language of Object.keys(LANGUAGES) as ScriptLanguage[])
    for (const [kind, run, name, message] of [
      ['parentage_check', check, AWKWARD, 'in this project already'],
      ['parentage_check', check, language, ofCheck],
      ['gwas', gwas, language, ofGwas],
    ] as const) {
      const { code, stderr } = await ranScript(kind, run, language, name);
      expect([kind, language, code, stderr]).toEqual([kind, language, 1, expect.stringContaining(message)]);
    }
});
