import { createHash } from 'node:crypto';
import type { RecordedValueFile, ValueFileReview } from '@heterosis/contracts/data/value-files';
import {
  MAX_DIFFERENCES,
  MAX_REVIEWED,
  MAX_VALUE_FILE,
  type ValueFileChoices,
  valueFileChoices,
} from '@heterosis/contracts/data/value-files';
import { UNSET_TRAIT } from '@heterosis/contracts/people/traits';
import { memorySource } from '@heterosis/file-formats/byte-source';
import type { PlotValues } from '@heterosis/file-formats/tables/plot-values/plot-values';
import { type PlotValuesReading, readPlotValues } from '@heterosis/file-formats/tables/plot-values/read-plot-values';
import type { Queryable } from '../../../../platform/database/database.ts';
import type { ProjectCall } from '../../../../platform/http/bind.ts';
import { Problem } from '../../../../platform/http/problem.ts';
import { aside } from '../../../../platform/processes/aside.ts';
import { changeTraitsIn, listProjectTraits } from '../../../people/projects/index.ts';
import { matchEntries } from '../entries.ts';
import { findObservations, listCurrentOfTraits } from '../observations.queries.ts';
import { recordIn } from '../observations.service.ts';
import { listPlots } from '../plots.queries.ts';
import { listNamedTrials, lockTrial } from '../trials.queries.ts';
import { getTrial } from '../trials.service.ts';
import { type ComparedTrial, compareFile } from './compare-file.ts';
import type { NamedTrial } from './find-plots.ts';
import { type SettledFile, settleFile, settleTraits, trialsIn } from './settle-file.ts';

/** A file of values with what somebody said of it. */
export interface GivenFile {
  fileName: string;
  bytes: Buffer;
  choices: ValueFileChoices;
}

/** Reads what a form says besides the file. */
export function readChoices(text: string | undefined): ValueFileChoices {
  let json: unknown = {};
  try {
    if (text !== undefined && text.trim() !== '') json = JSON.parse(text);
  } catch {
    throw new Problem('request/invalid', 'The choices are no JSON.', {
      invalidParams: [{ name: 'body.choices', reason: 'Not JSON' }],
    });
  }
  const read = valueFileChoices.safeParse(json);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const where = ['body.choices', ...(issue?.path ?? [])].join('.');
  throw new Problem('request/invalid', `${where}: ${issue?.message ?? 'not valid'}.`, {
    invalidParams: [{ name: where, reason: issue?.message ?? 'Not valid' }],
  });
}

/** `POST …/values_file/review`. */
export async function reviewValuesFile(call: ProjectCall, id: string, given: GivenFile): Promise<ValueFileReview> {
  const own = await getTrial(call, { id });
  const read = await readFile(given);
  return reviewOf(given, read, await compare(call, own, { given, read }, call.services.db));
}

/** `POST …/values_file`: all or none. */
export async function recordValuesFile(call: ProjectCall, id: string, given: GivenFile): Promise<RecordedValueFile> {
  const { services, access, principal } = call;
  const own = await getTrial(call, { id });
  const read = await readFile(given);
  return await services.db.transaction().execute(async (trx) => {
    const compared = await compare(call, own, { given, read, isLocking: true }, trx);
    const { settled, trials } = compared;
    requireDecided(given, compared);
    const added = settled.traits.flatMap(({ trait, isNew }) => (isNew && trait !== null ? [trait] : []));
    if (added.length > 0)
      await changeTraitsIn(
        trx,
        access,
        [...new Set(added)].map((name) => ({ name, ...UNSET_TRAIT })),
      );
    const now = new Date().toISOString();
    const moment = given.choices.observed_on === undefined ? now : `${given.choices.observed_on}T12:00:00.000Z`;
    const recorded: RecordedValueFile['trials'] = [];
    for (const [trialId, { stored }] of trials) {
      if (stored.length === 0) continue;
      const observations = stored.map(({ id: own_id, plot, trait, value, observed_at, collector, corrects }) => ({
        ...{ id: own_id, plot: plot.number, trait, value, corrects },
        observed_at: observed_at ?? moment,
        collector: collector ?? given.choices.collector ?? null,
      }));
      const answer = await recordIn(trx, { access, principal }, trialId, { origin: 'FILE', observations });
      recorded.push({ trial_id: trialId, recorded: answer.recorded });
    }
    const each = [...trials.values()];
    return {
      recorded: sum(recorded, ({ recorded: n }) => n),
      unchanged: sum(each, ({ unchanged }) => unchanged),
      kept: sum(each, ({ differences }) => differences.filter(({ isTaken }) => !isTaken).length),
      left_out: settled.refused.length,
      trials: recorded,
    };
  });
}

