import * as z from 'zod';
import { description, givenDay, id, name, pageQuery, timestamp, trait, withoutControls } from '../common.ts';

/** Most plots of a trial. */
export const MAX_PLOTS = 20_000;
/** Most places that one request makes trials at. */
export const MAX_PLACES = 100;
/** Most traits of a trial. */
export const MAX_TRIAL_TRAITS = 200;
/** Bytes of a file of entries. */
export const MAX_ENTRIES_FILE = 5_000_000;
/** Most cells of the map in a list; larger fields are drawn coarser. */
export const MAX_THUMBNAIL_CELLS = 1_600;

const oneLine = (longest: number) =>
  z.string().trim().min(1).max(longest).refine(withoutControls, 'Control characters are not allowed');

export const trialState = z
  .enum(['DRAFT', 'SOWN', 'CLOSED'])
  .describe('DRAFT: the layout may still change. SOWN: values come in. CLOSED: nothing changes any more.');
export type TrialState = z.infer<typeof trialState>;

export const clientValues = z
  .enum(['ALL', 'NEW', 'NONE'])
  .describe(
    'Which values of BrAPI clients count at once. ALL. NEW: first values of a plot and trait; what differs from them waits. NONE: all wait until somebody accepts them.',
  );

export const plotKind = z.enum(['ENTRY', 'CHECK', 'FILLER', 'BORDER']);
export type PlotKind = z.infer<typeof plotKind>;

const season = oneLine(50).describe('Such as "2026" or "2026 spring".');
const locationName = oneLine(255).describe('The place, as people call it.');
const latitude = z.number().min(-90).max(90).describe('Degrees north.');
const longitude = z.number().min(-180).max(180).describe('Degrees east.');
const metres = z.number().positive().max(10_000).describe('Metres.');
const plotName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine(withoutControls, 'Control characters are not allowed')
  .describe(
    'Template of plot names, with {place}, {plot}, {row}, {column}, {replicate}, {block} and {entry}; {plot:4} pads with zeros.',
  );
const traits = z
  .array(trait)
  .max(MAX_TRIAL_TRAITS, `A trial has at most ${MAX_TRIAL_TRAITS} traits`)
  .describe('What is to be measured: names of the list of traits of the project, in their order.');

/** How the layout was made, so that the same can be made again. */
export const trialDesign = z
  .object({
    request: z
      .record(z.string().max(100), z.unknown())
      .refine((request) => JSON.stringify(request).length <= 1_000_000, 'The request is too long')
      .refine((request) => Object.keys(request).length <= 100, 'The request has more than 100 fields')
      .meta({ maxProperties: 100 })
      .describe('What the design was asked for: the fields of a design request.'),
    seed: z.number().int().min(0),
    engine_version: oneLine(50).describe('Version of the software that made the layout.'),
    efficiency: z.number().nullable().optional().describe('Average efficiency factor at this place.'),
    upper_bound: z.number().nullable().optional().describe('What no design of this size exceeds, where it is known.'),
  })
  .meta({ id: 'TrialDesign' });
export type TrialDesign = z.infer<typeof trialDesign>;

const cell = z.number().int().min(1).max(10_000);
const column = <Item extends z.ZodType>(item: Item, what: string) =>
  z.array(item).max(MAX_PLOTS, `A trial has at most ${MAX_PLOTS} plots`).describe(what);

/** Plots as columns of one length: an item each in the order of walking. */
const layoutColumns = {
  number: column(z.number().int().min(1).max(10_000_000), 'Number of the plot, by which it is called; each once.'),
  row: column(cell.nullable(), 'Row of the map, from 1 at the top; null where it is not known.'),
  column: column(cell.nullable(), 'Column of the map, from 1.'),
  replicate: column(cell.nullable(), 'Null where the design has none.'),
  block: column(z.number().int().min(1).max(MAX_PLOTS).nullable(), 'From 1 within the trial; null without blocks.'),
  entry: column(
    z.number().int().min(0).max(MAX_PLOTS).nullable(),
    'Place of the line in `entries`, from 0; null for fillers and borders.',
  ),
  kind: column(plotKind, 'What stands on the plot.'),
};
const treatment = column(oneLine(255).nullable(), 'Treatment of the whole plot, of split plots only.');

