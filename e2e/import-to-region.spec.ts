import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { expectAccessible, GENOTYPES, PHENOTYPES, signInWithProject } from './support/journeys.ts';

/** The phenotypes of the maize panel as a German trial office would send them. */
function inOtherWords(): string {
  const rows = readFileSync(PHENOTYPES, 'utf8').trim().split(/\r?\n/).slice(1);
  const cell = (text: string): string => (text === '' ? 'n.v.' : text.replace('.', ','));
  return [
    'Sortenversuch 2025;;;;',
    'Nr;Bez.;Kolbenhöhe;Blüte;Ø Kolben',
    ...rows.map((row, index) => [index + 1, ...row.split(',').map(cell)].join(';')),
  ].join('\r\n');
}

/** A gene to the left and one to the right of a marker of chromosome 1. */
const GENES = [
  '##gff-version 3',
  'Chr1\ttest\tgene\t280500000\t280540000\t.\t+\t.\tID=g1;Name=left1;description=on the left',
  'Chr1\ttest\tgene\t281400000\t281460000\t.\t-\t.\tID=g2;Name=right2',
].join('\n');

test('a file in its own words becomes readable, and a region of its GWAS shows genes and a selection', async ({
  page,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'heterosis-import-'));
  const written = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const phenotypes = written('kolben.csv', inOtherWords());
  const genes = written('genes.gff3', GENES);
  const { projectId, url, fileIds, call } = await signInWithProject(page, 'import', {
    [GENOTYPES]: 'GENOTYPE',
    [phenotypes]: 'PHENOTYPE',
    [genes]: 'GENES',
  });
  const [genotypeId, phenotypeId] = fileIds;

  // All problems stand in one report; the cure is above it.
  await page.goto(`${url}/files/${phenotypeId}`);
  await expect(page.getByText('invalid').first()).toBeVisible();
  await expect(page.getByText(/^n\.v\. occurs .* does it mean "missing"/).first()).toBeVisible();
  await page.getByRole('button', { name: 'Describe the columns' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Header row', { exact: true })).toHaveValue('2');
  await expect(dialog.getByLabel('What Bez. holds')).toHaveValue('individual');
  await expect(dialog.getByLabel('What Nr holds')).toHaveValue('ignore');
  await expectAccessible(page);
  await dialog.getByLabel('What Bez. holds').selectOption('ignore');
  await expect(dialog.getByRole('button', { name: 'Check with these columns' })).toBeDisabled();
  await dialog.getByLabel('What Bez. holds').selectOption('individual');
  await dialog.getByLabel('Decimal mark').selectOption(',');
  await dialog.getByLabel('Codes for missing values').fill('n.v.');
  await dialog.getByRole('button', { name: 'Check with these columns' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(/^ready/).first()).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Traits' })).toBeVisible();
  // What a person has described is not asked for again.
  await expect(page.getByText(/found on row|found in an unusual place/)).toHaveCount(0);
  await expect(page.getByRole('cell', { name: 'Kolbenhöhe', exact: true }).first()).toBeVisible();

  const run = await call('POST', `/projects/${projectId}/gwas`, {
    name: 'Kolbenhöhe',
    genotype_id: genotypeId,
    phenotype_id: phenotypeId,
    traits: ['Kolbenhöhe'],
  });
  await page.goto(`${url}/gwas/${run.id}?zoom=1:276719882-284719882`);
  const region = page.getByRole('img', { name: /^Region of \d+ markers around PZA03188\.4/ });
  await expect(region).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('Genes from genes.gff3.')).toBeVisible();
  await expect(region.getByText('left1 →')).toBeVisible();

  // What is dragged over is ticked in the table, stays in the address, and is a list.
  await region.scrollIntoViewIfNeeded();
  const place = await region.boundingBox();
  if (!place) throw new Error('The region has no place on the page');
  await page.mouse.move(place.x + place.width * 0.4, place.y + 120);
  await page.mouse.down();
  await page.mouse.move(place.x + place.width * 0.6, place.y + 140, { steps: 5 });
  await page.mouse.up();
  const ticked = page.getByRole('table', { name: 'Markers' }).getByRole('row').getByRole('checkbox', { checked: true });
  await expect(ticked.first()).toBeVisible();
  await expect(page).toHaveURL(/selected=/);
  const count = await page.getByText(/^\d+ selected$/).textContent();
  await page.reload();
  await expect(page.getByText(count ?? '')).toBeVisible({ timeout: 60_000 });
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export list' }).click();
  const path = await (await saving).path();
  expect(readFileSync(path, 'utf8')).toMatch(/^\ufeff?marker\r?\n/);
  expect(readFileSync(path, 'utf8')).toContain('PZA03188');

  // Which of the markers have effects is computed as further work of the run, and kept.
  await page.getByRole('button', { name: 'Fine-map this region' }).click();
  const posterior = page.getByRole('img', { name: /^Posterior probabilities of \d+ markers/ });
  await expect(posterior).toBeVisible({ timeout: 60_000 });
  await page.reload();
  await expect(posterior).toBeVisible({ timeout: 60_000 });
  await expectAccessible(page);
});
