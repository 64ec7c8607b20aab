import type { KeptSynonyms } from '@heterosis/contracts/data/germplasm';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { germplasmOfProjectApi } from '@heterosis/contracts/endpoints/data/germplasm';
import { createNameResolver, type Resolution } from '@heterosis/file-formats/names/name-resolver';
import { normalizeName } from '@heterosis/file-formats/names/normalize-name';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { findCropOfProject, readCatalogueOf } from './catalogue.queries.ts';
import { publishChanged, requireFreeSynonym } from './changes.service.ts';
import { addSynonyms, findOwnersOfName, lockCrop } from './germplasm.queries.ts';

/**
 * `POST /projects/{p}/germplasms/synonyms`: of each pair of names one is in the list; the other becomes its synonym.
 * All or none.
 */
export async function keepSynonyms(
  { services: { db }, access: { projectId, organizationId }, principal: { userId } }: ProjectCall,
  { body: { pairs } }: InputOf<typeof germplasmOfProjectApi.keepSynonyms>,
): Promise<KeptSynonyms> {
  return await db.transaction().execute(async (trx) => {
    const cropId = await findCropOfProject(trx, projectId);
    if (cropId === null) throw new Problem('germplasm/name-unknown', 'This project has no crop, and so no germplasm.');
    await lockCrop(trx, organizationId, cropId);
    const catalogue = await readCatalogueOf(
      trx,
      cropId,
      pairs.flatMap(({ from, to }) => [from, to]),
    );
    const { resolve } = createNameResolver(catalogue.names, catalogue.synonyms);
    const kept: KeptSynonyms['data'] = [];
    for (const [place, pair] of pairs.entries()) {
      const { synonym, name } = synonymOf(pair, resolve, `body.pairs.${place}`);
      const owner = (await findOwnersOfName(trx, cropId, name)).find(({ how }) => how === 'name');
      if (owner === undefined || synonym === name) continue;
      await requireFreeSynonym(trx, cropId, { id: owner.id, name: synonym });
      await addSynonyms(trx, { cropId, userId }, [{ germplasmId: owner.id, name: synonym }]);
      kept.push({ synonym, germplasm: { id: owner.id, name: owner.name } });
    }
    await publishChanged(trx, organizationId);
    return { data: kept };
  });
}

/** Which of two names is in the list, and which becomes the synonym. */
function synonymOf(
  pair: { from: string; to: string },
  resolve: (name: string) => Resolution,
  field: string,
): { synonym: string; name: string } {
  const [from, to] = [normalizeName(pair.from), normalizeName(pair.to)];
  const [meantByFrom, meantByTo] = [resolve(from), resolve(to)];
  const refuse = (code: 'germplasm/name-unknown' | 'germplasm/name-taken', text: string): Problem =>
    new Problem(code, text, { invalidParams: [{ name: field, reason: text }] });
  for (const [name, meaning] of [
    [from, meantByFrom],
    [to, meantByTo],
  ] as const)
    if (meaning.status === 'ambiguous')
      throw refuse('germplasm/name-taken', `"${name}" could be ${meaning.candidates.join(' or ')}.`);
  if (meantByFrom.status === 'found' && meantByTo.status === 'found' && meantByFrom.name !== meantByTo.name)
    throw refuse(
      'germplasm/name-taken',
      `"${from}" is "${meantByFrom.name}" of the germplasm list, and "${to}" is "${meantByTo.name}". Merge the two if they are one line.`,
    );
  if (meantByTo.status === 'found') return { synonym: from, name: meantByTo.name };
  if (meantByFrom.status === 'found') return { synonym: to, name: meantByFrom.name };
  throw refuse(
    'germplasm/name-unknown',
    `Neither "${from}" nor "${to}" is in the germplasm list. Upload the line first, or treat the names as the same for this run only.`,
  );
}