export const trialLayout = z.object({ ...layoutColumns, treatment: treatment.optional() });
export type TrialLayout = z.infer<typeof trialLayout>;

const entries = z
  .array(oneLine(255))
  .max(MAX_PLOTS)
  .describe('Names of lines. The germplasm list of the project has them, as names or synonyms.');

/** `POST …/trials/match_entries`: which names a trial cannot have yet. */
export const matchEntriesBody = z.object({ entries });
export const matchedEntries = z
  .object({
    unknown: z.array(z.string()).describe('Names that the germplasm list lacks.'),
    ambiguous: z
      .array(z.object({ name: z.string(), candidates: z.array(z.string()) }))
      .describe('Names that may be those of several lines.'),
  })
  .meta({ id: 'MatchedEntries' });

/** `POST …/trials/read_entries`: the entries that a table lists. */
export const entriesReading = z
  .object({
    entries: z.array(
      z.object({
        name: z.string(),
        replicates: z.number().int().nullable().describe('Null where the table does not say.'),
        family: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'EntriesReading' });
export type EntriesReading = z.infer<typeof entriesReading>;

/** `GET …/trials/{id}/plots`: the plots of a trial as columns of one length, in the order of their numbers. */
export const trialPlots = z
  .object({
    version: z.number().int().describe('Of the trial, when this was read.'),
    entries: z.array(z.object({ germplasm_id: id.nullable(), name: z.string() })),
    ...layoutColumns,
    treatment,
    name: z.array(z.string()).describe('By the template of the trial.'),
  })
  .meta({ id: 'PlotsOfTrial' });
export type TrialPlots = z.infer<typeof trialPlots>;

const thumbnail = z
  .object({
    rows: z.number().int(),
    columns: z.number().int(),
    kinds: z
      .string()
      .describe(
        'Row by row a letter a cell: e entry, c check, f filler, b border, a point without a plot. Larger fields are drawn coarser.',
      ),
  })
  .nullable()
  .describe('The map, small; null where rows and columns are not known.');

export const trial = z
  .object({
    id,
    project_id: id,
    name: z.string(),
    description: z.string().nullable(),
    season: z.string(),
    location_name: z.string(),
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    design: trialDesign.nullable().describe('Null for a trial whose layout came from elsewhere.'),
    plot_name: z.string().describe('Template of plot names.'),
    sown_on: z.iso.date().nullable(),
    harvested_on: z.iso.date().nullable(),
    plot_length_m: z.number().nullable(),
    plot_width_m: z.number().nullable(),
    state: trialState,
    client_values: clientValues,
    traits: z.array(z.string()),
    plots: z.number().int(),
    entries: z.number().int().describe('Lines, checks among them.'),
    expected: z.number().int().describe('Values to be collected: plots of entries and checks times traits.'),
    collected: z.number().int().describe('Of these, how many there are.'),
    thumbnail,
    file_id: id.nullable().describe('The phenotype file of which frozen values are versions; null before the first.'),
    created_by: z.string().nullable(),
    created_by_id: id.nullable().describe('Id of the user; null once the account is deleted.'),
    created_at: timestamp,
    updated_at: timestamp,
    version: z.number().int().describe('Rises with every change of the trial or its layout.'),
  })
  .meta({ id: 'Trial' });
export type Trial = z.infer<typeof trial>;

export const listTrialsQuery = pageQuery.extend({
  season: z.string().max(50).optional().describe('Only those of this season.'),
  state: trialState.optional(),
  name: z.string().max(255).optional().describe('Only those whose name or place contains this.'),
});

const about = {
  description: description.nullable().optional(),
  sown_on: givenDay.nullable().optional(),
  harvested_on: givenDay.nullable().optional(),
  plot_length_m: metres.nullable().optional(),
  plot_width_m: metres.nullable().optional(),
  traits: traits.optional(),
};

const place = z.object({
  name: name
    .optional()
    .describe('Of the trial. Default: the name of the request, with the place where there are several.'),
  location_name: locationName,
  latitude: latitude.nullable().optional(),
  longitude: longitude.nullable().optional(),
  efficiency: z.number().nullable().optional().describe('Average efficiency factor of the design at this place.'),
  upper_bound: z.number().nullable().optional(),
  layout: trialLayout,
});

/** One trial a place, all or none. */
export const createTrialsBody = z.object({
  name,
  season,
  ...about,
  plot_name: plotName.default('{plot}'),
  design: trialDesign.omit({ efficiency: true, upper_bound: true }).nullable().default(null),
  entries,
  places: z.array(place).min(1, 'A trial needs a place').max(MAX_PLACES),
});

export const trials = z.object({ data: z.array(trial) }).meta({ id: 'Trials' });

/** `GET …/trials/miappe`. */
export const exportMiappeQuery = z.object({
  format: z
    .enum(['workbook', 'isa-tab'])
    .default('workbook')
    .describe('workbook: a sheet a section. isa-tab: the text files of ISA-Tab 1.0.'),
});
export type MiappeFormat = z.infer<typeof exportMiappeQuery>['format'];

/** What the file does not say of itself. */
export const openFileBody = z.object({
  file_id: id.describe('A phenotype file with a row for each plot.'),
  season: season.optional().describe('Where the file has no column of years. Default: the year of the upload.'),
  location_name: locationName.optional().describe('Where the file has no column of places.'),
});

/** Absent fields stay unchanged. */
export const updateTrialBody = z.object({
  ...about,
  name: name.optional(),
  season: season.optional(),
  location_name: locationName.optional(),
  latitude: latitude.nullable().optional(),
  longitude: longitude.nullable().optional(),
  state: trialState.optional(),
  client_values: clientValues.optional(),
  version: z
    .number()
    .int()
    .optional()
    .describe('The version that the change was made upon: refused when the trial has another by now.'),
});

export const replaceLayoutBody = z.object({
  entries,
  layout: trialLayout,
  plot_name: plotName.optional(),
  design: trialDesign.nullable().optional().describe('Absent: the design stays.'),
  version: z.number().int().optional().describe('As when a trial is changed.'),
});

/** What stands on two plots changes places; their numbers, names and values stay. */
export const swapPlotsBody = z
  .object({
    plots: z.tuple([z.number().int(), z.number().int()]).optional().describe('Numbers of two plots.'),
    undoes: id.optional().describe('The event of a swap that is taken back, in place of `plots`.'),
    note: z.string().trim().max(1_000).optional().describe('Why.'),
  })
  .refine(({ plots, undoes }) => (plots === undefined) !== (undoes === undefined), 'Give either plots or undoes')
  .refine(({ plots }) => plots === undefined || plots[0] !== plots[1], 'Name two plots');

export const trialEventType = z.enum([
  'CREATED',
  'LAYOUT_REPLACED',
  'SWAPPED',
  'SWAP_UNDONE',
  'SOWN',
  'DRAFTED',
  'CLOSED',
  'REOPENED',
  'SET_ASIDE',
  'KEPT',
  'FROZEN',
  'ACCEPTED',
  'DECLINED',
]);
export type TrialEventType = z.infer<typeof trialEventType>;

/** What happened to a trial besides its values. */
export const trialEvent = z
  .object({
    id,
    type: trialEventType,
    plots: z.array(z.number().int()).describe('Numbers of the plots that it concerns.'),
    note: z.string().nullable(),
    undone: z.boolean().describe('A swap that was taken back.'),
    created_by: z.string().nullable(),
    created_by_id: id.nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'TrialEvent' });
export type TrialEvent = z.infer<typeof trialEvent>;

export const observationOrigin = z
  .enum(['FILE', 'BRAPI', 'TYPED'])
  .describe('Read from a file, sent by another program, or typed in a page.');

export const observationState = z
  .enum(['KEPT', 'SET_ASIDE', 'STAGED', 'DECLINED'])
  .describe('STAGED: sent by a client, and nobody has accepted it yet; like DECLINED, it changes nothing.');
