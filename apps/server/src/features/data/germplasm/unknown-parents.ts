import { createHash } from 'node:crypto';
import type { Germplasm } from '@heterosis/contracts/data/germplasm';

/**
 * A placeholder for the unknown parent of a germplasm with one known parent, so that a drawing has two. Its id is
 * always the same for the same child, and no stored germplasm has it.
 */
export function withUnknownParents(germplasm: Germplasm): Germplasm {
  const { maternal_id, paternal_id } = germplasm;
  if ((maternal_id === null) === (paternal_id === null)) return germplasm;
  const role = maternal_id === null ? 'maternal' : 'paternal';
  const sex = role === 'maternal' ? 'female' : 'male';
  const id = placeholderId(germplasm.id, role);
  return { ...germplasm, [`${role}_id`]: id, [role]: { id, name: `Unknown ${sex} parent of ${germplasm.name}` } };
}

/** A UUID of version 8, whose content is free: those of stored germplasm are of version 7. */
function placeholderId(childId: string, role: string): string {
  const hex = createHash('sha256').update(`${childId} ${role}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
