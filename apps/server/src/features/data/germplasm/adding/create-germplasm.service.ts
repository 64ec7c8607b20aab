import { nameFault, normalizeName } from '@heterosis/file-formats/names/normalize-name';
import type { GermplasmContent } from '@heterosis/file-formats/tables/germplasm/germplasm-table';
import { uuidv7 } from 'uuidv7';
import type { Principal } from '../../../../platform/http/access.ts';
import type { Services } from '../../../../platform/http/app.ts';
import { notFound, Problem } from '../../../../platform/http/problem.ts';
import { publishChanged, requireFreeName, requireFreeSynonym } from '../changes.service.ts';
import { addSynonyms, lockCrop } from '../germplasm.queries.ts';
import { insertGermplasm } from '../store-rows.queries.ts';

/** A line to add; its parents are given later. */
export interface NewGermplasm {
  name: string;
  synonyms: readonly string[];
  collection: string | null;
  crossType: GermplasmContent['crossType'];
  attributes: Record<string, string>;
}

/**
 * Adds lines to the list of a crop, all or none, and returns their ids in the same order. A name that is taken, as a
 * name, as a synonym or apart from case and punctuation, is refused.
 */
export async function createGermplasm(
  { db }: Pick<Services, 'db'>,
  { userId }: Pick<Principal, 'userId'>,
  { organizationId, cropId }: { organizationId: string; cropId: string },
  lines: readonly NewGermplasm[],
): Promise<string[]> {
  return await db.transaction().execute(async (trx) => {
    if ((await lockCrop(trx, organizationId, cropId)) === undefined) throw notFound('This crop');
    const place = { organizationId, cropId, userId };
    const ids: string[] = [];
    for (const [index, line] of lines.entries()) {
      const id = uuidv7();
      const name = requireName(line.name, index);
      await requireFreeName(trx, cropId, { id, name, isDistinct: false });
      const synonyms = [...new Set(line.synonyms.map((synonym) => requireName(synonym, index)))].filter(
        (synonym) => synonym !== name,
      );
      for (const synonym of synonyms) await requireFreeSynonym(trx, cropId, { id, name: synonym });
      const { collection, crossType, attributes } = line;
      const content = { collection, crossType, attributes, synonyms, maternal: null, paternal: null };
      await insertGermplasm(trx, place, [
        {
          ...{ id, name, isDistinct: false, maternalId: null, paternalId: null },
          content: { ...content, selfingGenerations: null },
        },
      ]);
      await addSynonyms(
        trx,
        place,
        synonyms.map((synonym) => ({ germplasmId: id, name: synonym })),
      );
      ids.push(id);
    }
    await publishChanged(trx, organizationId);
    return ids;
  });
}

function requireName(text: string, index: number): string {
  const fault = nameFault(text);
  if (fault === null) return normalizeName(text);
  throw new Problem('request/invalid', `Entry ${index + 1}: ${fault}.`, {
    invalidParams: [{ name: `body.${index}`, reason: fault }],
  });
}
