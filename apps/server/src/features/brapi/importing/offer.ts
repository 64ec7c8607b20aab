import type { BrapiOffer } from '@heterosis/contracts/data/brapi-import';
import { type BrapiClient, listIn, numberIn, textIn } from './brapi-client.ts';

/** Most of each kind that is offered. */
const MOST_OFFERED = 1_000;

/** What a server has that can be imported. */
export async function offerOf(client: BrapiClient): Promise<BrapiOffer> {
  const info = await client.result('serverinfo');
  const services = new Set(listIn(info, 'calls').map((call) => textIn(call, 'service')?.replace(/^\//, '')));
  const all = async <Item>(
    service: string,
    itemOf: (entry: Record<string, unknown>) => Item | null,
  ): Promise<Item[]> => {
    const items: Item[] = [];
    if (!services.has(service)) return items;
    for await (const entry of client.entries(service)) {
      const item = itemOf(entry);
      if (item !== null && items.push(item) >= MOST_OFFERED) break;
    }
    return items;
  };
  const named = (entry: Record<string, unknown>, kind: string): { id: string; name: string } | null => {
    const id = textIn(entry, `${kind}DbId`);
    return id === null ? null : { id, name: textIn(entry, `${kind}Name`) ?? id };
  };
  const studies = new Map<string, number>();
  if (services.has('studies'))
    for await (const entry of client.entries('studies')) {
      const trial = textIn(entry, 'trialDbId');
      if (trial !== null && !/genotyp/i.test(textIn(entry, 'studyType') ?? ''))
        studies.set(trial, (studies.get(trial) ?? 0) + 1);
    }
  return {
    server_name: (textIn(info, 'serverName') ?? new URL(client.base).host).slice(0, 255),
    url: client.base,
    trials: await all('trials', (entry) => {
      const trial = named(entry, 'trial');
      return trial && { ...trial, program: textIn(entry, 'programName'), studies: studies.get(trial.id) ?? 0 };
    }),
    variant_sets: await all('variantsets', (entry) => {
      const set = named(entry, 'variantSet');
      return set && { ...set, individuals: numberIn(entry, 'callSetCount'), markers: numberIn(entry, 'variantCount') };
    }),
    maps: await all('maps', (entry) => {
      const map = named(entry, 'map');
      // Positions in base pairs come with the genotypes.
      const isGenetic = !/physical/i.test(textIn(entry, 'type') ?? '') && !/^bp$/i.test(textIn(entry, 'unit') ?? '');
      return map && isGenetic ? { ...map, markers: numberIn(entry, 'markerCount') } : null;
    }),
    has_germplasm: services.has('germplasm') && services.has('pedigree'),
  };
}