const sum = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((total, item) => total + of(item), 0);

async function readFile({ bytes, fileName }: GivenFile): Promise<PlotValues> {
  if (bytes.length === 0) throw new Problem('trials/values-unreadable', `"${fileName}" is empty. Choose another file.`);
  if (bytes.length > MAX_VALUE_FILE)
    throw new Problem('request/too-large', `"${fileName}" has more than ${MAX_VALUE_FILE / 2 ** 20} MB. Divide it.`);
  const reading = isQuick(bytes)
    ? await readPlotValues(memorySource(bytes, fileName))
    : await aside<PlotValuesReading>(new URL('./read-file.thread.ts', import.meta.url), {
        ...{ bytes: new Uint8Array(bytes), fileName },
      });
  if (reading.values !== null) return reading.values;
  const { code, line, message, suggestion } = reading.problem;
  throw new Problem(
    'trials/values-unreadable',
    [line === null ? message : `Line ${line}: ${message}`, suggestion, 'Nothing was saved.']
      .filter((part) => part !== null)
      .join(' '),
    { details: { problem: code, line } },
  );
}

/** Bytes of a text that is read in some milliseconds, sooner than a thread begins. */
const QUICK_BYTES = 50_000;
const ARCHIVES = ['504b', '1f8b'];

/** A small text. What is packed may be large: workbooks and gzip. */
const isQuick = (bytes: Buffer): boolean =>
  bytes.length <= QUICK_BYTES && !ARCHIVES.includes(bytes.toString('hex', 0, 2));

interface Compared {
  settled: SettledFile;
  /** By id. */
  trials: Map<string, ComparedTrial>;
  names: Map<string, NamedTrial>;
  otherEntries: ValueFileReview['other_entries']['data'];
  /** Stands for what would be stored. */
  review: string;
}

async function compare(
  { access: { projectId } }: ProjectCall,
  own: NamedTrial,
  { given, read, isLocking = false }: { given: GivenFile; read: PlotValues; isLocking?: boolean },
  db: Queryable,
): Promise<Compared> {
  const all = await listNamedTrials(db, projectId);
  const ids = trialsIn(read, own, all).toSorted();
  // In one order, so that two files do not wait for each other.
  if (isLocking) for (const id of ids) await lockTrial(db, projectId, id);
  const plots = new Map<string, Awaited<ReturnType<typeof listPlots>>>();
  for (const id of ids) plots.set(id, await listPlots(db, id));
  const closed = new Set(all.flatMap(({ id, state }) => (state === 'CLOSED' ? [id] : [])));
  const traits = await listProjectTraits(db, projectId);
  const sha = createHash('sha256').update(given.bytes).digest('hex');
  requireOnce(settleTraits(read, traits, given.choices));
  const settled = await settleFile(read, { own, all, closed, plots, traits }, given.choices, sha);
  const cellsOf = Map.groupBy(settled.cells, ([first]) => first?.trial.id ?? '');
  const names = [...new Set(settled.traits.flatMap(({ trait }) => (trait === null ? [] : [trait])))];
  const trials = new Map<string, ComparedTrial>();
  const review = createHash('sha256');
  for (const [id, cells] of cellsOf) {
    const valueIds = cells.flatMap((values) => values.map((one) => one.id));
    const stored = new Set((await findObservations(db, id, valueIds)).map((one) => one.id));
    const compared = compareFile(cells, { current: await listCurrentOfTraits(db, id, names), stored }, given.choices);
    trials.set(id, compared);
    const present = compared.differences.map((one) => one.present.map((row) => row.id));
    review.update(JSON.stringify([id, compared.added, compared.unchanged, present]));
  }
  return {
    ...{ settled, trials, names: new Map(all.map((one) => [one.id, one])) },
    otherEntries: await otherEntries(db, projectId, settled),
    review: review.digest('hex').slice(0, 32),
  };
}

/** Two columns that are the same trait would correct each other. */
function requireOnce(traits: SettledFile['traits']): void {
  const first = new Map<string, string>();
  for (const { trait, written } of traits) {
    if (trait === null) continue;
    const earlier = first.get(trait);
    if (earlier !== undefined)
      throw new Problem(
        'trials/values-unreadable',
        `"${earlier}" and "${written.header}" of the file are both the trait "${trait}". Leave one of them out. Nothing was saved.`,
      );
    first.set(trait, written.header);
  }
}

