import type { Page } from 'playwright-core';
import type { Stage } from './stage.ts';

export const panel = (page: Page) => page.getByRole('complementary', { name: 'AI Assistant' });
export const lastAnswer = (page: Page) =>
  page.getByRole('log').getByRole('article', { name: 'Assistant' }).last();

export async function openPanel(page: Page) {
  await page.getByRole('button', { name: 'Ask the assistant' }).click();
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  await page.getByRole('list', { name: 'Suggested questions' }).waitFor();
}

export async function ask(page: Page, question: string) {
  await page.getByRole('textbox', { name: 'Message' }).fill(question);
  await page.keyboard.press('Enter');
}

/** Where the page sends requests, our own server left out. */
export function requestsElsewhere(page: Page, { origin }: Stage): string[] {
  const elsewhere: string[] = [];
  page.context().on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith('blob:') && !url.startsWith('data:'))
      elsewhere.push(url);
  });
  return elsewhere;
}
