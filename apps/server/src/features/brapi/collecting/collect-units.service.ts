import type { DesignOfRow } from '@heterosis/file-formats/tables/phenotype/phenotype-records';
import { Problem } from '../../../platform/http/problem.ts';
import { findGermplasmRow } from '../entities/germplasm.ts';
import type { BrapiScope } from '../scope.ts';
import { isPhenotype, type PhenotypeStudy } from '../studies.ts';
import { writePlots } from '../trials/write-plots.service.ts';
import { type CollectedUnit, listUnits, storeUnits } from './collected.queries.ts';
import type { NewUnit } from './collected.ts';
import { requireOneKind } from './one-kind.ts';
import { designOfUnit } from './unit-design.ts';
import { type CollectingServices, collect } from './write-collection.ts';

interface Wanted {
  study: PhenotypeStudy;
  entry: NewUnit;
  unit: Omit<CollectedUnit, 'place'>;
  where: string;
}

/** `POST /observationunits`: adds plots to studies, all or none; one that is there already stays. Returns ids. */
export async function addUnits(
  services: CollectingServices,
  scope: BrapiScope,
  entries: readonly NewUnit[],
): Promise<string[]> {
  const wanted: Wanted[] = [];
  for (const [k, entry] of entries.entries()) wanted.push(await settle(scope, entry, `body.${k}`));
  return await store(services, scope, wanted, undefined);
}

/** `PUT /observationunits`: changes plots that clients made or of trials, all or none. */
export async function changeUnits(
  services: CollectingServices,
  scope: BrapiScope,
  changes: readonly { place: number; entry: NewUnit; where: string }[],
): Promise<string[]> {
  const wanted: Wanted[] = [];
  for (const { entry, where } of changes) wanted.push(await settle(scope, entry, where));
  return await store(
    services,
    scope,
    wanted,
    changes.map(({ place }) => place),
  );
}

async function store(
  services: CollectingServices,
  scope: BrapiScope,
  wanted: readonly Wanted[],
  places: readonly number[] | undefined,
): Promise<string[]> {
  const ofTrials = wanted.filter(({ study }) => study.trial !== undefined);
  requireOneKind(wanted, ofTrials);
  if (ofTrials.length > 0)
    return await writePlots(
      services,
      scope,
      ofTrials.map(({ unit, ...one }, k) => ({ ...one, individual: unit.individual, place: places?.[k] })),
    );
  const ids: string[] = [];
  const studies = [...new Map(wanted.map(({ study }) => [study.file.id, study])).values()];
  await collect(services, scope.principal, studies, async (trx, fileId) => {
    const stored = new Map((await listUnits(trx, fileId)).map((unit) => [unit.place, unit]));
    const study = studies.find(({ file }) => file.id === fileId);
    if (study === undefined) return false;
    const ofFile = await scope.files.records({ ...study.file, revision: 0 });
    const units = new Map<number, Omit<CollectedUnit, 'place' | 'external_references'>>([
      ...ofFile.units.entries(),
      ...stored,
    ]);
    const changed: CollectedUnit[] = [];
    for (const [k, { study: own, unit, where }] of wanted.entries()) {
      if (own.file.id !== fileId) continue;
      const same = [...units].find(
        ([, { environment, design }]) => environment === unit.environment && design.plot === unit.design.plot,
      );
      const place = places?.[k] ?? same?.[0] ?? Math.max(-1, ...units.keys()) + 1;
      if (same !== undefined && same[0] !== place)
        throw new Problem('request/conflict', `${where}: the study has another plot "${unit.design.plot}".`);
      if (places === undefined && same !== undefined && !isSame(same[1], unit))
        throw new Problem(
          'request/conflict',
          `${where}: the study has a plot "${unit.design.plot}" already, with "${same[1].individual}" in it. ` +
            `To change it, send PUT /observationunits with its observationUnitDbId ${fileId}-${place}. Nothing was saved.`,
        );
      ids[k] = `${fileId}-${place}`;
      if (same !== undefined && isSame(same[1], unit) && stored.get(place)?.external_references === undefined) continue;
      units.set(place, unit);
      const before = stored.get(place);
      if (
        before !== undefined &&
        isSame(before, unit) &&
        sameText(before.external_references, unit.external_references)
      )
        continue;
      changed.push({ ...unit, place });
    }
    await storeUnits(trx, fileId, changed);
    return changed.length > 0;
  });
  return ids;
}

const sameText = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const sortedText = (design: DesignOfRow): string => JSON.stringify(Object.entries(design).sort());

const isSame = (
  a: { individual: string; design: DesignOfRow },
  b: { individual: string; design: DesignOfRow },
): boolean => a.individual === b.individual && sortedText(a.design) === sortedText(b.design);

/** Finds study and germplasm of an entry. */
async function settle(scope: BrapiScope, entry: NewUnit, where: string): Promise<Wanted> {
  const study = (await scope.listStudies()).filter(isPhenotype).find(({ id }) => id === entry.studyDbId);
  if (study === undefined)
    throw new Problem(
      'request/invalid',
      `${where}: there is no study "${entry.studyDbId}" with plots. Make one with POST /studies. Nothing was saved.`,
    );
  const individual =
    entry.germplasmDbId == null || entry.germplasmDbId === ''
      ? entry.germplasmName
      : (await findLine(scope, entry.germplasmDbId, where)).name;
  if (individual == null || individual === '')
    throw new Problem('request/invalid', `${where}: germplasmDbId or germplasmName is needed.`);
  const { environments } = study.design;
  return {
    ...{ study, entry, where },
    unit: {
      environment: study.environment,
      individual,
      design: { ...environmentOf(environments[study.environment]?.design ?? {}), ...designOfUnit(entry) },
      external_references: entry.externalReferences,
    },
  };
}

/** @throws Problem `request/not-found` with `where` */
async function findLine(scope: BrapiScope, id: string, where: string): Promise<{ name: string }> {
  try {
    return await findGermplasmRow(scope, id);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new Problem('request/not-found', `${where}: there is no germplasm "${id}". Nothing was saved.`);
  }
}

/** What all plots of an environment share. */
const environmentOf = ({ environment, location, year, treatment }: DesignOfRow): DesignOfRow => ({
  ...(environment === undefined ? {} : { environment }),
  ...(location === undefined ? {} : { location }),
  ...(year === undefined ? {} : { year }),
  ...(treatment === undefined ? {} : { treatment }),
});
