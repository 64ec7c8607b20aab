import type { DesignOfRow } from '@heterosis/file-formats/tables/phenotype/phenotype-records';
import { Problem } from '../../../platform/http/problem.ts';
import { findGermplasmRow } from '../entities/germplasm.ts';
import { designOfPosition } from '../entities/unit-positions.ts';
import type { BrapiScope } from '../scope.ts';
import { isPhenotype, type PhenotypeStudy } from '../studies.ts';
import { type CollectedUnit, listUnits, storeUnits } from './collected.queries.ts';
import type { NewUnit } from './collected.ts';
import { type CollectingServices, collect } from './write-collection.ts';

interface Wanted {
  study: PhenotypeStudy;
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

/** `PUT /observationunits`: changes plots that clients made, all or none. */
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
      `${where}: there is no study "${entry.studyDbId}" with plots. Upload a phenotype file with its first plots.`,
    );
  const individual =
    entry.germplasmDbId == null || entry.germplasmDbId === ''
      ? entry.germplasmName
      : (await findGermplasmRow(scope, entry.germplasmDbId)).name;
  if (individual == null || individual === '')
    throw new Problem('request/invalid', `${where}: germplasmDbId or germplasmName is needed.`);
  if (study.trial !== undefined)
    throw new Problem(
      'request/conflict',
      `${where}: the plots of the trial "${study.trial.name}" are laid out in the application, and values are recorded on them here. Nothing was saved.`,
    );
  const { environments } = study.design;
  return {
    study,
    where,
    unit: {
      environment: study.environment,
      individual,
      design: { ...environmentOf(environments[study.environment]?.design ?? {}), ...designOf(entry) },
      external_references: entry.externalReferences,
    },
  };
}

/** What all plots of an environment share. */
const environmentOf = ({ environment, location, year, treatment }: DesignOfRow): DesignOfRow => ({
  ...(environment === undefined ? {} : { environment }),
  ...(location === undefined ? {} : { location }),
  ...(year === undefined ? {} : { year }),
  ...(treatment === undefined ? {} : { treatment }),
});

function designOf({ observationUnitName: plot, observationUnitPosition: position, treatments }: NewUnit): DesignOfRow {
  const [treatment] = treatments ?? [];
  return {
    plot,
    ...designOfPosition({
      levels: (position?.observationLevelRelationships ?? []).map(({ levelName: name, levelCode: code }) => ({
        name,
        code,
      })),
      ...{ x: position?.positionCoordinateX, xType: position?.positionCoordinateXType },
      ...{ y: position?.positionCoordinateY, yType: position?.positionCoordinateYType },
    }),
    ...(treatment?.modality != null && treatment.modality !== '' ? { treatment: treatment.modality } : {}),
  };
}
