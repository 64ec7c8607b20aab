// What the browser needs of the tables of endpoints. Their schemas would bring zod and the contracts to the first page.
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

/** A file of tables; that from which those of runs are made has none of its own. */
const TABLE = /\/packages\/contracts\/src\/endpoints\/[a-z]+\/(?!run-endpoints)[a-z-]+\.ts$/;

/**
 * In a build each endpoint is its method, its path, whether an answer is read, and the types of an answer that is a
 * file. Answers are checked against their schemas while developing only. A file of tables may hold nothing else.
 */
export function endpointTables(): Plugin {
  return {
    name: 'endpoint-tables',
    apply: 'build',
    async load(id) {
      if (!TABLE.test(id)) return undefined;
      const module = Object.entries((await import(pathToFileURL(id).href)) as Record<string, unknown>);
      const tables = module.filter((one): one is [string, object] => typeof one[1] === 'object');
      const other = tables.find(([, table]) => !isTable(table));
      if (other !== undefined) throw new Error(`${other[0]} in ${id} is no table of endpoints.`);
      return tables.map(([name, table]) => `export const ${name} = ${JSON.stringify(reachable(table))};`).join('\n');
    },
  };
}

const isTable = (value: object): boolean => Object.values(value).every((row) => typeof row?.method === 'string');

const reachable = (table: object): object =>
  Object.fromEntries(
    Object.entries(table).map(([name, { method, path, media, fileName, answer }]) => [
      name,
      { method, path, ...(media && { media }), ...(fileName && { fileName }), ...(answer && { answer: {} }) },
    ]),
  );
