import { type Browser, expect, type Page, test } from '@playwright/test';
import { joinDemo, openDemo } from '../support/demo.ts';
import { baseUrl, isWhole, signInByRequests } from '../support/journeys.ts';
import { openInside, recordTraffic } from '../support/walk.ts';

/** One modal, by its name in the address, and how it is brought to a request that can fail. */
interface Opened {
  modal: string;
  /** The page it belongs to, and what it is about. */
  at: string;
  id?: string;
  /** Typed where the focus is when it has opened. */
  typed?: string;
  /** The request that fails; without one the modal asks for nothing that could. */
  call?: RegExp;
  /** What sends the request; Enter in the field otherwise. `opening`: the modal asks when it opens. */
  by?: RegExp | 'opening';
}

const REASON = 'The cupboard is locked until Monday.';
const UNREACHED = 'The server could not be reached';

test('a dialog whose address does not say what it is about opens nothing, and leaves the page alone', {
  tag: '@whole',
}, async ({ page }) => {
  const { project } = await openDemo(page);
  const traffic = await recordTraffic(page);
  const title = page.getByRole('heading', { level: 1, name: 'Maize diversity panel' });
  for (const name of ['invitation', 'update-project', 'update-file', 'compare-gwas', 'update-gwas']) {
    await page.goto(`${baseUrl()}${project}?modal=${name}`);
    await traffic.settled();
    await expect(title, name).toBeVisible();
    await expect(page.getByRole('dialog'), name).toHaveCount(0);
  }
  await page.goto(`${baseUrl()}${project}?modal=invitation&modal_id=nothing`);
  await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible();
  await expect(title).toBeAttached();
});

test('every dialog opens by its name, keeps the focus, stays open when its request fails, and gives the focus back', async ({
  page,
  browser,
}) => {
  test.setTimeout(300_000);
  const email = `modals-${Date.now()}@example.org`;
  const cases = await makeCases(page, browser, email);
  const traffic = await recordTraffic(page);
  const failing = await failOnRequest(page);
  await page.goto(`${baseUrl()}/projects`);
  await page.evaluate((address) => sessionStorage.setItem('heterosis.pending-email', address), email);
  const opener = page.getByRole('button', { name: /^Menu of/ });
  await expect(opener).toBeVisible();
  let at = '/projects';
  for (const [place, one] of cases.entries())
    await test.step(one.modal, async () => {
      if (one.at !== at) await openInside(page, one.at, traffic);
      at = one.at;
      const dialog = await open(one);
      await expectFocusToStay(page);
      // Outside `npm run test:all` the request fails in the dialog that is open already.
      const isOpenStill = !isWhole && one.call !== undefined && one.by !== 'opening';
      if (!isOpenStill) await closeAndReturn(one, 'the focus returns to where it was');
      if (one.call === undefined) return;
      const ways = ['refused', 'lost'] as const;
      for (const how of isWhole ? ways : [ways[place % 2] ?? 'refused']) {
        failing.next = { call: one.call, how };
        if (!isOpenStill) await open(one);
        if (one.typed !== undefined) {
          // What the form offers, and fills in where there is one choice, has to be there.
          await traffic.settled();
          await page.keyboard.type(one.typed);
        }
        if (one.by !== 'opening') {
          if (one.by !== undefined) await tabTo(page, one.by);
          await page.keyboard.press('Enter');
        }
        await expect(dialog, how).toContainText(how === 'refused' ? REASON : UNREACHED);
        failing.next = undefined;
        await closeAndReturn(one, `the focus returns after a request that was ${how}`);
      }
    });

  async function closeAndReturn({ modal }: Opened, message: string): Promise<void> {
    await close(page, modal);
    await expect(opener, message).toBeFocused();
  }

  async function open({ at: address, modal, id }: Opened) {
    await opener.focus();
    const search = new URLSearchParams({ modal, ...(id === undefined ? {} : { modal_id: id }) });
    await page.evaluate((to) => history.pushState({}, '', to), `${address}?${search}`);
    const dialog = page.getByRole('dialog').first();
    await expect(dialog).toBeVisible();
    await expect(dialog.getByLabel('Loading')).toHaveCount(0);
    await expect.poll(() => page.evaluate(isFocusInside), { message: 'the focus goes into it' }).toBe(true);
    return dialog;
  }
});

