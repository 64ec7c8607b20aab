import { createHash } from 'node:crypto';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { decisionsApi } from '@heterosis/contracts/endpoints/work/decisions';
import type { ProjectTrait } from '@heterosis/contracts/people/traits';
import {
  type DecisionColumn,
  type DecisionDetail,
  type DecisionSettings,
  MAX_CANDIDATES,
  MAX_DECIDED_TRAITS,
} from '@heterosis/contracts/work/decisions';
import type { Services } from '../../../platform/http/app.ts';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { readObject } from '../../../platform/object-storage/stored-panel.ts';
import { aside } from '../../../platform/processes/aside.ts';
import { getList } from '../../data/lists/index.ts';
import { readStoredPedigree } from '../../data/pedigree/index.ts';
import { matchEntries } from '../../data/trials/index.ts';
import { findTraitSettings } from '../../people/projects/index.ts';
import { readCrosses } from '../crossing-simulations/index.ts';
import { type ErrorTriangle, type LineValues, trianglePlace } from '../line-values/index.ts';
import { newestPrediction, readPredictedLines } from '../predictions/index.ts';
import { newestAnalysis, readAnalysedLines } from '../trial-analyses/index.ts';
import type { Board } from './board.ts';
import { listFamilies, type NewLine } from './decisions.queries.ts';
import type { DescentTask, LinesComputed, LinesTask } from './lines-task.ts';

type RunKindOnTable = DecisionColumn['kind'];
interface OnTable extends LineValues {
  kind: RunKindOnTable;
}

/** What is put on the table. */
export interface Gathered {
  source: DecisionDetail['source'];
  /** Name of the check as its line has it. */
  check: string | null;
  columns: DecisionColumn[];
  lines: NewLine[];
  /** Covariances of the prediction errors among the lines, a column each; null where they were not kept. */
  errors: (Float32Array | null)[];
  notes: string[];
}

/**
 * Candidates from the source, and their values from it, from the newest trial analysis and from the newest prediction.
 * The index rests on one column a trait: that of the trial analysis where it has one, otherwise of the prediction.
 */
export async function gatherLines(
  call: ProjectCall,
  { source: { kind, id }, traits: wanted, settings }: InputOf<typeof decisionsApi.createDecision>['body'],
): Promise<Gathered> {
  const { services, access } = call;
  const { projectId } = access;
  const list = kind === 'list' ? await getList({ services, access }, { id }) : undefined;
  if (list?.kind === 'markers')
    throw new Problem('request/invalid', `"${list.name}" is a list of markers. Choose a list of lines.`);
  const onTable = await runsOf(services, projectId, kind === 'list' ? undefined : { kind, id });
  const own = onTable.find((run) => run.kind === kind);
  const written = [...new Set(list?.members ?? own?.traits.flatMap(({ rows }) => rows.map(({ line }) => line)) ?? [])];
  if (settings.check !== null && !written.includes(settings.check)) written.push(settings.check);
  const matched = await matchEntries(services.db, projectId, written);
  // Two spellings of one line are one candidate.
  const spellings = new Map<string, string[]>();
  for (const [i, { name }] of matched.entries.entries())
    spellings.set(name, [...(spellings.get(name) ?? []), written[i] ?? name]);
  const names = [...spellings.keys()];
  const idOf = new Map(matched.entries.map(({ name, germplasm_id: germplasm }) => [name, germplasm]));
  if (names.length === 0 || names.length > MAX_CANDIDATES + 1)
    throw new Problem(
      'request/invalid',
      `There are ${names.length} candidates. A decision takes 1 to ${MAX_CANDIDATES}: begin with a list of them.`,
    );
  const lines: NewLine[] = names.map((name) => ({
    ...{ name, germplasm_id: idOf.get(name) ?? null, family: null },
    ...{ values: [], ses: [], reliabilities: [] },
  }));
  const families = await listFamilies(
    services.db,
    lines.flatMap((line) => line.germplasm_id ?? []),
  );
  for (const line of lines) line.family = families.get(line.germplasm_id ?? '') ?? null;
  const { columns, errors } = await layTable(services, projectId, onTable, {
    ...{ traits: traitsOf(onTable, wanted), lines },
    spellings: names.map((name) => [name, ...(spellings.get(name) ?? [])]),
  });
  if (columns.length === 0)
    throw new Problem(
      'decisions/no-values',
      'No trial analysis, prediction or simulation of the project has a value of these lines. Analyse their trials or predict them first.',
    );
  const name = list?.name ?? own?.run.name ?? '';
  const check = settings.check === null ? null : (matched.entries[written.indexOf(settings.check)]?.name ?? null);
  return {
    source: { kind, id, name },
    check,
    columns,
    lines,
    errors,
    notes: onTable.flatMap(({ left_out }) => left_out),
  };
}

