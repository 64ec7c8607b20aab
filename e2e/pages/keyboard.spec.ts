import { expect, type Locator, type Page, test } from '@playwright/test';
import { openDemo } from '../support/demo.ts';
import {
  baseUrl,
  expectAccessible,
  GENOTYPES,
  mailedLink,
  PHENOTYPES,
  putProjectOff,
  signInWithProject,
  watchRest,
} from '../support/journeys.ts';

/** Accessible name of the focused control. */
const focusedName = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    const label =
      element instanceof HTMLInputElement || element instanceof HTMLSelectElement
        ? element.labels?.[0]?.textContent
        : null;
    return (element?.getAttribute('aria-label') ?? label ?? element?.textContent ?? '').trim();
  });

/** Presses Tab until the control of this name has the focus. */
async function tabTo(page: Page, name: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab', most = 120): Promise<void> {
  for (let presses = 0; presses < most; presses++) {
    if (name.test(await focusedName(page))) {
      // The focus must be visible: an outline, or the border of a field.
      const isVisible = await page.evaluate(() => {
        const style = document.activeElement && getComputedStyle(document.activeElement);
        return style ? style.outlineStyle !== 'none' || style.boxShadow !== 'none' : false;
      });
      expect(isVisible, `the focus on ${name} cannot be seen`).toBe(true);
      return;
    }
    await page.keyboard.press(key);
  }
  throw new Error(`Tab never came to ${name}`);
}

const press = (page: Page, ...keys: string[]): Promise<void> =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());

