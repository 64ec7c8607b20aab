import { escapeMarkup } from './escape-markup.ts';

interface Operation {
  summary?: string;
  description?: string;
  tags?: string[];
  security?: unknown[];
  parameters?: { name: string; in: string; required?: boolean; schema?: unknown; description?: string }[];
  requestBody?: { content?: Record<string, { schema?: unknown }> };
  responses?: Record<string, { description?: string; content?: Record<string, { schema?: unknown }> }>;
}

interface ApiDocument {
  info: { title: string; version: string; description?: string };
  paths?: Record<string, Record<string, Operation>>;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** The OpenAPI document as one page of plain HTML: no script, so the strict CSP holds, and it can be read without JavaScript. */
export function renderApiPage({ info, paths = {} }: ApiDocument): string {
  const groups = new Map<string, string[]>();
  for (const [path, operations] of Object.entries(paths))
    for (const method of METHODS) {
      const operation = operations[method];
      if (operation === undefined) continue;
      const group = operation.tags?.[0] ?? 'other';
      groups.set(group, [...(groups.get(group) ?? []), renderOperation(method, path, operation)]);
    }
  const names = [...groups.keys()].sort();
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(info.title)} API</title><style>${STYLE}</style></head>
<body><header><h1>${escapeMarkup(info.title)} API <small>${escapeMarkup(info.version)}</small></h1>
<p>${escapeMarkup(info.description ?? '')}</p><p><a href="/api/openapi.json">OpenAPI 3.1 document</a></p></header>
<nav aria-label="Groups"><ul>${names.map((name) => `<li><a href="#${escapeMarkup(name)}">${escapeMarkup(name)}</a></li>`).join('')}</ul></nav>
<main>${names.map((name) => `<section id="${escapeMarkup(name)}"><h2>${escapeMarkup(name)}</h2>${groups.get(name)?.join('') ?? ''}</section>`).join('')}</main>
</body></html>`;
}

function renderOperation(method: string, path: string, operation: Operation): string {
  const rows = (operation.parameters ?? []).map(
    ({ name, in: place, required = false, schema }) =>
      `<tr><td><code>${escapeMarkup(name)}</code></td><td>${escapeMarkup(place)}${required ? ', required' : ''}</td><td><code>${escapeMarkup(typeText(schema))}</code></td></tr>`,
  );
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
  const answers = Object.entries(operation.responses ?? {})
    .filter(([status]) => status !== 'default')
    .map(([status, { content }]) => {
      const schema = Object.values(content ?? {})[0]?.schema;
      return `<h4>Answer ${escapeMarkup(status)}</h4>${schema === undefined ? '' : renderSchema(schema)}`;
    });
  return `<details><summary><span class="method ${method}">${method.toUpperCase()}</span> <code>${escapeMarkup(path)}</code> ${escapeMarkup(operation.summary ?? '')}${
    operation.security === undefined ? '' : ' <span class="lock">signed in</span>'
  }</summary>${operation.description === undefined ? '' : `<p>${escapeMarkup(operation.description)}</p>`}${
    rows.length === 0
      ? ''
      : `<table><thead><tr><th scope="col">Parameter</th><th scope="col">Where</th><th scope="col">Type</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
  }${body === undefined ? '' : `<h4>Body</h4>${renderSchema(body)}`}${answers.join('')}</details>`;
}

const renderSchema = (schema: unknown): string =>
  `<pre tabindex="0">${escapeMarkup(JSON.stringify(schema, null, 2))}</pre>`;

function typeText(schema: unknown): string {
  const { type, enum: values, format } = (schema ?? {}) as { type?: string; enum?: unknown[]; format?: string };
  if (values !== undefined) return values.join(' | ');
  return [type ?? 'any', format].filter(Boolean).join(', ');
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 70rem; margin: 0 auto; padding: 1rem; }
nav ul { display: flex; flex-wrap: wrap; gap: .5rem 1rem; padding: 0; list-style: none; }
details { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .4rem; margin: .4rem 0; padding: .4rem .8rem; }
summary { cursor: pointer; overflow-wrap: anywhere; }
.method { display: inline-block; min-width: 4.5rem; font-weight: 700; }
.lock { font-size: .85rem; opacity: .8; }
table { border-collapse: collapse; margin: .5rem 0; } th, td { text-align: left; padding: .2rem .8rem .2rem 0; }
pre { overflow: auto; max-height: 24rem; font-size: .85rem; }
a { color: inherit; }
`;
