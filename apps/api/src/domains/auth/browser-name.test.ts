import { expect, it } from 'vitest';
import { browserName } from './browser-name.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/139.0 Safari/537.36`, 'Chrome on Windows'],
  [`Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/139.0 Safari/537.36 Edg/139.0`, 'Edge on Windows'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 15_1) AppleWebKit/605.1 Version/18 Safari/605.1',
    'Safari on macOS',
  ],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) CriOS/139.0 Safari/604.1', 'Chrome on iOS'],
  [`Mozilla/5.0 (Linux; Android 15) ${WEBKIT} Chrome/139.0 Mobile Safari/537.36`, 'Chrome on Android'],
  ['curl/8.9.1', 'curl'],
  ['my-script', 'my-script'],
  ['', 'Unknown browser'],
])('calls %s %s', (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});