test('signing in, signing out and a wrong address need no mouse', async ({ page }) => {
  const email = `keys-${Date.now()}@example.org`;
  await page.goto(baseUrl());
  await expect(page.getByLabel('E-mail address')).toBeVisible();
  await press(page, 'Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await press(page, 'Enter');
  await tabTo(page, /^E-mail address$/);
  const field = page.getByLabel('E-mail address');
  const placeBelow = () => page.getByText('More', { exact: true }).boundingBox();
  const before = await placeBelow();
  await page.keyboard.type('no address');
  await press(page, 'Enter');
  const complaint = page.getByText('Invalid email address');
  await expect(complaint).toBeVisible();
  // It is said in the colour of errors, around the field too, and moves nothing.
  const red = await complaint.evaluate((element) => getComputedStyle(element).color);
  await expect(field).toBeFocused();
  await expect(field).toHaveCSS('outline-color', red);
  expect(await placeBelow()).toEqual(before);
  await press(page, 'Control+A');
  await page.keyboard.type(email);
  await press(page, 'Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('not registered');
  // Escape keeps the typed address and the focus.
  await press(page, 'Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByLabel('E-mail address')).toHaveValue(email);
  await expect(page.getByLabel('E-mail address')).toBeFocused();
  await press(page, 'Enter');
  await expect(dialog).toBeVisible();
  await tabTo(page, /^Request$/);
  await press(page, 'Enter');
  await page.goto(await mailedLink(page.request, email));
  await expect(page.getByLabel('First name')).toBeFocused();
  await page.keyboard.type('Kim');
  await press(page, 'Tab');
  await page.keyboard.type('Keys');
  await press(page, 'Enter');
  await expect(page.getByLabel('Organization name')).toBeVisible();
  // The form that had the focus is gone.
  await expect(page.getByRole('main')).toBeFocused();
  await tabTo(page, /^Organization name$/);
  await page.keyboard.type('Keyboard breeding');
  await press(page, 'Enter');
  await putProjectOff(page);
  await expect(page.getByRole('heading', { name: 'Keyboard breeding' })).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
  // A button that is disabled once it has done its work leaves the focus in its dialog.
  await tabTo(page, /^Invite people$/);
  await press(page, 'Enter');
  await expect(page.getByLabel('E-mail addresses')).toBeFocused();
  await page.keyboard.type(`invited-${email}`);
  await tabTo(page, /^Invite$/);
  await press(page, 'Enter');
  await expect(page.getByText('Invited. An e-mail with the link')).toBeVisible();
  await expect(dialog).toBeFocused();
  await press(page, 'Escape');
  await expect(dialog).toBeHidden();
  await tabTo(page, /^Menu of Kim Keys$|^KK/, 'Shift+Tab');
  await press(page, 'Enter');
  await expect(page.getByRole('menuitem', { name: 'My account' })).toBeFocused();
  await press(page, 'ArrowDown', 'Enter');
  await expect(page.getByLabel('E-mail address')).toBeVisible();
});

test('a file is uploaded, a project is switched and a row is renamed by keyboard', { tag: '@whole' }, async ({
  page,
}) => {
  const { url } = await signInWithProject(page, 'keyboard-files', {});
  await tabTo(page, /^Project Files/);
  await press(page, 'Enter');
  await expect(page.getByRole('heading', { name: 'Project Files' })).toBeVisible();
  await tabTo(page, /^Upload files$/);
  await press(page, 'Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  // The system's file chooser is outside the page; test the button that opens it. Wait for the chooser from here on:
  // Playwright tells the page to hand it over without awaiting the answer, and a key pressed right after can reach a
  // busy page first, which then opens the system's chooser. The questions of `tabTo` come after that message.
  const chooser = page.waitForEvent('filechooser', { timeout: 60_000 });
  await tabTo(page, /^Choose files/);
  await press(page, 'Enter');
  await (await chooser).setFiles(PHENOTYPES);
  await tabTo(page, /^Type of/);
  await page.keyboard.type('Phenotype');
  await expect(dialog.getByLabel(/^Type of/)).toHaveValue('PHENOTYPE');
  await tabTo(page, /^Upload 1 file$/);
  await press(page, 'Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('row', { name: /phenotypes\.csv/ })).toContainText('ready', { timeout: 60_000 });

  await tabTo(page, /^Actions for phenotypes\.csv$/);
  await press(page, 'Enter');
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    await expectAccessible(page);
  }
  await press(page, 'Escape');
  await expect(page.getByRole('menu')).toBeHidden();
  expect(await focusedName(page)).toBe('Actions for phenotypes.csv');
  await press(page, 'Enter');
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await press(page, 'Enter');
  await expect(dialog.getByRole('textbox').first()).toBeFocused();
  await press(page, 'Control+A');
  await page.keyboard.type('trials 2026.csv');
  await press(page, 'Enter');
  await expect(dialog).toBeHidden();
  const row = page.getByRole('row', { name: /trials 2026\.csv/ });
  await expect(row).toBeVisible();

  // Deleted, and back by Undo: by its button, and by its key, however many controls stand before the button.
  for (const undo of [() => tabTo(page, /^Undo$/).then(() => press(page, 'Enter')), () => press(page, 'Control+z')]) {
    await tabTo(page, /^Actions for trials/);
    await press(page, 'Enter');
    await expect(page.getByRole('menuitem').first()).toBeFocused();
    await press(page, 'End', 'Enter');
    await expect(dialog.getByRole('button', { name: 'Delete file' })).toBeVisible();
    await tabTo(page, /^Delete file$/);
    await press(page, 'Enter');
    await expect(row).toHaveCount(0);
    await expect(page.getByText('“trials 2026.csv” was deleted.')).toBeVisible();
    await undo();
    await expect(row).toBeVisible();
    await expect(page.getByText('“trials 2026.csv” was restored.')).toBeVisible();
  }

  await tabTo(page, /Choose another project$/, 'Shift+Tab');
  await press(page, 'Enter');
  await expect(page.getByRole('menuitem', { name: 'Project List' })).toBeFocused();
  await press(page, 'ArrowDown', 'Enter');
  await expect(page).toHaveURL(url);
});

test('a GWAS is run, its plot zoomed, and a marker opened and closed, by keyboard', { tag: '@whole' }, async ({
  page,
}) => {
  const { url } = await signInWithProject(page, 'keyboard-gwas', {
    [GENOTYPES]: 'GENOTYPE',
    [PHENOTYPES]: 'PHENOTYPE',
  });
  const dialog = page.getByRole('dialog').first();
  await page.goto(`${url}/gwas`);
  await expect(page.getByRole('heading', { name: 'GWAS', exact: true })).toBeVisible();
  await tabTo(page, /^Run GWAS$/);
  await press(page, 'Enter');
  await expect(dialog.getByLabel('GWAS name')).toBeFocused();
  await page.keyboard.type('By keyboard');
  await expect(dialog.getByRole('row', { name: 'In both 279' })).toBeVisible();
  await tabTo(page, /^Run GWAS$/);
  await press(page, 'Enter');
  await expect(page.getByRole('heading', { name: 'Manhattan plot: EarHT' })).toBeVisible({ timeout: 60_000 });

  await tabTo(page, /^Chromosome shown$/);
  await page.keyboard.type('Chromosome 1');
  await expect(page.getByRole('button', { name: 'Zoom out' })).toBeEnabled();
  await tabTo(page, /^Zoom in$/);
  await press(page, 'Enter');
  await tabTo(page, /^Move to the right$/);
  await press(page, 'Enter');
  await tabTo(page, /^Whole genome$/);
  await press(page, 'Enter');
  await expect(page.getByRole('button', { name: 'Zoom out' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Whole genome' })).toBeFocused();
  await tabTo(page, /^Show as table$/, 'Shift+Tab');
  await press(page, 'Enter');
  const strongest = page.getByRole('region', { name: 'Manhattan plot: EarHT' }).getByRole('row').nth(1);
  await expect(strongest).toContainText('280,719,882');
  await press(page, 'Enter');

  await tabTo(page, /^PZA03188\.4/);
  await press(page, 'Enter');
  await expect(page.getByRole('heading', { name: 'Marker PZA03188.4' })).toBeFocused();
  await tabTo(page, /^Close marker$/);
  await press(page, 'Enter');
  await expect(page.getByRole('heading', { name: 'Marker PZA03188.4' })).toHaveCount(0);
  expect(await focusedName(page)).toMatch(/^PZA03188\.4/);
});

test('Escape closes the list of covariates, then asks before it closes the dialog', { tag: '@whole' }, async ({
  page,
}) => {
  const { url, fileIds, projectId, call } = await signInWithProject(page, 'keyboard-escape', {
    [GENOTYPES]: 'GENOTYPE',
    [PHENOTYPES]: 'PHENOTYPE',
  });
  const [genotype_id, phenotype_id] = fileIds;
  const inputs = { name: 'Before', genotype_id, phenotype_id, traits: ['EarHT'] };
  const gwas = await call('POST', `/projects/${projectId}/gwas`, inputs);
  const dialog = page.getByRole('dialog').first();
  const field = dialog.getByRole('combobox', { name: /^Covariates/ });
  const choices: Record<string, () => Promise<void>> = {
    mouse: () => page.getByRole('option', { name: 'dpoll', exact: true }).click(),
    keys: () => press(page, 'ArrowDown', 'Enter'),
    search: () => page.keyboard.type('dpo').then(() => press(page, 'ArrowDown', 'Enter')),
  };
  for (const [how, choose] of Object.entries(choices)) {
    await page.goto(`${url}/gwas?modal=create-gwas&modal_id=${gwas.id}`);
    await field.click();
    await choose();
    await expect(field, how).toHaveAttribute('aria-expanded', 'true');
    await press(page, 'Escape');
    await expect(field, how).toHaveAttribute('aria-expanded', 'false');
    await expect(dialog.getByText('dpoll', { exact: true }).first(), how).toBeVisible();
    // Something was chosen: the dialog asks, and Escape closes only the question.
    await press(page, 'Escape');
    const question = page.getByRole('dialog', { name: 'Close this dialog?' });
    await expect(question, how).toBeVisible();
    await press(page, 'Escape');
    await expect(question, how).toHaveCount(0);
    await expect(dialog, how).toBeVisible();
    await press(page, 'Escape');
    await question.getByRole('button', { name: 'Discard' }).focus();
    await press(page, 'Enter');
    await expect(page.getByRole('dialog'), how).toHaveCount(0);
  }
});

test('a prediction is made, its candidates are sorted, searched and left by keyboard', { tag: '@whole' }, async ({
  page,
}) => {
  // First a training.
  test.slow();
  const { url, projectId, fileIds, call } = await signInWithProject(page, 'keyboard-prediction', {
    [GENOTYPES]: 'GENOTYPE',
    [PHENOTYPES]: 'PHENOTYPE',
  });
  const [genotype_id, phenotype_id] = fileIds;
  const model = await call('POST', `/projects/${projectId}/models`, {
    name: 'Ear height',
    genotype_id,
    phenotype_id,
    traits: ['EarHT'],
    dominance_effect: false,
  });
  await expect
    .poll(async () => (await call('GET', `/projects/${projectId}/models/${model.id}`)).status, { timeout: 90_000 })
    .toEqual({ EarHT: 'EVALUATED' });

  await page.goto(`${url}/predictions`);
  await expect(page.getByRole('heading', { name: 'Predictions', exact: true })).toBeVisible();
  await tabTo(page, /^Predict$/);
  await press(page, 'Enter');
  const dialog = page.getByRole('dialog').first();
  await expect(dialog.getByLabel('Prediction name')).toBeFocused();
  await page.keyboard.type('By keyboard');
  // The one model is chosen already; the genotype defaults to the model's.
  await expect(dialog.getByLabel('Model', { exact: true })).toHaveValue('Ear height');
  await expect(dialog.getByRole('row', { name: /^Shared markers/ })).toBeVisible();
  await tabTo(page, /^Predict$/);
  await press(page, 'Enter');
  await expect(page.getByRole('heading', { name: 'By keyboard' })).toBeVisible();

  const best = page.getByRole('row').nth(1);
  await expect(best).toContainText('CML258', { timeout: 60_000 });
  await tabTo(page, /^Search individuals$/);
  await page.keyboard.type('B73');
  await expect(best).toContainText('B73');
  await expect(page.getByText(/rows found$/)).toBeVisible();
  await press(page, 'Control+A', 'Delete');
  await expect(best).toContainText('CML258');
  await tabTo(page, /^Individual/);
  await press(page, 'Enter');
  await expect(best).toContainText('33-16');
  // Actions come before the content: the results download and the menu.
  await tabTo(page, /^Download CSV$/, 'Shift+Tab');
  await tabTo(page, /^More/);
  await press(page, 'Enter');
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await press(page, 'Escape');
  await expect(page.getByRole('menu')).toBeHidden();
  await tabTo(page, /^Predictions/, 'Shift+Tab');
  await press(page, 'Enter');
  await expect(page.getByRole('link', { name: 'By keyboard' })).toBeVisible();
});

test('a project is filled and a model trained by keyboard alone', async ({ page }) => {
  await signInWithProject(page, 'keys-model', { [GENOTYPES]: 'GENOTYPE', [PHENOTYPES]: 'PHENOTYPE' });
  const { keyboard } = page;
  await keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await tabTo(page, /^Models/);
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Models', exact: true })).toBeVisible();
  await tabTo(page, /^Train model$/);
  await keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Train model', exact: true });
  await expect(dialog.getByLabel('Model name')).toBeFocused();
  await keyboard.type('By keyboard');
  await expect(dialog.getByRole('row', { name: 'In both 279' })).toBeVisible();
  await tabTo(page, /^Train model$/);
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'By keyboard' })).toBeVisible();
  // What a screen reader is told: the page, and then what becomes of the run.
  await expect(page).toHaveTitle(/^By keyboard · Models · Maize panel · Heterosis/);
  await expect(page.getByRole('status').filter({ hasText: /^By keyboard · Models · Maize panel$/ })).toBeAttached();
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page.getByRole('status').filter({ hasText: /^evaluated$/ })).toBeVisible({ timeout: 60_000 });

  // Escape closes a dialog and returns the focus to its opener, or to the menu that this was an entry of.
  for (const entry of ['Name and description', 'Copy as script…']) {
    await tabTo(page, /^More actions$/, 'Shift+Tab');
    await keyboard.press('Enter');
    await page.getByRole('menuitem', { name: entry }).focus();
    await keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toBeVisible();
    await keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'More actions' })).toBeFocused();
  }
  await tabTo(page, /^Models/, 'Shift+Tab');
  await keyboard.press('Enter');
  await tabTo(page, /^Train model$/);
  await keyboard.press('Enter');
  await expect(page.getByRole('dialog').first()).toBeVisible();
  await keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Train model' })).toBeFocused();
});

