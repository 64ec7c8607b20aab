import { parseArgs } from 'node:util';
import { inputError, type OptionSpec, type OptionTable } from '../command.ts';

/**
 * Parses a command's arguments by its option table. Throws an InputError that names the option for anything unknown,
 * missing or out of range; all checks are here so that every command reports them alike.
 */
export function parseOptions(command: string, table: OptionTable, args: readonly string[]): Record<string, unknown> {
  const given = readArguments(command, table, args);
  const values: Record<string, unknown> = {};
  const missing = Object.entries(table)
    .filter(([name, spec]) => given[name] === undefined && isRequired(spec, given))
    .map(([name]) => `--${name}`);
  if (missing.length > 0) {
    throw inputError('E-CLI-MISSING', `${command} needs ${missing.join(' and ')}.`, `Run: heterosis ${command} --help`);
  }
  for (const [name, spec] of Object.entries(table)) {
    const text = given[name] ?? spec.fallback;
    values[name] =
      spec.kind === 'flag' ? given[name] === true : text === undefined ? undefined : parse(name, spec, String(text));
  }
  return values;
}

const isRequired = ({ required, unless }: OptionSpec, given: Record<string, unknown>): boolean =>
  required === true || (unless !== undefined && given[unless] === undefined);

function readArguments(
  command: string,
  table: OptionTable,
  args: readonly string[],
): Record<string, string | boolean | undefined> {
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(table).map(
        ([name, spec]) => [name, { type: spec.kind === 'flag' ? 'boolean' : 'string' }] as const,
      ),
    ),
    strict: false,
    tokens: true,
  });
  const given: Record<string, string | boolean | undefined> = {};
  for (const token of tokens) {
    if (token.kind === 'positional') {
      throw inputError(
        'E-CLI-OPTION',
        `${command} does not know what to do with "${token.value}".`,
        'Every value follows the name of its option, for example --genotype FILE.',
      );
    }
    if (token.kind !== 'option') continue;
    const spec = Object.hasOwn(table, token.name) ? table[token.name] : undefined;
    if (spec === undefined) {
      const near = nearest(token.name, Object.keys(table));
      throw inputError(
        'E-CLI-OPTION',
        `${command} has no option ${token.rawName}.`,
        near === null ? `Run: heterosis ${command} --help` : `Did you mean --${near}?`,
      );
    }
    if (given[token.name] !== undefined) {
      throw inputError(
        'E-CLI-OPTION',
        `--${token.name} is given twice.`,
        spec.kind === 'list' ? 'Give it once, with commas between several names.' : 'Give it once.',
      );
    }
    if (spec.kind === 'flag') {
      if (token.value !== undefined) throw inputError('E-CLI-VALUE', `--${token.name} takes no value.`);
      given[token.name] = true;
    } else {
      if (token.value === undefined || (!token.inlineValue && token.value.startsWith('--'))) {
        throw inputError(
          'E-CLI-VALUE',
          `--${token.name} needs a value.`,
          `Write --${token.name} ${spec.placeholder ?? 'VALUE'}.`,
        );
      }
      given[token.name] = token.value;
    }
  }
  return given;
}

function parse(name: string, spec: OptionSpec, text: string): unknown {
  switch (spec.kind) {
    case 'integer':
    case 'number':
      return parseNumber(name, spec, text);
    case 'choice': {
      const choice = spec.choices?.find((candidate) => candidate.toLowerCase() === text.toLowerCase());
      if (choice === undefined) {
        throw inputError('E-CLI-VALUE', `--${name} cannot be "${text}".`, `Choose one of ${spec.choices?.join(', ')}.`);
      }
      return choice;
    }
    case 'list': {
      const items = parseList(name, text);
      if (items.length === 0) throw inputError('E-CLI-VALUE', `--${name} is empty.`);
      return items;
    }
    case 'name': {
      const quoted = /^\s*"((?:[^"]|"")*)"\s*$/.exec(text);
      const unquoted = quoted?.[1]?.replaceAll('""', '"').trim() ?? text;
      if (unquoted === '') throw inputError('E-CLI-VALUE', `--${name} is empty.`);
      return unquoted;
    }
    default:
      if (text === '') throw inputError('E-CLI-VALUE', `--${name} is empty.`);
      return text;
  }
}

/** Comma-separated names, without duplicates; a name with a comma is double-quoted, as in a CSV file. */
function parseList(name: string, text: string): string[] {
  const items: string[] = [];
  let rest = text;
  for (;;) {
    const quoted = /^\s*"((?:[^"]|"")*)"\s*(?:,|$)/.exec(rest);
    if (quoted === null && rest.trimStart().startsWith('"')) {
      throw inputError(
        'E-CLI-VALUE',
        `--${name} has a quote without its other half.`,
        'A name with a comma stands in "…".',
      );
    }
    const [whole, item] = quoted ?? /^([^,]*)(?:,|$)/.exec(rest) ?? ['', ''];
    items.push((item ?? '').replaceAll('""', '"').trim());
    if (!whole.endsWith(',')) break;
    rest = rest.slice(whole.length);
  }
  return [...new Set(items.filter((item) => item !== ''))];
}

/** Decimal numbers only: refuses `0x10`, `Infinity`, and integers too large for a double to hold exactly. */
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

function parseNumber(name: string, spec: OptionSpec, text: string): number {
  const value = NUMBER.test(text.trim()) ? Number(text) : Number.NaN;
  const min = spec.min ?? Number.NEGATIVE_INFINITY;
  const max = spec.max ?? Number.POSITIVE_INFINITY;
  if (
    !Number.isFinite(value) ||
    (spec.kind === 'integer' && !Number.isSafeInteger(value)) ||
    value < min ||
    value > max
  ) {
    const kind = spec.kind === 'integer' ? 'a whole number' : 'a number';
    const range = Number.isFinite(max) ? ` from ${min} to ${max}` : Number.isFinite(min) ? ` of at least ${min}` : '';
    throw inputError(
      'E-CLI-VALUE',
      `--${name} must be ${kind}${range}, not "${text}".`,
      /^\s*[+-]?\d*,\d+\s*$/.test(text) ? 'Write decimals with a point.' : null,
    );
  }
  return value;
}

/**
 * The known name that all with this prefix begin with; otherwise the one that differs in at most two letters and in
 * less than half of them, if any.
 */
export function nearest(name: string, known: readonly string[]): string | null {
  const longer = name === '' ? [] : known.filter((candidate) => candidate.startsWith(name));
  const common = longer.find((one) => longer.every((other) => other.startsWith(one)));
  if (common !== undefined) return common;
  let best: string | null = null;
  let bestDistance = Math.min(3, (name.length + 1) / 2);
  for (const candidate of known) {
    const distance = editDistance(name, candidate);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
