// The documents that the application serves under /help, made from Markdown while it is built.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { Marked, type Token, type Tokens } from 'marked';
import temml from 'temml';
import type { Plugin } from 'vite';

const DOCS = resolve(import.meta.dirname, '../../docs');

/** In the order of the contents. The slug is the address: /help/<slug>. */
const PAGES = [
  { slug: 'first-project', group: 'guide', file: 'user-guide/first-project.md' },
  { slug: 'germplasm', group: 'guide', file: 'user-guide/germplasm.md' },
  { slug: 'field-trials', group: 'guide', file: 'user-guide/field-trials.md' },
  { slug: 'designs', group: 'guide', file: 'user-guide/designs.md' },
  { slug: 'trials', group: 'guide', file: 'user-guide/trials.md' },
  { slug: 'decisions', group: 'guide', file: 'user-guide/decisions.md' },
  { slug: 'prediction', group: 'guide', file: 'user-guide/prediction.md' },
  { slug: 'gwas', group: 'guide', file: 'user-guide/gwas.md' },
  { slug: 'crossing', group: 'guide', file: 'user-guide/crossing.md' },
  { slug: 'stacking', group: 'guide', file: 'user-guide/stacking.md' },
  { slug: 'programmes', group: 'guide', file: 'user-guide/programmes.md' },
  { slug: 'hybrids', group: 'guide', file: 'user-guide/hybrids.md' },
  { slug: 'pedigree', group: 'guide', file: 'user-guide/pedigree.md' },
  { slug: 'sharing', group: 'guide', file: 'user-guide/sharing.md' },
  { slug: 'polyploids', group: 'guide', file: 'user-guide/polyploids.md' },
  { slug: 'moving-in', group: 'guide', file: 'user-guide/moving-in.md' },
  { slug: 'data-packages', group: 'guide', file: 'user-guide/data-packages.md' },
  { slug: 'organizations', group: 'guide', file: 'user-guide/organizations.md' },
  { slug: 'account', group: 'guide', file: 'user-guide/account.md' },
  { slug: 'keyboard', group: 'guide', file: 'user-guide/keyboard.md' },
  { slug: 'scripting', group: 'guide', file: 'user-guide/scripting.md' },
  { slug: 'webhooks', group: 'guide', file: 'user-guide/webhooks.md' },
  { slug: 'assistants', group: 'guide', file: 'user-guide/assistants.md' },
  { slug: 'brapi', group: 'guide', file: 'user-guide/brapi.md' },
  { slug: 'operators', group: 'guide', file: 'user-guide/operators.md' },
  { slug: 'options', group: 'reference', file: 'options.md' },
  { slug: 'formats', group: 'reference', file: 'formats.md' },
  { slug: 'problems', group: 'reference', file: 'problems.md' },
  { slug: 'methods', group: 'reference', file: 'methods.md' },
  { slug: 'roles', group: 'reference', file: 'roles.md' },
  { slug: 'glossary', group: 'reference', file: 'glossary.md' },
  { slug: 'benchmarks', group: 'reference', file: 'benchmarks.md' },
  { slug: 'scoreboard', group: 'reference', file: 'scoreboard.md' },
] as const;

/** Where the address of a picture goes once the build knows it. */
const PICTURE = /picture:(\d+):/;

interface Section {
  /** `formats#genotypes`; the slug alone for what comes before the first heading. */
  id: string;
  page: string;
  title: string;
  text: string;
}

interface Rendered {
  title: string;
  html: string;
  headings: { id: string; title: string; depth: number }[];
  sections: Section[];
  /** Absolute paths of pictures, in the order of their numbers in the HTML. */
  pictures: string[];
}

/**
 * Offers `virtual:help/contents` (titles and headings of all pages, and how to load each) and `virtual:help/sections`
 * (what the search goes through). Formulas become MathML, pictures become assets.
 */
