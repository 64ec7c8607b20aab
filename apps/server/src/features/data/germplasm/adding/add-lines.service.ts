import type { CrossType } from '@heterosis/contracts/data/germplasm';
import { createNameResolver } from '@heterosis/file-formats/names/name-resolver';
import { foldName, nameFault, normalizeName } from '@heterosis/file-formats/names/normalize-name';
import { uuidv7 } from 'uuidv7';
import type { DatabaseTransaction } from '../../../../platform/database/database.ts';
import type { ProjectCall } from '../../../../platform/http/bind.ts';
import { Problem } from '../../../../platform/http/problem.ts';
import { readCatalogueOf } from '../catalogue.queries.ts';
import { publishChanged } from '../changes.service.ts';
import { lockCrop } from '../germplasm.queries.ts';
import { ofProject, requireAdding } from '../germplasm-access.ts';
import { addToProject, insertGermplasm, type WrittenGermplasm } from '../store-rows.queries.ts';
import { listDescents, type ParentIds } from './line-descents.queries.ts';

/** A line of a project, with its parents by name; null where they are not known. */
export interface DescendedLine {
  name: string;
  mother: string | null;
  father: string | null;
  crossType: CrossType | null;
  selfingGenerations: number | null;
}

/**
 * Adds lines to the germplasm list of a project, all or none. Lines that it has already with the same parents stay as
 * they are, as do those of which neither parents nor a kind of cross are given; parents that it lacks are added without
 * parents of their own.
 *
 * @param collection of those that are added
 * @throws Problem `germplasm/name-taken` for a name that another line has
 */
export async function addLinesIn(
  trx: DatabaseTransaction,
  { access, principal }: Pick<ProjectCall, 'access' | 'principal'>,
  lines: readonly DescendedLine[],
  collection: string | null,
): Promise<void> {
  const { projectId, organizationId } = access;
  const germplasm = await ofProject(trx, access);
  requireAdding(germplasm);
  const { cropId } = germplasm.scope;
  if (cropId === undefined || (await lockCrop(trx, organizationId, cropId)) === undefined)
    throw new Problem(
      'germplasm/no-crop',
      'The project has no crop, and so no germplasm list. Choose its crop in the settings of the project. Nothing was saved.',
    );
  requireNames(lines);
  const parentsOf = ({ mother, father }: DescendedLine): string[] =>
    [mother, father].flatMap((name) => (name === null ? [] : [normalizeName(name)]));
  const named = lines.map((line) => ({ line, name: normalizeName(line.name) }));
  const parents = [...new Set(lines.flatMap(parentsOf))];
  const names = [...named.map(({ name }) => name), ...parents];
  const catalogue = await readCatalogueOf(trx, cropId, names);
  const { resolve } = createNameResolver(catalogue.names, catalogue.synonyms);
  const known = await listDescents(trx, cropId, [...catalogue.names, ...catalogue.synonyms.map(([, name]) => name)]);

  const created: WrittenGermplasm[] = [];
  const create = (name: string, descent: Omit<DescendedLine, 'name' | 'mother' | 'father'>, ids: ParentIds): string => {
    const content = { maternal: null, paternal: null, synonyms: [], attributes: {}, collection, ...descent };
    const id = uuidv7();
    created.push({ id, name, isDistinct: false, ...ids, content });
    return id;
  };
  const idOfParent = new Map<string, string>();
  const own = new Set(named.map(({ name }) => name));
  for (const parent of parents) {
    const found = resolve(parent);
    if (found.status === 'ambiguous')
      throw taken(
        `The parent "${parent}" could be ${found.candidates.join(' or ')}. Make it a synonym of one of them.`,
      );
    if (found.status === 'unknown' && own.has(parent))
      throw taken(`"${parent}" is a parent, and one of the new lines. Choose other names for the lines.`);
    const stored = found.status === 'found' ? known.get(found.name) : undefined;
    idOfParent.set(parent, stored?.id ?? create(parent, FOUNDER, { maternalId: null, paternalId: null }));
  }
  const ids: string[] = [...idOfParent.values()];
  const idOf = (parent: string | null): string | null =>
    parent === null ? null : (idOfParent.get(normalizeName(parent)) ?? null);
  for (const { line, name } of named) {
    const descent = { maternalId: idOf(line.mother), paternalId: idOf(line.father) };
    const found = resolve(name);
    const stored = known.get(found.status === 'found' && isFounder(line) ? found.name : name);
    if (found.status === 'unknown') ids.push(create(name, line, descent));
    else if (stored !== undefined && isFounder(line)) ids.push(stored.id);
    else if (stored !== undefined && isSame(stored, descent)) ids.push(stored.id);
    else throw taken(takenText(name, found.status === 'found' ? found.name : found.candidates.join('", "')));
  }
  await insertGermplasm(trx, { organizationId, cropId, userId: principal.userId }, created);
  await addToProject(trx, projectId, ids);
  if (created.length > 0) await publishChanged(trx, organizationId);
}

/** A line that exists: what the list has of it is right. */
const isFounder = ({ mother, father, crossType }: DescendedLine): boolean =>
  mother === null && father === null && crossType === null;

const FOUNDER = { crossType: null, selfingGenerations: null };

const isSame = (stored: ParentIds, given: ParentIds): boolean =>
  stored.maternalId === given.maternalId && stored.paternalId === given.paternalId;

const taken = (text: string): Problem =>
  new Problem('germplasm/name-taken', `${text} Nothing was saved.`, {
    invalidParams: [{ name: 'body.line_names', reason: text }],
  });

const takenText = (name: string, owner: string): string =>
  name === owner
    ? `There is a line "${name}" of other parents already. Choose other names.`
    : `"${name}" is too much like "${owner}", which the germplasm list has. Choose other names.`;

/** Each can be stored, and is another than all others, punctuation and case apart. */
function requireNames(lines: readonly DescendedLine[]): void {
  const folds = new Map<string, string>();
  for (const { name } of lines) {
    const fault = nameFault(name);
    const fold = foldName(name);
    const other = folds.get(fold);
    const reason =
      fault !== null
        ? `${fault}: "${name}".`
        : other === undefined
          ? undefined
          : `"${other}" and "${name}" differ in punctuation only. Pad numbers with zeros, as {cross:2}-{line:3}.`;
    if (reason !== undefined)
      throw new Problem('request/invalid', `${reason} Nothing was saved.`, {
        invalidParams: [{ name: 'body.line_names', reason }],
      });
    folds.set(fold, name);
  }
}
