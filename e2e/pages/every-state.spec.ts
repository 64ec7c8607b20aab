import { writeFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { baseUrl, expectSound, isWhole, signInWithProject } from '../support/journeys.ts';

/** A small panel, tables of every kind, realistic names, and a file with more errors than fit on a screen. */
const LINES = Array.from({ length: 40 }, (_, i) => `L${i + 1}`);
const LONG = 'NameThatGoesOnForEverAndEverWithoutASingleBlank'.repeat(2).slice(0, 80);
const STATES: Record<string, readonly [type: string, rows: string[]]> = {
  'panel.vcf': [
    'GENOTYPE',
    [
      '##fileformat=VCFv4.2',
      `#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t${LINES.join('\t')}`,
      ...Array.from(
        { length: 60 },
        (_, m) =>
          `${(m % 3) + 1}\t${1000 * (m + 1)}\tm${m}\tA\tG\t.\t.\t.\tGT\t${LINES.map((_, i) => ((i * (m + 7) + m) % 5 < 2 ? '0/0' : '1/1')).join('\t')}`,
      ),
    ],
  ],
  'two of "three" 🌽 محصول.csv': [
    'PHENOTYPE',
    [
      `line,Yield (t/ha),Constant,${LONG}`,
      ...LINES.map((name, i) => `${name},${(7 + ((i * 7) % 11) / 4).toFixed(2)},5,${i}`),
    ],
  ],
  'several_environments.csv': [
    'PHENOTYPE',
    [
      'line,trait,value,environment',
      ...['North', 'South'].flatMap((place) =>
        LINES.map((name, i) => `${name},Yield,${5 + ((i * 7) % 11) / 4},${place}`),
      ),
    ],
  ],
  'map.csv': ['LINKAGE_MAP', ['marker,chr,cM', ...Array.from({ length: 60 }, (_, m) => `m${m},${(m % 3) + 1},${m}`)]],
  'crosses.csv': ['CROSSING_TABLE', ['female,male,n', ...LINES.slice(1).map((name) => `L1,${name},20`)]],
  'three_hundred_mistakes.csv': [
    'PHENOTYPE',
    ['line,Yield', ...Array.from({ length: 300 }, (_, i) => `L${i},${i % 9 === 0 ? i : `about ${i}`}`)],
  ],
};

test(
  'files of every kind and state, and a run of which a part has failed, are sound',
  { tag: '@whole' },
  async ({ page, browser }, info) => {
    test.setTimeout(300_000);
    const paths: Record<string, string> = {};
    for (const [name, [type, rows]] of Object.entries(STATES)) {
      const path = info.outputPath(name);
      await writeFile(path, `${rows.join('\n')}\n`);
      paths[path] = type;
    }
    const { projectId, fileIds, call } = await signInWithProject(page, 'states', paths);
    const [panel, table, environments, map, crosses, mistakes] = fileIds;
    const project = `/projects/${projectId}`;
    const model = await call('POST', `${project}/models`, {
      name: LONG,
      genotype_id: panel,
      phenotype_id: table,
      traits: ['Yield', 'Constant', LONG],
      n_repetition: 1,
    });
    await expect
      .poll(async () => Object.values((await call('GET', `${project}/models/${model.id}`)).status).sort(), {
        timeout: 60_000,
      })
      .toEqual(['ERROR', 'EVALUATED', 'EVALUATED']);
    const addresses: [string, string][] = [
      ['a table with long names', `${project}/files/${table}?tab=table`],
      ['its correlations', `${project}/files/${table}?tab=correlations`],
      ['means of environments', `${project}/files/${environments}?tab=table`],
      ['the environments', `${project}/files/${environments}?tab=environments`],
      ['a linkage map', `${project}/files/${map}`],
      ['a crossing table', `${project}/files/${crosses}`],
      ['three hundred mistakes', `${project}/files/${mistakes}`],
      ['a model of which one trait failed', `${project}/models/${model.id}`],
      ['its files', `${project}/models/${model.id}?tab=downloads`],
      ['the models', `${project}/models`],
    ];
    const storageState = await page.context().storageState();
    for (const [width, height, colorScheme] of [
      [1440, 900, 'dark'],
      [360, 740, 'light'],
    ] as const) {
      const context = await browser.newContext({ storageState, viewport: { width, height }, colorScheme });
      const other = await context.newPage();
      const faults: string[] = [];
      other.on('pageerror', (error) => faults.push(String(error)));
      // Outside `npm run test:all` a page is judged at one width, and the next at the other.
      for (const [name, address] of addresses.filter((_, i) => isWhole || (i % 2 === 0) === (width === 1440))) {
        await test.step(`${name}, ${width} pixels, ${colorScheme}`, async () => {
          await other.goto(baseUrl() + address);
          await expectSound(other, faults, name);
        });
      }
      await context.close();
    }

    // The copy for spreadsheets has every row, with units.
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${baseUrl()}${project}/files/${environments}?tab=table`);
    await expect(page.getByRole('cell', { name: 'L1', exact: true })).toBeVisible();
    // The report below has its own table.
    await page.getByRole('button', { name: 'Copy for a spreadsheet' }).first().click();
    const copied = () => page.evaluate(async () => (await navigator.clipboard.readText()).split('\n'));
    await expect.poll(async () => (await copied())[0]).toBe('Individual\tYield\tn');
    expect(await copied()).toHaveLength(41);

    // The arrow keys move from row to row.
    await page.goto(`${baseUrl()}${project}/storage`);
    const crossesLink = page.getByRole('link', { name: 'crosses.csv' });
    await crossesLink.focus();
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('link', { name: 'map.csv' })).toBeFocused();
    await page.keyboard.press('Home');
    await expect(crossesLink).toBeFocused();
  },
);