/** What the modals are about: somebody's own organization with a plan, and the demo as one of its managers. */
async function makeCases(page: Page, browser: Browser, email: string): Promise<Opened[]> {
  const context = await browser.newContext();
  const other = await context.newPage();
  const demo = await openDemo(other);
  const host = await signInByRequests(other, `host-${email}`);
  const call = await signInByRequests(page, email, 'Mo');
  await joinDemo(demo, email, { organization: 'MANAGER' });
  const inviting = await host('POST', '/organizations', { name: 'Inviting' });
  await host('POST', `/organizations/${inviting.id}/invitations`, { recipient: email, role: 'MEMBER' });
  await context.close();

  const [price] = (await call('GET', '/stripe/price')).data;
  const { url: checkout } = await call('POST', '/checkout', { price_id: price.id });
  const confirmed = { organization_name: 'Acme Breeding', quantity: 10 };
  const { organization_id } = await call('POST', `/checkouts/${checkout.split('/').at(-1)}/confirm`, confirmed);
  const crop = await call('POST', `/organizations/${organization_id}/crops`, { name: 'Maize' });
  const place = { name: 'Modals', organization_id, crop_id: crop.id };
  const { id: projectId } = await call('POST', '/projects', place);
  const folder = await call('POST', `/projects/${projectId}/folders`, { name: 'Trials', folder_id: null });

  const organization = `/organizations/${organization_id}`;
  const own = `/projects/${projectId}`;
  const {
    project,
    genotype,
    phenotype,
    runs: { model, prediction, gwas },
  } = demo;
  const file = `${project}/files/${genotype}`;
  const person = 'new@example.org';
  return [
    { modal: 'confirm-send-email', at: '/projects' },
    { modal: 'sent-message', at: '/projects' },
    { modal: 'not-exist-user', at: '/projects', call: /^POST .*\/signup$/, by: /^Request$/ },
    { modal: 'name-registration', at: '/projects', call: /^PUT .*\/users\/me$/, typed: 'Mona' },
    { modal: 'create-org', at: '/projects', call: /^POST .*\/checkout$/, by: /^Subscribe/ },
    { modal: 'invitation-box', at: '/projects', call: /^GET .*\/accept$/, by: /^Accept/ },
    { modal: 'add-project', at: '/projects', call: /^POST .*\/projects$/, typed: 'New', id: organization_id },
    { modal: 'update-org', at: organization, call: /^PUT/, typed: 'New', id: organization_id },
    { modal: 'invitation-org', at: organization, call: /^POST/, typed: person, by: /^Invite/, id: organization_id },
    { modal: 'add-crop', at: organization, call: /^POST/, typed: 'Wheat', id: organization_id },
    { modal: 'update-plan', at: organization, call: /^PUT/, typed: '3', id: organization_id },
    { modal: 'add-credit-card', at: organization, id: organization_id },
    { modal: 'update-project', at: own, call: /^PUT/, typed: 'New', id: projectId },
    { modal: 'invitation', at: own, call: /^POST/, typed: person, by: /^Invite/, id: projectId },
    { modal: 'add-folder', at: `${own}/storage`, call: /^POST/, typed: 'New' },
    { modal: 'update-folder', at: `${own}/storage`, call: /^PUT/, typed: 'New', id: folder.id },
    { modal: 'update-file', at: file, call: /^PUT/, typed: 'New', id: genotype },
    { modal: 'download-spec-file', at: file, call: /linkage_map_template/, by: /^Download/, id: genotype },
    { modal: 'phasing', at: file, call: /^POST .*\/phasing$/, id: genotype },
    { modal: 'convert-file', at: file, call: /^GET .*\/synonyms$/, by: 'opening', id: phenotype },
    { modal: 'create-model', at: `${project}/models`, call: /^POST .*\/models$/, by: /^Train model$/, id: model },
    { modal: 'update-model', at: `${project}/models`, call: /^PUT/, typed: 'New', id: model },
    {
      modal: 'create-prediction',
      at: `${project}/models`,
      call: /^POST .*\/predictions$/,
      by: /^Predict$/,
      id: `model:${model}`,
    },
    { modal: 'update-prediction', at: `${project}/predictions`, call: /^PUT/, typed: 'New', id: prediction },
    { modal: 'update-gwas', at: `${project}/gwas`, call: /^PUT/, typed: 'New', id: gwas },
  ];
}

