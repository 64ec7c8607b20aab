import type { ProjectTrait } from '@heterosis/contracts/people/traits';
import type { PhenotypeRecords } from '@heterosis/file-formats/tables/phenotype/phenotype-records';
import type { TraitColumn } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import type { Queryable } from '../../../platform/database/database.ts';
import {
  type ClientDetails,
  listClientObservations,
  listPlots,
  listTrialsOfProjects,
} from '../../data/trials/index.ts';
import { findTraitSettings } from '../../people/projects/index.ts';
import type { BrapiFile } from '../collecting/collected.queries.ts';
import type { Collected, UnitDetails } from '../collecting/merged-records.ts';
import { kindOfScale } from '../entities/kind-of-scale.ts';
import type { Json } from '../envelope.ts';

/**
 * The plots of a trial as units, and what counts on them as observations. A plot keeps its place, and with it its id,
 * when it is swapped; fillers and borders belong to no environment, so no list has them.
 */
export async function recordsOfTrial(
  db: Queryable,
  file: BrapiFile,
): Promise<PhenotypeRecords & { collected: Collected }> {
  const plots = await listPlots(db, file.id);
  const [trial] = await listTrialsOfProjects(db, [file.project_id], [file.id]);
  const settings = await findTraitSettings(db, file.project_id, trial?.traits ?? []);
  const places = new Map(plots.map(({ number }, place) => [number, place]));
  const traitPlaces = new Map(settings.map(({ name }, place) => [name, place]));
  const rows = (await listClientObservations(db, file.id))
    .flatMap((row) => {
      const [unit, trait] = [places.get(row.plot), traitPlaces.get(row.trait)];
      return unit === undefined || trait === undefined ? [] : [{ ...row, unit, trait }];
    })
    .sort(
      (a, b) =>
        Number(a.is_staged) - Number(b.is_staged) ||
        a.unit - b.unit ||
        a.trait - b.trait ||
        (a.observed_at < b.observed_at ? -1 : 1),
    );
  const words = new Set(rows.filter(({ value }) => !Number.isFinite(Number(value))).map(({ trait }) => trait));
  const traits = settings.map((setting, place) => columnOf(setting, words.has(place)));
  const collected: Collected = {
    origin: Int32Array.from(rows, () => -1),
    written: rows.map(({ id, unit, trait, value, observed_at, collector, external_references }) => ({
      ...{ id, unit, value, observed_at, collector, replaces: null, variable_id: '' },
      trait: traits[trait] as TraitColumn,
      external_references: (external_references ?? []) as Json[],
    })),
    units: new Map(
      plots.flatMap(({ client_details: details }, place) => (details == null ? [] : [[place, said(details)]])),
    ),
    ownUnits: plots.length,
    waiting: rows.filter(({ is_staged: isStaged }) => isStaged).length,
  };
  return {
    traits,
    environments: [{ name: null, design: {} }],
    units: plots.map(({ name, entry, kind, row, column, replicate, block, treatment }, place) => ({
      line: place + 1,
      individual: entry ?? '',
      environment: kind === 'ENTRY' || kind === 'CHECK' ? 0 : -1,
      design: {
        plot: name,
        ...(replicate !== null && { replicate: String(replicate) }),
        ...(block !== null && { block: String(block) }),
        ...(row !== null && { row: String(row) }),
        ...(column !== null && { column: String(column) }),
        ...(treatment !== null && { treatment }),
      },
    })),
    kinds: plots.map(({ kind }) => kind.toLowerCase()),
    unit: Int32Array.from(rows, ({ unit }) => unit),
    trait: Int32Array.from(rows, ({ trait }) => trait),
    value: rows.map(({ value }) => value),
    time: Float64Array.from(rows, ({ observed_at }) => Date.parse(observed_at)),
    collected,
  };
}

const said = ({ additionalInfo, externalReferences = [], factor }: ClientDetails): UnitDetails => ({
  external_references: externalReferences,
  ...(additionalInfo && { additionalInfo }),
  ...(factor !== undefined && { factor }),
});

const columnOf = ({ name, unit, ontology_id: ontologyId, scale }: ProjectTrait, hasWords: boolean): TraitColumn => ({
  ...{ name, unit, ontologyId },
  kind: scale === null ? (hasWords ? 'categorical' : 'numeric') : kindOfScale(scale),
});
