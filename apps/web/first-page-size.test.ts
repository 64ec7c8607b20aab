import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { CHUNK_LIST, type ListedChunk } from './chunk-list.ts';

/** What the sign-in page loads before it can be used. */
const LARGEST_KB = 180;
/** The font that comes with it: Latin, every weight. */
const LARGEST_FONT_KB = 60;

/** Routes whose code comes with the sign-in page: the frame and the page itself. */
const FIRST_ROUTES = ['routes/_app.tsx', 'routes/_app/index.tsx'];

const ROOT = import.meta.dirname;
/** `npm test` has just built these sources, as `npm start` does. */
const isBuilt = process.env['WEB_IS_BUILT'] === '1';
const dist = isBuilt ? join(ROOT, 'dist') : mkdtempSync(join(tmpdir(), 'heterosis-web-'));

let chunks: Map<string, ListedChunk>;
let html: string;

beforeAll(async () => {
  if (!isBuilt) {
    // Otherwise React comes in its development edition.
    vi.stubEnv('NODE_ENV', 'production');
    await build({ root: ROOT, logLevel: 'error', build: { outDir: dist } });
  }
  html = textOf('index.html');
  const listed = JSON.parse(textOf(CHUNK_LIST)) as ListedChunk[];
  chunks = new Map(listed.map((chunk) => [chunk.fileName, chunk]));
});
afterAll(() => {
  if (!isBuilt) rmSync(dist, { recursive: true });
});

const textOf = (name: string): string => readFileSync(join(dist, name), 'utf8');

it(`loads at most ${LARGEST_KB} kB of JavaScript (gzip) for the sign-in page`, async () => {
  const first = new Set<string>();
  for (const chunk of chunks.values()) {
    const isFirst = chunk.isEntry || FIRST_ROUTES.some((route) => chunk.facadeModuleId?.includes(`${route}?tsr-split`));
    if (isFirst) addWithImports(chunk.fileName, first);
  }
  const sizes = await Promise.all([...first].map(async (name) => gzipKb(textOf(name))));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  // A chunk missing from the sum would make any page small: React alone is more than this.
  expect(total).toBeGreaterThan(100);
  expect(total).toBeLessThanOrEqual(LARGEST_KB);
});

it(`preloads one font, of at most ${LARGEST_FONT_KB} kB`, () => {
  const preloaded = [...html.matchAll(/<link rel="preload"[^>]*href="\/([^"]+\.woff2)"/g)].map(([, name = '']) => name);
  expect(preloaded).toHaveLength(1);
  const size = statSync(join(dist, preloaded[0] ?? '')).size / 1000;
  expect(size).toBeGreaterThan(10);
  expect(size).toBeLessThanOrEqual(LARGEST_FONT_KB);
});

it('shows the frame of the page before any script has come', () => {
  expect(html).toMatch(/<link rel="stylesheet"[^>]*href="\/assets\//);
  expect(html).toMatch(/<div id="root">\s*<div class="hx-shell"/);
});

it('loads charts and schemas only where they are needed', () => {
  const entry = [...chunks.values()].find((chunk) => chunk.isEntry);
  const first = new Set<string>();
  addWithImports(entry?.fileName ?? '', first);
  const modules = [...first].flatMap((name) => chunks.get(name)?.moduleIds ?? []);
  expect(modules.length).toBeGreaterThan(50);
  expect(modules.filter((id) => /node_modules\/(echarts|zrender|zod)\//.test(id))).toEqual([]);
});

function addWithImports(name: string, names: Set<string>): void {
  if (name === '' || names.has(name)) return;
  names.add(name);
  for (const imported of chunks.get(name)?.imports ?? []) addWithImports(imported, names);
}

async function gzipKb(code: string): Promise<number> {
  const compressed = new Blob([code]).stream().pipeThrough(new CompressionStream('gzip'));
  return (await new Response(compressed).arrayBuffer()).byteLength / 1000;
}
