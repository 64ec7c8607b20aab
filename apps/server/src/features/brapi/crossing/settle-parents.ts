import { nameFault, normalizeName } from '@heterosis/file-formats/names/normalize-name';
import { Problem } from '../../../platform/http/problem.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import type { ProjectRow } from '../../people/projects/index.ts';
import { findGermplasmRow } from '../entities/germplasm.ts';
import { observationunits } from '../entities/observations.ts';
import { germplasmOfNames } from '../germplasm-names.ts';
import { splitId } from '../ids.ts';
import { entriesOfIds } from '../list.routes.ts';
import type { BrapiScope } from '../scope.ts';
import type { NewParent } from './crossing-bodies.ts';

interface Crossed {
  parent1?: NewParent | null | undefined;
  parent2?: NewParent | null | undefined;
  crossType?: string | null | undefined;
}

export interface SettledParents {
  female: string;
  /** Null: whatever pollen there is. */
  male: string | null;
}

/** The names of the parents of a cross; undefined when it names none. Only one may be missing, the male. */
export async function settleParents(
  scope: BrapiScope,
  project: ProjectRow,
  { parent1, parent2, crossType }: Crossed,
  where: string,
): Promise<SettledParents | undefined> {
  if (parent1 == null && parent2 == null) return undefined;
  const isTurned = parent1?.parentType === 'MALE' || parent2?.parentType === 'FEMALE';
  const [first, second] = isTurned ? [parent2, parent1] : [parent1, parent2];
  const female = await nameOfParent(scope, project, first, `${where}.${isTurned ? 'parent2' : 'parent1'}`);
  const male = await nameOfParent(scope, project, second, `${where}.${isTurned ? 'parent1' : 'parent2'}`);
  if (female === undefined)
    throw new Problem('request/invalid', `${where}: the female parent is missing. Nothing was saved.`);
  const isSelfed = crossType === 'SELF' || first?.parentType === 'SELF';
  return { female, male: male ?? (isSelfed ? female : null) };
}

async function nameOfParent(
  scope: BrapiScope,
  project: ProjectRow,
  parent: NewParent | null | undefined,
  where: string,
): Promise<string | undefined> {
  if (parent == null) return undefined;
  const id = given(parent.germplasmDbId) ?? given(parent.observationUnitDbId);
  const split = id === undefined ? undefined : splitId(id);
  if (id !== undefined && split?.row !== undefined) {
    const [unit] = await entriesOfIds(observationunits, scope, [id]);
    if (unit === undefined) throw noSuchParent(where, id);
    return String(unit['germplasmName']);
  }
  if (id !== undefined && isUuid(id)) {
    const row = await findGermplasmRow(scope, id);
    if (row.organization_id !== project.organization_id || row.crop_name !== project.crop_name)
      throw new Problem('request/invalid', `${where}: "${row.name}" is of another crop. Nothing was saved.`);
    return row.name;
  }
  const written = given(parent.germplasmName) ?? given(parent.observationUnitName) ?? id;
  if (written === undefined) return undefined;
  const fault = nameFault(written);
  if (fault !== null) throw new Problem('request/invalid', `${where}: ${fault}. Nothing was saved.`);
  // As in a crossing table, a name may mean no line of the list yet.
  return (await germplasmOfNames(scope.db, project.crop_id, [written])).get(written)?.name ?? normalizeName(written);
}

const given = (text: string | null | undefined): string | undefined => (text == null || text === '' ? undefined : text);

const noSuchParent = (where: string, id: string): Problem =>
  new Problem('request/invalid', `${where}: there is no plot or line ${id}. Nothing was saved.`);
