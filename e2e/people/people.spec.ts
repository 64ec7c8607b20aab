import { expect, type Page, test } from '@playwright/test';
import {
  baseUrl,
  expectAccessible,
  giveName,
  mailedLink,
  putProjectOff,
  signInAsNewUser,
} from '../support/journeys.ts';

/** Chooses an entry of the menu of somebody's row, and confirms the dialog that follows. */
async function act(page: Page, who: string, entry: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${who}` }).click();
  await page.getByRole('menuitem', { name: entry }).click();
  // Another dialog may open by itself while this one closes.
  const dialog = page.getByRole('dialog').filter({ has: page.getByRole('button', { name: entry }) });
  await expectAccessible(page);
  await dialog.getByRole('button', { name: entry }).click();
  await expect(dialog).toBeHidden();
}

test('an owner invites, a member joins by the mailed link, is promoted, and loses the page when removed', {
  tag: '@whole',
}, async ({ page: owner, browser }) => {
  const stamp = Date.now();
  const guest = `joins-${stamp}@example.org`;
  await signInAsNewUser(owner, `invites-${stamp}@example.org`);
  await giveName(owner);
  await owner.getByLabel('Organization name').fill('Acme Breeding');
  await owner.getByRole('button', { name: 'Create organization' }).click();
  await putProjectOff(owner);
  await expect(owner.getByText('1 of 10 seats used')).toBeVisible();

  await owner.getByRole('button', { name: 'Invite people' }).click();
  const dialog = owner.getByRole('dialog');
  await dialog.getByLabel('E-mail addresses').fill(`Guest <${guest}>\nnot-an-address`);
  await expect(dialog.getByText('Invalid email address: not-an-address')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Invite' })).toBeDisabled();
  await expectAccessible(owner);
  // Her own address is one, but nobody invites herself.
  await dialog.getByLabel('E-mail addresses').fill(`${guest}\ninvites-${stamp}@example.org`);
  await dialog.getByRole('button', { name: 'Invite 2 people' }).click();
  await expect(dialog.getByText('Invited. An e-mail with the link is on its way.')).toBeVisible();
  await expect(dialog.getByText('This is your own address')).toBeVisible();
  await expect(dialog.getByLabel('E-mail addresses')).toHaveValue(`invites-${stamp}@example.org`);
  await expectAccessible(owner);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  // The refused address is still in the field.
  await owner.getByRole('button', { name: 'Discard' }).click();
  await expect(owner.getByText('2 of 10 seats used, 1 invitation pending')).toBeVisible();
  await owner.getByRole('link', { name: 'Members', exact: true }).click();
  await expect(owner.getByText(/Pending until/)).toBeVisible();

  const member = await (await browser.newContext()).newPage();
  const link = await mailedLink(member.request, guest);
  await member.goto(link);
  await member.getByLabel('First name').fill('Mia');
  await member.getByLabel('Last name').fill('Guest');
  await member.getByRole('button', { name: 'Continue' }).click();
  await expect(member.getByRole('tab', { name: 'Invitations' })).toHaveAttribute('aria-selected', 'true');
  await expectAccessible(member);
  await member.getByRole('button', { name: 'Accept: Acme Breeding' }).click();
  await expect(member.getByRole('heading', { name: 'Acme Breeding' })).toBeVisible();
  await expect(member.getByRole('button', { name: 'Invite people' })).toBeHidden();

  // The owner sees it without a reload.
  await expect(owner.getByRole('cell', { name: 'Mia Guest', exact: true })).toBeVisible();
  await expect(owner.getByText(/Pending until/)).toBeHidden();
  await act(owner, 'Mia Guest', 'Make manager');
  await expect(member.getByRole('button', { name: 'Invite people' })).toBeVisible();

  await act(owner, 'Mia Guest', 'Remove from organization');
  await expect(owner.getByText('1 of 10 seats used')).toBeVisible();
  await expect(member.getByRole('heading', { name: 'Not found' })).toBeVisible();

  // Deleted with a typed word, and back from the list of projects.
  await owner.getByRole('link', { name: 'Overview' }).click();
  await owner.getByRole('button', { name: 'Organization menu' }).click();
  await owner.getByRole('menuitem', { name: 'Delete organization' }).click();
  const deletion = owner.getByRole('dialog');
  await expect(deletion.getByRole('button', { name: 'Delete organization' })).toBeDisabled();
  await deletion.getByRole('textbox').fill('delete');
  await deletion.getByRole('button', { name: 'Delete organization' }).click();
  await owner.getByRole('button', { name: 'Restore Acme Breeding' }).click();
  await expect(owner.getByText('“Acme Breeding” was restored.')).toBeVisible();
  await expectAccessible(owner);
  await owner.getByRole('link', { name: 'Acme Breeding' }).click();
  await expect(owner.getByText('1 of 10 seats used')).toBeVisible();

  // The link has done its work.
  await owner.goto(link);
  await owner.getByRole('button', { name: 'Sign in with the link' }).click();
  await expect(owner.getByText('This link was used already')).toBeVisible();
  await expectAccessible(owner);
  await member.context().close();
});

test('a project invitation is declined in the box, sent anew and accepted, and its guest leaves', {
  tag: '@whole',
}, async ({ page: owner, browser }) => {
  const stamp = Date.now();
  const email = `guest-${stamp}@example.org`;
  const token = await signInAsNewUser(owner, `leads-${stamp}@example.org`);
  await giveName(owner);
  const post = async (path: string, data: object) => {
    const answer = await owner.request.post(`${baseUrl()}/api${path}`, {
      headers: { authorization: `Bearer ${token}` },
      data,
    });
    return (await answer.json()) as { id: string };
  };
  const organization = await post('/organizations', { name: 'Acme Breeding' });
  const crop = await post(`/organizations/${organization.id}/crops`, { name: 'Maize' });
  const project = await post('/projects', { name: 'Panel', organization_id: organization.id, crop_id: crop.id });

  const guest = await (await browser.newContext()).newPage();
  await signInAsNewUser(guest, email);
  await giveName(guest);
  // A clock that is half a minute slow has nobody active in the future.
  await guest.clock.install({ time: Date.now() - 30_000 });
  await guest.goto(`${baseUrl()}/projects?modal=invitation-box`);
  const box = guest.getByRole('dialog');
  await expect(box.getByText('There are no invitations that have been received.')).toBeVisible();

  await owner.goto(`${baseUrl()}/projects/${project.id}/members`);
  const invite = async () => {
    await owner.getByRole('button', { name: 'Invite people' }).click();
    const dialog = owner.getByRole('dialog');
    await expect(dialog.getByText(/seats are left.*A guest of a project also takes a seat/)).toBeVisible();
    await dialog.getByLabel('E-mail addresses').fill(email);
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    await expect(dialog.getByText('Invited.')).toBeVisible();
    await owner.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  };
  await invite();
  await box.getByRole('button', { name: 'Decline: Panel' }).click();
  await expect(box.getByText('There are no invitations that have been received.')).toBeVisible();
  await invite();
  await expectAccessible(guest);
  await box.getByRole('button', { name: 'Accept: Panel' }).click();
  await expect(box.getByText('You are now in Panel.')).toBeVisible();
  await box.getByRole('link', { name: 'Open Panel' }).click();
  await expect(guest.getByRole('heading', { name: 'Panel' })).toBeVisible();
  await expect(owner.getByRole('cell', { name: email, exact: true })).toBeVisible();

  await guest.getByRole('link', { name: 'Members' }).click();
  await expect(guest.getByRole('row', { name: email }).getByText('now', { exact: true })).toBeVisible();
  await act(guest, 'Ann Breeder', 'Leave project');
  await expect(guest).toHaveURL(/\/projects(\?|$)/);
  await guest.context().close();
});
