import { uuidv7 } from 'uuidv7';
import { Problem } from '../../../platform/http/problem.ts';
import { variableOf, variablesOfStudy } from '../entities/variables.ts';
import { splitId } from '../ids.ts';
import type { BrapiScope } from '../scope.ts';
import type { Recorded } from '../stored-files.ts';
import { isPhenotype, type PhenotypeStudy } from '../studies.ts';
import {
  type CollectedObservation,
  insertObservations,
  listObservations,
  updateObservation,
} from './collected.queries.ts';
import type { NewObservation } from './collected.ts';
import { traitKey } from './merged-records.ts';
import { requireOneKind } from './one-kind.ts';
import { type CollectingServices, collect } from './write-collection.ts';
import { writeToTrials } from './write-trial-observations.ts';

/** A unit that a request names, with the study that it is in. */
interface UnitOfStudy {
  study: PhenotypeStudy;
  records: Recorded;
  place: number;
}

/** An observation that is to be saved. */
interface Wanted extends UnitOfStudy {
  written: CollectedObservation;
  /** Begins a message about it: `body.3`. */
  where: string;
}

/** `POST /observations`: adds observations, all or none; those that are there already stay as they are. Returns ids. */
export async function addObservations(
  services: CollectingServices,
  scope: BrapiScope,
  entries: readonly NewObservation[],
): Promise<string[]> {
  const wanted: Wanted[] = [];
  for (const [k, entry] of entries.entries()) wanted.push(await settle(scope, entry, `body.${k}`));
  const ids: string[] = [];
  const ofTrials = wanted.filter(isOfTrial);
  requireOneKind(wanted, ofTrials);
  if (ofTrials.length > 0) return await writeToTrials(services, scope, ofTrials);
  const studies = [...new Map(wanted.map(({ study }) => [study.file.id, study])).values()];
  await collect(services, scope.principal, studies, async (trx, fileId) => {
    const own = wanted.filter(({ study }) => study.file.id === fileId);
    const known = await listObservations(trx, fileId, [...new Set(own.map(({ place }) => place))]);
    const byKey = new Map(known.map((row) => [keyOf(row), row]));
    const added: CollectedObservation[] = [];
    for (const one of own) {
      const { written } = one;
      const before = byKey.get(keyOf(written)) ?? inFile(one, known);
      if (before === undefined) {
        byKey.set(keyOf(written), written);
        added.push(written);
      } else if (before.value !== written.value) throw differs(one, before);
      ids[wanted.indexOf(one)] = before?.id ?? written.id;
    }
    await insertObservations(trx, fileId, added);
    return added.length > 0;
  });
  return ids;
}

const keyOf = ({ unit, trait, observed_at }: CollectedObservation): string =>
  `${unit} ${traitKey(trait)} ${observed_at === null ? '' : Date.parse(observed_at)}`;

function differs({ where, written }: Wanted, before: { id: string; value: string | null }): Problem {
  return new Problem(
    'request/conflict',
    `${where}: this unit has a value of "${written.trait.name}" at this time already, ${before.value ?? 'missing'}. ` +
      `To change it, send PUT /observations with its observationDbId ${before.id}. Nothing was saved.`,
  );
}

/** The observation of the file itself with the same unit, trait and time, unless a client has changed it. */
function inFile(
  { study, records, place, written }: Wanted,
  known: readonly CollectedObservation[],
): { id: string; value: string } | undefined {
  const [first, end] = [records.firstOfUnit[place] ?? 0, records.firstOfUnit[place + 1] ?? 0];
  const time = written.observed_at === null ? Number.NaN : Date.parse(written.observed_at);
  for (let observation = first; observation < end; observation++) {
    const trait = records.traits[records.trait[observation] ?? 0];
    const origin = records.collected?.origin[observation] ?? observation;
    if (trait === undefined || traitKey(trait) !== traitKey(written.trait) || origin < 0) continue;
    if (known.some(({ replaces }) => replaces === origin)) continue;
    if (Object.is(records.time[observation] ?? Number.NaN, time))
      return { id: `${study.file.id}-${origin}`, value: records.value[observation] ?? '' };
  }
  return undefined;
}

/**
 * `PUT /observations`: changes observations, all or none; returns ids. Of the file's own, the file keeps what it has.
 * An observation of a trial is corrected by another, which has an id of its own.
 */
