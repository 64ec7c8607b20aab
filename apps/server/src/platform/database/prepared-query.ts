import type { CompiledQuery, SelectQueryBuilder } from 'kysely';
import type { Queryable } from './database.ts';
import type { DB } from './schema.gen.ts';

/**
 * A read that every request makes. Its SQL is built once and only the parameters change: building a join takes longer
 * than sending it.
 *
 * @param build the query for parameters that stand for themselves; it must use all of them, in order and once each
 * @returns the first row, or undefined
 */
export function preparedRead<Parameters extends readonly string[], Row>(
  build: (db: Queryable, ...parameters: Parameters) => SelectQueryBuilder<DB, never, Row>,
  names: Parameters,
): (db: Queryable, ...parameters: Parameters) => Promise<Row | undefined> {
  const read = preparedRows(build, names);
  return async (db, ...parameters) => (await read(db, ...parameters))[0];
}

/** The same for all rows; a parameter may also be a list. */
export function preparedRows<Parameters extends readonly string[], Row>(
  build: (db: Queryable, ...parameters: Parameters) => SelectQueryBuilder<DB, never, Row>,
  names: Parameters,
): (db: Queryable, ...parameters: readonly (string | readonly string[])[]) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined;
  return async (db, ...parameters) => {
    compiled ??= checked(build(db, ...names).compile(), names);
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters });
    return rows;
  };
}

function checked<Row>(compiled: CompiledQuery<Row>, names: readonly string[]): CompiledQuery<Row> {
  const found = compiled.parameters;
  if (found.length !== names.length || found.some((value, i) => value !== names[i]))
    throw new Error(`A prepared read takes ${names.join(', ')}, its SQL ${found.join(', ')}`);
  return compiled;
}
