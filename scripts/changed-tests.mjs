// Which tests a change touches: those that import a changed file, and those beside it. What is put together in `HUBS`
// is not followed: through them each test that starts the product would import every feature.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const HUBS = new Set(['apps/server/src/entrypoints/wiring.ts', 'apps/web/src/routeTree.gen.ts']);
/** Changes of these touch every test. */
const EVERYWHERE = /(?:^|\/)(?:package(?:-lock)?\.json|vitest\.config\.ts|\.setup\.ts|global-setup\.ts)$/;
const TEST = /\.test\.tsx?$/;
const CODE = /\.tsx?$/;
const IMPORT = /(?:from|import|import\()\s*['"]([^'"\n]+)['"]/g;

/** Paths of test files from the root, or undefined for all of them. */
export function testsTouchedSince(root, commit) {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  const changed = [...git('diff', '--name-only', commit), ...git('ls-files', '--others', '--exclude-standard')];
  if (changed.some((path) => EVERYWHERE.test(path))) return undefined;
  const files = git('ls-files', '--cached', '--others', '--exclude-standard', 'apps', 'packages').filter(
    (path) => CODE.test(path) && existsSync(join(root, path)),
  );

  const importers = new Map();
  for (const file of files) {
    if (HUBS.has(file)) continue;
    for (const [, specifier] of readFileSync(join(root, file), 'utf8').matchAll(IMPORT)) {
      const target = resolveImport(root, file, specifier);
      if (target !== undefined) importers.set(target, [...(importers.get(target) ?? []), file]);
    }
  }
  const reached = new Set(changed);
  for (const path of reached) for (const importer of importers.get(path) ?? []) reached.add(importer);
  // Beside a changed file: what starts the product reaches it through the wiring, and fixtures are read from the disk.
  const folders = new Set(changed.map((path) => dirname(path)));
  return files.filter((path) => TEST.test(path) && (reached.has(path) || folders.has(dirname(path))));
}

function resolveImport(root, file, specifier) {
  if (specifier.startsWith('.')) return join(dirname(file), specifier);
  const [, name, path] = /^@heterosis\/([^/]+)\/(.+)$/.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  const candidates = [
    `packages/${name}/src/${path}.ts`,
    `packages/${name}/src/${path}.tsx`,
    `packages/${name}/${path}.ts`,
  ];
  const found = candidates.find((one) => existsSync(join(root, one)));
  return found === undefined ? undefined : relative(root, join(root, found));
}
