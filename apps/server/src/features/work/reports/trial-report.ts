import { createHash } from 'node:crypto';
import { KIND_COLORS } from '@heterosis/charts/field/kind-colors';
import { formatCount, formatPValue, formatShare, formatStatistic } from '@heterosis/charts/format';
import type { MapLayer } from '@heterosis/charts/report-charts';
import type { TrialCompleteness } from '@heterosis/contracts/data/trial-observations';
import type { PlotKind, Trial } from '@heterosis/contracts/data/trials';
import { DESIGN_OPTIONS } from '@heterosis/contracts/options/design';
import type { ReportQuery } from '@heterosis/contracts/work/runs';
import type { SuspectPlots } from '@heterosis/contracts/work/trial-analyses';
import type { Services } from '../../../platform/http/app.ts';
import { findFile } from '../../data/files/index.ts';
import {
  getTrial,
  listCountedValues,
  listFilesOfTrial,
  listPlots,
  type PlotRow,
  readCompleteness,
} from '../../data/trials/index.ts';
import { findTraitSettings } from '../../people/projects/index.ts';
import { type Audience, type Report, type ReportPart, readReportPlace } from '../runs/report/index.ts';
import { readSuspectPlots } from '../trial-analyses/index.ts';
import { type ReportedTrait, reportedTraits, summaryParts } from './trait-summaries.ts';

const right = 'right' as const;
/** Rows of the table of entries; the others are counted. */
const ENTRIES = 250;
/** Plots that look wrong. */
const SUSPECTS = 60;
/** Traits with a column in the table of entries. */
const MEANS = 4;

export interface ThingReading {
  projectId: string;
  id: string;
  page: ReportQuery['page'];
  audience: Audience;
}

type Reading = Pick<Services, 'db' | 'storage' | 'config'>;

/** What is reported of a trial: its design and map, what was collected and measured, and what looks wrong. */
export async function reportOfTrial(
  services: Reading,
  { projectId, id, page, audience }: ThingReading,
): Promise<Report> {
  const { db, config } = services;
  const trial = await getTrial({ services, access: { projectId } }, { id });
  const isInside = audience === 'members';
  const { created_at: _, ...place } = await readReportPlace(services, projectId, audience);
  const plots = await listPlots(db, id);
  const values = await listCountedValues(db, id);
  const traits = reportedTraits(await findTraitSettings(db, projectId, trial.traits), values);
  const suspects = (await readSuspectPlots(services, projectId, id)).data;
  const completeness = (await readCompleteness(db, id, trial.traits)).traits;
  return {
    ...{ ...place, page, kind: 'Trial', name: trial.name, description: trial.description },
    sentences: sentencesOf(trial, plots, suspects),
    inputs: designOf(trial, plots),
    parts: [
      ...mapOf(trial, plots),
      ...collected(plots, completeness),
      ...summaryParts(traits, (trait) => mapOfTrait(trial, plots, trait, suspects)),
      ...suspectsOf(plots, suspects),
      ...analysesOf(suspects, isInside ? projectId : null),
      ...entriesOf(plots, traits),
    ],
    methods: methodsOf(trial, traits),
    provenance: [
      ...(isInside && trial.created_by !== null ? [['Laid out by', trial.created_by] as const] : []),
      ['State', trial.state.toLowerCase()],
      ...(trial.design === null ? [] : [['Layout made by', `Heterosis ${trial.design.engine_version}`] as const]),
      ...(trial.design === null ? [] : [['Seed', String(trial.design.seed)] as const]),
      ['Version of the layout', String(trial.version)],
      ['SHA-256 of the layout', hashOf(plots.map(({ client_details: __, germplasm_id: ___, ...plot }) => plot))],
      ['SHA-256 of the values', hashOf(sorted(values))],
      ...(await filesOf(db, projectId, id)),
      ['Version', `Heterosis ${config.version}`],
    ],
    link: isInside ? `${config.publicUrl}/projects/${projectId}/trials/${id}` : null,
    date: trial.updated_at,
  };
}

const hashOf = (content: unknown): string => createHash('sha256').update(JSON.stringify(content)).digest('hex');

const sorted = (values: Awaited<ReturnType<typeof listCountedValues>>): unknown[] =>
  values
    .map(({ plot, trait, value }) => [plot, trait, value] as const)
    .sort(([a, s, v], [b, t, w]) => a - b || (s < t ? -1 : s > t ? 1 : v < w ? -1 : v > w ? 1 : 0));

