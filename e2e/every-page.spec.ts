import { writeFile } from 'node:fs/promises';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { baseUrl, expectAccessible, GENOTYPES, mailedLink, PHENOTYPES, signInWithProject } from './journeys.ts';

/** What the pages below are about: the demo, which the product makes on an empty database. */
interface Demo {
  project: string;
  organization: string;
  genotype: string;
  phenotype: string;
  model: string;
  prediction: string;
  gwas: string;
}

const PAGES: readonly [string, (demo: Demo) => string][] = [
  ['the project list', () => '/projects'],
  ['the overview', ({ project }) => project],
  ['the files', ({ project }) => `${project}/storage`],
  ['a genotype file', ({ project, genotype }) => `${project}/files/${genotype}`],
  ['a phenotype file', ({ project, phenotype }) => `${project}/files/${phenotype}`],
  ['the models', ({ project }) => `${project}/models`],
  ['a model', ({ project, model }) => `${project}/models/${model}`],
  ['its marker effects', ({ project, model }) => `${project}/models/${model}?tab=effects`],
  ['its ranking', ({ project, model }) => `${project}/models/${model}?tab=gebv`],
  ['its provenance', ({ project, model }) => `${project}/models/${model}?tab=provenance`],
  ['the predictions', ({ project }) => `${project}/predictions`],
  ['a prediction', ({ project, prediction }) => `${project}/predictions/${prediction}`],
  ['the list of GWAS', ({ project }) => `${project}/gwas`],
  ['a GWAS', ({ project, gwas }) => `${project}/gwas/${gwas}`],
  ['a marker of it', ({ project, gwas }) => `${project}/gwas/${gwas}?marker=PZA03188.4`],
  ['an organization', ({ organization }) => organization],
  ['its crops', ({ organization }) => `${organization}/crops`],
  ['the account', () => '/account'],
  ['the about page', () => '/about'],
  ['the outbox', () => '/dev/outbox'],
  ['an address that leads nowhere', () => '/nowhere'],
  ['the dialog that trains a model', ({ project, model }) => `${project}/models?modal=create-model&modal_id=${model}`],
  ['the dialog that runs a GWAS', ({ project }) => `${project}/gwas?modal=create-gwas`],
  ['the dialog that predicts', ({ project, model }) => `${project}/models?modal=create-prediction&modal_id=${model}`],
  ['the upload', ({ project }) => `${project}/storage?modal=upload-files`],
  ['the dialog of a new folder', ({ project }) => `${project}/storage?modal=add-folder`],
  ['the export', ({ project, genotype }) => `${project}/files/${genotype}?modal=export-file&modal_id=${genotype}`],
  [
    'the map template',
    ({ project, genotype }) => `${project}/files/${genotype}?modal=download-spec-file&modal_id=${genotype}`,
  ],
  ['the dialog of a new project', () => '/projects?modal=add-project'],
  ['the invitations', () => '/projects?modal=invitation-box'],
];

let demo: Demo;
let state: Awaited<ReturnType<BrowserContext['storageState']>>;

test.beforeAll(async ({ browser }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const email = 'demo@heterosis.example';
  // The demo is made after the product has started to answer.
  await expect
    .poll(async () => (await page.request.post(`${baseUrl()}/api/auth/link`, { data: { email } })).status())
    .toBe(200);
  const exchange = page.waitForResponse((response) => response.url().endsWith('/api/auth/token'));
  await page.goto(await mailedLink(page.request, email));
  const { access_token } = (await (await exchange).json()) as { access_token: string };
  const list = async (path: string) => {
    const answer = await page.request.get(`${baseUrl()}/api${path}`, {
      headers: { authorization: `Bearer ${access_token}` },
    });
    return ((await answer.json()) as { data: { id: string; file_type?: string; status: unknown }[] }).data;
  };
  await expect.poll(async () => (await list('/projects')).length).toBe(1);
  const [{ id: projectId } = { id: '' }] = await list('/projects');
  const project = `/projects/${projectId}`;
  const finished = async (kind: string, state: string) =>
    expect
      .poll(async () => JSON.stringify((await list(`${project}/${kind}`))[0]?.status ?? ''), { timeout: 60_000 })
      .toMatch(new RegExp(`^("${state}"|\\{("[^"]+":"${state}",?)+\\})$`));
  await finished('models', 'EVALUATED');
  await finished('predictions', 'SUCCESS');
  await finished('gwas', 'SUCCESS');
  const first = async (kind: string) => (await list(`${project}/${kind}`))[0]?.id ?? '';
  const files = await list(`${project}/files`);
  const fileOf = (type: string) => files.find(({ file_type }) => file_type === type)?.id ?? '';
  demo = {
    project,
    organization: `/organizations/${(await list('/organizations'))[0]?.id}`,
    genotype: fileOf('GENOTYPE'),
    phenotype: fileOf('PHENOTYPE'),
    model: await first('models'),
    prediction: await first('predictions'),
    gwas: await first('gwas'),
  };
  await expect(page.getByRole('heading').first()).toBeVisible();
  state = await context.storageState();
  await context.close();
});

