import type { Command, OptionSpec } from './command.ts';

const WIDTH = 96;
const INDENT = 6;

/** The help page of one command, laid out like a manual page. */
export function commandHelp(command: Command): string {
  const options = Object.entries(command.options);
  const sections: [string, string[]][] = [
    ['NAME', [`heterosis ${command.name} - ${command.summary}`]],
    [
      'SYNOPSIS',
      wrap(
        `heterosis ${command.name} ${options.map(([name, spec]) => usage(name, spec)).join(' ')}`,
        WIDTH - INDENT,
        6,
      ),
    ],
    ['DESCRIPTION', paragraphs(command.description)],
    ['OPTIONS', options.flatMap(([name, spec]) => optionHelp(name, spec)).slice(0, -1)],
    ['OUTPUT', paragraphs(command.output)],
    [
      'EXIT STATUS',
      [
        '0   success',
        '2   bad input; each problem is on standard error with its code',
        '1   a fault of the program itself',
        '130 stopped by Ctrl-C, 143 by SIGTERM, 129 by a closed terminal; no half file is left',
      ],
    ],
    ['EXAMPLES', command.examples.flatMap(wrapExample)],
  ];
  return sections
    .filter(([, lines]) => lines.length > 0)
    .map(
      ([title, lines]) =>
        `${title}\n${lines.map((line) => (line === '' ? '' : ' '.repeat(INDENT) + line)).join('\n')}\n`,
    )
    .join('\n');
}

/** The help page of the program itself. */
export function programHelp(commands: readonly { name: string; summary: string }[], version: string): string {
  return [
    `heterosis ${version} - genomic prediction, association and crossing on files`,
    '',
    'Usage: heterosis COMMAND [options]',
    '',
    ...listed(commands).map((line) => `  ${line}`),
    '',
    'heterosis COMMAND --help describes a command. heterosis --version prints the version.',
    'heterosis completion bash (or zsh, fish) prints a script that completes commands and options in that shell.',
    'heterosis man COMMAND | man -l - shows a page of the manual.',
    'Genotypes are VCF, HapMap, PLINK (.bed prefix, or zipped), KASP, DArT, numeric or letter matrices, plain or gzipped.',
    'Files to read may be pipes; - is the standard input.',
    '',
  ].join('\n');
}

/** The help page of the commands whose names begin with one word. */
export function groupHelp(
  group: string,
  summary: string,
  commands: readonly { name: string; summary: string }[],
): string {
  const own = listed(commands.filter(({ name }) => name.startsWith(`${group} `)));
  const sections = {
    NAME: [`heterosis ${group} - ${summary}`],
    SYNOPSIS: [`heterosis ${group} COMMAND [options]`, `heterosis ${group} COMMAND --help`],
    COMMANDS: own,
  };
  return Object.entries(sections)
    .map(([title, lines]) => `${title}\n${lines.map((line) => ' '.repeat(INDENT) + line).join('\n')}\n`)
    .join('\n');
}

function listed(commands: readonly { name: string; summary: string }[]): string[] {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 3;
  return commands.map(({ name, summary }) => `${name.padEnd(width)}${summary}`);
}

function usage(name: string, spec: OptionSpec): string {
  const text = spec.kind === 'flag' ? `--${name}` : `--${name} ${placeholder(spec)}`;
  return spec.required === true ? text : `[${text}]`;
}

function placeholder(spec: OptionSpec): string {
  if (spec.placeholder !== undefined) return spec.placeholder;
  if (spec.choices !== undefined && spec.choices.length <= 4) return spec.choices.join('|');
  return spec.kind === 'integer' || spec.kind === 'number' ? 'N' : 'VALUE';
}

function optionHelp(name: string, spec: OptionSpec): string[] {
  const head = spec.kind === 'flag' ? `--${name}` : `--${name} ${placeholder(spec)}`;
  const notes = [
    spec.choices !== undefined && spec.choices.length > 4 ? `One of ${spec.choices.join(', ')}.` : '',
    spec.fallback !== undefined ? `Default: ${spec.fallback}.` : '',
    spec.required === true ? 'Required.' : '',
    spec.unless === undefined ? '' : `Required without --${spec.unless}.`,
  ];
  const text = [spec.help, ...notes].filter((part) => part !== '').join(' ');
  return [head, ...wrap(text, WIDTH - INDENT - 4).map((line) => `    ${line}`), ''];
}

/** Continues a long command on the next line with a backslash, in shell syntax. */
function wrapExample(example: string): string[] {
  const [command = '', ...options] = example.split(' --');
  const lines = [command];
  for (const option of options) {
    const line = `${lines.at(-1)} --${option}`;
    if (line.length + 2 <= WIDTH - INDENT) lines[lines.length - 1] = line;
    else lines.push(`      --${option}`);
  }
  return lines.map((line, i) => (i === lines.length - 1 ? line : `${line} \\`));
}

function paragraphs(texts: readonly string[]): string[] {
  return texts.flatMap((text, i) => [...(i > 0 ? [''] : []), ...wrap(text, WIDTH - INDENT)]);
}

function wrap(text: string, width: number, hanging = 0): string[] {
  const lines: string[] = [];
  let line = '';
  // Keep an option and its value on one line.
  for (const word of text.split(/ (?![^[\]]*\])/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = ' '.repeat(hanging) + word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return line === '' ? lines : [...lines, line];
}
