import type { OptionRow, Options } from '../options/define-options.ts';
import { flagName } from '../options/option-flags.ts';
import { SERIES_OPTIONS, TRIAL_ANALYSIS_OPTIONS, TRIAL_OPTIONS } from '../options/trials.ts';
import type { TrialAnalysisDetail } from './trial-analyses.ts';

type AnalysedTrials = Pick<TrialAnalysisDetail, 'name' | 'traits' | 'phenotypes' | 'genotype' | 'pedigree'> & {
  provenance: Pick<TrialAnalysisDetail['provenance'], 'parameters'>;
};
type Parameters = AnalysedTrials['provenance']['parameters'];

/**
 * A shell script of `heterosis trial` and `heterosis series` that writes the files of an analysis, by trait under the
 * names of its bundle. The files of the run lie beside it. What the commands cannot say is a comment.
 */
export function trialCommands(run: AnalysedTrials): string {
  const files = [...run.phenotypes, run.genotype, run.pedigree].flatMap((file) => (file === null ? [] : [file.name]));
  const comments = [
    `The trial analysis "${run.name}" on the command line, without a server.`,
    `Needs heterosis, and beside this script ${files.map((name) => `"${name}"`).join(', ')}.`,
    'A file that was read with settings of its own needs them here, see heterosis trial --help.',
    ...(run.phenotypes.length === 1 ? [] : ['Leave out what is said of a file that has no such trait or environment.']),
    ...commentsOf(run),
  ];
  return [
    '#!/bin/sh',
    ...comments.map((line) => `# ${line.replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ')}`),
    'set -eu',
    ...run.traits.flatMap((trait) => ['', ...commandsOfTrait(run, trait)]),
    '',
  ].join('\n');
}

function commandsOfTrait(
  { phenotypes, genotype, pedigree, provenance: { parameters } }: AnalysedTrials,
  trait: string,
) {
  const out = (kind: string, part = ''): string => `./${inPath(trait)}_${kind.replace('.', `${part}.`)}`;
  const several = phenotypes.length > 1;
  const commands: string[] = [];
  for (const [i, { id, name }] of phenotypes.entries()) {
    const part = several ? `_${i + 1}` : '';
    const segments = [parameters.row_segments, parameters.column_segments];
    commands.push(
      command('trial', [
        ['phenotype', inFolder(name)],
        ['trait', listed([trait])],
        ...flagged(TRIAL_OPTIONS, parameters),
        ...(segments.every((count) => count !== undefined) ? [['segments', segments.join()] as const] : []),
        ...changesOf(parameters, trait, several ? id : undefined),
        ...TABLES.map((table) => [table.flag, out(table.file, part)] as const),
        ['report', out('trial.json', part)],
      ]),
    );
  }
  if (several)
    for (const { file } of TABLES) {
      const [first, ...others] = phenotypes.map((_, i) => quoted(out(file, `_${i + 1}`)));
      commands.push(`{ cat ${first}; for f in ${others.join(' ')}; do tail -n +2 "$f"; done; } > ${quoted(out(file))}`);
    }
  if (parameters.structure === 'none') return commands;
  return [
    ...commands,
    command('series', [
      ['means', out('means.csv')],
      ['covariance', out('covariance.csv')],
      ['trait', listed([trait])],
      ['structure', parameters.structure],
      ...(genotype === null ? [] : [['genotype', inFolder(genotype.name)] as const]),
      ...(pedigree === null ? [] : [['pedigree', inFolder(pedigree.name)] as const]),
      ...(genotype === null && pedigree === null ? [] : flagged(SERIES_OPTIONS, parameters)),
      ['out', out('series.csv')],
      ['report', out('series.json')],
    ]),
  ];
}

const TABLES = [
  { flag: 'out', file: 'means.csv' },
  { flag: 'covariance', file: 'covariance.csv' },
  { flag: 'plots', file: 'plots.csv' },
] as const;

type Flag = readonly [name: string, value: string | true];

/** What was asked for of the options that a command shares with the analysis of a server. */
function flagged(table: Options, parameters: Parameters): Flag[] {
  const given: Record<string, unknown> = parameters;
  return Object.entries<OptionRow>(table).flatMap(([name, row]): Flag[] => {
    const [value, flag] = [given[name], flagName(name, row)];
    if (!(name in TRIAL_ANALYSIS_OPTIONS) || name === 'structure' || flag === undefined) return [];
    if (value === undefined || value === null || value === false || value === row.default) return [];
    if (Array.isArray(value)) return value.length === 0 ? [] : [[flag, listed(value.map(String))]];
    return [[flag, value === true ? true : String(value)]];
  });
}

type Override = NonNullable<Parameters['overrides']>[number];
type SetAside = NonNullable<Parameters['set_aside']>[number];

/** With several files nobody says in which of them an environment is. */
const isFlag = ({ fixed, random }: Override, isOneFile: boolean): boolean =>
  isOneFile && fixed === undefined && random === undefined;
const isNamed = ({ file_line: line, phenotype_id: file }: SetAside, isOneFile: boolean): boolean =>
  line !== undefined && (isOneFile || file !== undefined);

/** Models and plots of a trait as flags; `file` is one of several. */
function changesOf({ overrides = [], set_aside: aside = [] }: Parameters, trait: string, file?: string): Flag[] {
  const isOneFile = file === undefined;
  const models = overrides.filter((one) => one.trait === trait && isFlag(one, isOneFile));
  const plots = aside.filter(
    (one) => isNamed(one, isOneFile) && (one.trait ?? trait) === trait && (isOneFile || one.phenotype_id === file),
  );
  return [
    ...(models.length === 0
      ? []
      : [['override', listed(models.map(({ environment, model }) => `${environment}=${model}`))] as const]),
    ...(plots.length === 0
      ? []
      : [['set-aside', listed(plots.map(({ environment, file_line }) => `${environment}:${file_line}`))] as const]),
  ];
}

/** Reasons, and what the commands cannot say, for a person to do by hand. */
function commentsOf({ phenotypes, provenance: { parameters } }: AnalysedTrials): string[] {
  const { overrides = [], set_aside: aside = [], row_segments, column_segments } = parameters;
  const isOneFile = phenotypes.length === 1;
  return [
    ...overrides
      .filter((one) => !isFlag(one, isOneFile))
      .map(({ environment, trait, model }) => `${trait} in ${environment} had a model of its own, ${model}.`),
    ...aside.map((one) => {
      const { environment, file_line, row, column, trait, reason } = one;
      const place = file_line === undefined ? `row ${row}, column ${column}` : `line ${file_line}`;
      const what = `${trait ?? 'the values'} of the plot in ${environment}, ${place}`;
      return isNamed(one, isOneFile) ? `Set aside: ${what}: ${reason}` : `Empty ${what}, first: ${reason}`;
    }),
    ...((row_segments === undefined) === (column_segments === undefined)
      ? []
      : ['Add --segments ROWS,COLUMNS: only one of them was given.']),
  ];
}

const command = (name: string, flags: readonly Flag[]): string =>
  [`heterosis ${name}`, ...flags.map(([flag, value]) => `--${flag}${value === true ? '' : ` ${quoted(value)}`}`)].join(
    ' \\\n  ',
  );

/** A name that begins with a hyphen is no flag. */
const inFolder = (name: string): string => `./${name}`;
const inPath = (text: string): string => text.replaceAll(/[^\p{L}\p{N}._()-]+/gu, '_');
/** Names with a comma stand in double quotes. */
const listed = (values: readonly string[]): string =>
  values.map((value) => (/[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)).join();
const quoted = (text: string): string => (/^[\w./+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