/** Columns of some traits from the runs on the table; adds the values of each line to it. */
async function layTable(
  services: Services,
  projectId: string,
  onTable: readonly OnTable[],
  {
    traits,
    lines,
    spellings,
  }: {
    traits: readonly string[];
    lines: readonly Pick<NewLine, 'values' | 'ses' | 'reliabilities'>[];
    /** What each line may be called in the runs. */
    spellings: readonly (readonly string[])[];
  },
): Promise<Pick<Gathered, 'columns' | 'errors'>> {
  const settingsOf = new Map(
    (await findTraitSettings(services.db, projectId, [...traits])).map((one) => [one.name, one]),
  );
  const picked = traits.flatMap((trait) =>
    onTable.flatMap((run) => run.traits.filter((one) => one.trait === trait).map((one) => ({ run, ...one }))),
  );
  const columns: DecisionColumn[] = [];
  const errors: Gathered['errors'] = [];
  for (const { run, trait, unit, key, what, rows, genetic, errors: errorsOf } of picked) {
    const rowOf = new Map(rows.map((row) => [row.line, row]));
    const found = spellings.map((all) => all.flatMap((one) => rowOf.get(one) ?? [])[0]);
    if (found.every((row) => row?.value == null)) continue;
    const inIndex = !columns.some((column) => column.trait === trait && column.in_index);
    const kept = inIndex ? await errorsOf() : null;
    errors.push(
      kept &&
        errorsAmong(
          kept,
          found.map((row) => row?.line),
        ),
    );
    columns.push({
      ...{ trait, unit: settingsOf.get(trait)?.unit ?? unit, kind: run.kind, what },
      ...{ run_id: run.run.id, run_name: run.run.name, run_at: run.run.created_at },
      sha256: createHash('sha256')
        .update(await readObject(services.storage, key))
        .digest('hex'),
      is_higher_better: settingsOf.get(trait)?.direction !== 'lower',
      ...{ in_index: inIndex, has_error_covariance: kept !== null, genetic_covariance: genetic },
      ...{ weight: null, gain: null },
    });
    for (const [i, line] of lines.entries()) {
      line.values.push(found[i]?.value ?? null);
      line.ses.push(found[i]?.se ?? null);
      line.reliabilities.push(found[i]?.reliability ?? null);
    }
  }
  return { columns, errors };
}

/**
 * The same lines with the values of the newest runs. A column whose kind of run has no newer value of its trait stays
 * as it is.
 */
