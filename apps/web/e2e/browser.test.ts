import { expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';

test('a browser is there, and shows a page', async () => {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.setContent('<title>Nephos</title><h1>Hello</h1>');
    expect(await page.title()).toBe('Nephos');
    const width = await page.locator('h1').evaluate((heading) => heading.getBoundingClientRect().width);
    expect(width).toBeGreaterThan(0);
    // Without a font to fall back to, the browser dies at the first character that the chosen font lacks.
    await page.setContent('<input type="password" value="secret"><p>中文 😀 \u{10ffff}</p>');
    expect((await page.screenshot()).length).toBeGreaterThan(0);
  } finally {
    await browser.close();
  }
});
