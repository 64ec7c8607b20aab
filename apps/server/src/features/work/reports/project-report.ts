import { formatCount, formatShare } from '@heterosis/charts/format';
import { FILE_TYPES } from '@heterosis/contracts/data/file-types';
import { RUN_KINDS } from '@heterosis/contracts/work/run-kinds';
import type { Services } from '../../../platform/http/app.ts';
import { type FileRow, listFiles } from '../../data/files/index.ts';
import { listLists } from '../../data/lists/index.ts';
import { listTrials } from '../../data/trials/index.ts';
import { listProjectMembers, listProjectTraits } from '../../people/projects/index.ts';
import { listDecisions } from '../decisions/index.ts';
import { listNamedRuns, type RunKindDefinition } from '../runs/kind/index.ts';
import { type Report, type ReportPart, readReportPlace } from '../runs/report/index.ts';
import { countContents, readProjectFacts } from './project-report.queries.ts';
import type { ThingReading } from './trial-report.ts';

const right = 'right' as const;
/** Rows of a table, and runs of a kind; the others are counted. */
const [ROWS, RUNS, PEOPLE] = [40, 5, 100];
/** Sentences of a run with several traits. */
const SENTENCES = 3;

interface ProjectReading extends Omit<ThingReading, 'id'> {
  definitions: readonly RunKindDefinition[];
  /** Guests of the demo read no names of people. */
  namesPeople: boolean;
}

/** What is reported of a project: what is in it, and the newest results of each kind in a sentence. */
export async function reportOfProject(
  services: Pick<Services, 'db' | 'config'>,
  { projectId, page, definitions, namesPeople }: ProjectReading,
): Promise<Report> {
  const { db, config } = services;
  const facts = await readProjectFacts(db, projectId);
  const paths = definitions.map(({ kind }) => RUN_KINDS[kind].path);
  const counts = await countContents(db, projectId, paths);
  const runs = Object.values(counts.runs).reduce((sum, count) => sum + count, 0);
  const { created_at: _, project: __, ...place } = await readReportPlace(services, projectId, 'members');
  const address = `/projects/${projectId}`;
  const parts: ReportPart[][] = [
    await runsOf(db, projectId, definitions, counts.runs),
    await decisionsOf(db, projectId, counts.decisions),
    await trialsOf(db, projectId, counts.trials),
    await filesOf(db, projectId, counts.files),
    await traitsOf(db, projectId),
    await listsOf(db, projectId, counts.lists),
    namesPeople ? await peopleOf(db, projectId) : [],
  ];
  return {
    ...{ ...place, project: null, page, kind: 'Project', name: facts.name, description: facts.description },
    sentences: [
      `It has ${listed([
        counted(counts.files, 'file'),
        counted(counts.trials, 'trial'),
        counted(runs, 'run'),
        counted(counts.decisions, 'decision'),
        counted(counts.lists, 'list'),
      ])}.`,
    ],
    inputs: [...(facts.crop === null ? [] : [['Crop', facts.crop] as const]), ['Begun', facts.created_at.slice(0, 10)]],
    parts: parts.flat(),
    methods: '',
    provenance: [
      ['Last changed', `${facts.last_active_at.slice(0, 16).replace('T', ' ')} UTC`],
      ['Version', `Heterosis ${config.version}`],
    ],
    link: `${config.publicUrl}${address}`,
    date: facts.last_active_at,
  };
}

const counted = (count: number, noun: string): string => `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
const listed = (words: readonly string[]): string => `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
const day = (at: string | null): string => at?.slice(0, 10) ?? '–';

/** `Files`, or `Files: the first 40 of 52`. */
const titled = (what: string, which: string, shown: number, all: number): string =>
  shown < all ? `${what}: ${which} ${formatCount(shown)} of ${formatCount(all)}` : what;

const capital = (noun: string): string => noun.charAt(0).toUpperCase() + noun.slice(1);

/** By kind the newest runs, what each found, and a way to it. */
async function runsOf(
  db: Services['db'],
  projectId: string,
  definitions: readonly RunKindDefinition[],
  counts: Readonly<Record<string, number>>,
): Promise<ReportPart[]> {
  const parts: ReportPart[] = [];
  for (const definition of definitions) {
    const { noun, path, page } = RUN_KINDS[definition.kind];
    const newest = { filter: {}, conditions: [], limit: RUNS, after: undefined };
    const rows = (await listNamedRuns(definition, db, projectId, newest)).slice(0, RUNS);
    if (rows.length === 0) continue;
    const all = counts[path] ?? rows.length;
    const several = noun === 'GWAS' ? noun : noun.endsWith('s') ? noun.replace(/is$/, 'es') : `${noun}s`;
    parts.push({
      what: 'facts',
      title: titled(capital(several), 'the newest', rows.length, all),
      facts: rows.map((row) => [row.name, saidOf(definition.outcome(row))]),
      links: rows.map(({ id }) => `/projects/${projectId}/${page}/${id}`),
    });
  }
  return parts;
}

function saidOf(outcome: ReturnType<RunKindDefinition['outcome']>): string {
  if (outcome === undefined) return 'It has not ended yet.';
  const said = [...outcome.results, ...outcome.failures];
  const more = said.length - SENTENCES;
  return [...said.slice(0, SENTENCES), ...(more > 0 ? [`And ${formatCount(more)} more.`] : [])].join('\n');
}