/** Plots on which another line stands than the file says; names that the germplasm list lacks say nothing. */
async function otherEntries(
  db: Queryable,
  projectId: string,
  { found }: SettledFile,
): Promise<Compared['otherEntries']> {
  const names = [...new Set(found.map(({ entry }) => entry))].filter((name) => name.length <= 255);
  if (names.length === 0) return [];
  const { entries } = await matchEntries(db, projectId, names);
  const idOf = new Map(names.map((name, k) => [name, entries[k]?.germplasm_id ?? null]));
  return found.flatMap(({ line, entry, plot }) => {
    const said = idOf.get(entry) ?? null;
    if (said === null || plot.germplasm_id === null || said === plot.germplasm_id) return [];
    return [{ line, plot: plot.number, file: entry, trial: plot.entry ?? '' }];
  });
}

/** Nothing is stored that somebody still has to decide. */
function requireDecided({ choices }: GivenFile, { settled, trials, review }: Compared): void {
  const open = settled.traits.filter(({ isOpen }) => isOpen).map(({ written }) => `"${written.header}"`);
  const differences = sum([...trials.values()], (one) => one.differences.length);
  const refuse = (sentence: string): Problem =>
    new Problem('trials/values-undecided', `${sentence} Nothing was saved.`, { details: { review } });
  if (choices.reviewed !== undefined && choices.reviewed !== review)
    throw new Problem(
      'trials/changed-meanwhile',
      'The trial got other values since the file was reviewed. Review it again. Nothing was saved.',
    );
  if (open.length > 0)
    throw refuse(
      `The project has no trait ${open.slice(0, 5).join(', ')}${open.length > 5 ? ` and ${open.length - 5} more` : ''}. Say in choices.traits which traits they are, or leave them out.`,
    );
  if (settled.isDateOrderOpen)
    throw refuse('No date of the file tells whether the day or the month comes first. Say choices.date_order.');
  const [first] = settled.refused;
  if (first !== undefined && !choices.leave_out_refused)
    throw new Problem(
      'trials/values-refused',
      `Line ${first.line}: ${first.message}${settled.refused.length > 1 ? ` So are ${settled.refused.length - 1} further rows or values.` : ''} Correct the file, or leave out what is refused. Nothing was saved.`,
      { details: { errors: settled.refused.slice(0, MAX_REVIEWED), total: settled.refused.length } },
    );
  if (differences > 0 && choices.differences === undefined)
    throw refuse(
      `${differences} values of the file differ from those that are there. Say in choices.differences which count.`,
    );
}

const listed = <Row>(rows: readonly Row[], most: number): { total: number; data: Row[] } => ({
  total: rows.length,
  data: rows.slice(0, most),
});

function reviewOf(
  { fileName }: GivenFile,
  read: PlotValues,
  { settled, trials, names, otherEntries: others, review }: Compared,
): ValueFileReview {
  const differences = [...trials.values()].flatMap((one) => one.differences);
  const repeated = settled.cells.filter((values) => new Set(values.map(({ value }) => value)).size > 1);
  const cellOf = ({ trial, plot, trait }: SettledFile['cells'][number][number]) => ({
    ...{ trial_id: trial.id, plot: plot.number, trait },
  });
  return {
    file_name: fileName,
    shape: read.shape,
    is_field_book: read.isFieldBook,
    rows: read.rows.length,
    columns: read.columns.slice(0, MAX_REVIEWED),
    traits: settled.traits.map(({ written: { header, values, samples }, trait, isNew, isOpen }) => ({
      ...{ header, trait, values, samples: samples.map((text) => text.slice(0, 100)) },
      ...{ is_new: isNew, is_open: isOpen },
    })),
    trials: [...trials].map(([id, { added, unchanged, differences: own }]) => ({
      ...{ trial_id: id, added, unchanged, different: own.length },
      name: names.get(id)?.name ?? '',
      location_name: names.get(id)?.location_name ?? '',
    })),
    date_order_open: settled.isDateOrderOpen,
    refused: listed(settled.refused, MAX_REVIEWED),
    differences: listed(
      differences.map(({ last, present }) => ({
        ...cellOf(last),
        ...{ line: last.line, value: last.value, observed_at: last.observed_at, collector: last.collector },
        present: present.map(({ value, state, origin, observed_at, collector }) => ({
          ...{ value, state, origin, observed_at, collector },
        })),
      })),
      MAX_DIFFERENCES,
    ),
    repeated: listed(
      repeated.map((values) => ({
        ...cellOf(values[0] as (typeof values)[number]),
        lines: values.map(({ line }) => line),
        values: values.map(({ value }) => value),
      })),
      MAX_REVIEWED,
    ),
    other_entries: listed(others, MAX_REVIEWED),
    review,
  };
}
