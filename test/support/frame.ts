import type { Page } from 'playwright-core';

/** Presses a button in the account menu of the top bar. A page that opens meanwhile closes the menu. */
export async function pressInAccountMenu(page: Page, name: string): Promise<void> {
  const item = page.getByRole('button', { name, exact: true });
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.waitForLoadState('networkidle');
  if (!(await item.isVisible())) await page.getByRole('button', { name: 'Account menu' }).click();
  await item.click();
}

export function signOut(page: Page): Promise<void> {
  return pressInAccountMenu(page, 'Sign out');
}

/** Opens the same page for another client, or for the user. */
export async function viewPerson(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Viewing/ }).click();
  await page.locator('.person-menu').getByRole('link', { name }).click();
}

/** Opens the same page for another tax year. */
export async function viewYear(page: Page, year: number): Promise<void> {
  await page.getByLabel('Tax year', { exact: true }).selectOption(String(year));
}
