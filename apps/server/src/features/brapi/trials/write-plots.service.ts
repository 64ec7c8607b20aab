import { MAX_PLOTS } from '@heterosis/contracts/data/trials';
import { Problem } from '../../../platform/http/problem.ts';
import { addPlotsIn, type ClientDetails, changePlotsIn, listPlots, type WrittenPlot } from '../../data/trials/index.ts';
import type { NewUnit } from '../collecting/collected.ts';
import { designOfUnit } from '../collecting/unit-design.ts';
import { requireWriting } from '../collecting/write-access.ts';
import type { CollectingServices } from '../collecting/write-collection.ts';
import type { BrapiScope } from '../scope.ts';
import type { PhenotypeStudy } from '../studies.ts';
import { filled } from './study-bodies.ts';

/** A unit of a trial as a client wrote it. */
export interface UnitOfTrial {
  study: PhenotypeStudy;
  entry: NewUnit;
  /** Name of what stands on it. */
  individual: string;
  /** Place among the plots of one that is there. */
  place?: number | undefined;
  where: string;
}

/**
 * Writes units to the layouts of trials, all or none; returns ids in the order given. Units without a place are added
 * as plots, the others changed.
 */
export async function writePlots(
  services: CollectingServices,
  scope: BrapiScope,
  units: readonly UnitOfTrial[],
): Promise<string[]> {
  const { principal } = scope;
  const byTrial = Map.groupBy(units, ({ study }) => study);
  const accesses = new Map<string, Awaited<ReturnType<typeof requireWriting>>>();
  for (const { project } of byTrial.keys())
    if (!accesses.has(project.id)) accesses.set(project.id, await requireWriting(services, principal, project.id));
  const plots = new Map(units.map((unit) => [unit, plotOf(unit)]));
  const ids: string[] = [];
  await services.db.transaction().execute(async (trx) => {
    // In one order, so that two requests do not wait for each other.
    for (const [{ id, project }, own] of [...byTrial].sort(([a], [b]) => (a.id < b.id ? -1 : 1))) {
      const access = accesses.get(project.id);
      if (access === undefined) continue;
      const who = { access, principal };
      const numbersBefore = (await listPlots(trx, id)).map(({ number }) => number);
      const written = own.flatMap((unit): WrittenPlot[] => {
        const plot = plots.get(unit);
        if (plot === undefined) return [];
        return [unit.place === undefined ? plot : { ...plot, number: numbersBefore[unit.place] ?? 0 }];
      });
      const isNew = own.every(({ place }) => place === undefined);
      const numbers = isNew
        ? await addPlotsIn(trx, who, id, written)
        : (await changePlotsIn(trx, who, id, written), written.map(({ number }) => number ?? 0));
      const places = new Map((await listPlots(trx, id)).map(({ number }, place) => [number, place]));
      for (const [k, unit] of own.entries()) ids[units.indexOf(unit)] = `${id}-${places.get(numbers[k] ?? 0)}`;
    }
  });
  return ids;
}

const KINDS: Readonly<Record<string, WrittenPlot['kind']>> = { '': 'ENTRY', TEST: 'ENTRY', CHECK: 'CHECK' };

/** Most rows, columns and replicates of a trial. */
const MOST_CELLS = 10_000;
const MOST_NUMBER = 10_000_000;

/** Names in `additionalInfo` that we say of each unit; a client that sends back what it read sends them too. */
const OUR_INFO = new Set(['individual', 'line', 'plot', 'replicate', 'block', 'row', 'column', 'treatment']);

function plotOf({ entry, individual, where }: UnitOfTrial): WrittenPlot {
  const { observationUnitName: name, observationUnitPosition: position } = entry;
  const refuse = (reason: string): Problem => new Problem('request/invalid', `${where}: ${reason} Nothing was saved.`);
  const notHeld = filled({ ...entry, ...position }, [
    'seedLotDbId',
    'crossDbId',
    'observationUnitPUI',
    'geoCoordinates',
  ]);
  if (notHeld !== undefined)
    throw refuse(`a plot of a trial has no place for ${notHeld}. Leave it out, or say it in additionalInfo.`);
  const { levelName, levelCode } = position?.observationLevel ?? {};
  if (levelName != null && levelName !== '' && levelName.toLowerCase() !== 'plot')
    throw refuse(`the units of a trial are of the level plot, and "${name}" is of the level ${levelName}.`);
  const entryType = position?.entryType?.toUpperCase() ?? '';
  const kind = KINDS[entryType];
  if (kind === undefined)
    throw refuse(
      entryType === 'FILLER'
        ? `"${name}" is a filler. Units are plots of lines and checks; leave out the others.`
        : `"${entryType}" is no entryType of a plot: TEST or CHECK.`,
    );
  const design = designOfUnit(entry);
  const { positionCoordinateX: x, positionCoordinateY: y } = position ?? {};
  if ([x, y].filter((at) => at != null && at !== '').length !== [design.row, design.column].filter(Boolean).length)
    throw refuse(
      `the position of "${name}" is no row and column. Send whole numbers as GRID_COL (X) and GRID_ROW (Y).`,
    );
  const whole = (what: string, written: string | undefined, most: number): number | null => {
    if (written === undefined) return null;
    const number = /^\d{1,9}$/.test(written) ? Number(written) : 0;
    if (number >= 1 && number <= most) return number;
    throw refuse(`${what} "${written}" of "${name}" is no whole number from 1 to ${most}.`);
  };
  const given = (entry.treatments ?? []).filter(({ modality }) => modality != null && modality !== '');
  if (given.length > 1) throw refuse(`"${name}" has ${given.length} treatments, and a plot of a trial has one.`);
  // Our own code of a plot is its name.
  const isNumbered = /^\d{1,9}$/.test(levelCode ?? '');
  return {
    number: isNumbered ? whole('the number', levelCode ?? '', MOST_NUMBER) : null,
    ...{ name, kind, entry: individual, where },
    row: whole('the row', design.row, MOST_CELLS),
    column: whole('the column', design.column, MOST_CELLS),
    replicate: whole('the replicate', design.replicate, MOST_CELLS),
    block: whole('the block', design.block, MAX_PLOTS),
    treatment: design.treatment ?? null,
    client_details: detailsOf(entry, given[0]?.factor),
  };
}

function detailsOf(
  { additionalInfo, externalReferences }: NewUnit,
  factor: string | null | undefined,
): ClientDetails | null {
  const info = Object.fromEntries(Object.entries(additionalInfo).filter(([name]) => !OUR_INFO.has(name)));
  const details: ClientDetails = {
    ...(Object.keys(info).length > 0 && { additionalInfo: info }),
    ...(externalReferences.length > 0 && { externalReferences }),
    ...(factor != null && factor !== '' && factor !== 'treatment' && { factor }),
  };
  return Object.keys(details).length === 0 ? null : details;
}
