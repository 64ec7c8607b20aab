import { headerKey } from '../tables/text/cell-values.ts';
import { headersOf } from '../tables/text/header-spellings.ts';

/** Programs whose files are recognised by the headers that they write. */
export type Program = 'Breedbase' | 'BMS' | 'Germinate';

/** What a table of another program becomes here. */
export type MadeOf =
  /** A phenotype file with the columns of its plots. */
  | 'phenotypes'
  /** Values of plots whose lines another file names. */
  | 'plot values'
  | 'germplasm'
  | 'pedigree'
  | 'crosses'
  /** Calls with chromosome and position above or beside each marker. */
  | 'calls'
  /** Nothing: the product has no place for it. */
  | 'nothing';

/** Why a column stays behind. */
export const REASONS = {
  key: 'the number of a row in the other database, which means nothing here',
  about: 'a description of the trial or the programme; write what you need into the description of the trial',
  plotName: 'plots are called by their numbers here',
  seed: 'stocks of seed are not kept here',
  place: 'where a single plot lies is kept as row and column; coordinates are not',
  note: 'notes of plots are not values',
  treatment: 'treatments of Breedbase are columns of their own; a column "treatment" would make environments of them',
  entry: 'entries go by the names of their lines',
  intercrop: 'a plot has one line here',
  line: 'it tells of the line: upload it as germplasm',
} as const;
export type Reason = keyof typeof REASONS;

/** A table that another program writes. Headers are compared as all headers are, see {@link headerKey}. */
export interface Layout {
  program: Program;
  /** For the report: "taken for …". */
  name: string;
  becomes: MadeOf;
  /** Headers all of which are there, one of each list. */
  needs: readonly string[];
  /** Headers none of which are there. */
  lacks?: string;
  /** Only as a sheet of one of Germinate's templates: elsewhere these headers are those of passport data. */
  isTemplate?: true;
  /** Our header by theirs; several of theirs for one of ours in the order of preference. */
  columns: readonly (readonly [theirs: string, ours: string])[];
  /** The same for the list of lines that the table also tells. */
  lines?: readonly (readonly [theirs: string, ours: string])[];
  left?: Partial<Record<Reason, string>>;
  /** What all other columns are. */
  others: 'traits' | 'attributes' | 'nothing';
  /** What is left behind by its nature, and what to do, for `nothing`. */
  why?: string;
  /** What to do with the whole. */
  advice?: string;
}

const BREEDBASE_SEED =
  'seedlot_name num_seed_per_plot weight_gram_seed_per_plot seed_transaction_operator plantedSeedlotStockDbId plantedSeedlotStockUniquename plantedSeedlotCurrentCount plantedSeedlotCurrentWeightGram plantedSeedlotBoxName plantedSeedlotTransactionCount plantedSeedlotTransactionWeight plantedSeedlotTransactionDescription availableGermplasmSeedlotUniquenames';

/**
 * The headers are facts of the programs, read in their sources and templates: Breedbase (solgenomics/sgn:
 * PhenotypeMatrix, TrialLayoutDownload, the uploads in t/data), BMS (IntegratedBreedingPlatform: the study book and the
 * list export of BMSAPI) and Germinate (germinateplatform/germinate-data-templates). The first that fits counts.
 */
