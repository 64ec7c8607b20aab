import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
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