export function helpPages(): Plugin {
  return {
    name: 'help-pages',
    resolveId: (id) => (id.startsWith('virtual:help/') ? `\0${id}` : undefined),
    load(id) {
      const name = id.startsWith('\0virtual:help/') ? id.slice('\0virtual:help/'.length) : undefined;
      if (name === undefined) return undefined;
      for (const { file } of PAGES) this.addWatchFile(join(DOCS, file));
      if (name === 'contents') return contentsModule();
      if (name === 'sections')
        return `export default ${JSON.stringify(PAGES.flatMap((page) => renderPage(page.slug).sections))};`;
      return pageModule(renderPage(name));
    },
  };
}

function contentsModule(): string {
  const entries = PAGES.map(({ slug, group }) => {
    const { title, headings } = renderPage(slug);
    return `{ slug: ${JSON.stringify(slug)}, group: ${JSON.stringify(group)}, title: ${JSON.stringify(title)}, headings: ${JSON.stringify(headings)}, load: () => import('virtual:help/${slug}') }`;
  });
  return `export default [${entries.join(',\n')}];`;
}

function pageModule({ html, pictures }: Rendered): string {
  const imports = pictures.map((path, index) => `import picture${index} from ${JSON.stringify(path)};`);
  const parts = html.split(PICTURE);
  const text = parts.map((part, index) => (index % 2 === 1 ? `picture${part}` : JSON.stringify(part))).join(' + ');
  return `${imports.join('\n')}\nexport default ${text};`;
}

/** Renders one page; throws when a link or a picture leads nowhere, so that a build never ships one. */
export function renderPage(slug: string): Rendered {
  const page = PAGES.find((candidate) => candidate.slug === slug);
  if (page === undefined) throw new Error(`There is no help page ${slug}`);
  const file = join(DOCS, page.file);
  const marked = new Marked();
  marked.use({ extensions: [formulaBlock, formula] });
  const tokens = marked.lexer(readFileSync(file, 'utf8'));
  const pictures: string[] = [];
  const ids = new Map<Token, string>();
  const headings = headingsOf(tokens, ids);
  marked.use({
    renderer: {
      heading(token) {
        const inner = this.parser.parseInline(token.tokens);
        return `<h${token.depth} id="${ids.get(token)}">${inner}</h${token.depth}>\n`;
      },
      link(token) {
        return `<a href="${addressOf(token.href, file)}">${this.parser.parseInline(token.tokens)}</a>`;
      },
      image: (token) => picture(token, file, pictures),
      table(token) {
        const cells = (row: Tokens.TableCell[], tag: string) =>
          row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('');
        const rows = token.rows.map((row) => `<tr${rowId(row)}>${cells(row, 'td')}</tr>`).join('\n');
        return `<div class="table" tabindex="0"><table><thead><tr>${cells(token.header, 'th')}</tr></thead><tbody>${rows}</tbody></table></div>\n`;
      },
    },
  });
  const title = headings.find(({ depth }) => depth === 1)?.title ?? slug;
  return {
    title,
    html: marked.parser(tokens),
    headings: headings.filter(({ depth }) => depth === 2 || depth === 3),
    sections: sectionsOf(slug, title, tokens, ids),
    pictures,
  };
}

/** A row that begins with a code can be linked to by it: /help/formats#E-GT-POS. */
function rowId(row: Tokens.TableCell[]): string {
  const code = /^`([A-Za-z][\w/-]*)`$/.exec(row[0]?.text ?? '')?.[1];
  return code === undefined ? '' : ` id="${code}"`;
}

function headingsOf(tokens: Token[], ids: Map<Token, string>): Rendered['headings'] {
  const seen = new Set<string>();
  return tokens.flatMap((token) => {
    if (token.type !== 'heading') return [];
    const title = plainText(token.tokens ?? []);
    let id = anchorOf(title);
    for (let number = 1; seen.has(id); number++) id = `${anchorOf(title)}-${number}`;
    seen.add(id);
    ids.set(token, id);
    return [{ id, title, depth: token['depth'] as number }];
  });
}

