import type { FileType } from '@heterosis/contracts/data/files';
import type { Queryable } from '../../../platform/database/database.ts';
import { inputIdsOf, type NamedRunRow, type RunInputs, rolesOf } from '../../work/runs/kind/index.ts';
import { type FileRow, findFile } from './files.queries.ts';

type RoleOf<Inputs, Type> = { [Role in keyof Inputs]: Inputs[Role] extends Type ? Role : never }[keyof Inputs];

/** The files of a run by role; an optional one that was not given is absent. */
export type RunFiles<Inputs extends RunInputs> = Record<RoleOf<Inputs, FileType>, FileRow> &
  Partial<Record<RoleOf<Inputs, { optional: FileType }>, FileRow>>;

/** Undefined when a required file was deleted. */
export async function findRunFiles<Inputs extends RunInputs>(
  db: Queryable,
  { inputs }: { inputs: Inputs },
  row: NamedRunRow,
): Promise<RunFiles<Inputs> | undefined> {
  const files: Record<string, FileRow> = {};
  for (const { role, id, isFile } of inputIdsOf(inputs, row)) {
    const file = isFile ? await findFile(db, row.project_id, id) : undefined;
    if (file !== undefined) files[role] = file;
  }
  const isComplete = rolesOf(inputs).every(({ role, isFile, isOptional }) => !isFile || isOptional || role in files);
  return isComplete ? (files as RunFiles<Inputs>) : undefined;
}
