import { randomUUID } from 'node:crypto';
import { expect, type Page, test } from '@playwright/test';
import {
  CROSSES,
  expectAccessible,
  PHENOTYPES,
  query,
  signInByRequests,
  signInWithProject,
} from './support/journeys.ts';

const heads = (page: Page) => page.getByRole('columnheader').getByRole('button').allInnerTexts();

test('a view is saved by keyboard, shared as the default, seen by a colleague, and missed when it is gone', {
  tag: '@whole',
}, async ({ page, browser }) => {
  const files = { [CROSSES]: 'CROSSING_TABLE', [PHENOTYPES]: 'PHENOTYPE' };
  const { url, projectId, call } = await signInWithProject(page, 'views', files);
  await page.goto(`${url}/storage`);
  await page.getByLabel('Type', { exact: true }).selectOption('PHENOTYPE');
  const [name = '', second = '', third = ''] = await heads(page);
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  const handle = page.getByRole('button', { name: `Move ${third}: drag, or arrow keys` });
  await handle.focus();
  await page.keyboard.press('ArrowUp');
  await expect(handle).toBeFocused();
  await page.keyboard.press('Escape');
  expect((await heads(page)).slice(0, 3)).toEqual([name, third, second]);

  await page.getByRole('button', { name: 'Saved views' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Save as a new view…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Save view' });
  await expect(dialog.getByRole('textbox').first()).toBeFocused();
  await page.keyboard.type('Trials first');
  await dialog.getByLabel('Everybody in the project').check();
  await dialog.getByLabel('Open this table with this view, for everybody').check();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save view' }).press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/table_view=files/);
  const shown = page.getByRole('button', { name: 'Saved view “Trials first”', exact: true });
  await expect(shown).toBeVisible();

  const other = await browser.newPage();
  const email = `colleague-${Date.now()}@example.org`;
  await signInByRequests(other, email);
  await query(
    `insert into project_members (id, project_id, user_id, role)
      select $1, $2, id, 'MEMBER' from users where email = $3`,
    [randomUUID(), projectId, email],
  );
  await other.goto(`${url}/storage`);
  await expect(other.getByRole('row')).toHaveCount(2);
  await expect(other.getByRole('row').nth(1)).toContainText('phenotypes.csv');
  expect((await heads(other)).slice(0, 3)).toEqual([name, third, second]);
  await other.getByLabel('Type', { exact: true }).selectOption('');
  await other.getByRole('button', { name: 'Saved view “Trials first”, changed' }).click();
  // It is not his: he may keep one of his own.
  await expect(other.getByRole('menuitem')).toHaveText([
    'Table as it comes',
    /^Trials first/,
    'Undo changes',
    'Save as a new view…',
  ]);
  await other.getByRole('menuitem', { name: 'Undo changes' }).click();
  await expect(other.getByRole('row')).toHaveCount(2);

  await shown.click();
  await page.getByRole('menuitem', { name: 'Delete this view…' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByRole('row')).toHaveCount(3);
  await other.reload();
  await expect(other.getByText('The view in this address was deleted, or is not shared with you.')).toBeVisible();
  await other.close();

  const columns = ['name', 'moisture'].map((id) => ({ id, name: id }));
  const body = { table: 'files', name: 'Older', content: { columns, sort: '-moisture' } };
  const { id } = await call('POST', `/projects/${projectId}/table_views`, body);
  await page.goto(`${url}/storage?table_view=files:${id}`);
  await expect(page.getByText('The view “Older” has a column that this table lacks: moisture.')).toBeVisible();
  expect(await heads(page)).toEqual([name]);
  await page.getByRole('status').getByRole('button', { name: 'Table as it comes' }).click();
  expect((await heads(page)).length).toBeGreaterThan(2);
});
