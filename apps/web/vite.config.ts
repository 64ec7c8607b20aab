import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip, type ZlibOptions } from 'node:zlib';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin, type Rolldown } from 'vite';
import { CHUNK_LIST, type ListedChunk } from './chunk-list.ts';
import { clientFiles } from './client-files.ts';
import { endpointTables } from './endpoint-tables.ts';
import { helpPages } from './help-pages.ts';

const gzipped = promisify<Uint8Array, ZlibOptions, Buffer>(gzip);
const brotliCompressed = promisify<Uint8Array, Buffer>(brotliCompress);

/** The API server that `vite dev` passes requests on to. */
const apiOrigin = process.env.HETEROSIS_API ?? 'http://127.0.0.1:3000';

/** Beginnings of addresses, and one whole address. */
const SERVED_BY_API = ['/api', '/storage', '/brapi', '/.well-known', '^/token/?$'];

const TEXTS = '/locales/en/common.json';

/** Routes whose code comes with the start page: the frame, which every page has, and the page itself. */
const FIRST_ROUTES = /\/routes\/_app(?:\/index)?\.tsx\?tsr-split=/;

/** What every page needs, in one file that stays the same from release to release. */
const FRAMEWORK = {
  name: 'framework',
  test: /node_modules\/(react|react-dom|scheduler|@tanstack\/(react-router|router-core|history|react-store|store)|i18next|react-i18next)\//,
  priority: 1,
};

/** Plugins that turn the sources into modules. */
const readers = () => [
  tanstackRouter({
    target: 'react',
    routesDirectory: './src/routes',
    generatedRouteTree: './src/routeTree.gen.ts',
    autoCodeSplitting: true,
    // Loaders too: they bring the contracts, which the first page does without.
    codeSplittingOptions: { defaultBehavior: [['loader', 'component'], ['errorComponent'], ['notFoundComponent']] },
    addExtensions: true,
    quoteStyle: 'single',
    semicolons: true,
  }),
  react(),
  helpPages(),
  clientFiles(),
  endpointTables(),
];

export default defineConfig(async ({ command }) => {
  const first = command === 'build' ? await modulesOfStart() : new Set<string>();
  return {
    plugins: [...readers(), preloadedFont(), preloadedStart(), compressed(), listedChunks()],
    build: {
      outDir: 'dist',
      emptyOutDir: true,
      target: 'es2023',
      sourcemap: false,
      // Nothing may be inlined as a data: address, which the content security policy refuses for fonts and scripts.
      assetsInlineLimit: 0,
      // ECharts, which only pages with charts load.
      chunkSizeWarningLimit: 800,
      rolldownOptions: {
        output: {
          codeSplitting: {
            includeDependenciesRecursively: false,
            groups: [FRAMEWORK, { name: 'start', test: (id: string) => first.has(id) }],
          },
        },
      },
    },
    server: {
      proxy: Object.fromEntries(SERVED_BY_API.map((path) => [path, { target: apiOrigin, changeOrigin: false }])),
    },
  };
});

/**
 * The modules that the start page loads, as a first build finds them when all that is not used has been left out. Forty
 * small files cost a second on a line that takes six requests at a time, so the second build puts them into one.
 */
async function modulesOfStart(): Promise<Set<string>> {
  const result = await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'error',
    plugins: readers(),
    build: {
      write: false,
      minify: false,
      target: 'es2023',
      rolldownOptions: { output: { codeSplitting: { groups: [FRAMEWORK] } } },
    },
  });
  if (!('output' in result)) throw new Error('expected one build');
  const chunks = result.output.filter((file) => file.type === 'chunk');
  return new Set(
    chunksOfStart(chunks)
      .filter(({ name }) => name !== FRAMEWORK.name)
      .flatMap(({ moduleIds }) => moduleIds),
  );
}

/** The chunks of the entry and of the first routes, with all that they import statically. */
function chunksOfStart(chunks: readonly Rolldown.OutputChunk[]): Rolldown.OutputChunk[] {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const first = new Set(
    chunks.filter(({ isEntry, facadeModuleId }) => isEntry || FIRST_ROUTES.test(facadeModuleId ?? '')),
  );
  for (const { imports } of first)
    for (const name of imports) {
      const imported = byName.get(name);
      if (imported !== undefined) first.add(imported);
    }
  return [...first];
}

/** Has the page ask for the Latin letters at once, and not only when the style sheet has come. */
function preloadedFont(): Plugin {
  return {
    name: 'preloaded-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        Object.keys(bundle)
          .filter((name) => /inter-latin-wght-normal.*\.woff2$/.test(name))
          .map((name) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${name}`, crossorigin: '' },
            injectTo: 'head' as const,
          })),
    },
  };
}

/** Has the page ask for its texts and the code of its frame at once, and not only when the first scripts have run. */
function preloadedStart(): Plugin {
  return {
    name: 'preloaded-start',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const texts = { rel: 'preload', as: 'fetch', href: TEXTS, crossorigin: '' };
        const scripts = chunksOfStart(Object.values(bundle).filter((file) => file.type === 'chunk'))
          .filter(({ fileName }) => !html.includes(fileName))
          .map(({ fileName }) => ({ rel: 'modulepreload', href: `/${fileName}`, crossorigin: '' }));
        return [texts, ...scripts].map((attrs) => ({ tag: 'link', attrs, injectTo: 'head' as const }));
      },
    },
  };
}

/** Writes down what is in each chunk, for the test of the size of the first page. */
function listedChunks(): Plugin {
  return {
    name: 'listed-chunks',
    apply: 'build',
    writeBundle({ dir = 'dist' }, bundle) {
      const chunks = Object.values(bundle)
        .filter((file) => file.type === 'chunk')
        .map(({ fileName, isEntry, facadeModuleId, imports, moduleIds }): ListedChunk => {
          const named = (id: string) => relative(import.meta.dirname, id);
          const facade = facadeModuleId === null ? null : named(facadeModuleId);
          return { fileName, isEntry, facadeModuleId: facade, imports, moduleIds: moduleIds.map(named) };
        });
      writeFileSync(join(dir, CHUNK_LIST), JSON.stringify(chunks));
    },
  };
}

/** Writes `.br` and `.gz` beside every text file of the build; the server sends them as they are. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    async writeBundle({ dir = 'dist' }) {
      const entries = readdirSync(dir, { recursive: true, encoding: 'utf8' });
      // On all cores: brotli takes more than half of the time of a build.
      await Promise.all(
        entries
          .filter((entry) => /\.(js|css|html|svg|json)$/.test(entry))
          .map(async (entry) => {
            const file = join(dir, entry);
            const content = readFileSync(file);
            writeFileSync(`${file}.gz`, await gzipped(content, { level: 9 }));
            writeFileSync(`${file}.br`, await brotliCompressed(content));
          }),
      );
    },
  };
}