test('the palette finds, goes and starts; single keys search, move in lists and can be turned off', async ({
  page,
}) => {
  const { url } = await signInWithProject(page, 'keyboard-palette', { [PHENOTYPES]: 'PHENOTYPE' });
  await expect(page.getByRole('button', { name: 'Search or jump to' })).toBeVisible();
  const field = page.getByRole('combobox', { name: 'Search, go to a page, or start a run' });
  const active = page.locator('[role=option][aria-selected=true]');
  await press(page, 'Control+k');
  await expect(field).toBeFocused();
  // What the focus is on is said by the field: it points to the option.
  await expect(active).toContainText('phenotypes.csv');
  expect(await field.getAttribute('aria-activedescendant')).toBe(await active.getAttribute('id'));
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    await expectAccessible(page);
  }
  // Letters with gaps find a page, the server a file by words in any order.
  await page.keyboard.type('crsim');
  await expect(active).toHaveText('Crossing Simulation');
  await press(page, 'Control+A');
  await page.keyboard.type('csv pheno');
  await expect(active).toHaveText('phenotypes.csvFile');
  await expect(page.getByRole('status').filter({ hasText: /^\d+ results?$/ })).toBeVisible();
  await press(page, 'ArrowDown', 'ArrowUp', 'Enter');
  await expect(page).toHaveURL(/\/files\//);
  await expect(page.getByRole('heading', { name: 'phenotypes.csv' })).toBeVisible();
  // Whoever is faster than the server is led to what it finds.
  await page.goto(url);
  await expect(page.getByRole('button', { name: 'Search or jump to' })).toBeVisible();
  const answer = Promise.withResolvers<void>();
  await page.route(/\/search\?/, (route) => answer.promise.then(() => route.continue()));
  await press(page, 'Control+k');
  await expect(field).toBeFocused();
  await page.keyboard.type('csv pheno');
  await expect(page.getByText('Searching…')).toBeVisible();
  await expect(page.getByRole('option')).toHaveCount(0);
  await press(page, 'Enter');
  answer.resolve();
  await expect(page).toHaveURL(/\/files\//);
  await page.unroute(/\/search\?/);
  await press(page, 'Control+k');
  await page.keyboard.type('nothing is called like this');
  await expect(page.getByText('Nothing found for')).toBeVisible();
  await expectAccessible(page);
  await press(page, 'Control+A');
  await page.keyboard.type('run gwas');
  await expect(active).toHaveText('Run GWAS');
  await press(page, 'Enter');
  await expect(page.getByRole('dialog').getByLabel('GWAS name')).toBeFocused();
  await press(page, 'Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.goto(`${url}/storage`);
  const row = page.getByRole('link', { name: 'phenotypes.csv' });
  await expect(row).toBeVisible();
  // Keys are heard once the parts of the page for signed-in people are there.
  await expect(async () => {
    await press(page, '/');
    await expect(page.getByRole('searchbox', { name: 'Search' })).toBeFocused({ timeout: 500 });
  }).toPass();
  // In a field they are letters.
  await page.keyboard.type('j?');
  await expect(page.getByRole('searchbox', { name: 'Search' })).toHaveValue('j?');
  await press(page, 'Control+A', 'Delete');
  await expect(row).toBeVisible();
  await press(page, 'Tab', 'j');
  await expect(row).toBeFocused();
  await press(page, '?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await tabTo(page, /^Use single-key shortcuts/);
  await press(page, 'Space', 'Escape');
  await expect(dialog).toHaveCount(0);
  await expect(row).toBeFocused();
  await press(page, '/', '?');
  await expect(row).toBeFocused();
  await press(page, 'Enter');
  await expect(page).toHaveURL(/\/files\//);
});

test('nothing that stays in place covers the control with the focus', { tag: '@whole' }, async ({ page }) => {
  const {
    project,
    runs: { crossing_plan: plan, prediction, crossing_simulation: crossing },
  } = await openDemo(page);
  // Beneath the ends of a dialog, the columns that stay, the head of a table, and the header of the page.
  const walks: readonly [address: string, from: RegExp, key: 'Tab' | 'Shift+Tab', presses: number, opener?: RegExp][] =
    [
      [`${project}/crossingPlans?modal=create-crossing-plan`, /^Plan name$/, 'Tab', 22],
      [`${project}/crossingPlans/${plan}`, /^Candidate(?!s)/, 'Tab', 30, /^All candidates/],
      [`${project}/predictions/${prediction}`, /^Select (?!all)/, 'Tab', 24],
      [`${project}/predictions/${prediction}`, /^Select (?!all)/, 'Shift+Tab', 30],
      [`${project}/crossingSimulation/${crossing}`, /^Provenance|^Running this again/, 'Shift+Tab', 90],
    ];
  const rest = await watchRest(page);
  for (const [address, from, key, presses, opener] of walks) {
    await page.goto(baseUrl() + address);
    await expect(page.getByRole('heading').first()).toBeVisible();
    // What comes late moves fields after they have been scrolled to.
    await rest();
    if (opener !== undefined) {
      await tabTo(page, opener, 'Tab', 400);
      await press(page, 'Enter');
      await expect(page.getByRole('dialog')).toBeVisible();
    }
    await tabTo(page, from, 'Tab', 400);
    const covered: string[] = [];
    for (let step = 0; step < presses; step++) {
      await press(page, key);
      if (await isFocusCovered(page)) covered.push(await focusedName(page));
    }
    expect(covered, `${key} on ${address}`).toEqual([]);
  }
});

/** Whether something else is seen where the control with the focus is. */
const isFocusCovered = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return false;
    const { x, y, width, height } = element.getBoundingClientRect();
    if (width < 2 || height < 2) return false;
    const seen = document.elementFromPoint(x + width / 2, y + height / 2);
    const own = [element, ...((element as HTMLInputElement).labels ?? []), element.parentElement];
    return !own.some((one) => one?.contains(seen)) && !seen?.contains(element);
  });

test('under forced colours what is chosen can be told from the rest', { tag: '@whole' }, async ({ page }) => {
  const {
    project,
    runs: { gwas, model, crossing_plan: plan },
  } = await openDemo(page);
  await page.emulateMedia({ forcedColors: 'active' });
  const groundOf = (locator: Locator, property: 'backgroundColor' | 'borderBottomColor' = 'backgroundColor') =>
    locator.first().evaluate((element, name) => getComputedStyle(element)[name], property);
  await page.goto(baseUrl() + project + `/gwas/${gwas}`);
  const traits = page.locator('.mantine-SegmentedControl-label');
  await expect(traits.first()).toBeVisible();
  expect(await groundOf(traits)).not.toBe(await groundOf(traits.nth(1)));
  const track = page.locator('.mantine-Switch-track');
  const off = await groundOf(track);
  expect(await groundOf(page.locator('.mantine-Switch-thumb'))).not.toBe(off);
  await page.getByLabel('All traits together').focus();
  await press(page, 'Space');
  await expect.poll(() => groundOf(track)).not.toBe(off);

  await page.goto(`${baseUrl() + project}/models/${model}`);
  const tabs = page.getByRole('tab');
  await expect(tabs.first()).toBeVisible();
  expect(await groundOf(tabs, 'borderBottomColor')).not.toBe(await groundOf(tabs.nth(1), 'borderBottomColor'));

  await page.goto(`${baseUrl() + project}/crossingPlans/${plan}`);
  await page.getByRole('button', { name: 'All candidates' }).click();
  const box = page.getByRole('dialog').getByRole('checkbox', { name: 'DE2 takes part' });
  await expect(box).toBeChecked();
  const checked = await groundOf(box);
  await box.focus();
  await press(page, 'Space');
  await expect.poll(() => groundOf(box)).not.toBe(checked);
});
