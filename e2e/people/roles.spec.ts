import type { Caller } from '@heterosis/contracts/people/role-table';
import { type Browser, expect, test } from '@playwright/test';
import { PAGES } from '../support/all-pages.ts';
import { type Demo, type DemoPlace, joinDemo, openDemo } from '../support/demo.ts';
import { baseUrl, query, signInByRequests } from '../support/journeys.ts';
import { isAllowed, type Offers, offersOf, openInside, press, recordTraffic } from '../support/walk.ts';

/** Where each kind of caller of the table of roles has a place in the demo. */
const PLACES: Partial<Record<Caller, DemoPlace>> = {
  guest: { project: 'MEMBER' },
  'project-manager': { project: 'MANAGER' },
  'project-owner': { project: 'OWNER' },
  member: { organization: 'MEMBER', project: 'MEMBER' },
  unjoined: { organization: 'MEMBER' },
  manager: { organization: 'MANAGER' },
  outsider: {},
  operator: {},
};

/**
 * Who presses everything once: the two with the least and the most among those who may not everything. Pressing takes
 * as long as all the rest, and what it asks for is in the server's table.
 */
const PRESSING: readonly Caller[] = ['guest', 'manager'];

/** To read addresses before there is a demo. */
const NOWHERE = new Proxy({}, { get: () => '' }) as Demo;

const PAGES_OF_OPERATORS = ['registrations', 'organizations', 'work', 'mails', 'audit'];
const ADDRESSES: readonly (readonly [string, (demo: Demo) => string])[] = [
  ...PAGES.demo.filter(([, addressOf]) =>
    /^(?!\/(?:dev|help|about|account|s\b)|.*nowhere)[^?]*$/.test(addressOf(NOWHERE)),
  ),
  ...PAGES_OF_OPERATORS.map((one) => [`the operators' ${one}`, () => `/operator/${one}`] as const),
];

type Needs = readonly [what: RegExp, call: string][];

const OF_PROJECT: Needs = [
  [/^link Audit|^Download CSV/, 'GET /projects/:project_id/audit'],
  [/^Edit$|Merge into|^menu Delete$/, 'PUT /organizations/:organization_id/germplasms/:id'],
  [/^menu Edit/, 'PUT /projects/:project_id'],
  [/^menu Delete project/, 'DELETE /projects/:project_id'],
  [/^Invite people/, 'POST /projects/:project_id/invitations'],
  [/(?<!^All )germplasm$|Convert names/, 'POST /projects/:project_id/germplasms/uploads'],
  [/^Rename file|Rename or move|Check a|Describe the columns/, 'PUT /projects/:project_id/files/:file_id'],
  [/^(?:row )?Rename|Name and description|Share by a link/, 'PUT /projects/:project_id/models/:id'],
  [/^(?:row|menu) Delete/, 'DELETE /projects/:project_id/models/:id'],
];

/** The call that an action is about, by the page it is on, where not everybody who sees the page may make it. */
const ACTION_NEEDS: readonly [address: RegExp, needs: Needs][] = [
  [
    /^\/projects$/,
    [
      [/^Create project/, 'POST /projects'],
      [/^row Edit/, 'PUT /projects/:project_id'],
      [/^row Delete/, 'DELETE /projects/:project_id'],
    ],
  ],
  [
    /^\/projects\/[^/]+\/decisions\/./,
    [[/^menu Delete$/, 'DELETE /projects/:project_id/decisions/:id'], ...OF_PROJECT],
  ],
  [/^\/projects\/[^/]+\/trials\/./, [[/^menu Delete$/, 'DELETE /projects/:project_id/trials/:id'], ...OF_PROJECT]],
  [/^\/projects/, OF_PROJECT],
  [
    /^\/organizations/,
    [
      [/^link Members|^All members|^Manage members/, 'GET /organizations/:organization_id/members'],
      [/^link Webhooks/, 'GET /organizations/:organization_id/webhooks'],
      [/^(?:Add webhook|Send test|Edit$|Switch o)/, 'POST /organizations/:organization_id/webhooks'],
      [/^link Billing/, 'GET /organizations/:organization_id/billing'],
      [/^link Share Links/, 'GET /organizations/:organization_id/share_links'],
      [/^link Audit|^Download CSV/, 'GET /organizations/:organization_id/audit'],
      [/^link (?:Germplasm|Pedigree)/, 'GET /organizations/:organization_id/germplasms'],
      [/^Create project/, 'POST /projects'],
      [/^menu Edit/, 'PUT /organizations/:organization_id'],
      [/^menu Delete organization/, 'DELETE /organizations/:organization_id'],
      [/^Invite people/, 'POST /organizations/:organization_id/invitations'],
      [/^Add crop|^row Rename/, 'POST /organizations/:organization_id/crops'],
      [/^row Delete/, 'DELETE /organizations/:organization_id/crops/:id'],
      [/^(?:Change seats|Subscribe|Cancel|Add credit card)/, 'PUT /organizations/:organization_id/subscriptions'],
      [/^Upload germplasm/, 'PUT /organizations/:organization_id/germplasms/:id'],
    ],
  ],
];

