import { expect, type Page, test } from '@playwright/test';
import { baseUrl, signInByRequests, watchRest } from '../support/journeys.ts';

/** What a careless page would run. Each sets the mark that the test looks for. */
const PAYLOADS = [
  '<img src=x onerror="window.hit=1">',
  '"><svg onload="window.hit=1">',
  '<script>window.hit=1</script>',
  "'-window.hit=1-'",
];

async function hasRun(page: Page): Promise<unknown> {
  return page.evaluate(() => (window as { hit?: number }).hit);
}

test('names and texts with markup are shown as they are, on every page, and run nothing', async ({ page }) => {
  const violations: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) violations.push(message.text());
  });
  const call = await signInByRequests(page, `markup-${Date.now()}@example.org`, PAYLOADS[0]);
  const [organizationName = '', cropName = '', projectName = '', folderName = ''] = PAYLOADS;
  const organization = await call('POST', '/organizations', { name: organizationName });
  await call('PUT', `/organizations/${organization.id}`, { description: PAYLOADS.join(' ') });
  const crop = await call('POST', `/organizations/${organization.id}/crops`, { name: cropName });
  const place = { name: projectName, organization_id: organization.id, crop_id: crop.id };
  const project = await call('POST', '/projects', place);
  await call('PUT', `/projects/${project.id}`, { description: PAYLOADS.join(' ') });
  const folder = await call('POST', `/projects/${project.id}/folders`, { name: folderName, folder_id: null });
  await call('POST', '/access_tokens', { name: projectName, scopes: ['read'], expires_in_days: 1 });

  const body = Buffer.from(`id,${PAYLOADS[1]?.replaceAll('"', '')}\n${PAYLOADS[2]},1\nB73,2\nMo17,3\n`);
  const upload = { file_type: 'PHENOTYPE', content_type: 'text/csv', size_bytes: body.length };
  const { put_url, file_id } = await call('POST', `/projects/${project.id}/files/upload_link`, upload);
  await page.request.put(new URL(put_url, baseUrl()).href, { data: body, headers: { 'content-type': 'text/csv' } });
  const file = { name: `${PAYLOADS[0]}.csv`, file_id, file_type: 'PHENOTYPE' };
  const { id: fileId } = await call('POST', `/projects/${project.id}/files`, file);
  await expect
    .poll(async () => (await call('GET', `/projects/${project.id}/files/${fileId}`)).status)
    .toMatch(/^READY|INVALID/);

  const rest = await watchRest(page);
  const organizationUrl = `/organizations/${organization.id}`;
  const projectUrl = `/projects/${project.id}`;
  for (const [url, shown] of [
    [organizationUrl, organizationName],
    [`${organizationUrl}/crops`, cropName],
    [`${organizationUrl}/members`, PAYLOADS[0]],
    [`${organizationUrl}/audit`, undefined],
    [projectUrl, projectName],
    [`${projectUrl}/storage`, folderName],
    [`${projectUrl}/storage/${folder.id}`, folderName],
    [`${projectUrl}/files/${fileId}`, `${PAYLOADS[0]}.csv`],
    [`${projectUrl}/members`, PAYLOADS[0]],
    ['/projects', projectName],
    ['/account', projectName],
    [`/?returnTo=javascript:window.hit=1`, undefined],
  ] as const) {
    // The first page is loaded, and the start page; the others open as by a link.
    if (url === organizationUrl || url.startsWith('/?')) await page.goto(baseUrl() + url);
    else await page.evaluate((to) => history.pushState({}, '', to), url);
    await rest();
    if (shown === undefined) await expect(page.getByRole('main')).toBeVisible();
    else await expect(page.getByText(shown).first(), url).toBeAttached();
    expect(await hasRun(page), url).toBeUndefined();
  }
  expect(violations).toEqual([]);
});
