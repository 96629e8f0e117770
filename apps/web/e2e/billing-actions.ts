import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { NARROW } from './stage.ts';

function printed(number: string) {
  return number.replaceAll(/(\d{4})(?=\d)/g, '$1 ');
}

/** Fills in a test card by its row and pays with it. */
export async function payWith(page: Page, number: string) {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: printed(number) }).click();
  await dialog.getByRole('button', { name: 'Confirm Payment' }).click();
}

/** Both charts are drawn: they come after the page. */
export async function drawn(page: Page) {
  await expect.poll(() => page.locator('svg.recharts-surface').count()).toBeGreaterThanOrEqual(2);
}

/** What is open goes on without a load. */
export async function takePhoneIntoTheLight(page: Page) {
  await page.setViewportSize(NARROW);
  await page.getByRole('button', { name: 'Switch to light theme' }).click();
}

export async function overlaps(one: Locator, other: Locator) {
  const [a, b] = await Promise.all([one.boundingBox(), other.boundingBox()]);
  if (!a || !b) throw new Error('they are not both shown');
  return a.y < b.y + b.height && b.y < a.y + a.height;
}
