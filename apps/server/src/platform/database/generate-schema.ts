import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { generate, getDialect, RawExpressionNode } from 'kysely-codegen';
import { CHECKED_COLUMNS } from './checked-columns.ts';

export const SCHEMA_FILE: string = join(import.meta.dirname, 'schema.gen.ts');

/** The text of {@link SCHEMA_FILE} for a migrated database. `schema.test.ts` fails when the committed file differs. */
// `any`: whatever database has been migrated.
export async function generateSchema(db: Kysely<any>): Promise<string> {
  const columns = Object.entries(CHECKED_COLUMNS).map(([column, { values, generated, nullable }]) => {
    const union = values.map((value) => `'${value}'`).join(' | ');
    // As a node: text would be parsed with the TypeScript compiler's API, which TypeScript 7 does not have.
    return [column, new RawExpressionNode(generated ? `Generated<${union}>` : nullable ? `${union} | null` : union)];
  });
  return generate({
    db,
    // Otherwise it writes to a node_modules folder that it picks itself.
    outFile: null,
    dialect: getDialect('postgres', { numericParser: 'number' }),
    excludePattern: '{kysely_*,pgboss.*}',
    overrides: { columns: Object.fromEntries(columns) },
    // As database.ts parses them; jsonb is whatever the feature that owns the column says.
    typeMapping: {
      date: 'string',
      int8: 'number',
      jsonb: 'unknown',
      timestamptz: 'ColumnType<string, Date | string, Date | string>',
    },
  });
}

/** Regenerates the committed file: `node apps/server/src/platform/database/generate-schema.ts`. */
if (import.meta.main) {
  const { createTestDatabase } = await import('./testing.ts');
  const { db, close } = await createTestDatabase();
  await writeFile(SCHEMA_FILE, await generateSchema(db));
  await close();
}
