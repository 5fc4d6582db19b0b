import type { Page } from 'playwright-core';

/** Drags files over the page and drops them there. */
export async function dropFiles(page: Page, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  const entries = Object.entries(files).map(
    ([name, content]) => [name, typeof content === 'string' ? content : [...content]] as const,
  );
  const transfer = await page.evaluateHandle((entries) => {
    const dragged = new DataTransfer();
    for (const [name, content] of entries) {
      const bytes = typeof content === 'string' ? content : new Uint8Array(content);
      dragged.items.add(new File([bytes], name, { type: name.endsWith('.csv') ? 'text/csv' : '' }));
    }
    return dragged;
  }, entries);
  await page.dispatchEvent('body', 'dragenter', { dataTransfer: transfer });
  await page.getByText('Drop files to import them').waitFor();
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
}
