import { DESIGN_ROLES, type DesignRole } from '@heterosis/file-formats/tables/phenotype/phenotype-header';
import { csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';
import { designOfPosition, ENTRY_TYPES } from '../entities/unit-positions.ts';
import { type BrapiClient, type Json, listIn, numberIn, objectIn, textIn } from './brapi-client.ts';

const HEADERS: Partial<Record<DesignRole, string>> = { replicate: 'rep', column: 'col' };

interface Line {
  individual: string;
  design: Partial<Record<DesignRole, string>>;
  /** `check` or `filler`; empty for all others. */
  kind: string;
  trait: string;
  value: string;
  time: string;
}

/** Studies of phenotypes among those of a trial. */
async function phenotypeStudies(client: BrapiClient, trialId: string): Promise<Json[]> {
  const studies: Json[] = [];
  for await (const study of client.entries('studies', { trialDbId: trialId }))
    if (!/genotyp/i.test(textIn(study, 'studyType') ?? '')) studies.push(study);
  return studies;
}

/**
 * The observations of a trial's studies as long tables, one for each file that the studies name (as another Heterosis
 * does) or one for the trial.
 */
export async function* phenotypeTables(
  client: BrapiClient,
  trial: { id: string; name: string },
  onProgress: (done: number, total: number | null) => void,
): AsyncGenerator<{ name: string; chunks: Iterable<string>; count: number }> {
  const studies = await phenotypeStudies(client, trial.id);
  const names = await variableNames(client, trial.id, studies);
  const groups = Map.groupBy(studies, (study) => textIn(objectIn(study, 'additionalInfo'), 'fileName') ?? trial.name);
  let done = 0;
  for (const [name, group] of groups) {
    const lines: Line[] = [];
    for (const study of group) {
      const before = done;
      const query = { studyDbId: textIn(study, 'studyDbId') ?? '', includeObservations: 'true' };
      for await (const unit of client.entries('observationunits', query, (count) => {
        done = before + count;
        onProgress(done, null);
      }))
        lines.push(...linesOf(unit, study, group.length > 1, names));
    }
    if (lines.length > 0) yield { name, chunks: tableOf(lines), count: lines.length };
  }
}

/** Of each variable by its id: name, unit and ontology id, as headers of our tables have them. */
async function variableNames(
  client: BrapiClient,
  trialId: string,
  studies: readonly Json[],
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  // Not every server knows the filter for trials.
  for (const study of studies.length > 20 ? [null] : studies) {
    const query = study === null ? { trialDbId: trialId } : { studyDbId: textIn(study, 'studyDbId') ?? '' };
    for await (const variable of client.entries('variables', query)) {
      const id = textIn(variable, 'observationVariableDbId');
      const name = textIn(variable, 'observationVariableName');
      if (id === null || name === null) continue;
      const scale = objectIn(variable, 'scale');
      const unit = textIn(scale, 'units');
      const isNominal = /nominal|ordinal|text|code/i.test(textIn(scale, 'dataType') ?? '');
      const ontology = textIn(variable, 'observationVariablePUI');
      names.set(
        id,
        `${name.replaceAll('|', '/')}${unit === null ? '' : ` (${unit})`}${isNominal ? '_#CAT' : ''}${ontology === null ? '' : `|${ontology}`}`,
      );
    }
  }
  return names;
}

function linesOf(unit: Json, study: Json, isOneOfSeveral: boolean, names: ReadonlyMap<string, string>): Line[] {
  const info = objectIn(unit, 'additionalInfo');
  // As it stands in the file of another Heterosis; elsewhere the name of the germplasm.
  const own = textIn(info, 'individual');
  const individual = own ?? textIn(unit, 'germplasmName');
  if (individual === null) return [];
  const design = own === null ? designOf(unit, study, isOneOfSeveral) : ownDesign(info);
  const kind = kindOf(unit);
  return listIn(unit, 'observations').flatMap((observation): Line[] => {
    const value = textIn(observation, 'value');
    const id = textIn(observation, 'observationVariableDbId') ?? '';
    const trait = names.get(id) ?? textIn(observation, 'observationVariableName');
    if (value === null || trait === null) return [];
    return [{ individual, design, kind, trait, value, time: textIn(observation, 'observationTimeStamp') ?? '' }];
  });
}

const ownDesign = (info: Json): Line['design'] =>
  Object.fromEntries(DESIGN_ROLES.flatMap((role) => (textIn(info, role) === null ? [] : [[role, textIn(info, role)]])));

/** Of a plot that is no usual entry. */
function kindOf(unit: Json): string {
  const type = textIn(objectIn(unit, 'observationUnitPosition'), 'entryType')?.toUpperCase();
  return (['check', 'filler'] as const).find((kind) => ENTRY_TYPES[kind] === type) ?? '';
}

function designOf(unit: Json, study: Json, isOneOfSeveral: boolean): Line['design'] {
  const position = objectIn(unit, 'observationUnitPosition');
  const level = objectIn(position, 'observationLevel');
  const levels = listIn(position, 'observationLevelRelationships').map((one) => ({
    name: textIn(one, 'levelName'),
    code: textIn(one, 'levelCode'),
  }));
  const environment = isOneOfSeveral ? textIn(study, 'studyName') : null;
  const location = textIn(unit, 'locationName') ?? textIn(study, 'locationName');
  const [treatment] = listIn(unit, 'treatments');
  const seasons = study['seasons'];
  const known: Partial<Record<DesignRole, string | null | undefined>> = {
    environment,
    // A study that is called as its place is one environment, not "Bonn / Bonn".
    location: location === environment ? null : location,
    year: Array.isArray(seasons) ? (seasons.map(String)[0] ?? null) : null,
    treatment: treatment === undefined ? null : textIn(treatment, 'modality'),
    ...designOfPosition({
      levels,
      ...{ x: textIn(position, 'positionCoordinateX'), xType: textIn(position, 'positionCoordinateXType') },
      ...{ y: textIn(position, 'positionCoordinateY'), yType: textIn(position, 'positionCoordinateYType') },
    }),
    plot: /plot/i.test(textIn(level, 'levelName') ?? 'plot')
      ? (textIn(unit, 'observationUnitName') ?? textIn(level, 'levelCode'))
      : levels.find(({ name }) => name?.toLowerCase() === 'plot')?.code,
    plant: /plant/i.test(textIn(level, 'levelName') ?? '')
      ? (textIn(unit, 'observationUnitName') ?? textIn(level, 'levelCode'))
      : null,
  };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value != null)) as Line['design'];
}

