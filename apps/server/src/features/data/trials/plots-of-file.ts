import { WHOLE_PLOT } from '@heterosis/file-formats/tables/phenotype/phenotype-header';
import type { PhenotypeRecords, RecordedUnit } from '@heterosis/file-formats/tables/phenotype/phenotype-records';
import { plotKind } from '@heterosis/file-formats/tables/phenotype/plot-kind';
import { uuidv7 } from 'uuidv7';
import type { PlotRow, ResolvedEntry } from './layout.ts';
import type { ObservationRow } from './observations.queries.ts';

/** One environment of a phenotype file, as a trial. */
export interface TrialOfFile {
  name: string | null;
  location: string | undefined;
  season: string | undefined;
  plots: PlotRow[];
  observations: Omit<ObservationRow, 'created_by'>[];
  traits: string[];
}

const PLACED = ['plot', 'replicate', 'block', 'row', 'column'] as const;

/** Whether a file says where its plots lie, or that there are plots at all. */
export const hasPlots = ({ units }: PhenotypeRecords): boolean =>
  units.some(({ design }) => PLACED.some((role) => design[role] !== undefined));

/**
 * The environments of a file with their plots. A plot has the number that the file gives it where all have one, each
 * another; otherwise plots are numbered as they stand. Replicates and blocks that are no whole numbers are numbered as
 * they come. Of several values of a plot each later one corrects the one before it.
 *
 * @param moment of values without a time
 */
export function trialsOfFile(
  records: PhenotypeRecords,
  entries: readonly ResolvedEntry[],
  moment: string,
): TrialOfFile[] {
  return records.environments.map((environment, index) => {
    const places = [...records.units.keys()].filter((place) => records.units[place]?.environment === index);
    const units = places.flatMap((place) => records.units[place] ?? []);
    const numbers = numbersOf(units);
    const names = unlessRepeated(units.map(({ design }) => design.plot));
    const replicate = ordinals(units.map(({ design }) => design.replicate));
    const block = ordinals(units.map(({ design: { replicate: rep, block: of } }) => of && `${rep ?? ''} ${of}`));
    const plots = units.map((unit, k): PlotRow => {
      const { row, column, treatment } = unit.design;
      const place = places[k] ?? 0;
      const entry = entries[place];
      const isFiller = plotKind(records.kinds[place] ?? null) === 'filler';
      const cell = [wholeOr(row), wholeOr(column)];
      const isPlaced = cell.every((value) => value !== null);
      return {
        number: numbers[k] ?? k + 1,
        name: names?.[k] ?? String(numbers[k] ?? k + 1),
        row: isPlaced ? (cell[0] ?? null) : null,
        column: isPlaced ? (cell[1] ?? null) : null,
        replicate: replicate[k] ?? null,
        block: block[k] ?? null,
        treatment: treatment ?? null,
        kind: isFiller ? 'FILLER' : plotKind(records.kinds[place] ?? null) === 'check' ? 'CHECK' : 'ENTRY',
        entry: isFiller ? null : (entry?.name ?? unit.individual),
        germplasm_id: isFiller ? null : (entry?.germplasm_id ?? null),
      };
    });
    const numberOf = new Map(places.map((place, k) => [place, plots[k]?.number ?? 0]));
    const observed = observationsOf(records, numberOf, moment);
    const wholePlots = new Map(observed.flatMap((one) => (one.trait === WHOLE_PLOT ? [[one.plot, one.value]] : [])));
    for (const plot of plots) plot.treatment ??= wholePlots.get(plot.number) ?? null;
    const observations = observed.filter(({ trait }) => trait !== WHOLE_PLOT);
    const { location, environment: site, year } = environment.design;
    return {
      ...{ name: environment.name, location: location ?? site, season: year, plots, observations },
      traits: [...new Set(observations.map(({ trait }) => trait))],
    };
  });
}

const wholeOr = (text: string | undefined): number | null =>
  text !== undefined && /^[1-9]\d{0,3}$/.test(text) ? Number(text) : null;

function unlessRepeated(texts: readonly (string | undefined)[]): string[] | undefined {
  const given = texts.filter((text) => text !== undefined);
  return given.length === texts.length && new Set(given).size === given.length ? given : undefined;
}

function numbersOf(units: readonly RecordedUnit[]): number[] {
  const given = unlessRepeated(units.map(({ design }) => design.plot));
  return given?.every((text) => /^[1-9]\d{0,6}$/.test(text)) === true ? given.map(Number) : units.map((_, k) => k + 1);
}

/** From 1 in the order in which they come; whole numbers up to 10,000 stay as they are where all are such. */
function ordinals(texts: readonly (string | undefined)[]): (number | null)[] {
  if (texts.every((text) => text === undefined || wholeOr(text) !== null)) return texts.map(wholeOr);
  const known = new Map<string, number>();
  return texts.map((text) => {
    if (text === undefined) return null;
    const number = known.get(text) ?? known.size + 1;
    known.set(text, number);
    return number;
  });
}

function observationsOf(
  { unit, trait, value, time, traits }: PhenotypeRecords,
  numberOf: ReadonlyMap<number, number>,
  moment: string,
): TrialOfFile['observations'] {
  const found: TrialOfFile['observations'] = [];
  let last: { key: string; id: string } | undefined;
  for (let place = 0; place < unit.length; place++) {
    const plot = numberOf.get(unit[place] ?? -1);
    const name = traits[trait[place] ?? -1]?.name;
    if (plot === undefined || name === undefined) continue;
    const key = `${plot} ${name}`;
    const at = time[place] ?? Number.NaN;
    const id = uuidv7();
    found.push({
      ...{ id, plot, trait: name, value: value[place] ?? null, origin: 'FILE', collector: null },
      observed_at: Number.isNaN(at) ? moment : new Date(at).toISOString(),
      corrects: last?.key === key ? [last.id] : [],
    });
    last = { key, id };
  }
  return found;
}
