import { expect, test } from '@playwright/test';
import { baseUrl, expectAccessible, putFile, signInByRequests, signInWithProject } from '../support/journeys.ts';

test('the bell tells of what has ended and of an invitation, leads there, and can be quietened; so it does of a mention', {
  tag: '@whole',
}, async ({ page }) => {
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
  const ended = page.getByRole('checkbox', { name: 'A run of mine has ended' });
  await ended.click();
  await expect(ended).not.toBeChecked();
  await page.reload();
  await expect(ended).not.toBeChecked();
  await putFile(page, call, projectId, { ...broken, name: 'unheard.vcf' });
  await page.goto(url);
  await expect(bell).toHaveAccessibleName('Notifications');

  const guest = `bell-guest-${Date.now()}@example.org`;
  const other = await page.context().browser()?.newPage();
  if (other === undefined) throw new Error('no second page');
  const otherCall = await signInByRequests(other, guest);
  await other.goto(`${baseUrl()}/projects`);
  await call('POST', `/projects/${projectId}/invitations`, { recipient: guest });
  await expect(other.getByRole('button', { name: '1 new notification' })).toBeVisible();

  // Who has joined is mentioned in a comment, told at once, and led to it; the answer appears on the open page.
  const [{ id: invitation }] = (await otherCall('GET', '/invitations')).data;
  await otherCall('GET', `/invitations/${invitation}/accept`);
  await page.goto(`${url}/files/${fileId}`);
  const box = page.getByRole('textbox', { name: 'Write a comment' });
  await box.pressSequentially(`Broken? <b>Ask</b> @${guest.slice(0, 8)}`);
  await page.getByRole('option', { name: guest }).waitFor();
  await box.press('Enter');
  await expect(box).toHaveValue('Broken? <b>Ask</b> @Ann Breeder ');
  await box.press('Control+Enter');
  await expect(box).toHaveValue('');
  // Away from the dialog of a first organization.
  await other.goto(url);
  await other.getByRole('button', { name: /new notification/ }).click();
  await other.getByRole('link', { name: /mentions you in a comment on broken.vcf/ }).click();
  await expect(other).toHaveURL(`${url}/files/${fileId}#comments`);
  const said = other.getByRole('region', { name: 'Comments' });
  await expect(said.getByRole('listitem')).toContainText('Broken? <b>Ask</b> @Ann Breeder');
  await expectAccessible(other);
  await otherCall('POST', `/projects/${projectId}/comments`, {
    ...{ entity_kind: 'file', entity_id: fileId, text: 'I shall look.' },
  });
  await expect(page.getByText('I shall look.')).toBeVisible();
  await other.close();
});
