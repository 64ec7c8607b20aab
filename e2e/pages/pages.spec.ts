import { readFileSync } from 'node:fs';
import { expect, type Locator, type Page, test } from '@playwright/test';
import {
  CROSSES,
  expectAccessible,
  expectQuietEnd,
  GENOTYPES,
  PHENOTYPES,
  signInWithProject,
} from '../support/journeys.ts';

/** Where an element stands once it is in sight and rests: what loads above it moves it. */
async function placeOf(what: Locator) {
  await what.scrollIntoViewIfNeeded();
  await what.hover({ trial: true });
  const box = await what.boundingBox();
  if (!box) throw new Error('There is nothing to drag over');
  return box;
}

async function drag(page: Page, what: Locator, from: number, to: number): Promise<void> {
  const { x, y, width, height } = await placeOf(what);
  await page.mouse.move(x + width * from, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width * to, y + height / 2, { steps: 5 });
  await page.mouse.up();
}

test('the shortest paths, and one selection in every plot and table of a page', { tag: '@whole' }, async ({ page }) => {
  test.setTimeout(240_000);
  const { url, fileIds, call } = await signInWithProject(page, 'pages', {
    [GENOTYPES]: 'GENOTYPE',
    [PHENOTYPES]: 'PHENOTYPE',
    [CROSSES]: 'CROSSING_TABLE',
  });
  const [genotypes, phenotypes, crosses] = fileIds;
  let clicks = 0;
  const click = async (what: Locator): Promise<void> => {
    clicks++;
    await what.first().click();
  };
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = page.getByRole('dialog').first();
  const selectedCount = page.getByText(/^[\d,]+ selected$/).first();

  // Of a fresh upload a model is trained by three clicks.
  await click(page.getByRole('link', { name: 'Models' }));
  await click(button('Train model'));
  await expect(dialog.getByRole('row', { name: 'In both 279' })).toBeVisible();
  await click(dialog.getByRole('button', { name: 'Train model' }));
  await expect(page.getByRole('heading', { name: 'EarHT, dpoll, EarDia · phenotypes' })).toBeVisible();
  expect(clicks).toBeLessThanOrEqual(4);
  const modelUrl = page.url();

  // What the panel says of markers follows the fields beside it; an empty one is an error and not 0.
  clicks = 0;
  await click(page.getByRole('link', { name: 'GWAS', exact: true }));
  await click(button('Run GWAS'));
  await expect(dialog.getByText(/Markers after QC ≈ 2,386 of 3,093/)).toBeVisible();
  const maf = dialog.getByLabel('MAF ≥');
  await maf.fill('0.2');
  await expect(dialog.getByText(/Markers after QC ≈ 2,386/)).toHaveCount(0);
  await maf.fill('');
  await expect(dialog.getByRole('button', { name: 'Run GWAS' })).toBeDisabled();
  await maf.fill('0.05');
  await expect(dialog.getByText(/Markers after QC ≈ 2,386 of 3,093/)).toBeVisible();
  await click(dialog.getByRole('button', { name: 'Run GWAS' }));
  await expect(page.getByRole('heading', { name: 'EarHT, dpoll, EarDia · phenotypes' })).toBeVisible();
  expect(clicks).toBeLessThanOrEqual(5);
  const gwasUrl = page.url();

  // A crossing table says what it holds, and of progeny nothing where the file does.
  await page.getByRole('link', { name: 'Project Files' }).first().click();
  await expect(page.getByRole('row', { name: /crosses\.csv/ })).toContainText('28 crosses, 8 parents');
  await page.goto(`${url}/files/${crosses}`);
  await expect(page.getByRole('columnheader', { name: 'Male', exact: true })).toBeVisible();
  await expect(page.getByText('Progeny', { exact: true })).toHaveCount(0);
  // Its crosses can be made or simulated from here; the focus begins on what is to be chosen, not on the help.
  await button('Make F1 hybrids').click();
  await expect(dialog.getByText('Makes the genotypes of F1 hybrids')).toBeVisible();
  await expect(dialog.getByRole('link', { name: 'Help' })).not.toBeFocused();
  await page.keyboard.press('Escape');
  await button('Simulate these crosses').click();
  await expect(dialog.getByLabel('Crossing table', { exact: true })).toHaveValue('crosses.csv');
  await page.keyboard.press('Escape');

  // Selected individuals stay selected from the accuracy plot to the ranking, in the address, and as a list.
  await page.goto(modelUrl);
  const accuracy = page.getByRole('img', { name: /^Scatter plot of observed against predicted EarHT/ });
  await expect(accuracy).toBeVisible({ timeout: 90_000 });
  const figures = page.getByRole('table', { name: /figures/i }).first();
  const beyond = await figures.evaluate((table) => {
    const frame = table.parentElement ?? table;
    return frame.scrollWidth - frame.clientWidth;
  });
  expect(beyond, 'the key figures are cut off').toBeLessThanOrEqual(0);
  await drag(page, accuracy, 0.45, 0.6);
  await expect(selectedCount).toBeVisible();
  const chosen = await selectedCount.textContent();
  await page.getByRole('tab', { name: 'GEBV ranking' }).click();
  await expect(page.getByText(chosen ?? '')).toBeVisible();
  const ticked = page.locator('tbody').getByRole('checkbox', { checked: true });
  await expect(ticked.first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cross these…' })).toBeVisible();
  await page.reload();
  await expect(page.getByText(chosen ?? '')).toBeVisible();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export list' }).click();
  const list = readFileSync(await (await saving).path(), 'utf8')
    .trim()
    .split(/\r?\n/);
  expect(list.length - 1).toBe(Number(chosen?.split(' ')[0]));
  // Markers are another selection.
  await page.getByRole('tab', { name: 'Marker effects' }).click();
  await expect(page.getByText(chosen ?? '')).toHaveCount(0);
  const effects = page.getByRole('img', { name: /^Marker effects along the genome/ });
  await drag(page, effects, 0.4, 0.45);
  await expect(page).toHaveURL(/selected_markers=/);
  await expect(selectedCount).toBeVisible();
  await expectAccessible(page);

  // The panel: principal components, kinship as one square picture, and samples.
  const names = list.slice(1, 6);
  const selected = `selected=${encodeURIComponent(names.join('\n'))}`;
  await page.goto(`${url}/files/${genotypes}?tab=structure&${selected}`);
  await expect(page.getByText('5 selected')).toBeVisible();
  const kinship = page.getByRole('img', { name: 'Kinship' });
  await expect(kinship.locator('canvas')).toBeVisible();
  // The cells are squares in any width: the scale beside them takes the difference.
  const beyondHeight = async () => {
    const { width, height } = await placeOf(kinship);
    return Math.round(width - height);
  };
  const window = page.viewportSize();
  for (const width of [360, window?.width ?? 0]) {
    await page.setViewportSize({ width, height: window?.height ?? 0 });
    await expect.poll(beyondHeight, `at ${width} pixels`).toBe(48);
  }
  await drag(page, kinship, 0.2, 0.3);
  await expect(page.getByText('5 selected')).toHaveCount(0);
  await drag(page, page.getByRole('img', { name: 'Principal components' }), 0.3, 0.5);
  const inPca = await selectedCount.textContent();
  await page.getByRole('tab', { name: 'Samples' }).click();
  await expect(page.getByText(inPca ?? '')).toBeVisible();
  await drag(page, page.getByRole('img', { name: 'Call rate of samples' }), 0.15, 0.75);
  await expect(ticked.first()).toBeVisible();

  // Phenotypes: two traits against each other, and the table.
  await page.goto(`${url}/files/${phenotypes}?tab=correlations`);
  await drag(page, page.getByRole('img', { name: 'dpoll against EarHT' }), 0.5, 0.7);
  await expect(selectedCount).toBeVisible();
  const inTraits = await selectedCount.textContent();
  await page.getByRole('tab', { name: 'Table' }).click();
  await expect(page.getByText(inTraits ?? '')).toBeVisible();
  await page.getByRole('tab', { name: 'Traits' }).click();
  await drag(page, page.getByRole('img', { name: 'Histogram of EarHT' }), 0.8, 0.95);
  await expect(page.getByText(inTraits ?? '')).toHaveCount(0);
  await expect(selectedCount).toBeVisible();

  // The genome: dragging over the Manhattan plot selects when it is told to, and over the QQ plot always.
  await page.goto(`${gwasUrl}?trait=dpoll`);
  const manhattan = page.getByRole('img', { name: /^Manhattan plot of dpoll/ });
  await expect(manhattan).toBeVisible({ timeout: 90_000 });
  await drag(page, page.getByRole('img', { name: /^QQ plot/ }), 0.8, 0.97);
  await expect(selectedCount).toBeVisible();
  await expect(ticked.first()).toBeVisible();
  const inQq = await selectedCount.textContent();
  await button('Dragging selects markers').click();
  await drag(page, manhattan, 0.52, 0.54);
  await expect(page.getByText(inQq ?? '', { exact: true })).toHaveCount(0);
  await expect(selectedCount).toBeVisible();
  await expect(page).not.toHaveURL(/zoom=/);
  await expectAccessible(page);

  // A simulation of these unphased lines is one run.
  clicks = 0;
  await click(page.getByRole('link', { name: 'Crossing Simulation' }));
  await click(button('Simulate crosses'));
  await click(dialog.getByRole('button', { name: 'Phase, then simulate' }));
  await expect(page.getByRole('list', { name: 'Stages' }).getByText('phase', { exact: true })).toBeVisible();
  expect(clicks).toBeLessThanOrEqual(6);

  // Before a used file is deleted the dialog says who uses it.
  await page.goto(`${url}/files/${phenotypes}`);
  await button('More actions').click();
  await page.getByRole('menuitem', { name: /^Delete/ }).click();
  await expect(dialog.getByText(/results use it:/)).toBeVisible();
  await expect(dialog.getByText(/Ask a manager/i)).toHaveCount(0);
  await expect(dialog.getByRole('button', { name: 'Delete file' })).toBeDisabled();
  await dialog.getByLabel('Delete anyway').check();
  await expect(dialog.getByRole('button', { name: 'Delete file' })).toBeEnabled();
  await expectAccessible(page);

  // A run is gone without a question about it.
  await page.goto(gwasUrl);
  await expect(page.getByRole('img', { name: /^Manhattan plot/ })).toBeVisible();
  await expectQuietEnd(page, async () => {
    await button('More actions').click();
    await page.getByRole('menuitem', { name: 'Delete GWAS' }).click();
    await dialog.getByRole('button', { name: 'Delete GWAS' }).click();
  });

  // The first field that has to be filled has the focus, also where an organization has no crop yet.
  const { id } = await call('POST', '/organizations', { name: 'Second' });
  await page.goto(`${url}?modal=add-project&modal_id=${id}`);
  await expect(dialog.getByLabel('Crop')).toBeFocused();

  // The project is gone without a question about it.
  await page.goto(url);
  await expect(page.getByText('phenotypes.csv').first()).toBeVisible();
  await expectQuietEnd(page, async () => {
    await button('Project menu').click();
    await page.getByRole('menuitem', { name: 'Delete project' }).click();
    await dialog.getByRole('textbox').fill('delete');
    await dialog.getByRole('button', { name: 'Delete project' }).click();
  });
});
