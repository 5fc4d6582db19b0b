import type { Page } from 'playwright-core';

/** Drags files over the page and drops them there. */
export async function dropFiles(page: Page, files: Readonly<Record<string, string>>): Promise<void> {
  const transfer = await page.evaluateHandle((entries) => {
    const dragged = new DataTransfer();
    for (const [name, text] of entries) dragged.items.add(new File([text], name, { type: 'text/csv' }));
    return dragged;
  }, Object.entries(files));
  await page.dispatchEvent('body', 'dragenter', { dataTransfer: transfer });
  await page.getByText('Drop files to import them').waitFor();
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
}
