import { expect, it } from 'vitest';
import { renderPage } from '../../../help-pages.ts';
import { createHelpSearch } from './help-search-index.ts';

it('gives headings the anchors that code hosts give them, and rows of codes their code', () => {
  const { html, headings } = renderPage('formats');
  expect(headings.map(({ id }) => id)).toContain('rules-for-every-file');
  expect(html).toContain('<h2 id="crossing-tables">Crossing tables</h2>');
  expect(html).toMatch(/<tr id="E-GT-POS"><td><code>E-GT-POS<\/code><\/td>/);
});

it('leads from one document to another within the help', () => {
  const { html } = renderPage('crossing');
  expect(html).toContain('href="/help/formats#crossing-tables"');
  expect(html).not.toMatch(/href="[^"]*\.md/);
});

it('renders every formula, also where a line ends within it', () => {
  for (const slug of ['methods', 'glossary', 'prediction', 'gwas', 'crossing'])
    expect(renderPage(slug).html.replaceAll(/<(pre|code)[^>]*>[^]*?<\/\1>/g, '')).not.toMatch(/\$[^$\d]/);
});

const PAGES =
  'first-project germplasm trials hybrids prediction gwas crossing organizations account keyboard scripting brapi operators formats problems methods roles glossary benchmarks'.split(
    ' ',
  );

it('renders every page, so that no link or picture leads nowhere', () => {
  for (const slug of PAGES) expect(renderPage(slug).html.length).toBeGreaterThan(200);
});

it('finds codes whole, words by their beginning, and words with a typing error', () => {
  const search = createHelpSearch(renderPage('formats').sections);
  expect(search('E-GT-POS')[0]).toMatchObject({ id: 'formats#E-GT-POS', page: 'File formats' });
  expect(search('pheno').map(({ id }) => id)).toContain('formats#phenotypes');
  expect(search('linkaje map').map(({ id }) => id)).toContain('formats#linkage-maps');
  expect(search('xylophone')).toEqual([]);
});

it('finds only sections that have all words', () => {
  const search = createHelpSearch([
    { id: 'a', page: 'P', title: 'Decimal comma', text: 'with semicolons' },
    { id: 'b', page: 'P', title: 'Comma', text: 'as separator' },
  ]);
  expect(search('comma semicolons').map(({ id }) => id)).toEqual(['a']);
});

it('has every place that a dialog links to', () => {
  const sources = import.meta.glob<string>('../../**/*.tsx', { query: '?raw', import: 'default', eager: true });
  const topics = Object.values(sources).flatMap((text) =>
    [...text.matchAll(/\bhelp="([^"]+)"/g)].map(([, topic]) => topic ?? ''),
  );
  expect(topics.length).toBeGreaterThan(8);
  for (const topic of topics) {
    const [page = '', anchor] = topic.split('#');
    expect(renderPage(page).html, topic).toContain(anchor === undefined ? '<h1' : `id="${anchor}"`);
  }
});

it('leads to headings and codes that exist', () => {
  const links = PAGES.flatMap((page) =>
    [...renderPage(page).html.matchAll(/href="(?:\/help\/([\w-]+))?#([^"]+)"/g)].map(([, to = page, anchor = '']) => ({
      page,
      to,
      anchor,
    })),
  );
  expect(links.length).toBeGreaterThan(5);
  for (const { page, to, anchor } of links)
    expect(renderPage(to).html, `${page} links to ${to}#${anchor}`).toContain(`id="${anchor}"`);
});
