// What lint patterns cannot say: features of the server import only leftward, imports stay inside their workspace,
// and every imported package is declared by the workspace that imports it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** A feature may import those before it (STYLE §1). */
const FEATURE_ORDER = [
  'accounts',
  'auth',
  'organizations',
  'billing',
  'crops',
  'projects',
  'invitations',
  'runs',
  'files',
  'germplasm',
  'models',
  'predictions',
  'gwas',
  'crossing-simulations',
  'bin',
  'demo',
];

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^;'"]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)import\s+['"]([^'"]+)['"]/g;

export function findBorderViolations(root) {
  const violations = [];
  const workspaces = [
    ...['packages', 'apps'].flatMap((group) => readdirSync(join(root, group)).map((name) => join(root, group, name))),
    join(root, 'e2e'),
  ];
  for (const workspace of workspaces) {
    const manifest = JSON.parse(readFileSync(join(workspace, 'package.json'), 'utf8'));
    const runtime = new Set(
      Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies }),
    );
    const all = new Set([...runtime, ...Object.keys(manifest.devDependencies ?? {}), manifest.name]);
    for (const file of sources(workspace)) {
      const where = relative(root, file);
      const isTest =
        /\.test\.tsx?$|\/(bench|testing)\/|testing\.ts$|generate-schema\.ts$|\.config\.ts$/.test(file) ||
        workspace.endsWith('e2e') ||
        workspace.endsWith('test-support');
      for (const match of readFileSync(file, 'utf8').matchAll(IMPORT)) {
        const target = match[1] ?? match[2] ?? match[3];
        // Text of a program that a test writes.
        if (target.includes('$')) continue;
        if (target.startsWith('.')) {
          const to = resolve(dirname(file), target);
          if (!to.startsWith(workspace + sep)) violations.push(`${where}: ${target} leaves the workspace`);
          violations.push(...rightward(file, to, target, where));
        } else if (!target.startsWith('node:') && !builtinModules.includes(target) && !target.startsWith('virtual:')) {
          const name = target
            .split('/')
            .slice(0, target.startsWith('@') ? 2 : 1)
            .join('/');
          if (!(isTest ? all : runtime).has(name) && !(isTest && rootHas(root, name))) {
            violations.push(`${where}: ${name} is not declared in ${relative(root, workspace)}/package.json`);
          }
        }
      }
    }
  }
  return violations;
}

function rightward(file, to, target, where) {
  const from = featureOf(file);
  const into = featureOf(to);
  if (!from || !into || from === into || !file.includes(`${sep}server${sep}`)) return [];
  const [a, b] = [FEATURE_ORDER.indexOf(from), FEATURE_ORDER.indexOf(into)];
  if (a < 0 || b < 0)
    return [`${where}: feature ${a < 0 ? from : into} has no place in FEATURE_ORDER (scripts/borders.mjs)`];
  return b < a ? [] : [`${where}: ${target} points rightward (${from} may not import ${into})`];
}

function featureOf(path) {
  return path.split(`${sep}src${sep}features${sep}`)[1]?.split(sep)[0];
}

function rootHas(root, name) {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return name in devDependencies;
}

function* sources(folder) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (['node_modules', 'dist', 'testdata', 'results'].includes(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.tsx?$/.test(entry.name) && !entry.name.endsWith('.gen.ts')) yield path;
  }
}
