import { tsvCell } from '@heterosis/file-formats/text/csv-cell';
import type { MiappeInput, MiappeSection } from './miappe-sections.ts';

/** A field of the investigation file: its label, and a value for each thing that its section lists. */
type Field = readonly [label: string, ...values: string[]];
/** The fields of one thing of a section of MIAPPE, by their names without the star. */
type Fields = Record<string, string>;

/**
 * The trials as ISA-Tab 1.0 (Rocca-Serra et al. 2009) under the mapping of MIAPPE 1.1 ("ISA-Tab for plant
 * phenotyping"): the investigation, and for each trial its study, assay and trait definition files, beside which the
 * tables of values lie. All comes from the sections of MIAPPE. Files that carry no row of a section are not written.
 */
export function isaTabFiles(sections: readonly MiappeSection[], trials: MiappeInput['trials']): [string, string[]][] {
  const byName = new Map(sections.map((section) => [section.name, fieldsOf(section)]));
  const of = (name: string): Fields[] => byName.get(name) ?? [];
  const byStudy = (name: string): Map<string, Fields[]> => Map.groupBy(of(name), (one) => one['Study unique ID'] ?? '');
  const parts = Object.fromEntries(BY_STUDY.map((name) => [name, byStudy(name)]));
  const events = of('Event');
  const studies = of('Study').map((fields, index): Study => {
    const own = (name: (typeof BY_STUDY)[number]): Fields[] => parts[name]?.get(fields['Study unique ID'] ?? '') ?? [];
    const stem = fileStem(index, trials[index]?.trial.name ?? '');
    return {
      fields,
      files: { study: `s_${stem}.txt`, assay: `a_${stem}.txt`, traits: `t_${stem}.txt` },
      ...{ data: own('Data file'), materials: own('Biological Material'), factors: own('Exp. Factor') },
      ...{ events: own('Event'), units: own('Observation Unit'), variables: own('Observed Variable') },
    };
  });
  return [
    ['i_investigation.txt', [investigationFile(of('Investigation')[0] ?? {}, studies)]],
    ...studies.flatMap((study): [string, string[]][] => [
      [study.files.study, [...studyFile(study)]],
      [study.files.assay, [...assayFile(study)]],
      [study.files.traits, [...traitFile(study)]],
    ]),
    ...(events.length === 0 ? [] : [['events.csv', [...eventFile(events)]] as [string, string[]]]),
  ];
}

/** What a trial is called in the names of files: without blanks, as the specification advises. */
export function fileStem(index: number, name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9-]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 60);
  return [String(index + 1), plain].filter(Boolean).join('_');
}

const BY_STUDY = [
  ...(['Data file', 'Biological Material', 'Exp. Factor', 'Event', 'Observation Unit', 'Observed Variable'] as const),
];

interface Study {
  fields: Fields;
  files: { study: string; assay: string; traits: string };
  data: Fields[];
  materials: Fields[];
  factors: Fields[];
  events: Fields[];
  units: Fields[];
  variables: Fields[];
}

function fieldsOf({ header, rows }: MiappeSection): Fields[] {
  const names = header.map((name) => name.replace(/\*$/, ''));
  return Array.from(rows, (row) => Object.fromEntries(names.map((name, k) => [name, String(row[k] ?? '')])));
}

/** Guarded against formulas as all our tables, and quoted as the specification asks for. */
const cell = (text: string): string => `"${tsvCell(text).replaceAll('"', '""')}"`;
const line = (cells: readonly string[]): string => `${cells.map(cell).join('\t')}\n`;

/** Labels that stay empty, because nobody told the product; readers expect every label of a section. */
const blank = (prefix: string, names: string): Field[] => names.split('|').map((name): Field => [`${prefix} ${name}`]);
const PUBLICATION =
  'PubMed ID|Publication DOI|Publication Author List|Publication Title|Publication Status|Publication Status Term Accession Number|Publication Status Term Source REF';
const PERSON =
  'Last Name|First Name|Mid Initials|Email|Phone|Fax|Address|Affiliation|Roles|Roles Term Accession Number|Roles Term Source REF';

function investigationFile(investigation: Fields, studies: readonly Study[]): string {
  const at = (name: string): string => investigation[name] ?? '';
  const sections: [string, Field[]][] = [
    ['ONTOLOGY SOURCE REFERENCE', blank('Term Source', 'Name|File|Version|Description')],
    [
      'INVESTIGATION',
      [
        ['Investigation Identifier', at('Investigation unique ID')],
        ['Investigation Title', at('Investigation title')],
        ['Investigation Description', at('Investigation description')],
        ['Investigation Submission Date', at('Submission date')],
        ['Investigation Public Release Date', at('Public release date')],
        ['Comment[License]', at('License')],
        ['Comment[MIAPPE Version]', at('MIAPPE version')],
      ],
    ],
    ['INVESTIGATION PUBLICATIONS', blank('Investigation', PUBLICATION)],
    ['INVESTIGATION CONTACTS', blank('Investigation Person', PERSON)],
    ...studies.flatMap(studySections),
  ];
  return sections
    .flatMap(([heading, fields]) => [
      `${heading}\n`,
      ...fields.map(
        ([label, ...values]) => `${[label, ...(values.length > 0 ? values : ['']).map(cell)].join('\t')}\n`,
      ),
    ])
    .join('');
}

