import { RUN_KINDS, type RunKind } from './run-kinds.ts';

/** In the order in which pages offer them. */
export const SCRIPT_LANGUAGES = ['r', 'python', 'shell'] as const;
export type ScriptLanguage = (typeof SCRIPT_LANGUAGES)[number];

export interface ScriptedRun {
  kind: RunKind;
  /** Name of the run that the script repeats. */
  name: string;
  projectId: string;
  /** Address of the server, without a path. */
  server: string;
  /** The request that starts the run, with its new name. */
  body: Record<string, unknown>;
}

/**
 * A script that starts a run, waits for its end and saves its bundle. It reads the address of the server and an access
 * token from the environment. Python and R need the client of that language beside the script, shell needs curl.
 */
export const runScript = (language: ScriptLanguage, run: ScriptedRun): string => SCRIPTS[language](run);

const SCRIPTS: Record<ScriptLanguage, (run: ScriptedRun) => string> = {
  python: (run) => {
    const { name, ...settings } = run.body;
    return `${heading(run, 'Needs heterosis.py in the same folder.')}
from heterosis import Heterosis

project = Heterosis().project(${PYTHON.text(run.projectId)})
run = project.start(
    ${PYTHON.text(pathOf(run))},
    ${PYTHON.text(String(name))},
${namedArguments(PYTHON, settings, '=')},
)
run = project.wait(run)
project.download(run, ${PYTHON.text(bundleName(run))})
`;
  },

  r: (run) => {
    const { name, ...settings } = run.body;
    return `${heading(run, 'Needs heterosis.R in the same folder, jsonlite and curl.')}
source("heterosis.R")

project <- hx_project(hx_server(), ${R.text(run.projectId)})
run <- hx_start(
  project,
  ${R.text(pathOf(run))},
  ${R.text(String(name))},
${namedArguments(R, settings, ' = ')}
)
run <- hx_wait(project, run)
hx_download(project, run, ${R.text(bundleName(run))})
`;
  },

  shell: (run) => `#!/bin/sh
${heading(run, 'Needs curl 7.76 or newer.')}
set -eu
runs="\${HETEROSIS_SERVER%/}/api/projects/${run.projectId}/${pathOf(run)}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The token comes by standard input: everybody on the machine sees the arguments of a program.
call() {
  : > "$work/answer"
  printf 'header = "authorization: Bearer %s"\\n' "$HETEROSIS_TOKEN" |
    curl -q --silent --show-error --fail-with-body --retry 5 --config - --output "$work/answer" "$@" || {
    cat "$work/answer" >&2
    exit 1
  }
}

cat > "$work/request.json" <<'END'
${JSON.stringify(run.body, null, 2)}
END
call "$runs" --header 'content-type: application/json' --header "idempotency-key: $(date +%s)-$$" \\
  --data-binary "@$work/request.json"
id=$(grep -o '"id":"[^"]*"' "$work/answer" | head -n 1 | cut -d '"' -f 4)

until call "$runs/$id" && grep -Eq ${singleQuoted(endedPattern(run.kind))} "$work/answer"; do
  sleep 2
done
grep -Eq ${singleQuoted(soundPattern(run.kind))} "$work/answer" || {
  cat "$work/answer" >&2
  exit 1
}
call "$runs/$id/bundle"
mv "$work/answer" ${singleQuoted(`./${bundleName(run)}`)}
`,
};

const pathOf = ({ kind }: ScriptedRun): string => RUN_KINDS[kind].path;

/** Comments on what the script does and needs. */
function heading({ kind, name, server }: ScriptedRun, needs: string): string {
  const title = name.replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ');
  return [
    `Repeats the ${RUN_KINDS[kind].noun} "${title}" and saves its results.`,
    needs,
    `Set HETEROSIS_SERVER to ${server}`,
    'and HETEROSIS_TOKEN to an access token that may write.',
    'A project has each name once: give another one to run this again.',
  ]
    .map((line) => `# ${line}`)
    .join('\n');
}

