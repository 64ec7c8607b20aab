import type { FileType } from '@heterosis/contracts/data/files';
import type { Queryable } from '../../../platform/database/database.ts';
import { type RunKindDefinition, rolesOf } from '../../work/runs/kind/index.ts';
import { type FileRow, findFile } from './files.queries.ts';

type RunInputs = RunKindDefinition['inputs'];
type RoleOf<Inputs, Type> = { [Role in keyof Inputs]: Inputs[Role] extends Type ? Role : never }[keyof Inputs];

/** The files of a run by role; an optional one that was not given is absent. */
export type RunFiles<Inputs extends RunInputs> = Record<RoleOf<Inputs, FileType>, FileRow> &
  Partial<Record<RoleOf<Inputs, { optional: FileType }>, FileRow>> &
  Record<RoleOf<Inputs, { several: FileType }>, FileRow[]>;

/** Undefined when a required file was deleted. */
export async function findRunFiles<Inputs extends RunInputs>(
  db: Queryable,
  { inputs }: { inputs: Inputs },
  row: { project_id: string },
): Promise<RunFiles<Inputs> | undefined> {
  const files: Record<string, FileRow | FileRow[]> = {};
  for (const { isFile, isSeveral, role, column } of rolesOf(inputs)) {
    const given = (row as Record<string, unknown>)[column];
    const found: FileRow[] = [];
    for (const id of isFile ? [given].flat() : []) {
      const file = typeof id === 'string' ? await findFile(db, row.project_id, id) : undefined;
      if (file !== undefined) found.push(file);
    }
    const [first] = found;
    if (first !== undefined) files[role] = isSeveral ? found : first;
  }
  const isComplete = rolesOf(inputs).every(({ role, isFile, isOptional }) => !isFile || isOptional || role in files);
  return isComplete ? (files as RunFiles<Inputs>) : undefined;
}
