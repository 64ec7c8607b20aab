// What lint patterns cannot say: features import only features to their left and only through their doors, imports stay
// inside their workspace, and every imported package is declared by the workspace that imports it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';

/** A feature may import those before it, through their `index.ts`. */
const FEATURE_ORDER = {
  server: [
    'accounts',
    'auth',
    'organizations',
    'audit',
    'billing',
    'crops',
    'projects',
    'invitations',
    'webhooks',
    'runs',
    'files',
    'germplasm',
    'lists',
    'pedigree',
    'search',
    'matching',
    'hybrids',
    'models',
    'predictions',
    'gwas',
    'parentage-checks',
    'crossing-plans',
    'crossing-simulations',
    'brapi',
    'bin',
    'backup',
    'operation',
    'demo',
  ],
  web: [
    'invitations',
    'people',
    'billing',
    'organizations',
    'audit',
    'webhooks',
    'accounts',
    'auth',
    'help',
    'crops',
    'projects',
    'lists',
    'bin',
    'matching',
    'runs',
    'files',
    'germplasm',
    'pedigree',
    'run-dialog',
    'models',
    'predictions',
    'gwas',
    'parentage-checks',
    'crossing-simulations',
    'crossing-plans',
    'operation',
    'shell',
  ],
};

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^;'"]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)import\s+['"]([^'"]+)['"]/g;

export function findBorderViolations(root) {
  const violations = [];
  const workspaces = [
    ...['packages', 'apps'].flatMap((group) => readdirSync(join(root, group)).map((name) => join(root, group, name))),
    join(root, 'clients/typescript'),
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
        /\.test\.tsx?$|\/(bench|testing)\/|testing\.ts$|generate-(?:schema|types)\.ts$|\.config\.ts$|\/(help-pages|client-files)\.ts$/.test(
          file,
        ) ||
        workspace.endsWith('e2e') ||
        workspace.endsWith('test-support');
      for (const match of readFileSync(file, 'utf8').matchAll(IMPORT)) {
        const target = match[1] ?? match[2] ?? match[3];
        // An import inside a program text that a test writes.
        if (target.includes('$')) continue;
        if (target.startsWith('.')) {
          const to = resolve(dirname(file), target);
          if (!to.startsWith(workspace + sep)) violations.push(`${where}: ${target} leaves the workspace`);
          violations.push(...rightward(file, to, target, where));
          if (match[2] === undefined) violations.push(...besideDoor(file, to, target, where));
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
  if (!from || !into || from.name === into.name) return [];
  const order = FEATURE_ORDER[from.app] ?? [];
  const [a, b] = [order.indexOf(from.name), order.indexOf(into.name)];
  if (a < 0 || b < 0)
    return [`${where}: feature ${(a < 0 ? from : into).name} has no place in FEATURE_ORDER (scripts/borders.mjs)`];
  return b < a ? [] : [`${where}: ${target} points rightward (${from.name} may not import ${into.name})`];
}

function featureOf(path) {
  const [place, inside] = path.split(`${sep}src${sep}features${sep}`);
  return inside === undefined ? undefined : { app: basename(place), name: inside.split(sep)[0] };
}

/**
 * On the server oxlint says this. In the browser a feature has folders, and what is loaded with `import()` (a page, a
 * modal) is a chunk of its own that a door would tie to all the others.
 */
function besideDoor(file, to, target, where) {
  const [from, into] = [featureOf(file), featureOf(to)];
  if (from?.app !== 'web' || !into || from.name === into.name || basename(to) === 'index.ts') return [];
  return [`${where}: ${target} passes the door of ${into.name} (import it through its index.ts)`];
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