async function expectSound(page: Page, faults: readonly string[], name: string): Promise<void> {
  await expect(page.getByRole('heading').first()).toBeVisible();
  // Skeletons and progress have gone, charts are drawn.
  await expect(page.getByLabel('Loading')).toHaveCount(0);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, `${name} is wider than the window`).toBeLessThanOrEqual(0);
  await expectAccessible(page);
  expect(faults, `${name} wrote to the console`).toEqual([]);
}

/** Wide and dark once more: what has tables and charts. */
const isInProject = (address: string): boolean => address.startsWith(demo.project) && !address.includes('modal=');
const isAny = (): boolean => true;

for (const [width, height, colorScheme, isWanted] of [
  [1440, 900, 'light', isAny],
  [1440, 900, 'dark', isInProject],
  [360, 740, 'dark', isAny],
] as const) {
  test(`every page is sound at ${width} pixels, ${colorScheme}`, async ({ browser }) => {
    test.setTimeout(300_000);
    const context = await browser.newContext({ storageState: state, viewport: { width, height }, colorScheme });
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    for (const [name, addressOf] of PAGES) {
      const address = addressOf(demo);
      if (!isWanted(address)) continue;
      await test.step(name, async () => {
        await page.goto(baseUrl() + address);
        await expectSound(page, faults, name);
      });
    }
    await context.close();
  });
}

/** A small panel, tables of every kind, names as people give them, and a file with more mistakes than fit on a screen. */
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

test('files of every kind and state, and a run of which a part has failed, are sound', async ({
  page,
  browser,
}, info) => {
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
    for (const [name, address] of addresses) {
      await test.step(`${name}, ${width} pixels, ${colorScheme}`, async () => {
        await other.goto(baseUrl() + address);
        await expectSound(other, faults, name);
      });
    }
    await context.close();
  }

  // What is shown goes to a spreadsheet, with its units and every row.
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${baseUrl()}${project}/files/${environments}?tab=table`);
  await expect(page.getByRole('row', { name: /^L1 / })).toBeVisible();
  // The report below has a table of its own.
  await page.getByRole('button', { name: 'Copy for a spreadsheet' }).first().click();
  const copied = () => page.evaluate(async () => (await navigator.clipboard.readText()).split('\n'));
  await expect.poll(async () => (await copied())[0]).toBe('Individual\tYield\tn');
  expect(await copied()).toHaveLength(41);

  // The arrow keys go from row to row.
  await page.goto(`${baseUrl()}${project}/storage`);
  const crossesLink = page.getByRole('link', { name: 'crosses.csv' });
  await crossesLink.focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('link', { name: 'map.csv' })).toBeFocused();
  await page.keyboard.press('Home');
  await expect(crossesLink).toBeFocused();
});

test('a project is filled and a model trained by keyboard alone', async ({ page }) => {
  await signInWithProject(page, 'keyboard', { [GENOTYPES]: 'GENOTYPE', [PHENOTYPES]: 'PHENOTYPE' });
  const { keyboard } = page;
  /** Tab to the control of this name, as somebody without a mouse would. */
  const tabTo = async (name: RegExp) => {
    for (let presses = 0; presses < 80; presses++) {
      const focused = await page.evaluate(() => {
        const element = document.activeElement;
        const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null;
        return element?.getAttribute('aria-label') ?? label ?? element?.textContent ?? '';
      });
      if (name.test(focused.trim())) return;
      await keyboard.press('Tab');
    }
    throw new Error(`Tab never came to ${name}`);
  };
  await keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await tabTo(/^Models/);
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Models', exact: true })).toBeVisible();
  await tabTo(/^Train model$/);
  await keyboard.press('Enter');
  const dialog = page.getByRole('dialog').first();
  await expect(dialog.getByLabel('Model name')).toBeFocused();
  await keyboard.type('By keyboard');
  for (const [field, file] of [
    ['Genotype', /genotypes\.vcf\.gz/],
    ['Phenotype', /phenotypes\.csv/],
  ] as const) {
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    const picker = page.getByRole('dialog', { name: 'Project files' });
    await expect(picker, field).toBeVisible();
    await tabTo(file);
    await keyboard.press('Enter');
    await tabTo(/^Select$/);
    await keyboard.press('Enter');
    await expect(picker).toBeHidden();
  }
  await tabTo(/^(?:Select )?dpoll/);
  await keyboard.press('Enter');
  await expect(dialog.getByRole('row', { name: 'In both 279' })).toBeVisible();
  await tabTo(/^Train model$/);
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'By keyboard' })).toBeVisible();

  // Escape closes a dialog and gives the focus back to where it was opened.
  await tabTo(/^Models/);
  await keyboard.press('Enter');
  await tabTo(/^Train model$/);
  await keyboard.press('Enter');
  await expect(page.getByRole('dialog').first()).toBeVisible();
  await keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Train model' })).toBeFocused();
});