export async function gatherAgain(
  services: Services,
  { project_id: projectId, source, columns: before }: Pick<DecisionDetail, 'project_id' | 'source' | 'columns'>,
  lines: readonly NewLine[],
  errorsBefore: Gathered['errors'],
): Promise<Pick<Gathered, 'columns' | 'lines' | 'errors' | 'notes'>> {
  const { kind, id } = source;
  const onTable = await runsOf(services, projectId, kind === 'crossing_simulation' ? { kind, id } : undefined);
  const written = [
    ...new Set(onTable.flatMap(({ traits }) => traits.flatMap(({ rows }) => rows.map((row) => row.line)))),
  ];
  const { entries } = await matchEntries(services.db, projectId, written);
  const spellings = new Map<string, string[]>();
  for (const [i, { name }] of entries.entries())
    spellings.set(name, [...(spellings.get(name) ?? []), written[i] ?? name]);
  const traits = [...new Set(before.map(({ trait }) => trait))];
  const fresh = lines.map(
    () => ({ values: [], ses: [], reliabilities: [] }) as Pick<NewLine, (typeof PER_COLUMN)[number]>,
  );
  const laid = await layTable(services, projectId, onTable, {
    ...{ traits, lines: fresh },
    spellings: lines.map(({ name }) => [name, ...(spellings.get(name) ?? [])]),
  });
  const isSame = (one: DecisionColumn, other: DecisionColumn) => one.trait === other.trait && one.kind === other.kind;
  const merged = traits.flatMap((trait) => [
    ...before.flatMap((column, c) =>
      column.trait === trait && !laid.columns.some((one) => isSame(one, column))
        ? [{ column, from: lines as readonly (typeof fresh)[number][], c, errors: errorsBefore[c] ?? null }]
        : [],
    ),
    ...laid.columns.flatMap((column, c) =>
      column.trait === trait ? [{ column, from: fresh, c, errors: laid.errors[c] ?? null }] : [],
    ),
  ]);
  // Trial analyses first, as when the table was laid.
  const inOrder = merged.toSorted(
    (a, b) =>
      traits.indexOf(a.column.trait) - traits.indexOf(b.column.trait) ||
      Number(a.column.kind !== 'trial_analysis') - Number(b.column.kind !== 'trial_analysis'),
  );
  const isFirst = (at: number): boolean =>
    inOrder.findIndex((one) => one.column.trait === inOrder[at]?.column.trait) === at;
  const of = (i: number, name: (typeof PER_COLUMN)[number]) => inOrder.map(({ from, c }) => from[i]?.[name][c] ?? null);
  const errors = inOrder.map((one, at) => (isFirst(at) ? one.errors : null));
  return {
    columns: inOrder.map(({ column }, at) => ({
      ...column,
      ...{ in_index: isFirst(at), has_error_covariance: errors[at] !== null },
    })),
    lines: lines.map((line, i) => ({
      ...line,
      ...{ values: of(i, 'values'), ses: of(i, 'ses'), reliabilities: of(i, 'reliabilities') },
    })),
    errors,
    notes: onTable.flatMap(({ left_out }) => left_out),
  };
}

const PER_COLUMN = ['values', 'ses', 'reliabilities'] as const;

/** Of the lines of a decision, by their rows; NaN for those that the analysis does not have. */
function errorsAmong({ lines, triangle }: ErrorTriangle, rows: readonly (string | undefined)[]): Float32Array {
  const placeOf = new Map(lines.map((line, place) => [line, place]));
  const places = rows.map((line) => (line === undefined ? undefined : placeOf.get(line)));
  const among = new Float32Array((rows.length * (rows.length + 1)) / 2);
  for (const [i, place] of places.entries())
    for (const [j, other] of places.slice(0, i + 1).entries())
      among[trianglePlace(i, j)] =
        place === undefined || other === undefined ? Number.NaN : (triangle[trianglePlace(place, other)] ?? Number.NaN);
  return among;
}

function traitsOf(onTable: readonly OnTable[], wanted: readonly string[] | undefined): string[] {
  const all = [...new Set(onTable.flatMap(({ traits }) => traits.map(({ trait }) => trait)))];
  const missing = wanted?.filter((trait) => !all.includes(trait)) ?? [];
  if (missing.length > 0)
    throw new Problem(
      'request/invalid',
      `No run on the table has the trait ${missing.map((one) => `"${one}"`).join(', ')}.`,
    );
  return (wanted ?? all).slice(0, MAX_DECIDED_TRAITS);
}