/** The call that a page is made of. */
const PAGE_NEEDS: Needs = [
  [/^\/organizations\/[^/]+\/members/, 'GET /organizations/:organization_id/members'],
  [/^\/organizations\/[^/]+\/billing/, 'GET /organizations/:organization_id/billing'],
  [/^\/organizations\/[^/]+\/webhooks/, 'GET /organizations/:organization_id/webhooks'],
  [/^\/organizations\/[^/]+\/shareLinks/, 'GET /organizations/:organization_id/share_links'],
  [/^\/organizations\/[^/]+\/audit/, 'GET /organizations/:organization_id/audit'],
  [/^\/organizations\/[^/]+\/(?:germplasm|pedigree)/, 'GET /organizations/:organization_id/germplasms'],
  [/^\/organizations/, 'GET /organizations/:organization_id'],
  [/^\/projects\/[^/]+\/audit/, 'GET /projects/:project_id/audit'],
  [/^\/projects/, 'GET /projects/:project_id'],
  [/^\/operator/, 'GET /operator/organizations'],
];

const needOf = (needs: Needs | undefined, what: string): string | undefined =>
  needs?.find(([pattern]) => pattern.test(what))?.[1];
const maySee = (caller: Caller, address: string): boolean => isAllowed(caller, needOf(PAGE_NEEDS, address) ?? '');

/** What a page offers and the table of roles refuses. */
function refusedOffers(caller: Caller, address: string, offers: Offers): string[] {
  const needs = ACTION_NEEDS.find(([pattern]) => pattern.test(address))?.[1];
  return [...offers].filter((action) => {
    // Menus of people depend on both; tests of people and of their rights look at them.
    const need = OF_PEOPLE.test(action) ? undefined : needOf(needs, action);
    return need !== undefined && !isAllowed(caller, need);
  });
}

const OF_PEOPLE = /^row (?:Make|Remove|Leave|Hand over)/;

let demo: Demo;

test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000);
  const page = await browser.newPage();
  demo = await openDemo(page);
  await page.close();
});

for (const [caller, place] of Object.entries(PLACES) as [Caller, DemoPlace][]) {
  // What they may call is shown by the server's table of roles.
  const title = `a caller of the kind "${caller}" is offered what the table of roles allows, and nothing refused`;
  test(title, { tag: '@whole' }, async ({ browser }) => {
    // Who presses every button once takes twice as long as the others.
    test.setTimeout(1_200_000);
    const page = await enter(browser, caller, place);
    const traffic = await recordTraffic(page);
    await page.goto(baseUrl());
    await expect(page.getByRole('heading').first()).toBeVisible();
    const pressed = new Set<string>();
    for (const [name, addressOf] of ADDRESSES)
      await test.step(name, async () => {
        const address = addressOf(demo);
        await openInside(page, address, traffic);
        const heading = page.getByRole('heading', { level: 1 });
        if (!maySee(caller, address)) {
          if (address === '/projects') return;
          await expect(heading).toHaveText(/^Not found$|^Your role does not include/);
          // Beside what is not there stands no link into it.
          if ((await heading.textContent()) === 'Not found')
            await expect(page.locator('aside nav a').filter({ hasNotText: 'Project List' })).toHaveCount(0);
          return;
        }
        await expect(heading).not.toHaveText(/^Not found$|^Your role does not include/);
        const offers = await offersOf(page);
        expect(refusedOffers(caller, address, offers)).toEqual([]);
        for (const action of PRESSING.includes(caller) ? offers : []) {
          if (action.startsWith('link ') || pressed.has(action)) continue;
          pressed.add(action);
          await press(page, action, traffic);
        }
      });
    expect(traffic.refused).toEqual([]);
    for (const call of traffic.changes) expect(isAllowed(caller, call), call).toBe(true);
    await page.context().close();
  });
}

/** Signs somebody in who has these roles in the demo. */
async function enter(browser: Browser, caller: Caller, place: DemoPlace) {
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  const email = `walks-as-${caller}-${Date.now()}@example.org`;
  await signInByRequests(page, email, caller);
  await joinDemo(demo, email, place);
  if (caller === 'operator') await query('update users set is_operator = true where email = $1', [email]);
  return page;
}

test('who is signed out is led to the start page by every address, and nothing is asked for', {
  tag: '@whole',
}, async ({ page }) => {
  const traffic = await recordTraffic(page);
  await page.goto(baseUrl());
  await expect(page.getByLabel('E-mail address')).toBeVisible();
  const asked: string[] = [];
  page.on('request', (request) => {
    // The ways to sign in are for everybody.
    if (/\/api\/(?!config$)/.test(request.url())) asked.push(request.url());
  });
  for (const [name, addressOf] of ADDRESSES) {
    const address = addressOf(demo);
    await openInside(page, address, traffic);
    expect(new URL(page.url()).searchParams.get('returnTo'), name).toBe(address);
  }
  expect(asked).toEqual([]);
});
