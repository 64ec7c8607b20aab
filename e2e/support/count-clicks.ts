import type { Page } from '@playwright/test';

/** Counts the clicks of a person on a page, as the browser sees them. */
export async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0;
  await page.exposeFunction('heterosisClicked', () => {
    clicks++;
  });
  await page.addInitScript(() =>
    // A key that presses a button is a click too; what a program clicks is none.
    document.addEventListener(
      'click',
      (event) => event.isTrusted && (window as unknown as { heterosisClicked: () => void }).heterosisClicked(),
      true,
    ),
  );
  return () => clicks;
}
