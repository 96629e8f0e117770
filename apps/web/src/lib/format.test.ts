import { describe, expect, it } from 'vitest';
import { formatAgo, formatDate, formatDuration, formatSize } from './format.ts';

describe('formatSize', () => {
  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1.00 KB'],
    [1536, '1.50 KB'],
    [10 * 1024 * 1024, '10.00 MB'],
    [1024 ** 3, '1.00 GB'],
    [2048 * 1024 ** 3, '2048.00 GB'],
  ])('says %i bytes as %s', (bytes, text) => {
    expect(formatSize(bytes)).toBe(text);
  });
});

describe('formatAgo', () => {
  const now = Date.parse('2026-11-20T12:00:00.000Z');
  it.each([
    ['2026-11-20T12:00:05.000Z', 'just now'],
    ['2026-11-20T11:59:30.000Z', 'just now'],
    ['2026-11-20T11:55:00.000Z', '5 minutes ago'],
    ['2026-11-20T10:59:00.000Z', '1 hour ago'],
    ['2026-11-19T11:00:00.000Z', 'yesterday'],
    ['2026-11-10T12:00:00.000Z', 'Nov 10, 2026'],
  ])('says %s as %s', (instant, text) => {
    expect(formatAgo(instant, now)).toBe(text);
  });
});

describe('formatDate', () => {
  it('is the short month, day and year', () => {
    expect(formatDate('2026-11-21T12:00:00.000Z')).toBe('Nov 21, 2026');
    expect(formatDate(null)).toBe('N/A');
  });
});

describe('formatDuration', () => {
  it.each([
    [-5, '0.0s'],
    [420, '0.4s'],
    [12_900, '12s'],
    [185_000, '3m 05s'],
    [3_720_000, '1h 02m'],
  ])('says %i ms as %s', (milliseconds, text) => {
    expect(formatDuration(milliseconds)).toBe(text);
  });
});
