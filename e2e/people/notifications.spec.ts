import { expect, test } from '@playwright/test';
import { baseUrl, expectAccessible, putFile, signInByRequests, signInWithProject } from '../support/journeys.ts';

test('the bell tells of what has ended and of an invitation, leads there, and can be quietened', async ({ page }) => {
  const { url, projectId, call } = await signInWithProject(page, 'bell', {});
  const bell = page.getByRole('button', { name: /otification/ });
  await expect(bell).toHaveAccessibleName('Notifications');
  const broken = { name: 'broken.vcf', type: 'GENOTYPE', body: Buffer.from('this is no genotype\n') };
  const fileId = await putFile(page, call, projectId, broken);
  // Without a reload: the change is told to the open page.
  await expect(bell).toHaveAccessibleName('1 new notification');
  await bell.focus();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('dialog', { name: /otification/ });
  await expect(panel.getByRole('link', { name: /“broken.vcf” has failed/ })).toBeVisible();
  await expectAccessible(page);
  await panel.getByRole('link', { name: /broken.vcf/ }).press('Enter');
  await expect(page).toHaveURL(`${url}/files/${fileId}`);
  await expect(bell).toHaveAccessibleName('Notifications');
  await bell.click();
  await panel.getByRole('link', { name: 'Choose what you are told' }).click();
  await page.getByRole('checkbox', { name: 'A run of mine has ended' }).uncheck();
  await page.reload();
  await expect(page.getByRole('checkbox', { name: 'A run of mine has ended' })).not.toBeChecked();
  await putFile(page, call, projectId, { ...broken, name: 'unheard.vcf' });
  await page.goto(url);
  await expect(bell).toHaveAccessibleName('Notifications');

  const guest = `bell-guest-${Date.now()}@example.org`;
  const other = await page.context().browser()?.newPage();
  if (other === undefined) throw new Error('no second page');
  await signInByRequests(other, guest);
  await other.goto(`${baseUrl()}/projects`);
  await call('POST', `/projects/${projectId}/invitations`, { recipient: guest });
  await expect(other.getByRole('button', { name: '1 new notification' })).toBeVisible();
  await other.close();
});
