// What the browser needs of the tables of endpoints. Their schemas would bring zod and the contracts to the first page.
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

/** A file of tables; that from which those of runs are made has none of its own. */
const TABLE = /\/packages\/contracts\/src\/endpoints\/[a-z]+\/(?!run-endpoints)[a-z-]+\.ts$/;

/**
 * In a build each endpoint is its method, its path, whether an answer is read, and the types of an answer that is a
 * file. Answers are checked against their schemas while developing only. Of the contract of a kind of run, which stands
 * beside its table, the table is left.
 */
export function endpointTables(): Plugin {
  return {
    name: 'endpoint-tables',
    apply: 'build',
    async load(id) {
      if (!TABLE.test(id)) return undefined;
      const module = (await import(pathToFileURL(id).href)) as Record<string, unknown>;
      const objects = Object.entries(module).filter((one): one is [string, object] => typeof one[1] === 'object');
      const tables = objects.filter(([, value]) => isTable(value));
      const written = tables.map(([name, table]) => `export const ${name} = ${JSON.stringify(reachable(table))};`);
      for (const [name, value] of objects) {
        if (isTable(value)) continue;
        const own = tables.find(([, table]) => 'endpoints' in value && table === value.endpoints);
        if (own === undefined) throw new Error(`${name} in ${id} is no table of endpoints, and no contract of one.`);
        written.push(`export const ${name} = { endpoints: ${own[0]} };`);
      }
      return written.join('\n');
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