/** The next request of this kind is refused with a reason, or gets no answer. */
async function failOnRequest(page: Page) {
  const failing: { next: { call: RegExp; how: 'refused' | 'lost' } | undefined } = { next: undefined };
  await page.route('**/api/**', async (route) => {
    const request = route.request();
    const { next } = failing;
    if (!next?.call.test(`${request.method()} ${new URL(request.url()).pathname}`)) return route.fallback();
    if (next.how === 'lost') return route.abort('connectionfailed');
    const problem = { code: 'request/conflict', status: 409, title: 'This conflicts', detail: REASON };
    return route.fulfill({ status: 409, contentType: 'application/problem+json', body: JSON.stringify(problem) });
  });
  return failing;
}

/** In the page. */
const isFocusInside = (): boolean => document.activeElement?.closest('[role=dialog]') != null;

/**
 * Tab leads round within the dialog: it comes back to where it was, and never leaves. Outside `npm run test:all`
 * Shift+Tab is tried at the edge alone, from the first to the last.
 */
async function expectFocusToStay(page: Page): Promise<void> {
  for (const key of isWhole ? (['Tab', 'Shift+Tab'] as const) : (['Tab'] as const)) {
    await page.evaluate(() =>
      Object.assign(globalThis, { begun: document.activeElement, left: document.activeElement }),
    );
    let isRound = false;
    for (let presses = 0; presses < 80 && !isRound; presses++) {
      const place = await pressAndLook(page, key);
      isRound = place.isRound;
      if (!place.isBack || isWhole) continue;
      await pressAndLook(page, 'Shift+Tab');
      isRound = (await pressAndLook(page, key)).isRound;
    }
    expect(isRound, `${key} leads round`).toBe(true);
  }
}

/** Where a key leads from one element of a dialog: to where all began, or back to one before it or to itself. */
async function pressAndLook(page: Page, key: string): Promise<{ isRound: boolean; isBack: boolean }> {
  await page.keyboard.press(key);
  const { isInside, ...place } = await page.evaluate(() => {
    const { begun, left } = globalThis as { begun?: Element; left?: Element };
    const now = document.activeElement;
    Object.assign(globalThis, { left: now });
    return {
      isInside: now?.closest('[role=dialog]') != null,
      isRound: now === begun,
      isBack: left === now || (left !== undefined && now !== null && (left.compareDocumentPosition(now) & 2) > 0),
    };
  });
  expect(isInside, `${key} leaves the dialog`).toBe(true);
  return place;
}

async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
    });
    if (name.test(focused)) return;
  }
  throw new Error(`Tab never came to ${name}`);
}

/** Escape closes the dialog; where something was typed it asks, and Escape takes the question back. */
async function close(page: Page, modal: string): Promise<void> {
  const dialogs = page.getByRole('dialog');
  const question = page.getByRole('dialog', { name: 'Close this dialog?' });
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await question.count()) > 0 || (await dialogs.count()) === 0, modal).toBe(true);
  if ((await question.count()) > 0) {
    await page.keyboard.press('Escape');
    await expect(question).toHaveCount(0);
    await expect.poll(() => page.evaluate(isFocusInside), 'the focus is in the dialog again').toBe(true);
    await page.keyboard.press('Escape');
    await expect(question).toBeVisible();
    await tabTo(page, /^Discard$/);
    await page.keyboard.press('Enter');
  }
  await expect(dialogs).toHaveCount(0);
  expect(new URL(page.url()).searchParams.has('modal')).toBe(false);
}
