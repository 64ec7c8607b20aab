// The clients for scripts, which pages hand out beside the scripts that need them.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';

const CLIENTS = resolve(import.meta.dirname, '../../clients');
const FILES = { python: 'python/heterosis/__init__.py', r: 'r/R/heterosis.R' };
const ID = 'virtual:clients';

/** Offers `virtual:clients`: the text of the client of each language. */
export function clientFiles(): Plugin {
  return {
    name: 'client-files',
    resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
    load(id) {
      if (id !== `\0${ID}`) return undefined;
      const paths = Object.entries(FILES).map(([language, file]) => [language, join(CLIENTS, file)] as const);
      for (const [, path] of paths) this.addWatchFile(path);
      const texts = paths.map(([language, path]) => [language, readFileSync(path, 'utf8')]);
      return `export default ${JSON.stringify(Object.fromEntries(texts))};`;
    },
  };
}
