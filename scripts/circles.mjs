// Finds circles of imports: files that reach themselves again, by values or by types, over all workspaces.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^;'"]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)import\s+['"]([^'"]+)['"]/g;
const SKIPPED = new Set(['node_modules', 'dist', 'testdata', 'results']);
const SCOPE = '@heterosis/';

/** @param {string} root of the repository @returns {string[]} a line for each circle */
export function findCircles(root) {
  const graph = new Map();
  for (const file of ['apps', 'packages', 'clients', 'tools', 'e2e', 'scripts'].flatMap((folder) => [
    ...sourcesBelow(join(root, folder)),
  ]))
    graph.set(file, importsOf(root, file));
  return strongComponents(graph).map((files) => `circle of imports: ${inWords(root, graph, files)}`);
}

/** Files named by the import, export and `import()` statements of a file; packages from elsewhere are left out. */
function importsOf(root, file) {
  const targets = [...readFileSync(file, 'utf8').matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3]);
  return targets.flatMap((target) => {
    if (target.startsWith('.')) return [resolve(dirname(file), target)];
    if (!target.startsWith(SCOPE)) return [];
    const [name, ...path] = target.slice(SCOPE.length).split('/');
    return [join(root, 'packages', name, 'src', `${path.join('/')}.ts`)];
  });
}

/** Tarjan (1972), without recursion: the sets of more than one file that reach each other. */
function strongComponents(graph) {
  const place = new Map();
  const low = new Map();
  const open = [];
  const isOpen = new Set();
  const found = [];
  const enter = (file) => {
    place.set(file, place.size);
    low.set(file, place.get(file));
    open.push(file);
    isOpen.add(file);
    return { file, rest: (graph.get(file) ?? []).filter((to) => graph.has(to)) };
  };
  for (const start of graph.keys()) {
    if (place.has(start)) continue;
    const path = [enter(start)];
    while (path.length > 0) {
      const { file, rest } = path.at(-1);
      const to = rest.pop();
      if (to !== undefined) {
        if (!place.has(to)) path.push(enter(to));
        else if (isOpen.has(to)) low.set(file, Math.min(low.get(file), place.get(to)));
        continue;
      }
      path.pop();
      const above = path.at(-1)?.file;
      if (above !== undefined) low.set(above, Math.min(low.get(above), low.get(file)));
      if (low.get(file) !== place.get(file)) continue;
      const files = open.splice(open.indexOf(file));
      for (const one of files) isOpen.delete(one);
      if (files.length > 1) found.push(files);
    }
  }
  return found;
}

/** The imports inside a circle, so that one of them can be taken away. */
function inWords(root, graph, files) {
  const name = (file) => relative(root, file).replaceAll('\\', '/');
  return files
    .sort()
    .map(
      (file) =>
        `${name(file)} → ${graph
          .get(file)
          .filter((to) => files.includes(to))
          .map(name)
          .join(', ')}`,
    )
    .join('; ');
}

function* sourcesBelow(folder) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !SKIPPED.has(entry.name)) yield* sourcesBelow(path);
    else if (entry.isFile() && /\.(?:tsx?|mjs)$/.test(entry.name)) yield path;
  }
}