function tableOf(lines: readonly Line[]): Iterable<string> {
  const roles = DESIGN_ROLES.filter((role) => lines.some(({ design }) => design[role] !== undefined));
  const withKind = lines.some(({ kind }) => kind !== '');
  const withTime = lines.some(({ time }) => time !== '');
  return csvChunks(
    [
      'individual',
      ...roles.map((role) => HEADERS[role] ?? role),
      ...(withKind ? ['kind'] : []),
      ...['trait', 'value', ...(withTime ? ['timestamp'] : [])],
    ],
    lines.map(({ individual, design, kind, trait, value, time }) => [
      individual,
      ...roles.map((role) => design[role] ?? ''),
      ...(withKind ? [kind] : []),
      trait,
      value,
      ...(withTime ? [time] : []),
    ]),
  );
}

/** A linkage map as a table, in centimorgans. */
export async function* mapTable(
  client: BrapiClient,
  mapId: string,
  onProgress: (done: number, total: number | null) => void,
): AsyncGenerator<string> {
  yield 'marker,chr,cM\n';
  for await (const marker of client.entries('markerpositions', { mapDbId: mapId }, onProgress)) {
    const cells = [textIn(marker, 'variantName'), textIn(marker, 'linkageGroupName'), numberIn(marker, 'position')];
    yield [...csvChunks(null, [cells])].join('');
  }
}