function studySections({ fields, files, data, factors, events }: Study): [string, Field[]][] {
  const at = (name: string): string => fields[name] ?? '';
  const each = (rows: readonly Fields[], name: string): string[] => rows.map((row) => row[name] ?? '');
  const protocols = [
    { name: 'Growth', type: 'Growth', description: at('Cultural practices') },
    ...[...new Set(each(events, 'Event type'))].map((name) => ({ name, type: 'Event', description: '' })),
    { name: 'Phenotyping', type: 'Phenotyping', description: '' },
    { name: 'Data Transformation', type: 'Data Transformation', description: WHAT_COUNTS },
  ];
  const none = protocols.map(() => '');
  return [
    [
      'STUDY',
      [
        ['Study Identifier', at('Study unique ID')],
        ['Study Title', at('Study title')],
        ['Study Description', at('Study description')],
        ...blank('Study', 'Submission Date|Public Release Date'),
        ['Study File Name', files.study],
        ['Comment[Study Start Date]', at('Start date of study')],
        ['Comment[Study End Date]', at('End date of study')],
        ['Comment[Study Contact Institution]', at('Contact institution')],
        ['Comment[Study Country]', at('Geographic location (country)')],
        ['Comment[Study Experimental Site]', at('Experimental site name')],
        ['Comment[Study Latitude]', at('Geographic location (latitude)')],
        ['Comment[Study Longitude]', at('Geographic location (longitude)')],
        ['Comment[Study Altitude]', at('Geographic location (altitude)')],
        ['Comment[Description of Growth Facility]', at('Description of growth facility')],
        ['Comment[Type of Growth Facility]', at('Type of growth facility')],
        ['Comment[Trait Definition File]', files.traits],
        ['Comment[Study Data File Link]', ...each(data, 'Data file link')],
        ['Comment[Study Data File Description]', ...each(data, 'Data file description')],
        ['Comment[Study Data File Version]', ...each(data, 'Data file version')],
      ],
    ],
    [
      'STUDY DESIGN DESCRIPTORS',
      [
        ['Study Design Type', at('Type of experimental design')],
        ...blank('Study Design Type', 'Term Accession Number|Term Source REF'),
        ['Comment[Study Design Description]', at('Description of the experimental design')],
        ['Comment[Observation Unit Level Hierarchy]', at('Observation unit level hierarchy')],
        ['Comment[Observation Unit Description]', at('Observation unit description')],
        ['Comment[Map of Experimental Design]', at('Map of experimental design')],
      ],
    ],
    ['STUDY PUBLICATIONS', blank('Study', PUBLICATION)],
    [
      'STUDY FACTORS',
      [
        ['Study Factor Name', ...each(factors, 'Experimental Factor type')],
        ['Study Factor Type', ...each(factors, 'Experimental Factor type')],
        ...blank('Study Factor Type', 'Term Accession Number|Term Source REF'),
        ['Comment[Study Factor Description]', ...each(factors, 'Experimental Factor description')],
        ['Comment[Study Factor Values]', ...each(factors, 'Experimental Factor values')],
      ],
    ],
    [
      'STUDY ASSAYS',
      [
        ['Study Assay Measurement Type', 'phenotyping'],
        ...blank('Study Assay Measurement Type', 'Term Accession Number|Term Source REF'),
        ['Study Assay Technology Type', 'plot level analysis'],
        ...blank('Study Assay Technology Type', 'Term Accession Number|Term Source REF'),
        ['Study Assay Technology Platform'],
        ['Study Assay File Name', files.assay],
      ],
    ],
    [
      'STUDY PROTOCOLS',
      [
        ['Study Protocol Name', ...protocols.map(({ name }) => name)],
        ['Study Protocol Type', ...protocols.map(({ type }) => type)],
        ['Study Protocol Type Term Accession Number', ...none],
        ['Study Protocol Type Term Source REF', ...none],
        ['Study Protocol Description', ...protocols.map(({ description }) => description)],
        ...blank(
          'Study Protocol',
          'URI|Version|Parameters Name|Parameters Name Term Accession Number|Parameters Name Term Source REF|Components Name|Components Type|Components Type Term Accession Number|Components Type Term Source REF',
        ).map(([label]): Field => [label, ...none]),
      ],
    ],
    ['STUDY CONTACTS', blank('Study Person', PERSON)],
  ];
}