const LAYOUTS: readonly Layout[] = [
  {
    program: 'Breedbase',
    name: 'the download of phenotypes of trials',
    becomes: 'phenotypes',
    needs: ['studyName', 'germplasmName', 'observationUnitName', 'observationLevel'],
    columns: [
      ['studyName', 'environment'],
      ['locationName', 'location'],
      ['studyYear', 'year'],
      ['germplasmName', 'individual'],
      ['entryType', 'kind'],
      ['replicate', 'rep'],
      ['blockNumber', 'block'],
      ['plotNumber', 'plot'],
      ['plantNumber', 'plant'],
      ['rowNumber', 'row'],
      ['colNumber', 'col'],
      ['plantingDate', 'sowing_date'],
    ],
    lines: [
      ['germplasmName', 'name'],
      ['germplasmSynonyms', 'synonyms'],
      ['germplasmPedigreeFemaleParentName', 'female'],
      ['germplasmPedigreeMaleParentName', 'male'],
    ],
    left: {
      key: 'programDbId studyDbId locationDbId germplasmDbId observationUnitDbId germplasmPedigreeFemaleParentDbId germplasmPedigreeMaleParentDbId intercropGermplasmDbId',
      about:
        'programName programDescription studyDescription studyDesign plotWidth plotLength fieldSize fieldTrialIsPlannedToBeGenotyped fieldTrialIsPlannedToCross harvestDate observationLevel',
      plotName: 'observationUnitName',
      seed: BREEDBASE_SEED,
      note: 'notes',
      entry: 'germplasmEntryNumber',
      intercrop: 'intercropGermplasmName',
    },
    others: 'traits',
  },
  {
    program: 'Breedbase',
    name: 'a layout of trials or a spreadsheet for phenotypes',
    becomes: 'phenotypes',
    needs: ['accession_name', 'plot_number'],
    columns: [
      ['trial_name', 'environment'],
      ['location', 'location'],
      ['location_name', 'location'],
      ['year', 'year'],
      ['accession_name', 'individual'],
      ['is_a_control', 'kind'],
      ['rep_number', 'rep'],
      ['block_number', 'block'],
      ['plot_number', 'plot'],
      ['plant_number', 'plant'],
      ['row_number', 'row'],
      ['col_number', 'col'],
      ['planting_date', 'sowing_date'],
    ],
    lines: [
      ['accession_name', 'name'],
      ['synonyms', 'synonyms'],
      ['pedigree', 'pedigree'],
    ],
    left: {
      key: 'plot_id accession_id plant_id subplot_id tissue_sample_id',
      about:
        'breeding_program design_type description trial_type trial_stock_type plot_width plot_length field_size harvest_date transplanting_date tier plot_order',
      plotName: 'plot_name plant_name subplot_name tissue_sample_name subplot_number tissue_sample_number',
      seed: BREEDBASE_SEED,
      place: 'range_number plot_geo_json',
      note: 'notes',
      entry: 'entry_number',
      intercrop: 'intercrop_accession_name variety',
    },
    others: 'traits',
  },
  {
    program: 'Breedbase',
    name: 'corners of plots (GPS)',
    becomes: 'nothing',
    needs: ['plot_name', 'WGS84_bottom_left_x'],
    columns: [],
    others: 'nothing',
    why: REASONS.place,
  },
  {
    program: 'Breedbase',
    name: 'places of plots',
    becomes: 'nothing',
    needs: ['plot_name', 'row_number', 'col_number'],
    lacks: 'accession_name',
    columns: [],
    others: 'nothing',
    why: 'places come in with the layout: download the layout of the trial again',
  },
  {
    program: 'Breedbase',
    name: 'spectra or other measurements of a device',
    becomes: 'nothing',
    needs: ['observationunit_name', 'device_id|device_type'],
    columns: [],
    others: 'nothing',
    why: 'spectra have no place here',
  },
  {
    program: 'Breedbase',
    name: 'places of trials',
    becomes: 'nothing',
    needs: ['Abbreviation', 'Country Code', 'Latitude', 'Longitude'],
    columns: [],
    others: 'nothing',
    why: 'a trial has its own place: give latitude and longitude there',
  },
  {
    program: 'Breedbase',
    name: 'plates of samples',
    becomes: 'nothing',
    needs: ['sample_id', 'well_A01'],
    columns: [],
    others: 'nothing',
    why: 'samples on plates are not kept here; calls go by the names of lines',
  },
  {
    program: 'Breedbase',
    name: 'stocks of seed',
    becomes: 'nothing',
    needs: ['seedlot_name|from_seedlot_name'],
    lacks: 'accession_name plot_number',
    columns: [],
    others: 'nothing',
    why: REASONS.seed,
  },
  {
    program: 'Breedbase',
    name: 'stocks of seed',
    becomes: 'nothing',
    needs: ['seedlot_name', 'accession_name'],
    lacks: 'plot_number',
    columns: [],
    others: 'nothing',
    why: REASONS.seed,
  },
  {
    program: 'Breedbase',
    name: 'data of the soil',
    becomes: 'nothing',
    needs: ['soil_data_type', 'soil_data_value'],
    columns: [],
    others: 'nothing',
    why: 'data of the soil have no place here; write what matters into the description of the trial',
  },
  {
    program: 'Breedbase',
    name: 'numbers of entries',
    becomes: 'nothing',
    needs: ['accession_name', 'trial_names', 'entry_number'],
    columns: [],
    others: 'nothing',
    why: REASONS.entry,
  },
  {
    program: 'Breedbase',
    name: 'changes of the descriptions of trials',
    becomes: 'nothing',
    needs: ['trial_name', 'new_trial_name'],
    columns: [],
    others: 'nothing',
    why: 'it changes trials in Breedbase; make the changes there, and download the trials again',
  },
  {
    program: 'Breedbase',
    name: 'values of plots',
    becomes: 'plot values',
    needs: ['plot_name|observationunit_name'],
    columns: [],
    left: { note: 'notes' },
    others: 'traits',
  },
  {
    program: 'Breedbase',
    name: 'accessions',
    becomes: 'germplasm',
    needs: ['accession_name', 'species_name'],
    columns: [
      ['accession_name', 'name'],
      ['population_name', 'collection'],
      ['synonym(s)', 'synonyms'],
      ['synonyms', 'synonyms'],
      ['synonym', 'synonyms'],
    ],
    others: 'attributes',
  },
  {
    program: 'Breedbase',
    name: 'pedigrees',
    becomes: 'germplasm',
    needs: ['progeny_name', 'female_parent_accession|female_parent_accession(s)'],
    columns: [
      ['progeny_name', 'name'],
      ['female_parent_accession', 'female'],
      ['female_parent_accession(s)', 'female'],
      ['male_parent_accession', 'male'],
      ['male_parent_accession(s)', 'male'],
      ['type', 'cross_type'],
    ],
    others: 'attributes',
  },
  {
    program: 'Breedbase',
    name: 'crosses',
    becomes: 'crosses',
    needs: ['cross_unique_id', 'female_parent', 'male_parent'],
    columns: [
      ['cross_unique_id', 'name'],
      ['female_parent', 'female'],
      ['male_parent', 'male'],
      ['cross_type', 'type'],
    ],
    left: { about: 'cross_combination', plotName: 'female_plot male_plot female_plant male_plant' },
    others: 'nothing',
    advice: 'A crossing table plans crosses. Parents of lines that exist come from the pedigrees of the accessions.',
  },
  {
    program: 'BMS',
    name: 'the observations of a study book',
    becomes: 'phenotypes',
    needs: ['TRIAL_INSTANCE', 'DESIGNATION', 'PLOT_NO|OBS_UNIT_ID'],
    columns: [
      ['TRIAL_INSTANCE', 'environment'],
      ['LOCATION_NAME', 'location'],
      ['LOCATION', 'location'],
      ['LOCATION_ABBR', 'location'],
      ['DESIGNATION', 'individual'],
      ['ENTRY_TYPE', 'kind'],
      ['REP_NO', 'rep'],
      ['BLOCK_NO', 'block'],
      ['PLOT_NO', 'plot'],
      ['PLANT_NO', 'plant'],
      ['ROW', 'row'],
      ['FIELDMAP RANGE', 'row'],
      ['COL', 'col'],
      ['FIELDMAP COLUMN', 'col'],
    ],
    lines: [
      ['DESIGNATION', 'name'],
      ['GID', 'GID'],
      ['CROSS', 'CROSS'],
    ],
    left: {
      key: 'OBS_UNIT_ID LOCATION_ID PARENT_OBS_UNIT_ID SUM_OF_SAMPLES',
      seed: 'STOCK_ID STOCKID SEED_SOURCE',
      entry: 'ENTRY_NO ENTRY_CODE GROUPGID',
    },
    others: 'traits',
  },
  {
    program: 'BMS',
    name: 'a template for importing germplasm',
    becomes: 'germplasm',
    needs: ['PREFERRED NAME', 'BREEDING METHOD', 'LNAME|DRVNM'],
    // The name stands in the column that PREFERRED NAME names.
    columns: [],
    others: 'attributes',
    advice:
      'PROGENITOR 1 and 2 are numbers of BMS (GID), and stay attributes: a pedigree by names comes from the list export with the column CROSS, or from BrAPI.',
  },
  {
    program: 'BMS',
    name: 'a germplasm list',
    becomes: 'germplasm',
    needs: ['GID', 'DESIGNATION'],
    lacks: 'TRIAL_INSTANCE PLOT_NO OBS_UNIT_ID',
    columns: [['DESIGNATION', 'name']],
    left: { entry: 'ENTRY_NO ENTRY_ID' },
    others: 'attributes',
    advice:
      'CROSS is kept as an attribute. Upload the list as a pedigree, with CROSS as the pedigree string, to compute relationships.',
  },
  {
    program: 'Germinate',
    name: 'trials (sheet DATA)',
    becomes: 'phenotypes',
    needs: ['Line/Phenotype'],
    columns: [
      ['Line/Phenotype', 'individual'],
      ['Location', 'location'],
      ['Treatment', 'treatment'],
      ['Rep', 'rep'],
      ['Block', 'block'],
      ['Row', 'row'],
      ['Column', 'col'],
    ],
    left: { place: 'Latitude Longitude Elevation' },
    others: 'traits',
  },
  {
    program: 'Germinate',
    name: 'calls, lines in rows or markers in rows',
    becomes: 'calls',
    needs: ['Lines/Markers'],
    columns: [],
    others: 'nothing',
  },
  {
    program: 'Germinate',
    name: 'pedigrees',
    becomes: 'germplasm',
    needs: ['ACCENUMB', 'Parent 1 ACCENUMB', 'Parent 2 ACCENUMB'],
    columns: [
      ['ACCENUMB', 'name'],
      ['Parent 1 ACCENUMB', 'female'],
      ['Parent 2 ACCENUMB', 'male'],
    ],
    others: 'attributes',
  },
  {
    program: 'Germinate',
    name: 'pedigree strings',
    becomes: 'pedigree',
    needs: ['ACCENUMB', 'Pedigree string'],
    columns: [
      ['ACCENUMB', 'name'],
      ['Pedigree string', 'pedigree'],
    ],
    others: 'nothing',
  },
  {
    program: 'Germinate',
    name: 'passport data (MCPD)',
    becomes: 'germplasm',
    isTemplate: true,
    needs: ['ACCENUMB', 'ACCENAME', 'INSTCODE'],
    // All other sheets of Germinate go by the number of the accession.
    columns: [
      ['ACCENUMB', 'name'],
      ['ACCENAME', 'synonyms'],
    ],
    others: 'attributes',
  },
  {
    program: 'Germinate',
    name: 'further attributes of accessions',
    becomes: 'germplasm',
    needs: ['ACCENUMB/ATTRIBUTES'],
    columns: [['ACCENUMB/ATTRIBUTES', 'name']],
    others: 'attributes',
  },
  {
    program: 'Germinate',
    name: 'images',
    becomes: 'nothing',
    needs: ['Image filename'],
    columns: [],
    others: 'nothing',
    why: 'photos belong to plots here: upload them on the page of a plot',
  },
  {
    program: 'Germinate',
    name: 'groups',
    becomes: 'nothing',
    needs: ['Group description ->|Group visibility ->|Group name ->'],
    columns: [],
    others: 'nothing',
    why: 'make lists of the marked lines under Lists',
  },
  {
    program: 'Germinate',
    name: 'weather at locations',
    becomes: 'nothing',
    needs: ['Location/Climate', 'Date'],
    columns: [],
    others: 'nothing',
    why: 'weather by date has no place here; a table of one row an environment can be covariates of a trial series',
  },
];

