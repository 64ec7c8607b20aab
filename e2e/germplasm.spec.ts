import { writeFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectQuietEnd, keepToasts, signInWithProject } from './support/journeys.ts';
import { launchProduct } from './support/start-product.ts';

let product: Awaited<ReturnType<typeof launchProduct>>;
const usual = process.env.HETEROSIS_URL;

// A product of its own, because it is stopped in the middle.
test.beforeAll(async () => {
  product = await launchProduct({ DEMO: 'off' });
  process.env.HETEROSIS_URL = product.url;
});
test.afterAll(async () => {
  process.env.HETEROSIS_URL = usual;
  await product.stop();
});

const HEADER = 'name,female,male,synonyms,origin';

async function upload(page: Page, name: string, lines: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: 'Upload germplasm' }).first().click();
  const dialog = page.getByRole('dialog').first();
  await expect(dialog.getByRole('button', { name: 'Download a template' })).toBeVisible();
  const buffer = Buffer.from(lines.join('\n'));
  await dialog.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer });
  await dialog.getByRole('button', { name: 'Check file' }).click();
  await expect(page.getByRole('heading', { name })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: /has errors|ready to accept/ })).toBeVisible();
}

test('germplasm with mistakes is mended in the review and stored as a whole, also across a restart', {
  tag: '@whole',
}, async ({ page }) => {
  const { url, projectId, call } = await signInWithProject(page, 'germplasm', {});
  const names = async () => {
    const list = (await call('GET', `/projects/${projectId}/germplasms`)) as unknown as { data: { name: string }[] };
    return list.data.map(({ name }) => name).sort();
  };
  await page.goto(`${url}/germplasm`);

  // A file without names: what is wrong and what to do, and nothing to accept.
  await upload(page, 'broken.csv', ['B73,Mo17,1', 'F2,F1,2']);
  await expect(page.getByText(/no column with the names of the germplasm.*E-COL-MISSING/)).toBeVisible();
  await expect(page.getByRole('button', { name: /^Store/ })).toBeDisabled();
  await page.getByRole('button', { name: 'Discard file' }).click();

  await upload(page, 'lines.csv', [
    HEADER,
    'B73,,,,Iowa',
    'Mo17,,,Missouri 17,Missouri',
    'H1,B73,missouri-17,,',
    'H2,H3,B73,,',
    'H3,H2,Mo17,,',
    ',B73,Mo17,,',
    'H4,B37,Mo17,,',
  ]);
  await expect(page.getByText(/runs in a circle: H2 <- H3 <- H2.*E-GP-CYCLE/)).toBeVisible();
  await expect(page.getByText(/The name is empty.*E-GP-NAME-EMPTY/)).toBeVisible();
  await expect(page.getByText(/“?"?B37.*E-GP-PARENT-UNKNOWN/)).toBeVisible();
  await expect(page.getByText(/Correct or leave out \d errors first/)).toBeVisible();
  await expectAccessible(page);

  // It waits for its person while the product is stopped and started.
  await product.restart();
  await page.reload();
  await expect(page.getByText(/runs in a circle: H2 <- H3 <- H2/)).toBeVisible();
  expect(await names()).toEqual([]);

  await page.getByLabel('Female parent, line 5').fill('B73');
  await page.getByLabel('Male parent, line 5', { exact: true }).fill('Mo17');
  await page.getByRole('button', { name: 'Leave out line 7' }).click();
  await page.getByRole('button', { name: 'Check again with 2 changed rows' }).click();
  await expect(page.getByText(/circle/)).toHaveCount(0);
  await expect(page.getByText('Correct or leave out 1 error first.')).toBeVisible();
  // One that is not known is mended by its exact name.
  await page.getByLabel('Female parent, line 8').fill('b-73');
  await page.getByRole('button', { name: 'Check again with 1 changed row' }).click();
  const store = page.getByRole('button', { name: 'Store 6 lines' });
  await expect(page.getByText('Confirm the warnings first.')).toBeVisible();
  await expect(store).toBeDisabled();
  await page.getByRole('checkbox', { name: /^I have read/ }).check();
  await store.click();
  await expect(page.getByText('Stored: 6 new, 0 changed.')).toBeVisible();
  expect(await names()).toEqual(['B73', 'H1', 'H2', 'H3', 'H4', 'Mo17']);

  // The same file again, mended: nothing is stored twice. A name that could mean two is not guessed.
  await page.getByRole('link', { name: 'Go to the germplasm list' }).click();
  await upload(page, 'again.csv', [HEADER, 'B73,,,,Iowa', 'H1,B73,Mo17,,', 'Mo-17,,,B-73,', 'H5,b73,Mo17,,']);
  await expect(page.getByText(/"b73" could be "B73" or "Mo17".*E-NAME-AMBIG/)).toBeVisible();
  await page.getByLabel('Female parent, line 5').fill('B73');
  await page.getByRole('button', { name: 'Check again with 1 changed row' }).click();
  await page.getByRole('checkbox', { name: /^I have read/ }).check();
  await page.getByRole('button', { name: 'Store 1 line' }).click();
  await expect(page.getByText('Stored: 1 new, 0 changed.')).toBeVisible();

  await product.restart();
  await keepToasts(page);
  await page.goto(`${url}/germplasm`);
  await page.getByRole('link', { name: 'H5' }).click();
  await expect(page.getByRole('heading', { name: 'H5' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Mo17' }).first()).toBeVisible();
  expect(await names()).toHaveLength(7);

  // Merged by mistake, and taken back at once.
  await expectQuietEnd(page, async () => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: /Merge/ }).click();
    await page.getByLabel('Line to keep').first().fill('H1');
    await page.getByRole('option', { name: 'H1' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click();
    await expect(page.getByRole('heading', { name: 'H1', exact: true })).toBeVisible();
  });
  expect(await names()).toHaveLength(6);
  await expect(page.getByText('H5 was merged into H1.')).toBeVisible();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(page.getByText('H5 and H1 are two lines again.')).toBeVisible();
  expect(await names()).toHaveLength(7);

  await page.goto(`${url}/germplasm`);
  await page.getByRole('link', { name: 'H5' }).click();
  await expect(page.getByRole('heading', { name: 'H5' })).toBeVisible();
  await expectQuietEnd(page, async () => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete line' }).click();
    await expect(page.getByText('H5 was deleted.')).toBeVisible();
  });
  expect(await names()).toHaveLength(6);
});

test('a German table below a title is read by what its columns hold, and the next one by itself', {
  tag: '@whole',
}, async ({ page }) => {
  const { url, projectId, call } = await signInWithProject(page, 'columns', {});
  await page.goto(`${url}/germplasm`);
  const title = 'Zuchtgarten Irlbach 2026;;;;;';
  const header = 'Zuchtkürzel;Kreuzungsgruppe;Elter A;Elter B;Auch bekannt als;Bemerkung';
  await upload(page, 'zuchtgarten.csv', [title, header, 'L1;Frühe;;;L-eins|L01;begrannt', 'L2;Frühe;L1;?;;']);
  await expect(page.getByText(/no column with the names of the germplasm/)).toBeVisible();

  await page.getByRole('button', { name: 'Describe the columns' }).click();
  const dialog = page.getByRole('dialog').first();
  await expect(dialog.getByLabel('Header row', { exact: true })).toHaveValue('2');
  await expect(dialog.getByLabel('Separator')).toHaveValue(';');
  await expect(dialog.getByRole('button', { name: 'Check with these columns' })).toBeDisabled();
  const roles = {
    Zuchtkürzel: 'Name',
    Kreuzungsgruppe: 'Collection',
    'Elter A': 'Female parent',
    'Elter B': 'Male parent',
  };
  for (const [column, role] of Object.entries({ ...roles, 'Auch bekannt als': 'Synonyms' }))
    await dialog.getByLabel(`What ${column} holds`).selectOption(role);
  await expect(dialog.getByLabel('What Bemerkung holds')).toHaveValue('attribute');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Check with these columns' }).click();

  await expect(page.getByText('Kept as attributes: Bemerkung.')).toBeVisible();
  await expect(page.getByText(/read from these columns: Zuchtkürzel/)).toBeVisible();
  await page.getByRole('button', { name: 'Store 2 lines' }).click();
  await expect(page.getByText('Stored: 2 new, 0 changed.')).toBeVisible();
  const { data } = (await call('GET', `/projects/${projectId}/germplasms`)) as unknown as { data: object[] };
  expect(data).toMatchObject([
    { name: 'L1', collection: 'Frühe', synonyms: [{ name: 'L-eins' }, { name: 'L01' }] },
    { name: 'L2', maternal: { name: 'L1' }, paternal: null },
  ]);

  await page.getByRole('link', { name: 'Go to the germplasm list' }).click();
  await upload(page, 'next.csv', [header, 'L3;Späte;L2;L1;;']);
  await expect(page.getByText(/as those of earlier files with the same header: Zuchtkürzel/).first()).toBeVisible();
  await page.getByRole('button', { name: 'Store 1 line' }).click();
  await expect(page.getByText('Stored: 1 new, 0 changed.')).toBeVisible();

  // Columns that speak of parents in words of their own are asked about, one at a time if need be.
  await page.getByRole('link', { name: 'Go to the germplasm list' }).click();
  await upload(page, 'parents.csv', ['name,Mutterstock (neu),Vaterbestand', 'L4,L1,L2', 'L5,L2,L3']);
  await page.getByRole('radio', { name: 'It is the female parent' }).check();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Apply and check again' }).click();
  await expect(page.getByText('Does the column Mutterstock (neu) hold')).toHaveCount(0);
  await page.getByRole('radio', { name: 'No; keep it as an attribute' }).check();
  await page.getByRole('button', { name: 'Apply and check again' }).click();
  await expect(page.getByText('Kept as attributes: Vaterbestand.')).toBeVisible();
  await page.getByRole('button', { name: 'Store 2 lines' }).click();
  await expect(page.getByText('Stored: 2 new, 0 changed.')).toBeVisible();
  const { data: all } = (await call('GET', `/projects/${projectId}/germplasms`)) as unknown as { data: object[] };
  expect(all.slice(-2)).toMatchObject([
    { name: 'L4', maternal: { name: 'L1' }, paternal: null },
    { name: 'L5', maternal: { name: 'L2' }, paternal: null },
  ]);
});

test(
  'a file is converted to the names of the list, and its page keeps what was replaced',
  { tag: '@whole' },
  async ({ page }, info) => {
    const trial = info.outputPath('trial.csv');
    writeFileSync(trial, ['name,Yield (t/ha)', 'b 73,9.1', 'mo-17,8.4', 'CHECK,8.0'].join('\n'));
    const { url, fileIds } = await signInWithProject(page, 'convert', { [trial]: 'PHENOTYPE' });
    await page.goto(`${url}/germplasm`);
    await upload(page, 'lines.csv', ['name', 'B73', 'Mo17']);
    await page.getByRole('button', { name: 'Store 2 lines' }).click();
    await expect(page.getByText('Stored: 2 new, 0 changed.')).toBeVisible();

    await page.goto(`${url}/files/${fileIds[0]}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Convert names…' }).click();
    const dialog = page.getByRole('dialog').first();
    await expect(dialog.getByText(/2 names change.*1 is not in the list and stays as it is: CHECK/)).toBeVisible();
    await dialog.getByRole('button', { name: 'Make new file' }).click();
    await page.getByText('2 names replaced').click({ timeout: 60_000 });
    await expect(page.getByRole('row', { name: 'mo-17 Mo17' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'trial_renamed.csv' }).click();
    await expect(page.getByText(/^Converted from trial\.csv: 2 names replaced/)).toBeVisible();
  },
);
