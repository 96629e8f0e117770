import { expect, test } from 'vitest';
import { ImageOrNone } from '../src/containers.ts';
import { shortImage } from '../src/image-names.ts';

const DIGEST = `sha256:${'1a2b3c4d'.repeat(8)}`;

// As distribution/reference's own tests of ParseNormalizedNamed have them.
test.each([
  ['nginx', 'docker.io/library/nginx:latest', 'nginx:latest'],
  ['nginx:1.27', 'docker.io/library/nginx:1.27', 'nginx:1.27'],
  ['ada/shop', 'docker.io/ada/shop:latest', 'ada/shop:latest'],
  ['index.docker.io/nginx', 'docker.io/library/nginx:latest', 'nginx:latest'],
  ['docker.io/library/nginx', 'docker.io/library/nginx:latest', 'nginx:latest'],
  [' ghcr.io/ada/shop ', 'ghcr.io/ada/shop:latest', 'ghcr.io/ada/shop:latest'],
  ['GHCR.io/ada/shop', 'ghcr.io/ada/shop:latest', 'ghcr.io/ada/shop:latest'],
  ['localhost/shop', 'localhost/shop:latest', 'localhost/shop:latest'],
  ['localhost:3000/ada/shop:v1', 'localhost:3000/ada/shop:v1', 'localhost:3000/ada/shop:v1'],
  ['[::1]:5000/shop', '[::1]:5000/shop:latest', '[::1]:5000/shop:latest'],
  ['FOO/bar', 'FOO/bar:latest', 'FOO/bar:latest'],
  [`nginx@${DIGEST}`, `docker.io/library/nginx@${DIGEST}`, 'nginx@1a2b3c4d1a2b'],
  [`nginx:1@${DIGEST}`, `docker.io/library/nginx:1@${DIGEST}`, 'nginx:1'],
  ['', '', ''],
])('%j is %s, shown as %s', (given, whole, short) => {
  expect(ImageOrNone.parse(given)).toBe(whole);
  expect(ImageOrNone.parse(whole)).toBe(whole);
  expect(shortImage(whole)).toBe(short);
});

test.each([
  ...[
    'Nginx',
    'a//b',
    '/a',
    'a/',
    'a b',
    'a:',
    'a:b:c',
    ':tag',
    '@',
    'nginx@sha256:12',
    'https://ghcr.io/a',
    '-a',
  ],
  ...['a..b', 'a___b', `nginx:${'t'.repeat(129)}`, `ghcr.io/${'a'.repeat(250)}`, 'ä', 'nginx:-x', 'a\nb'],
])('%j is none', (given) => {
  expect(ImageOrNone.safeParse(given).error?.issues[0]?.message).toBe(
    'Enter an image reference, like registry.example.com/ada/shop:1.2.',
  );
});

test('is up to 500 characters long', () => {
  expect(ImageOrNone.safeParse('a'.repeat(501)).success).toBe(false);
});