/** How a table of values comes from what was observed. */
const WHAT_COUNTS =
  'Of the observations of a plot and trait the one that counts: a correction replaces what it corrects. Where several stand open, the cell is empty.';

/** Characteristics of the material by the field of MIAPPE, with the unit that the passport descriptor has. */
const MATERIAL: readonly [characteristic: string, field: string, unit?: string][] = [
  ['Organism', 'Organism'],
  ['Genus', 'Genus'],
  ['Species', 'Species'],
  ['Infraspecific Name', 'Infraspecific name'],
  ['Biological Material Latitude', 'Biological material latitude'],
  ['Biological Material Longitude', 'Biological material longitude'],
  ['Biological Material Altitude', 'Biological material altitude', 'm'],
  ['Biological Material Coordinates Uncertainty', 'Biological material coordinates uncertainty', 'm'],
  ['Biological Material Preprocessing', 'Biological material preprocessing'],
  ['Material Source ID', 'Material source ID (Holding institute/stock centre, accession)'],
  ['Material Source DOI', 'Material source DOI'],
  ['Material Source Latitude', 'Material source latitude'],
  ['Material Source Longitude', 'Material source longitude'],
  ['Material Source Altitude', 'Material source altitude', 'm'],
  ['Material Source Coordinates Uncertainty', 'Material source coordinates uncertainty', 'm'],
  ['Material Source Description', 'Material source description'],
];

/** A row an observation unit: what grows there, and where it is. */
function* studyFile({ materials, factors, units }: Study): Generator<string> {
  const material = new Map(materials.map((one) => [one['Biological material ID'] ?? '', one]));
  const [factor] = factors;
  yield line([
    'Source Name',
    ...MATERIAL.flatMap(([name, , unit]) => [`Characteristics[${name}]`, ...(unit === undefined ? [] : ['Unit'])]),
    ...['Protocol REF', 'Sample Name', 'Characteristics[Observation Unit Type]', 'Characteristics[External ID]'],
    'Characteristics[Spatial Distribution]',
    ...(factor === undefined ? [] : [`Factor Value[${factor['Experimental Factor type'] ?? ''}]`]),
  ]);
  for (const unit of units) {
    const source = unit['Biological material ID'] ?? '';
    const known = material.get(source) ?? {};
    yield line([
      source,
      ...MATERIAL.flatMap(([, field, measure]) => {
        const value = known[field] ?? '';
        return [value, ...(measure === undefined ? [] : [value === '' ? '' : measure])];
      }),
      ...['Growth', unit['Observation unit ID'] ?? '', unit['Observation unit type'] ?? ''],
      ...[unit['External ID'] ?? '', unit['Spatial distribution'] ?? ''],
      ...(factor === undefined ? [] : [unit['Observation Unit factor value'] ?? '']),
    ]);
  }
}

/** A row an observation unit: which table has its values. */
function* assayFile({ data, units }: Study): Generator<string> {
  const table = data[0]?.['Data file link'] ?? '';
  yield line([
    ...['Sample Name', 'Characteristics[Observation Unit Type]', 'Protocol REF', 'Assay Name', 'Raw Data File'],
    ...['Protocol REF', 'Derived Data File'],
  ]);
  for (const unit of units)
    yield line([
      ...[unit['Observation unit ID'] ?? '', unit['Observation unit type'] ?? '', 'Phenotyping'],
      ...[unit['Observation unit type'] ?? '', 'NA', 'Data Transformation', table],
    ]);
}

const VARIABLE = [
  ...['Variable ID', 'Variable Name', 'Variable Accession Number', 'Trait', 'Trait Accession Number', 'Method'],
  ...['Method Accession Number', 'Method Description', 'Reference Associated to the Method', 'Scale'],
  ...['Scale Accession Number', 'Time Scale'],
];

function* traitFile({ variables }: Study): Generator<string> {
  yield line(VARIABLE);
  for (const variable of variables) {
    // The file writes as titles what the checklist has in sentence case.
    const fields = new Map(Object.entries(variable).map(([name, value]) => [name.toLowerCase(), value]));
    yield line(VARIABLE.map((name) => fields.get(name.toLowerCase()) ?? ''));
  }
}

const EVENT: readonly [header: string, field: string][] = [
  ['Study ID', 'Study unique ID'],
  // Empty: the event was for all of them.
  ['Observation Unit(s)', ''],
  ['Event Date', 'Event date'],
  ['Event Type', 'Event type'],
  ['Event Accession Number', 'Event accession number'],
  ['Event Description', 'Event description'],
];

function* eventFile(events: readonly Fields[]): Generator<string> {
  const row = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\n`;
  yield row(EVENT.map(([header]) => header));
  for (const event of events) yield row(EVENT.map(([, field]) => event[field] ?? ''));
}
