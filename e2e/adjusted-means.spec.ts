import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { expectSound, signInWithProject } from './support/journeys.ts';

/**
 * An augmented trial at three sites: 60 lines, of which each site grows two thirds on one plot, and two checks in
 * every block.
 */
function trial(): string {
  const wave = (seed: number) => ((Math.sin(seed * 12.9898) * 43_758.5453) % 1) * 2;
  const rows = ['line,site,block,Yield (t/ha),Height (cm)'];
  for (const [site, name] of ['Bonn', 'Kiel', 'Halle'].entries()) {
    for (let line = 0; line < 60; line++) {
      if ((line + site) % 3 === 0) continue;
      const value = 7 + wave(line + 1) + 0.4 * wave(97 * line + site) + 1.5 * site + 0.3 * wave(1000 + line * 3 + site);
      rows.push(
        `Line ${line + 1},${name},${1 + (line % 8)},${value.toFixed(2)},${Math.round(90 + 5 * wave(line + 40))}`,
      );
    }
    for (let block = 1; block <= 8; block++) {
      for (const check of [1, 2]) {
        const value = 8 + check + 1.5 * site + 0.3 * wave(5000 + block * 7 + check + site);
        rows.push(`Check ${check},${name},${block},${value.toFixed(2)},${Math.round(100 + 2 * wave(block + check))}`);
      }
    }
  }
  rows.push('Stray,Kiel,77,6.5,88');
  return `${rows.join('\n')}\n`;
}

test(
  'the adjusted means of a trial: components, both H², pictures, and the table as a file',
  { tag: '@whole' },
  async ({ page }, info) => {
    const faults: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    const path = info.outputPath('trial.csv');
    await writeFile(path, trial());
    const { url, fileIds } = await signInWithProject(page, 'means', { [path]: 'PHENOTYPE' });
    await page.goto(`${url}/files/${fileIds[0]}`);
    await expect(page.getByRole('cell', { name: 'W-PH-NOT-ESTIMABLE' }).first()).toBeVisible();
    await page.getByRole('tab', { name: 'Adjusted means' }).click();

    const components = page.getByRole('table', { name: 'Variance components' });
    await expect(components.getByRole('row', { name: /Yield/ })).toContainText('±');
    await expect(components).toContainText('H² Cullis');
    await expect(page.getByText(/Checks: Check 1, Check 2\./)).toBeVisible();
    await expect(page.getByText('One individual has no mean')).toBeVisible();
    const means = page.getByRole('table', { name: 'Adjusted means' });
    await expect(means.getByRole('row').nth(1)).toContainText('Check 2');
    await expectSound(page, faults, 'adjusted means');

    await components.getByText('Height (cm)').click();
    await expect(page.getByRole('heading', { name: 'Height (cm)' })).toBeVisible();
    // The components and the means each have one; the means come after their pictures.
    const exports = page.getByRole('tabpanel').getByRole('button', { name: 'Export rows shown as CSV' });
    await expect(exports).toHaveCount(2);
    const download = page.waitForEvent('download');
    await exports.last().click();
    const csv = await readFile(await (await download).path(), 'utf8');
    expect(csv.split('\n')[0]).toContain('Standard error');
    expect(csv.trimEnd().split('\n')).toHaveLength(64);

    // The tip of the button would stay.
    await page.mouse.move(0, 0);
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      for (const width of [1440, 768, 360]) {
        await page.setViewportSize({ width, height: 900 });
        await expectSound(page, faults, `adjusted means at ${width} px, ${scheme}`);
      }
    }
  },
);