/** The file that the trial was opened from, and the versions in which its values were frozen. */
async function filesOf(db: Services['db'], projectId: string, id: string): Promise<[string, string][]> {
  const files = await listFilesOfTrial(db, projectId, id);
  const rows = await Promise.all(files.map((file) => findFile(db, projectId, file.id)));
  return rows.flatMap((row) => (row?.sha256 == null ? [] : [[`SHA-256 of ${row.name}`, row.sha256]]));
}

const isPlanted = ({ kind }: PlotRow): boolean => kind === 'ENTRY' || kind === 'CHECK';

const counted = (count: number, noun: string): string => `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

function sentencesOf(trial: Trial, plots: readonly PlotRow[], suspects: SuspectPlots['data']): string[] {
  const checks = new Set(plots.flatMap(({ kind, entry }) => (kind === 'CHECK' ? [entry] : []))).size;
  const entries = trial.entries - checks;
  const lines = `${formatCount(entries)} ${entries === 1 ? 'entry' : 'entries'}`;
  const wrong = suspects.reduce((sum, { outliers }) => sum + outliers.length, 0);
  return [
    `${counted(trial.plots, 'plot')} with ${lines}${checks === 0 ? '' : ` and ${counted(checks, 'check')}`} ` +
      `at ${trial.location_name}, ${trial.season}.`,
    trial.expected === 0
      ? 'No traits are to be measured yet.'
      : `${formatCount(trial.collected)} of ${counted(trial.expected, 'value')} collected ` +
        `(${formatShare(trial.collected / trial.expected)}).`,
    ...(suspects.length === 0
      ? []
      : [
          wrong === 0
            ? 'Every value fits the others in the last analyses.'
            : `In the last analyses ${counted(wrong, 'value')} ${wrong === 1 ? 'does' : 'do'} not fit the others.`,
        ]),
  ];
}

function designOf({ design, ...trial }: Trial, plots: readonly PlotRow[]): Report['inputs'] {
  const name = design?.request['design'];
  const labels: Readonly<Record<string, string>> = DESIGN_OPTIONS.design.labels;
  const most = (of: 'replicate' | 'row' | 'column'): number => new Set(plots.map((plot) => plot[of] ?? 0)).size;
  const replicates = plots.some(({ replicate }) => replicate !== null) ? most('replicate') : null;
  const isMapped = plots.some(({ row }) => row !== null);
  const { latitude, longitude, plot_length_m: long, plot_width_m: wide } = trial;
  return [
    ['Place and season', `${trial.location_name}, ${trial.season}`],
    ...(typeof name === 'string' ? [['Design', labels[name] ?? name] as const] : []),
    ...(replicates === null ? [] : [['Replicates', String(replicates)] as const]),
    ...(isMapped ? [['Field', `${most('row')} rows × ${most('column')} columns`] as const] : []),
    ...(design?.efficiency == null
      ? []
      : [['Average efficiency', `${design.efficiency.toFixed(3)}${boundOf(design.upper_bound)}`] as const]),
    ...(trial.sown_on === null ? [] : [['Sown', trial.sown_on] as const]),
    ...(trial.harvested_on === null ? [] : [['Harvested', trial.harvested_on] as const]),
    ...(latitude === null || longitude === null ? [] : [['Coordinates', `${latitude}° N, ${longitude}° E`] as const]),
    ...(long === null || wide === null ? [] : [['Size of a plot', `${long} m × ${wide} m`] as const]),
  ];
}

const boundOf = (bound: number | null | undefined): string =>
  bound == null ? '' : ` (no design of this size exceeds ${bound.toFixed(3)})`;

const KIND_WORDS: Record<PlotKind, string> = { ENTRY: 'Entry', CHECK: 'Check', FILLER: 'Filler', BORDER: 'Border' };
const KIND_WORD_COLORS = Object.fromEntries(
  Object.entries(KIND_WORDS).map(([kind, word]) => [word, KIND_COLORS.light[kind as PlotKind]]),
);

const placedOf = (plots: readonly PlotRow[]): PlotRow[] =>
  plots.filter(({ row, column }) => row !== null && column !== null);

const fieldOf = ({ plot_length_m: long, plot_width_m: wide }: Trial, plots: readonly PlotRow[]) => ({
  row: plots.map(({ row }) => row ?? 0),
  column: plots.map(({ column }) => column ?? 0),
  groups: plots.map(({ replicate }) => replicate),
  ...(long === null || wide === null ? {} : { plotShape: long / wide }),
});

/** What stands where. */
function mapOf(trial: Trial, all: readonly PlotRow[]): ReportPart[] {
  const plots = placedOf(all);
  if (plots.length === 0) return [];
  const differ = (of: 'replicate' | 'block' | 'treatment'): boolean => new Set(plots.map((plot) => plot[of])).size > 1;
  const groups = (title: string, of: 'replicate' | 'block' | 'treatment'): MapLayer[] =>
    differ(of) ? [{ title, groups: plots.map((plot) => (plot[of] === null ? null : String(plot[of]))) }] : [];
  const kinds = plots.map(({ kind }) => KIND_WORDS[kind]);
  const layers: MapLayer[] = [
    ...(new Set(kinds).size > 1 ? [{ title: 'What stands there', groups: kinds, colors: KIND_WORD_COLORS }] : []),
    ...groups('Replicate', 'replicate'),
    ...groups('Block', 'block'),
    ...groups('Treatment', 'treatment'),
  ];
  return [
    {
      ...{ what: 'figure', title: 'Map of the field', width: layers.length > 2 ? 'whole' : 'twoThirds' },
      caption: 'Row 1 is at the top. Lines part replicates.',
      figure: {
        chart: 'field',
        given: {
          ...fieldOf(trial, plots),
          layers: layers.length > 0 ? layers : [{ title: 'Plots', groups: kinds, colors: KIND_WORD_COLORS }],
        },
      },
    },
  ];
}

/** What was measured on the plots, with what the last analysis of the trait finds wrong. */
function mapOfTrait(
  trial: Trial,
  all: readonly PlotRow[],
  { name, title, numbers }: ReportedTrait,
  suspects: SuspectPlots['data'],
): ReportPart | undefined {
  const plots = placedOf(all);
  if (plots.length === 0) return undefined;
  const found = suspects.find(({ trait }) => trait === name);
  const at = (wrong: readonly { plot: number }[] = []): number[] =>
    wrong.flatMap(({ plot }) => {
      const place = plots.findIndex(({ number }) => number === plot);
      return place < 0 ? [] : [place];
    });
  const [marked, crossed] = [at(found?.outliers), at(found?.set_aside)];
  const values = plots.map(({ number }) => numbers.get(number) ?? null);
  return {
    ...{ what: 'figure', title: `${title}: the field`, width: 'half' },
    caption:
      marked.length + crossed.length === 0
        ? 'Values as they were measured.'
        : 'Values as they were measured. Ring: does not fit the others; cross: set aside.',
    figure: {
      chart: 'field',
      given: { ...fieldOf(trial, plots), marked, crossed, layers: [{ title: '', values, isDiverging: false }] },
    },
  };
}

function collected(plots: readonly PlotRow[], traits: TrialCompleteness['traits']): ReportPart[] {
  if (traits.length === 0) return [];
  const planted = plots.filter(isPlanted).length;
  const day = (at: string | null): string => at?.slice(0, 10) ?? '–';
  return [
    {
      ...{ what: 'table', title: 'How far it is collected' },
      columns: [
        { title: 'Trait', stretches: true },
        ...['Values', 'Of plots', 'Not observable', 'Set aside', 'Open questions', 'Waiting'].map((title) => ({
          title,
          align: right,
        })),
        ...[{ title: 'First' }, { title: 'Last' }],
      ],
      rows: traits.map((one) => [
        ...[one.trait, formatCount(one.values), formatShare(planted === 0 ? null : one.values / planted)],
        ...[one.missing, one.set_aside, one.conflicts, one.waiting].map(formatCount),
        ...[day(one.first_at), day(one.last_at)],
      ]),
      note: 'Open questions: plots with several different values. Waiting: values that a client sent and nobody has accepted.',
    },
  ];
}

function suspectsOf(plots: readonly PlotRow[], suspects: SuspectPlots['data']): ReportPart[] {
  const entryOf = new Map(plots.map(({ number, entry }) => [number, entry ?? '']));
  const rows = suspects.flatMap(({ trait, outliers, set_aside }) => [
    ...outliers.map(({ plot, statistic, p }) => [
      ...[trait, String(plot), entryOf.get(plot) ?? '', formatStatistic(statistic), formatPValue(p), 'does not fit'],
    ]),
    ...set_aside.map(({ plot, reason }) => [
      trait,
      String(plot),
      entryOf.get(plot) ?? '',
      '',
      '',
      `set aside: ${reason}`,
    ]),
  ]);
  const said = suspects.flatMap(({ trait, suspicions }) =>
    suspicions.map(({ text }): [string, string] => [trait, text]),
  );
  return [
    ...(rows.length === 0
      ? []
      : [
          {
            ...{ what: 'table' as const, title: 'Plots that look wrong' },
            columns: [
              ...[{ title: 'Trait' }, { title: 'Plot', align: right }, { title: 'Entry' }],
              ...[
                { title: 'Residual', align: right },
                { title: 'p', align: right },
                { title: 'What', stretches: true },
              ],
            ],
            rows: rows.slice(0, SUSPECTS),
            note: `Studentized residuals; p of the trial as a whole (Holm).${
              rows.length > SUSPECTS ? ` The first ${SUSPECTS} of ${formatCount(rows.length)}.` : ''
            }`,
          },
        ]),
    ...(said.length === 0 ? [] : [{ what: 'facts' as const, title: 'What the analyses suspect', facts: said }]),
  ];
}

/** Whoever holds a link reads their names, and gets no way to them. */
function analysesOf(suspects: SuspectPlots['data'], projectId: string | null): ReportPart[] {
  if (suspects.length === 0) return [];
  return [
    {
      ...{ what: 'table', title: 'Last analyses' },
      columns: [{ title: 'Analysis', stretches: true }, { title: 'Trait' }, { title: 'Of' }],
      rows: suspects.map((one) => [one.analysis_name, one.trait, one.analysed_at.slice(0, 10)]),
      ...(projectId === null
        ? {}
        : { links: suspects.map((one) => `/projects/${projectId}/trialAnalyses/${one.analysis_id}`) }),
    },
  ];
}

/** Each entry with its plots and its means, checks first, then by name. */
function entriesOf(plots: readonly PlotRow[], traits: readonly ReportedTrait[]): ReportPart[] {
  const byEntry = Map.groupBy(plots.filter(isPlanted), ({ entry }) => entry ?? '');
  if (byEntry.size === 0) return [];
  const measured = traits.filter(({ numbers }) => numbers.size > 0).slice(0, MEANS);
  const ordered = [...byEntry]
    .map(([entry, own]) => ({ entry, own, isCheck: own.some(({ kind }) => kind === 'CHECK') }))
    .sort((a, b) => Number(b.isCheck) - Number(a.isCheck) || a.entry.localeCompare(b.entry, 'en', { numeric: true }));
  const mean = (own: readonly PlotRow[], { numbers }: ReportedTrait): number | null => {
    const known = own.flatMap(({ number }) => numbers.get(number) ?? []);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
  };
  const shown = ordered.slice(0, ENTRIES);
  return [
    {
      ...{ what: 'table', title: `Entries${measured.length === 0 ? '' : ', with means of their plots'}` },
      columns: [
        ...[{ title: 'Entry' }, { title: 'Plots', stretches: true }],
        ...measured.map(({ title }) => ({ title, align: right })),
      ],
      rows: shown.map(({ entry, own, isCheck }) => [
        ...[isCheck ? `${entry} (check)` : entry, own.map(({ number }) => number).join(', ')],
        ...measured.map((trait) => mean(own, trait)),
      ]),
      shaded: shown.flatMap(({ isCheck }, at) => (isCheck ? [at] : [])),
      ...(ordered.length > ENTRIES
        ? { note: `The first ${ENTRIES} of ${formatCount(ordered.length)} entries; the field book has all.` }
        : {}),
    },
  ];
}

function methodsOf({ design }: Trial, traits: readonly ReportedTrait[]): string {
  const laid =
    design === null
      ? 'The layout came from elsewhere.'
      : 'The layout was randomised by the product; the same design, seed and version give the same again.';
  if (traits.every(({ values }) => values.length === 0)) return laid;
  return (
    `${laid} Values that were corrected, set aside or not accepted yet are left out. Means are arithmetic means over ` +
    'plots, without a model: they are not adjusted for replicates, blocks and the trend of the field, as those of an ' +
    'analysis are.'
  );
}
