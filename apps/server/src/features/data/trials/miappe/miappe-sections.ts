import type { Trial } from '@heterosis/contracts/data/trials';
import type { ProjectTrait } from '@heterosis/contracts/people/traits';
import { isPlanted, type PlotRow } from '../layout.ts';

/** What the trials of a project are described from, in the workbook of MIAPPE and in ISA-Tab. */
export interface MiappeInput {
  /** Address of the installation: ids are addresses of it. */
  publicUrl: string;
  project: { id: string; name: string; description: string | null };
  organization: string;
  crop: string | null;
  trials: readonly { trial: Trial; plots: readonly PlotRow[]; table: string }[];
  traits: readonly ProjectTrait[];
  /** Passport attributes by line, their names in capitals. */
  attributes: ReadonlyMap<string, ReadonlyMap<string, string>>;
  exportedAt: string;
}

type Row = (string | number | null)[];

/** A section of the checklist: the names of its fields, and a row of them for each thing. */
export interface MiappeSection {
  name: string;
  header: readonly string[];
  rows: Iterable<Row>;
}

/**
 * The sections of MIAPPE 1.1 (Papoutsoglou et al. 2020), with the names of its checklist as headers; a star marks what
 * it demands. What the product does not know stays empty: the country, growth facilities, samples.
 */
export function miappeSections(input: MiappeInput): MiappeSection[] {
  const { project, publicUrl, trials, organization, exportedAt } = input;
  const investigation = `${publicUrl}/projects/${project.id}`;
  const studyOf = ({ id }: Pick<Trial, 'id'>): string => `${investigation}/trials/${id}`;
  return [
    section(
      'Investigation',
      [
        ...['Investigation unique ID*', 'Investigation title*', 'Investigation description', 'Submission date'],
        ...['Public release date', 'License', 'MIAPPE version*', 'Associated publication'],
      ],
      [[investigation, project.name, project.description, exportedAt.slice(0, 10), null, null, '1.1', null]],
    ),
    section(
      'Study',
      STUDY_HEADER,
      trials.map(({ trial, plots }) => [investigation, ...studyRow(trial, plots, studyOf(trial), organization)]),
    ),
    section('Person', ['Person name*', 'Person email', 'Person ID', 'Person role*', 'Person affiliation*'], []),
    section(
      'Data file',
      ['Study unique ID*', 'Data file link*', 'Data file description*', 'Data file version*'],
      trials.map(({ trial, table }) => [studyOf(trial), table, 'Plots and the values that count', exportedAt]),
    ),
    section('Biological Material', MATERIAL_HEADER, materialRows(input, studyOf)),
    section(
      'Exp. Factor',
      [
        'Study unique ID*',
        'Experimental Factor type*',
        'Experimental Factor description',
        'Experimental Factor values*',
      ],
      trials.flatMap(({ trial, plots }): Row[] => {
        const treatments = [...new Set(plots.flatMap(({ treatment }) => treatment ?? []))];
        return treatments.length === 0
          ? []
          : [[studyOf(trial), 'Treatment of whole plots', null, treatments.join(';')]];
      }),
    ),
    section(
      'Event',
      ['Study unique ID*', 'Event type*', 'Event accession number', 'Event description', 'Event date*'],
      trials.flatMap(({ trial }): Row[] => [
        ...(trial.sown_on === null ? [] : [[studyOf(trial), 'Planting', null, null, trial.sown_on]]),
        ...(trial.harvested_on === null ? [] : [[studyOf(trial), 'Harvesting', null, null, trial.harvested_on]]),
      ]),
    ),
    section(
      'Observation Unit',
      [
        ...['Study unique ID*', 'Observation unit ID*', 'Observation unit type*', 'External ID'],
        ...['Spatial distribution', 'Biological material ID*', 'Observation Unit factor value'],
      ],
      unitRows(trials, studyOf),
    ),
    section('Observed Variable', VARIABLE_HEADER, variableRows(input, studyOf)),
  ];
}

const section = (name: string, header: readonly string[], rows: Iterable<Row>): MiappeSection => ({
  name,
  header,
  rows,
});

const STUDY_HEADER = [
  ...['Investigation unique ID*', 'Study unique ID*', 'Study title*', 'Study description', 'Start date of study*'],
  ...['End date of study', 'Contact institution*', 'Geographic location (country)*', 'Experimental site name*'],
  ...['Geographic location (latitude)', 'Geographic location (longitude)', 'Geographic location (altitude)'],
  ...['Description of the experimental design*', 'Type of experimental design', 'Observation unit level hierarchy'],
  ...['Observation unit description*', 'Description of growth facility*', 'Type of growth facility'],
  ...['Cultural practices', 'Map of experimental design'],
];