/** Sheets of Germinate's templates that describe the others. */
export const GERMINATE_SHEETS: Readonly<Record<string, string>> = {
  METADATA: 'title, rights and dates of the data set',
  PHENOTYPES: 'read for the units and kinds of the traits',
  RECORDING_DATES: 'the day of each value: values of a phenotype file have no day',
  ATTRIBUTES: 'attributes of the data set',
  COLLABORATORS: 'people',
  LOCATION: 'the places: give latitude and longitude to the trials',
  TYPES: 'choices of the template',
  INFO: 'explanations of the template',
  'ENVIRONMENTAL VARIABLES': 'units of the weather',
};

const keysOf = (headers: string): string[] => headers.split('|').map(headerKey);
const wordsOf = (headers: string | undefined): string[] => (headers ?? '').split(' ').filter(Boolean).map(headerKey);

/** Keys of headers that the tables of this module use, made once. */
const NEEDS = LAYOUTS.map(({ needs, lacks }) => ({ needs: needs.map(keysOf), lacks: new Set(wordsOf(lacks)) }));

const LINES: ReadonlySet<string> = new Set(headersOf('phenotype', 'individual'));

/** The layout that a header has; undefined when it is none of another program. `sheets` are those of its workbook. */
export function layoutOfHeader(names: readonly string[], sheets: readonly string[] = []): Layout | undefined {
  const keys = new Set(names.map(headerKey).filter((key) => key !== ''));
  const isTemplate = sheets.includes('METADATA') && sheets.includes('DATA');
  return LAYOUTS.find((layout, index) => {
    const { needs, lacks } = NEEDS[index] as (typeof NEEDS)[number];
    if (layout.isTemplate === true && !isTemplate) return false;
    if (layout.becomes === 'plot values' && [...keys].some((key) => LINES.has(key))) return false;
    return needs.every((one) => one.some((key) => keys.has(key))) && ![...keys].some((key) => lacks.has(key));
  });
}

/** Sheets by which a workbook of another program is told, and which of them holds the table. */
const WORKBOOKS: readonly (readonly [marks: readonly string[], table: string])[] = [
  [['METADATA', 'DATA'], 'DATA'],
  [['Description', 'Observation'], 'Observation'],
  [['Minimal', 'Installation', 'Field Book'], 'Field Book'],
];

/** The sheet with the table in a workbook of Germinate, BMS or DataCollector; undefined for any other workbook. */
export const sheetOfTable = (names: readonly string[]): string | undefined =>
  WORKBOOKS.find(([marks]) => marks.every((mark) => names.includes(mark)))?.[1];

/** Why a column of a layout stays behind; undefined for one that does not. */
export function reasonToLeave({ left }: Layout, name: string): Reason | undefined {
  const key = headerKey(name);
  if (/_phenotype_id$/i.test(name)) return 'key';
  return (Object.keys(left ?? {}) as Reason[]).find((reason) => wordsOf(left?.[reason]).includes(key));
}