/** As code hosts make anchors of headings, so that links hold in both places. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

function sectionsOf(slug: string, page: string, tokens: Token[], ids: Map<Token, string>): Section[] {
  const sections: Section[] = [];
  for (const token of tokens) {
    const id = ids.get(token);
    if (id !== undefined || sections.length === 0) {
      const isTop = id === undefined || token.type !== 'heading' || token['depth'] === 1;
      const title = id === undefined ? page : plainText((token as Tokens.Heading).tokens);
      sections.push({ id: isTop ? slug : `${slug}#${id}`, page, title, text: '' });
      if (id !== undefined) continue;
    }
    const last = sections.at(-1);
    if (last !== undefined) last.text += `${plainText([token])} `;
    if (token.type === 'table')
      for (const row of (token as Tokens.Table).rows) {
        const code = /id="([^"]+)"/.exec(rowId(row))?.[1];
        if (code !== undefined)
          sections.splice(-1, 0, {
            id: `${slug}#${code}`,
            page,
            title: code,
            text: row
              .slice(1)
              .map((cell) => plainText(cell.tokens))
              .join('. '),
          });
      }
  }
  return sections;
}

function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table;
        return [header, ...rows].flatMap((row) => row.map((cell) => plainText(cell.tokens))).join(' ');
      }
      if (token.type === 'list') return (token as Tokens.List).items.map((item) => plainText(item.tokens)).join(' ');
      if (token.type === 'html' || token.type === 'image' || token.type === 'space') return '';
      if ('tokens' in token && token.tokens !== undefined) return plainText(token.tokens);
      return 'text' in token ? unescape(String(token.text)) : '';
    })
    .join('');
}

const unescape = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

function addressOf(href: string, from: string): string {
  if (/^(https?:|mailto:|\/|#)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const target = relative(DOCS, resolve(dirname(from), path));
  const page = PAGES.find(({ file }) => file === target);
  if (page === undefined) throw new Error(`${from}: ${href} is no page of the help`);
  return `/help/${page.slug}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** `x.png`, and `x.dark.png` beside it where there is one: the style sheet shows the one that fits. */
function picture({ href, text }: Tokens.Image, from: string, pictures: string[]): string {
  const light = resolve(dirname(from), href);
  const dark = light.replace(/\.png$/, '.dark.png');
  if (!existsSync(light)) throw new Error(`${from}: there is no picture ${href}`);
  const { width, height } = pngSize(light);
  const image = (path: string, scheme: string) =>
    `<img class="${scheme}" src="picture:${pictures.push(path) - 1}:" alt="${text}" width="${width}" height="${height}" loading="lazy">`;
  return existsSync(dark) ? image(light, 'light') + image(dark, 'dark') : image(light, 'any');
}

/** Width and height stand in the first chunk of a PNG file. */
function pngSize(path: string): { width: number; height: number } {
  const head = readFileSync(path).subarray(16, 24);
  return { width: head.readUInt32BE(0), height: head.readUInt32BE(4) };
}

const formulaBlock = {
  name: 'formulaBlock',
  level: 'block' as const,
  start: (source: string) => source.indexOf('$$'),
  tokenizer(source: string) {
    const match = /^\$\$\s*([\s\S]+?)\s*\$\$(?:\n|$)/.exec(source);
    return match === null ? undefined : { type: 'formulaBlock', raw: match[0], text: match[1] ?? '' };
  },
  renderer: (token: Tokens.Generic) =>
    `<div class="formula" tabindex="0">${temml.renderToString(token['text'], { displayMode: true, throwOnError: true })}</div>\n`,
};

const formula = {
  name: 'formula',
  level: 'inline' as const,
  start: (source: string) => source.indexOf('$'),
  tokenizer(source: string) {
    // A line may end within a formula, a paragraph may not.
    const match = /^\$(?!\s)((?:[^$\n]|\n(?!\s*\n))+?)(?<!\s)\$(?!\d)/.exec(source);
    return match === null ? undefined : { type: 'formula', raw: match[0], text: match[1] ?? '' };
  },
  renderer: (token: Tokens.Generic) => temml.renderToString(token['text'], { throwOnError: true }),
};
