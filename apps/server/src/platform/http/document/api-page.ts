import { FAILURES, GUIDE } from './api-guide.ts';
import { escapeMarkup } from './escape-markup.ts';

interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  enum?: unknown[];
  default?: unknown;
  description?: string;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
  description?: string;
}

interface Operation {
  summary?: string;
  description?: string;
  tags?: string[];
  security?: unknown[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content?: Record<string, { schema?: unknown }> };
  responses?: Record<string, { content?: Record<string, { schema?: unknown }> }>;
}

interface ApiDocument {
  info: { title: string; version: string };
  servers?: { url: string }[];
  paths?: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, unknown>; parameters?: Record<string, unknown> };
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * The OpenAPI document as one page of plain HTML: no script, so the strict CSP holds, and it can be read without
 * JavaScript.
 */
export function renderApiPage(document: object, example: string): string {
  const { info, servers = [], paths = {}, components = {} } = document as ApiDocument;
  const base = servers[0]?.url ?? '';
  const groups = new Map<string, string[]>();
  for (const [path, operations] of Object.entries(paths))
    for (const method of METHODS) {
      const operation = operations[method];
      if (operation === undefined) continue;
      const group = operation.tags?.[0] ?? 'other';
      groups.set(group, [
        ...(groups.get(group) ?? []),
        renderOperation(method, path, operation, components.parameters),
      ]);
    }
  const sections = [
    ...GUIDE.map(({ title, text, code }) => ({
      title,
      html: `${text.map((line) => `<p>${inlineCode(line)}</p>`).join('')}${
        code === undefined ? '' : `<pre tabindex="0">${escapeMarkup(code.replaceAll('BASE', base))}</pre>`
      }${title === 'Failures' ? failureTable() : ''}`,
    })),
    { title: 'A script from beginning to end', html: `<pre tabindex="0">${escapeMarkup(example)}</pre>` },
    ...[...groups.keys()].sort().map((title) => ({ title, html: groups.get(title)?.join('') ?? '' })),
    {
      title: 'Schemas',
      html: Object.entries(components.schemas ?? {})
        .map(
          ([name, schema]) =>
            `<details id="${anchor(`schema ${name}`)}"><summary>${escapeMarkup(name)}</summary>${renderSchema(schema)}</details>`,
        )
        .join(''),
    },
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(info.title)} API</title><style>${STYLE}</style></head>
<body><header><h1>${escapeMarkup(info.title)} API <small>${escapeMarkup(info.version)}</small></h1>
<p><a href="/api/openapi.json">OpenAPI 3.1 document</a></p></header>
<nav aria-label="Contents"><ul>${sections.map(({ title }) => `<li><a href="#${anchor(title)}">${escapeMarkup(title)}</a></li>`).join('')}</ul></nav>
<main>${sections.map(({ title, html }) => `<section id="${anchor(title)}"><h2>${escapeMarkup(title)}</h2>${html}</section>`).join('')}</main>
</body></html>`;
}

const failureTable = (): string =>
  table(
    ['Code', 'Status', 'Meaning'],
    FAILURES.map(({ code, status, title }) => [
      `<code>${escapeMarkup(code)}</code>`,
      String(status),
      escapeMarkup(title),
    ]),
  );

function renderOperation(
  method: string,
  path: string,
  operation: Operation,
  shared: Record<string, unknown> = {},
): string {
  const rows = (operation.parameters ?? []).map((parameter) => {
    const named = ('$ref' in parameter ? shared[parameter.$ref.split('/').at(-1) ?? ''] : parameter) as Parameter;
    const { name, in: place, required = false, schema, description = schema?.description ?? '' } = named;
    return [
      `<code>${escapeMarkup(name)}</code>`,
      `${escapeMarkup(place)}${required ? ', required' : ''}`,
      `<code>${escapeMarkup(typeText(schema))}</code>`,
      inlineCode(description),
    ];
  });
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
  const answers = Object.entries(operation.responses ?? {})
    .filter(([status]) => status.startsWith('2'))
    .map(([status, { content }]) => {
      const [[type, { schema }] = ['', { schema: undefined }]] = Object.entries(content ?? {});
      const isJson = type === 'application/json';
      const types = isJson || content === undefined ? '' : ` ${Object.keys(content).join(', ')}`;
      return `<h3>Answer ${escapeMarkup(status)}${escapeMarkup(types)}</h3>${isJson ? renderSchema(schema) : ''}`;
    });
  const isOpen = operation.security?.length === 0;
  return `<details><summary><span class="method ${method}">${method.toUpperCase()}</span> <code>${escapeMarkup(path)}</code> ${escapeMarkup(operation.summary ?? '')}${
    isOpen ? ' <span class="note">without token</span>' : ''
  }</summary>${operation.description === undefined ? '' : `<p>${inlineCode(operation.description)}</p>`}${
    rows.length === 0 ? '' : table(['Parameter', 'Where', 'Type', 'Meaning'], rows)
  }${body === undefined ? '' : `<h3>Body</h3>${renderSchema(body)}`}${answers.join('')}</details>`;
}

/** Cells are markup. */
const table = (head: readonly string[], rows: readonly string[][]): string =>
  `<table><thead><tr>${head.map((cell) => `<th scope="col">${cell}</th>`).join('')}</tr></thead><tbody>${rows
    .map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
    .join('')}</tbody></table>`;

/** Schemas with names are links. */
const renderSchema = (schema: unknown): string =>
  `<pre tabindex="0">${escapeMarkup(JSON.stringify(schema, null, 2)).replaceAll(
    /#\/components\/schemas\/(\w+)/g,
    (_all, name: string) => `<a href="#${anchor(`schema ${name}`)}">${name}</a>`,
  )}</pre>`;

const inlineCode = (text: string): string => escapeMarkup(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

const anchor = (title: string): string => title.toLowerCase().replaceAll(/[^a-z0-9_]+/g, '-');

function typeText({ type, enum: values, format, default: preset }: Schema = {}): string {
  const kind = values === undefined ? [type ?? 'any', format].filter(Boolean).join(', ') : values.join(' | ');
  return preset === undefined ? kind : `${kind} = ${String(preset)}`;
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 70rem; margin: 0 auto; padding: 1rem; }
nav ul { display: flex; flex-wrap: wrap; gap: .5rem 1rem; padding: 0; list-style: none; }
details { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .4rem; margin: .4rem 0; padding: .4rem .8rem; }
summary { cursor: pointer; overflow-wrap: anywhere; }
h3 { font-size: 1rem; margin: .8rem 0 .3rem; }
p { max-width: 48rem; }
.method { display: inline-block; min-width: 4.5rem; font-weight: 700; }
.note { font-size: .85rem; opacity: .8; }
table { border-collapse: collapse; margin: .5rem 0; display: block; overflow-x: auto; } th, td { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem 0; }
pre { overflow: auto; max-height: 24rem; font-size: .85rem; background: color-mix(in srgb, currentColor 6%, transparent); border-radius: .4rem; padding: .6rem .8rem; }
a { color: inherit; }
`;