/** The run that is the source, and the newest trial analysis and prediction; trial analyses first. */
async function runsOf(
  services: Services,
  projectId: string,
  source: { kind: RunKindOnTable; id: string } | undefined,
): Promise<OnTable[]> {
  const runs: OnTable[] = [];
  // Usefulness of crosses and values of lines stand in no table together.
  if (source?.kind === 'crossing_simulation')
    return [{ kind: source.kind, ...(await readCrosses(services, projectId, source.id)) }];
  const analysis = source?.kind === 'trial_analysis' ? source.id : await newestAnalysis(services, projectId);
  if (analysis !== undefined)
    runs.push({ kind: 'trial_analysis', ...(await readAnalysedLines(services, projectId, analysis)) });
  const prediction = source?.kind === 'prediction' ? source.id : await newestPrediction(services, projectId);
  if (prediction !== undefined)
    runs.push({ kind: 'prediction', ...(await readPredictedLines(services, projectId, prediction)) });
  return runs;
}

/** Index and probabilities of the lines, and their relationships where `withDescent`. */
export async function computeLines(
  { services: { db }, access: { projectId } }: Pick<ProjectCall, 'services' | 'access'>,
  { columns, lines, errors }: Pick<Gathered, 'columns' | 'lines' | 'errors'>,
  settings: DecisionSettings,
  withDescent: boolean,
): Promise<LinesComputed> {
  const traits = new Map(
    (
      await findTraitSettings(
        db,
        projectId,
        columns.map(({ trait }) => trait),
      )
    ).map((one) => [one.name, one]),
  );
  const task: LinesTask = {
    board: {
      ...{ settings, seed: 1, check: lines.findIndex(({ name }) => name === settings.check) },
      columns: columns.flatMap((column, c) =>
        column.in_index ? [{ ...ofIndex(column, traits.get(column.trait), lines, c), errors: errors[c] ?? null }] : [],
      ),
    },
    descent: withDescent ? await descentOf(db, projectId, lines) : null,
  };
  const computed = await aside<LinesComputed>(new URL('./lines.thread.ts', import.meta.url), task);
  if (computed.board.refused !== null)
    throw new Problem(
      'decisions/no-index',
      `There is no index: ${computed.board.refused}. Choose other traits or weights.`,
    );
  return computed;
}

const ofIndex = (
  { trait, run_id: runId, is_higher_better: isHigherBetter, genetic_covariance: genetic = null }: DecisionColumn,
  settings: ProjectTrait | undefined,
  lines: readonly NewLine[],
  c: number,
) => ({
  ...{ trait, runId, isHigherBetter, genetic, importance: settings?.weight ?? 1 },
  values: lines.map(({ values }) => values[c] ?? null),
  ses: lines.map(({ ses }) => ses[c] ?? null),
  reliabilities: lines.map(({ reliabilities }) => reliabilities[c] ?? null),
});

/** Null where no line has a known parent. */
async function descentOf(
  db: Services['db'],
  projectId: string,
  lines: readonly NewLine[],
): Promise<DescentTask | null> {
  const known = lines.flatMap(({ name, germplasm_id }) => (germplasm_id === null ? [] : [name]));
  const { names, maternal, paternal, selfings } = await readStoredPedigree(db, projectId, known);
  if (!maternal.some((place) => place >= 0) && !paternal.some((place) => place >= 0)) return null;
  const placeOf = new Map(names.map((name, place) => [name, place]));
  return {
    ...{ maternal: Int32Array.from(maternal), paternal: Int32Array.from(paternal) },
    selfings: Float64Array.from(selfings, (value) => value ?? Number.POSITIVE_INFINITY),
    lines: Int32Array.from(lines, ({ name }) => placeOf.get(name) ?? -1),
  };
}

/** Weights and gains beside the columns of the index. */
export function withWeights(columns: readonly DecisionColumn[], { weights, gains }: Board): DecisionColumn[] {
  let at = 0;
  return columns.map((column) => {
    if (!column.in_index) return { ...column, weight: null, gain: null };
    const place = at++;
    return { ...column, weight: weights[place] ?? null, gain: gains[place] ?? null };
  });
}
