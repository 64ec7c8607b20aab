import { readFile, writeFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import {
  expectAccessible,
  expectQuietEnd,
  GENOTYPES,
  keepToasts,
  PHENOTYPES,
  signInWithProject,
  uploadFile,
} from './support/journeys.ts';

test('good files are ready after their check and can be downloaded untouched', async ({ page }) => {
  await signInWithProject(page, 'upload', {});
  await page.getByRole('link', { name: 'Project Files' }).first().click();
  await uploadFile(page, GENOTYPES, 'Genotype');
  await uploadFile(page, PHENOTYPES, 'Phenotype');
  await expect(page.getByRole('row', { name: /genotypes\.vcf\.gz/ })).toContainText('ready', { timeout: 60_000 });
  await expect(page.getByRole('row', { name: /phenotypes\.csv/ })).toContainText('ready', { timeout: 60_000 });
  await expectAccessible(page);

  await page.getByRole('link', { name: /genotypes\.vcf\.gz/ }).click();
  await expect(page.getByText('Minor allele frequency')).toBeVisible();
  await expectAccessible(page);

  await expect(page.getByRole('link', { name: /^Project Files/ }).first()).toHaveAttribute('aria-current', 'page');
  await page.getByRole('tab', { name: 'Structure' }).click();
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Structure' })).toHaveAttribute('aria-selected', 'true');

  const original = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download original' }).click();
  expect(await readFile(await (await original).path())).toEqual(await readFile(GENOTYPES));

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Export genotypes' }).click();
  await page.getByRole('radio', { name: 'HapMap' }).check();
  await expectAccessible(page);
  const exported = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const file = await exported;
  expect(file.suggestedFilename()).toBe('genotypes.hmp.txt');
  expect(await readFile(await file.path(), 'utf8')).toMatch(/^rs#\talleles\tchrom\tpos\t/);
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('an upload, and what was restored from the bin, are taken back by Undo', { tag: '@whole' }, async ({ page }) => {
  await keepToasts(page);
  const { url } = await signInWithProject(page, 'undo', {});
  await page.goto(`${url}/storage`);
  await uploadFile(page, PHENOTYPES, 'Phenotype');
  const notFound: string[] = [];
  page.on('response', (answer) => answer.status() === 404 && notFound.push(answer.url()));
  const row = page.getByRole('row', { name: /phenotypes\.csv/ });
  const undo = page.getByRole('button', { name: 'Undo' });
  const bin = page.getByRole('dialog', { name: 'Recently deleted' });
  await expect(page.getByText('“phenotypes.csv” was uploaded.')).toBeVisible();
  await expect(row).toBeVisible();
  await undo.click();
  await expect(page.getByText('“phenotypes.csv” was deleted.')).toBeVisible();
  await expect(row).toHaveCount(0);

  const openBin = async () => {
    await page.getByRole('button', { name: 'Recently deleted' }).click();
    await expect(bin).toBeVisible();
  };
  await openBin();
  await bin.getByRole('button', { name: 'Restore phenotypes.csv' }).click();
  await expect(bin.getByText('Nothing was deleted in the last 30 days.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(bin).toBeHidden();
  await expect(page.getByText('“phenotypes.csv” was restored.')).toBeVisible();
  await expect(row).toContainText('ready', { timeout: 60_000 });
  await undo.click();
  await expect(row).toHaveCount(0);
  await openBin();
  await bin.getByRole('button', { name: 'Restore phenotypes.csv' }).click();
  await expect(bin.getByRole('button', { name: 'Restore phenotypes.csv' })).toBeHidden();
  await page.keyboard.press('Escape');

  // Deleted on its own page.
  await row.getByRole('link').click();
  await expect(page.getByRole('cell', { name: 'EarHT', exact: true }).first()).toBeVisible();
  await expectQuietEnd(page, async () => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: /^Delete/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete file' }).click();
    await expect(row).toHaveCount(0);
  });
  expect(notFound).toEqual([]);
});

test('a file with mistakes is listed as invalid, with line, value and reason of each, until a corrected one replaces it', async ({
  page,
}, info) => {
  const { call, projectId } = await signInWithProject(page, 'mistakes', {});
  await page.getByRole('link', { name: 'Project Files' }).first().click();
  const bad = info.outputPath('bad_phenotypes.csv');
  const lines = [
    'sample,EarHT',
    'B73,59.5',
    'B73,61',
    'Mo17,tall',
    ...Array.from({ length: 7 }, (_, i) => `A${i},1${i}`),
  ];
  await writeFile(bad, `${lines.join('\n')}\n`);
  await uploadFile(page, bad, 'Phenotype');
  await expect(page.getByRole('row', { name: /bad_phenotypes\.csv/ })).toContainText('invalid', { timeout: 60_000 });

  await page.getByRole('link', { name: /bad_phenotypes\.csv/ }).click();
  await expect(page.getByRole('heading', { name: 'Import report' })).toBeVisible();
  await expect(page.getByRole('row', { name: /E-PH-DUP/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /E-PH-NOT-NUMBER/ })).toContainText('tall');
  await expectAccessible(page);

  const invalid = page.url();
  await page.getByRole('button', { name: 'Replace file' }).click();
  const dialog = page.getByRole('dialog');
  await expectTemplate(page, 'Phenotype table', 'phenotype_template.csv');
  await dialog.locator('input[type=file]').setInputFiles(PHENOTYPES);
  await expect(dialog.getByLabel('File name')).toHaveValue('bad_phenotypes.csv');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Replace file' }).dblclick();
  await expect(page.getByRole('link', { name: 'Download original' })).toBeVisible({ timeout: 60_000 });
  expect(page.url()).not.toBe(invalid);
  await expect(page.getByRole('heading', { name: 'bad_phenotypes.csv' })).toBeVisible();
  const { data } = (await call('GET', `/projects/${projectId}/files`)) as unknown as { data: object[] };
  expect(data).toEqual([expect.objectContaining({ name: 'bad_phenotypes.csv', file_type: 'PHENOTYPE' })]);
});

test(
  'words and numbers that stand for missing values are taken as such one after the other, without another upload',
  { tag: '@whole' },
  async ({ page }, info) => {
    await signInWithProject(page, 'missing', {});
    await page.getByRole('link', { name: 'Project Files' }).first().click();
    const trial = info.outputPath('trial.csv');
    const rows = Array.from({ length: 20 }, (_, i) => `L${i},${60 + (i % 7)}`);
    await writeFile(trial, ['line,EarHT', ...rows, 'A,n.v.', 'B,n.v.', 'C,-999', 'D,-999'].join('\n'));
    await uploadFile(page, trial, 'Phenotype');
    await expect(page.getByRole('row', { name: /trial\.csv/ })).toContainText('invalid', { timeout: 60_000 });
    await page.getByRole('link', { name: /trial\.csv/ }).click();

    const checkAgain = page.getByRole('button', { name: 'Apply and check again' });
    await expect(page.getByText(/^Not imported yet. Choose a fix above/)).toBeVisible();
    await page.getByRole('radio', { name: 'Treat n.v. as missing' }).check();
    await expectAccessible(page);
    await checkAgain.click();
    await expect(page.getByRole('radio', { name: 'Treat n.v. as missing' })).toHaveCount(0, { timeout: 60_000 });
    await page.getByRole('radio', { name: 'Treat -999 as missing' }).check();
    await checkAgain.click();
    await expect(page.getByRole('radio', { name: /as missing/ })).toHaveCount(0, { timeout: 60_000 });
    await expect(page.getByText('invalid')).toHaveCount(0);
    await expect(page.getByRole('row', { name: /^EarHT/ })).toContainText('20');
  },
);

test('a file chosen under the wrong type is refused with what it is', { tag: '@whole' }, async ({ page }) => {
  await signInWithProject(page, 'wrong-type', {});
  await page.getByRole('link', { name: 'Project Files' }).first().click();
  await uploadFile(page, PHENOTYPES, 'Genotype');
  await expect(page.getByRole('row', { name: /phenotypes\.csv/ })).toContainText('invalid', { timeout: 60_000 });
  await page.getByRole('link', { name: /phenotypes\.csv/ }).click();
  await expect(page.getByText('E-TYPE')).toBeVisible();
});

/** What each button of the dialog downloads. */
const TEMPLATES = [
  ['Genotype matrix', 'genotype_template.csv'],
  ['Phenotype table', 'phenotype_template.csv'],
  ['Crossing table', 'crossing_table_template.csv'],
  ['Linkage map', 'linkage_map_template.csv'],
  ['Pedigree', 'pedigree_template.csv'],
  ['Gene annotation', 'genes_template.gff3'],
] as const;

async function expectTemplate(page: Page, button: string, file: string): Promise<void> {
  const download = page.waitForEvent('download');
  await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click();
  expect((await download).suggestedFilename()).toBe(file);
}

test('a double click uploads once, under the kind that its first lines show, and stays on the page', async ({
  page,
}, info) => {
  const { call, projectId } = await signInWithProject(page, 'double-click', {});
  await page.getByRole('link', { name: 'Project Files' }).first().click();
  const crosses = info.outputPath('plan 2027.csv');
  await writeFile(crosses, 'female;male\nB73;Mo17\n');
  await page.getByRole('button', { name: 'Upload files' }).first().click();
  const dialog = page.getByRole('dialog');
  for (const [button, file] of TEMPLATES) await expectTemplate(page, button, file);
  await dialog.locator('input[type=file]').setInputFiles(crosses);
  await expect(dialog.getByLabel(/^Type of/)).toHaveValue('CROSSING_TABLE');
  await dialog.getByRole('button', { name: 'Upload 1 file' }).dblclick();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Project Files' })).toBeVisible();
  await expect(page.getByRole('row', { name: /plan 2027\.csv/ })).toContainText('ready', { timeout: 60_000 });
  const { data } = (await call('GET', `/projects/${projectId}/files`)) as unknown as { data: unknown[] };
  expect(data).toHaveLength(1);
});

test('files that are dropped on any page of a project are offered for upload', { tag: '@whole' }, async ({ page }) => {
  const { url } = await signInWithProject(page, 'drop', {});
  await page.goto(`${url}/models`);
  await expect(page.getByRole('heading', { name: 'Models' })).toBeVisible();
  const files = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], 'trial.csv', { type: 'text/csv' }));
    return transfer;
  }, 'line,Yield\nA,1\nB,2\n');
  const drag = (event: string) => page.locator('main').dispatchEvent(event, { dataTransfer: files });
  // A drag tells its place over and over.
  await expect(async () => {
    await drag('dragover');
    await expect(page.getByText('Drop to upload to this project')).toBeVisible({ timeout: 1000 });
  }).toPass();
  await drag('drop');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel(/^Type of/)).toHaveValue('PHENOTYPE');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Upload 1 file' }).click();
  await expect(page).toHaveURL(/models$/);
  await expect(page.getByRole('region', { name: 'Uploads' })).toContainText('trial.csv');
});