/** Without what means something in a path. */
const bundleName = ({ body }: ScriptedRun): string =>
  `${String(body['name'])
    .replaceAll(/[^\p{L}\p{N}._()-]+/gu, '_')
    .replace(/^[.-]/, '_')}.zip`;

const singleQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A string of JSON: a trait may have any characters. */
const JSON_STRING = String.raw`"([^"\\]|\\.)*"`;

/** Extended regular expression of what the server answers once a run has ended. */
function endedPattern(kind: RunKind): string {
  if (!RUN_KINDS[kind].perTrait) return '"status":"(SUCCESS|ERROR)"';
  // A trained trait is evaluated as well.
  const ended = kind === 'model' ? 'EVALUATED|ERROR' : 'SUCCESS|ERROR';
  return String.raw`"status":\{(${JSON_STRING}:"(${ended})",?)*\}`;
}

/** The same for a run without failures. */
const soundPattern = (kind: RunKind): string =>
  RUN_KINDS[kind].perTrait ? String.raw`"error_extras":\{(${JSON_STRING}:null,?)*\}` : '"error_extra":null';

/** How a language writes values. */
interface Notation {
  indent: string;
  text: (text: string) => string;
  words: { true: string; false: string; null: string };
  list: (items: string[], margin: string) => string;
  record: (entries: [key: string, value: string][], margin: string) => string;
}

const PYTHON: Notation = {
  indent: '    ',
  // Every string of JSON is one of Python.
  text: (text) => JSON.stringify(text),
  words: { true: 'True', false: 'False', null: 'None' },
  list: (items, margin) => wrapped('[', items, ']', margin, PYTHON.indent),
  record: (entries, margin) =>
    wrapped(
      '{',
      entries.map(([key, value]) => `${PYTHON.text(key)}: ${value}`),
      '}',
      margin,
      PYTHON.indent,
    ),
};

const R: Notation = {
  indent: '  ',
  // Escaped, so that it does not depend on the encoding that R takes a script for.
  text: (text) => `"${text.replaceAll(/["\\]|[^ -~]/gu, escapedForR)}"`,
  words: { true: 'TRUE', false: 'FALSE', null: 'NULL' },
  list: (items, margin) => wrapped('list(', items, ')', margin, R.indent),
  // Names of arguments would be changed to the encoding of the machine.
  record: (entries, margin) => {
    const values = R.list(
      entries.map(([, value]) => value),
      margin,
    );
    const keys = entries.map(([key]) => R.text(key));
    return `setNames(${values}, ${keys.length === 0 ? 'character(0)' : wrapped('c(', keys, ')', margin, R.indent)})`;
  },
};

function escapedForR(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`;
  const code = (character.codePointAt(0) as number).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
}

const WIDTH = 100;

/** In one line, or in a line for each item. */
function wrapped(open: string, items: string[], close: string, margin: string, indent: string): string {
  const line = `${open}${items.join(', ')}${close}`;
  if (line.length <= WIDTH && !line.includes('\n')) return line;
  return `${open}\n${items.map((item) => margin + indent + item).join(',\n')}\n${margin}${close}`;
}

function literal(notation: Notation, value: unknown, margin: string): string {
  if (typeof value === 'string') return notation.text(value);
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean' || value === null) return notation.words[`${value}`];
  const inner = margin + notation.indent;
  if (Array.isArray(value))
    return notation.list(
      value.map((item) => literal(notation, item, inner)),
      margin,
    );
  const entries = Object.entries(value as object).filter(([, one]) => one !== undefined);
  return notation.record(
    entries.map(([key, one]) => [key, literal(notation, one, inner)]),
    margin,
  );
}

/** Named arguments, one to a line. The names are fields of requests: words in every language. */
const namedArguments = (notation: Notation, fields: Record<string, unknown>, equals: string): string =>
  Object.entries(fields)
    .map(([key, value]) => `${notation.indent}${key}${equals}${literal(notation, value, notation.indent)}`)
    .join(',\n');