async function decisionsOf(db: Services['db'], projectId: string, all: number): Promise<ReportPart[]> {
  const rows = (await listDecisions(db, projectId, { limit: ROWS })).slice(0, ROWS);
  if (rows.length === 0) return [];
  return [
    {
      ...{ what: 'table', title: titled('Decisions', 'the newest', rows.length, all) },
      columns: [
        ...[{ title: 'Decision', stretches: true }, { title: 'State' }],
        ...['Lines', 'Advance', 'Hold', 'Drop'].map((title) => ({ title, align: right })),
        { title: 'Closed' },
      ],
      rows: rows.map(({ name, state, line_count: lines, counts: { ADVANCE, HOLD, DROP }, closed_at }) => [
        ...[name, state.toLowerCase(), ...[lines, ADVANCE, HOLD, DROP].map(formatCount), day(closed_at)],
      ]),
      links: rows.map(({ id }) => `/projects/${projectId}/decisions/${id}`),
    },
  ];
}

async function trialsOf(db: Services['db'], projectId: string, all: number): Promise<ReportPart[]> {
  const rows = (await listTrials(db, projectId, { limit: ROWS })).slice(0, ROWS);
  if (rows.length === 0) return [];
  return [
    {
      ...{ what: 'table', title: titled('Trials', 'the newest', rows.length, all) },
      columns: [
        ...[{ title: 'Trial', stretches: true }, { title: 'Place' }, { title: 'Season' }, { title: 'State' }],
        ...['Entries', 'Plots', 'Collected'].map((title) => ({ title, align: right })),
      ],
      rows: rows.map((trial) => [
        ...[trial.name, trial.location_name, trial.season, trial.state.toLowerCase()],
        ...[formatCount(trial.entries), formatCount(trial.plots)],
        formatShare(trial.expected === 0 ? null : trial.collected / trial.expected),
      ]),
      links: rows.map(({ id }) => `/projects/${projectId}/trials/${id}`),
    },
  ];
}

async function filesOf(db: Services['db'], projectId: string, all: number): Promise<ReportPart[]> {
  const rows = (await listFiles(db, projectId, { limit: ROWS })).slice(0, ROWS);
  if (rows.length === 0) return [];
  return [
    {
      ...{ what: 'table', title: titled('Files', 'the first', rows.length, all) },
      columns: [
        ...[{ title: 'File', stretches: true }, { title: 'What' }, { title: 'Content' }, { title: 'Added' }],
        { title: 'SHA-256' },
      ],
      rows: rows.map((file) => [
        ...[file.name, file.file_type === null ? '–' : FILE_TYPES[file.file_type].noun, contentOf(file)],
        ...[day(file.created_at), file.sha256?.slice(0, 16) ?? '–'],
      ]),
      links: rows.map(({ id }) => `/projects/${projectId}/files/${id}`),
    },
  ];
}

/** `281 individuals, 3,093 markers`. */
function contentOf({ file_type: type, status, row_count: rows, column_count: columns }: FileRow): string {
  if (status === 'INVALID') return 'not usable';
  if (type === null) return '–';
  const words = (count: number | null, [one, several]: readonly [string, string]): string[] =>
    count === null ? [] : [`${formatCount(count)} ${count === 1 ? one : several}`];
  return [...words(rows, FILE_TYPES[type].rows), ...words(columns, FILE_TYPES[type].columns)].join(', ') || '–';
}

async function traitsOf(db: Services['db'], projectId: string): Promise<ReportPart[]> {
  const all = await listProjectTraits(db, projectId);
  const traits = all.slice(0, ROWS);
  if (traits.length === 0) return [];
  return [
    {
      ...{ what: 'table', title: titled('Traits', 'the first', traits.length, all.length) },
      columns: [
        ...[{ title: 'Trait', stretches: true }, { title: 'Unit' }, { title: 'Wanted' }],
        { title: 'Weight in the index', align: right },
      ],
      rows: traits.map(({ name, unit, direction, weight }) => [name, unit ?? '–', direction, String(weight)]),
    },
  ];
}

async function listsOf(db: Services['db'], projectId: string, all: number): Promise<ReportPart[]> {
  const rows = (await listLists(db, projectId, { limit: ROWS })).slice(0, ROWS);
  if (rows.length === 0) return [];
  return [
    {
      ...{ what: 'table', title: titled('Lists', 'the newest', rows.length, all) },
      columns: [
        { title: 'List', stretches: true },
        { title: 'Of' },
        { title: 'Names', align: right },
        { title: 'Made' },
      ],
      rows: rows.map(({ name, kind, size, created_at }) => [
        ...[name, kind === 'germplasm' ? 'lines' : 'markers', formatCount(size), day(created_at)],
      ]),
    },
  ];
}

async function peopleOf(db: Services['db'], projectId: string): Promise<ReportPart[]> {
  const rows = (await listProjectMembers(db, projectId, { limit: PEOPLE, after: undefined })).slice(0, PEOPLE);
  if (rows.length === 0) return [];
  return [
    {
      ...{ what: 'table', title: 'People' },
      columns: [{ title: 'Name', stretches: true }, { title: 'Role' }, { title: 'Since' }],
      rows: rows.map(({ name, email, role, created_at }) => [name ?? email, role.toLowerCase(), day(created_at)]),
    },
  ];
}