function studyRow(trial: Trial, plots: readonly PlotRow[], id: string, organization: string): Row {
  const { design, plot_length_m: length, plot_width_m: width } = trial;
  const kind = typeof design?.request['design'] === 'string' ? design.request['design'] : null;
  const replicates = new Set(plots.flatMap(({ replicate }) => replicate ?? [])).size;
  const has = (field: 'replicate' | 'block'): boolean => plots.some((plot) => plot[field] !== null);
  const size = length === null || width === null ? '' : `, ${length} m × ${width} m`;
  return [
    ...[id, trial.name, trial.description, trial.sown_on ?? trial.season, trial.harvested_on, organization, null],
    ...[trial.location_name, trial.latitude, trial.longitude, null],
    `${kind ?? 'Layout from elsewhere'}: ${trial.entries} entries on ${plots.length} plots${replicates > 1 ? `, ${replicates} replicates` : ''}`,
    kind,
    ['study', ...(has('replicate') ? ['rep'] : []), ...(has('block') ? ['block'] : []), 'plot'].join('>'),
    `plot${size}`,
    ...['field', null, null, null],
  ];
}

const MATERIAL_HEADER = [
  ...['Study unique ID*', 'Biological material ID*', 'Organism*', 'Genus', 'Species', 'Infraspecific name'],
  ...['Biological material latitude', 'Biological material longitude', 'Biological material altitude'],
  ...['Biological material coordinates uncertainty', 'Biological material preprocessing'],
  ...['Material source ID (Holding institute/stock centre, accession)*', 'Material source DOI'],
  ...['Material source latitude', 'Material source longitude', 'Material source altitude'],
  ...['Material source coordinates uncertainty', 'Material source description'],
];

function* materialRows({ trials, crop, attributes }: MiappeInput, studyOf: (trial: Trial) => string): Generator<Row> {
  for (const { trial, plots } of trials)
    for (const entry of new Set(plots.flatMap(({ entry: name }) => name ?? []))) {
      const known = attributes.get(entry);
      const of = (name: string): string | null => known?.get(name) ?? null;
      const [genus, species] = [of('GENUS'), of('SPECIES')];
      yield [
        ...[studyOf(trial), entry, genus === null ? crop : [genus, species ?? ''].join(' ').trim(), genus, species],
        ...[of('SUBTAXA'), null, null, null, null, null],
        [of('INSTCODE'), of('ACCENUMB')].filter((part) => part !== null).join(':') || entry,
        ...[of('PUID'), of('DECLATITUDE'), of('DECLONGITUDE'), of('ELEVATION'), of('COORDUNCERT'), of('COLLSITE')],
      ];
    }
}

function* unitRows(trials: MiappeInput['trials'], studyOf: (trial: Trial) => string): Generator<Row> {
  for (const { trial, plots } of trials)
    for (const plot of plots) {
      if (!isPlanted(plot.kind)) continue;
      const { row, column, replicate, block } = plot;
      const place = Object.entries({ rep: replicate, block, X: column, Y: row }).flatMap(([name, value]) =>
        value === null ? [] : `${name}:${value}`,
      );
      yield [studyOf(trial), plot.name, 'plot', String(plot.number), place.join('; '), plot.entry, plot.treatment];
    }
}

const VARIABLE_HEADER = [
  ...['Study unique ID*', 'Variable ID*', 'Variable name', 'Variable accession number', 'Trait*'],
  ...['Trait accession number', 'Method*', 'Method accession number', 'Method description'],
  ...['Reference associated to the method', 'Scale*', 'Scale accession number', 'Time scale'],
];

function variableRows({ trials, traits }: MiappeInput, studyOf: (trial: Trial) => string): Row[] {
  const known = new Map(traits.map((trait) => [trait.name, trait]));
  return trials.flatMap(({ trial }) =>
    trial.traits.map((name): Row => {
      const { unit = null, scale = null, details = null, ontology_id = null } = known.get(name) ?? {};
      const method = details === null ? 'not described' : 'as described';
      const values =
        unit ?? (scale?.kind === 'categories' ? scale.categories.map(({ value }) => value).join(';') : null);
      return [
        ...[studyOf(trial), name, name, ontology_id, name, null, method, null, details, null],
        ...[values ?? scale?.kind ?? 'not given', null, null],
      ];
    }),
  );
}