export async function changeObservations(
  services: CollectingServices,
  scope: BrapiScope,
  changes: readonly { id: string; entry: NewObservation; where: string }[],
): Promise<string[]> {
  const wanted: (Wanted & { id: string })[] = [];
  for (const { id, entry, where } of changes) wanted.push({ id, ...(await settle(scope, entry, where)) });
  const ofTrials = wanted.filter(isOfTrial);
  requireOneKind(wanted, ofTrials);
  if (ofTrials.length > 0)
    return await writeToTrials(
      services,
      scope,
      ofTrials.map((one) => ({ ...one, changes: one.id })),
    );
  const studies = [...new Map(wanted.map(({ study }) => [study.file.id, study])).values()];
  await collect(services, scope.principal, studies, async (trx, fileId) => {
    const own = wanted.filter(({ study }) => study.file.id === fileId);
    const known = await listObservations(trx, fileId, [...new Set(own.map(({ place }) => place))]);
    let isChanged = false;
    for (const one of own) {
      const origin = splitId(one.id)?.row;
      const before = known.find(({ id, replaces }) => (origin === undefined ? id === one.id : replaces === origin));
      const taken = known.find((row) => row !== before && keyOf(row) === keyOf(one.written));
      if (taken !== undefined) throw differs(one, taken);
      if (before === undefined) {
        if (origin === undefined) throw new Problem('request/not-found', `${one.where}: there is no such observation.`);
        await insertObservations(trx, fileId, [{ ...one.written, replaces: origin }]);
        isChanged = true;
      } else {
        const after = { ...one.written, id: before.id, replaces: before.replaces };
        if (textOf(after) === textOf(before)) continue;
        await updateObservation(trx, fileId, after);
        isChanged = true;
      }
    }
    return isChanged;
  });
  return changes.map(({ id }) => id);
}

const isOfTrial = ({ study }: Wanted): boolean => study.trial !== undefined;

const textOf = ({ observed_at, ...row }: CollectedObservation): string =>
  JSON.stringify([observed_at === null ? null : Date.parse(observed_at), ...Object.entries(row).sort()]);

/** Finds unit and variable of an entry, and holds the value against the variable. */
async function settle(scope: BrapiScope, entry: NewObservation, where: string): Promise<Wanted> {
  const unit = await findUnit(scope, entry.observationUnitDbId);
  if (unit === undefined)
    throw new Problem('request/invalid', `${where}: there is no observation unit "${entry.observationUnitDbId}".`);
  const { study, place } = unit;
  if (entry.studyDbId != null && entry.studyDbId !== '' && entry.studyDbId !== study.id)
    throw new Problem('request/invalid', `${where}: the observation unit is in another study, ${study.id}.`);
  const variable = await findVariable(scope, study, entry, where);
  const { value } = entry;
  if (value !== null && variable.kind === 'numeric' && !Number.isFinite(Number(value)))
    throw new Problem(
      'request/invalid',
      `${where}: "${variable.name}" takes numbers with a decimal point, and "${value}" is none. Nothing was saved.`,
    );
  return {
    ...unit,
    where,
    written: {
      id: uuidv7(),
      unit: place,
      variable_id: variable.id,
      trait: { name: variable.name, unit: variable.unit, ontologyId: variable.ontologyId, kind: variable.kind },
      // As the reader of files writes numbers.
      value: value !== null && variable.kind === 'numeric' ? String(Number(value)) : value,
      observed_at: entry.observationTimeStamp,
      collector: entry.collector ?? null,
      external_references: entry.externalReferences,
      replaces: null,
    },
  };
}

async function findUnit(scope: BrapiScope, id: string): Promise<UnitOfStudy | undefined> {
  const split = splitId(id);
  const place = split?.row;
  if (split === undefined || place === undefined) return undefined;
  const studies = (await scope.listStudies()).filter(isPhenotype).filter(({ file }) => file.id === split.fileId);
  const [first] = studies;
  if (first === undefined) return undefined;
  const records = await scope.files.records(first.file);
  const environment = records.units[place]?.environment;
  const study = studies.find((one) => one.environment === environment);
  return study === undefined ? undefined : { study, records, place };
}

/** A variable of the study, of its file, or of another study of its organization. */
async function findVariable(
  scope: BrapiScope,
  study: PhenotypeStudy,
  { observationVariableDbId: id, observationVariableName: name }: NewObservation,
  where: string,
) {
  const ofFile = study.design.traits.map((trait) => variableOf(study.project, trait));
  const isMeant = (variable: { id: string; name: string }): boolean =>
    id != null && id !== '' ? variable.id === id : variable.name.toLowerCase() === name?.toLowerCase();
  const found = ofFile.find(isMeant);
  if (found !== undefined) return found;
  for (const other of (await scope.listStudies()).filter(isPhenotype))
    if (other.project.organization_id === study.project.organization_id) {
      const elsewhere = variablesOfStudy(other).find(isMeant);
      if (elsewhere !== undefined) return elsewhere;
    }
  throw new Problem(
    'request/invalid',
    `${where}: no phenotype file of the organization has the variable "${id || name || ''}". Nothing was saved.`,
  );
}
