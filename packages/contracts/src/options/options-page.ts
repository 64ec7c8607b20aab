import type { OptionRow, Options } from './define-options.ts';
import { flagName } from './option-flags.ts';
import type { Presets } from './presets.ts';
import { OPTION_TABLES } from './tables.ts';
import { grouped } from './words.ts';

/** The page of options, as Markdown. */
export const optionsPage = (tables = OPTION_TABLES): string =>
  `# Options of analyses

Each option has one name in requests and scripts and one flag of the command line. Dialogs have a field for those that
are named in quotes. The tables are written from the tables of options in \`packages/contracts/src/options\`.
${Object.entries(tables)
  .map(
    ([title, { about, options, presets = {}, place }]) =>
      `\n## ${title}\n\n${about}\n\n${tableOf(options, place)}${place === 'cli' ? '' : notesOf(options)}${presetsOf(presets)}`,
  )
  .join('')}`;

function tableOf(options: Options, place: 'cli' | undefined): string {
  const rows = Object.entries(options).map(([name, row]) => {
    const flag = flagName(name, row);
    const cells = [
      ...(place === 'cli' ? [] : [row.only?.place === 'cli' ? '–' : `\`${name}\``]),
      flag === undefined ? '–' : `\`--${flag}\``,
      valuesOf(row),
      defaultInWords(row.default),
      `${row.about}${row.label === undefined ? '' : ` “${row.label}”`}`,
    ];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  const heads = [...(place === 'cli' ? [] : ['Option']), 'Flag', 'Values', 'Default', 'Meaning'];
  return [`| ${heads.join(' | ')} |`, `|${'---|'.repeat(heads.length)}`, ...rows, ''].join('\n');
}

function defaultInWords(value: OptionRow['default']): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return '–';
  return typeof value === 'number' ? inWords(value) : String(value);
}

const inWords = (value: number): string => (Number.isInteger(value) ? grouped(value) : String(value));

function valuesOf(row: OptionRow): string {
  const { kind, choices, most, unit, nullable } = row;
  const range = rangeOf(row.min, row.max);
  const values = {
    integer: `whole number${range}`,
    number: `number${range}`,
    flag: 'yes or no',
    choice: (choices ?? []).join(', '),
    list: most === undefined ? 'list' : `list, at most ${inWords(most)}`,
    text: 'text',
    name: 'text',
    own: 'object',
  }[kind];
  return `${values}${unit === undefined ? '' : `, ${unit}`}${nullable ? ', or null' : ''}`;
}

function rangeOf(min: number | undefined, max: number | undefined): string {
  const isBounded = max !== undefined && Number.isFinite(max);
  if (min === undefined) return isBounded ? ` up to ${inWords(max)}` : '';
  return isBounded ? ` ${inWords(min)}–${inWords(max)}` : ` ${inWords(min)} and more`;
}

/** What excludes what, and where and why the command line differs. */
function notesOf(options: Options): string {
  const notes = Object.entries(options).flatMap(([name, { not = {}, needs = {}, only, cli = {}, min, max }]) => [
    ...Object.keys(not).map((other) => `\`${name}\` does not go with \`${other}\`.`),
    ...Object.entries(needs).map(([other, { place, unless = {} }]) => {
      const others = Object.entries(unless).map(([one, values]) => `, or \`${one}\` ${values.join(' or ')}`);
      return `\`${name}\` needs \`${other}\`${others.join('')}${place === 'cli' ? ' on the command line' : ''}.`;
    }),
    ...(only === undefined
      ? []
      : [`\`${name}\` is an option of ${only.place === 'cli' ? 'the command line' : 'requests'} only. ${only.why}`]),
    ...(cli.why === undefined
      ? []
      : [
          `On the command line \`${name}\` ${(cli.min ?? cli.max) ? `takes${rangeOf(cli.min ?? min, cli.max ?? max)}` : 'differs'}. ${cli.why}`,
        ]),
  ]);
  return notes.length === 0 ? '' : `\n${notes.map((note) => wrapped(`- ${note}`)).join('\n')}\n`;
}

function presetsOf(presets: Presets): string {
  const lines = Object.values(presets).map(({ label, about, values }) => {
    const named = Object.entries(values).map(([name, value]) => `\`${name}\` ${value ?? 'none'}`);
    return wrapped(`- “${label}” of the dialog: ${named.join(', ')}. ${about}`);
  });
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
}

const COLUMNS = 120;

/** An item of a list in lines of at most {@link COLUMNS} characters. */
function wrapped(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line.length + 1 + word.length > COLUMNS) lines.push(`  ${word}`);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}
