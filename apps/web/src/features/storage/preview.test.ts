import { expect, it } from 'vitest';
import { previewKind } from './preview.tsx';

it.each([
  ['image/png', 'image'],
  ['image/webp', 'image'],
  ['image/svg+xml', 'text'],
  ['text/plain', 'text'],
  ['text/html', 'text'],
  ['application/json', 'text'],
  ['application/ld+json', 'text'],
  ['application/pdf', 'pdf'],
  ['application/octet-stream', null],
  ['video/mp4', 'video'],
  ['video/x-matroska', null],
  ['audio/mpeg', 'audio'],
])('shows %s as %s', (mimeType, kind) => {
  expect(previewKind(mimeType)).toBe(kind);
});
