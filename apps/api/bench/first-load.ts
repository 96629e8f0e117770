import { gzipSync } from 'node:zlib';
import { launchBrowser } from '../../web/e2e/browser.ts';
import type { Console } from './console.ts';
import type { Finding } from './measure.ts';

const KB = 1000;

/** Bytes, gzipped, of all JavaScript that a browser loads for a page until it is quiet. */
async function javaScriptOf(console: Console, path: string, cookie?: string): Promise<number> {
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext();
    if (cookie) {
      const [name = '', value = ''] = cookie.split('=');
      await context.addCookies([{ name, value, url: console.url }]);
    }
    const page = await context.newPage();
    const bodies: Promise<Buffer>[] = [];
    page.on('response', (response) => {
      if (response.headers()['content-type']?.includes('javascript')) bodies.push(response.body());
    });
    await page.goto(console.url + path, { waitUntil: 'networkidle' });
    const scripts = await Promise.all(bodies);
    return scripts.reduce((sum, script) => sum + gzipSync(script).length, 0);
  } finally {
    await browser.close();
  }
}

/** First-load JavaScript of the landing page and of the signed-in shell. */
export async function measureFirstLoad(console: Console): Promise<Finding[]> {
  const pages = [
    { name: 'landing page JavaScript', path: '/', cookie: undefined, target: 120 * KB },
    { name: 'signed-in JavaScript', path: '/deployments', cookie: console.cookie, target: 220 * KB },
  ];
  const findings: Finding[] = [];
  for (const { name, path, cookie, target } of pages) {
    const bytes = await javaScriptOf(console, path, cookie);
    findings.push({
      name,
      detail: `${(bytes / KB).toFixed(1)} kB gzip; target ≤ ${target / KB} kB`,
      met: bytes > 0 && bytes <= target,
    });
  }
  return findings;
}
