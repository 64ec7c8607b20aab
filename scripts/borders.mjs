// What lint patterns cannot say: features import only features to their left and only through their doors, imports stay
// inside their workspace, and every imported package is declared by the workspace that imports it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';

/**
 * A feature may import those before it, whatever their wing, through their `index.ts`. A wing with a star stands for
 * its features that have no place of their own: a kind of run knows no other.
 */
const FEATURE_ORDER = {
  server: [
    'people/accounts',
    'people/auth',
    'people/organizations',
    'people/audit',
    'people/billing',
    'people/crops',
    'people/projects',
    'people/home',
    'people/table-views',
    'people/notifications',
    'people/invitations',
    'people/webhooks',
    'work/line-values',
    'work/runs',
    'data/files',
    'data/germplasm',
    'people/comments',
    'people/share-links',
    'data/lists',
    'data/trials',
    'data/field-books',
    'data/pedigree',
    'data/search',
    'work/matching',
    'work/hybrids',
    'work/models',
    'work/*',
    'work/decisions',
    'work/programme-plans',
    'work/reports',
    'data/passports',
    'brapi',
    'assistant',
    'data/bin',
    'operation/backup',
    'operation/packages',
    'operation/operators',
    'operation/demo',
  ],
  web: [
    'people/notifications',
    'people/invitations',
    'people/members',
    'people/billing',
    'people/organizations',
    'people/audit',
    'people/webhooks',
    'people/accounts',
    'people/auth',
    'help',
    'people/crops',
    'people/home',
    'work/reports',
    'people/projects',
    'people/comments',
    'people/share-links',
    'data/lists',
    'data/bin',
    'work/matching',
    'work/line-values',
    'work/runs',
    'data/files',
    'data/germplasm',
    'data/pedigree',
    'work/run-dialog',
    'data/trials',
    'work/models',
    'work/*',
    'work/decisions',
    'work/programme-plans',
    'work/first-visit',
    'operation/packages',
    'operation/operators',
    'shell',
  ],
};

/** The folders of features, of the same names on both sides. `brapi`, `help` and `shell` are features by themselves. */
const WINGS = new Set(['people', 'data', 'work', 'operation']);

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^;'"]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)import\s+['"]([^'"]+)['"]/g;

/**
 * `routes → service → queries`: routes are bound from a table and do nothing themselves, services know neither Fastify
 * nor SQL.
 *
 * @param {string} where path of a file from the root @param {string} text @returns {string[]}
 */
export function layerViolations(where, text) {
  const [place, inside] = where.split('apps/server/src/features/');
  // BrAPI is made from descriptions of its entities (decision 15).
  if (place !== '' || inside === undefined || inside.startsWith('brapi/')) return [];
  const violations = [];
  if (inside.endsWith('.routes.ts')) {
    if (/\bapp\s*\.(?:get|post|put|delete|route)\(/.test(text)) violations.push(`${where}: bind a table of endpoints`);
    if (/\.transaction\(\)/.test(text)) violations.push(`${where}: a transaction belongs to a service`);
  }
  if (inside.endsWith('.service.ts')) {
    if (text.includes("from 'fastify'")) violations.push(`${where}: a service knows no Fastify`);
    if (/\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql[<`]/.test(text))
      violations.push(`${where}: a query belongs to a file of queries`);
  }
  return violations;
}

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
        /\.test(?:-data)?\.tsx?$|\/(bench|testing|tools|product-tests)\/|testing\.ts$|generate-(?:schema|types)\.ts$|\.config\.ts$|\/(help-pages|client-files|endpoint-tables)\.ts$/.test(
          file,
        ) ||
        workspace.endsWith('e2e') ||
        workspace.endsWith('test-support');
      const text = readFileSync(file, 'utf8');
      if (!isTest) violations.push(...layerViolations(where, text));
      for (const match of text.matchAll(IMPORT)) {
        const target = match[1] ?? match[2] ?? match[3];
        // An import inside a program text that a test writes.
        if (target.includes('$')) continue;
        if (target.startsWith('.')) {
          const to = resolve(dirname(file), target);
          if (!to.startsWith(workspace + sep)) violations.push(`${where}: ${target} leaves the workspace`);
          if (!isTest && /\/(testing|tools|product-tests)\//.test(to))
            violations.push(`${where}: ${target} is for tests only`);
          violations.push(...rightward(file, to, target, where));
          if (match[2] === undefined || workspace.endsWith('server'))
            violations.push(...besideDoor(file, to, target, where));
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
  const placeOf = ({ name }) => order.indexOf(order.includes(name) ? name : name.replace(/\/.*/, '/*'));
  const [a, b] = [placeOf(from), placeOf(into)];
  if (a < 0 || b < 0)
    return [`${where}: feature ${(a < 0 ? from : into).name} has no place in FEATURE_ORDER (scripts/borders.mjs)`];
  return b < a ? [] : [`${where}: ${target} points rightward (${from.name} may not import ${into.name})`];
}

function featureOf(path) {
  const [place, inside] = path.split(`${sep}src${sep}features${sep}`);
  if (inside === undefined) return undefined;
  const [wing, feature] = inside.split(sep);
  return { app: basename(place), name: WINGS.has(wing) ? `${wing}/${feature}` : wing };
}

/** What the browser loads with `import()` (a page, a modal) is a chunk of its own; a door would tie it to others. */
function besideDoor(file, to, target, where) {
  const [from, into] = [featureOf(file), featureOf(to)];
  if (!from || !into || from.name === into.name || basename(to) === 'index.ts') return [];
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
