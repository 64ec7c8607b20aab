import type { JSHandle, Page } from '@playwright/test';

/** A file as a person drags it onto a page: the `dataTransfer` of a drop. */
export const droppedFile = (page: Page, name: string, content: string | Buffer): Promise<JSHandle<DataTransfer>> =>
  page.evaluateHandle(
    ([fileName, base64]) => {
      const dropped = new DataTransfer();
      dropped.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], fileName));
      return dropped;
    },
    [name, Buffer.from(content).toString('base64')] as const,
  );
