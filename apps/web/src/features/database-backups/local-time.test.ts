import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { instantsShowing, localInput, offsetAt } from './local-time.ts';

const isoOf = (times: readonly number[]) => times.map((time) => new Date(time).toISOString());

describe('times where the clocks change', () => {
  beforeEach(() => {
    vi.stubEnv('TZ', 'Europe/Berlin');
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('show an instant as the clocks do, and lead back to it', () => {
    expect(localInput('2026-07-01T10:00:05.700Z')).toBe('2026-07-01T12:00:05');
    expect(isoOf(instantsShowing('2026-07-01T12:00:05'))).toEqual(['2026-07-01T10:00:05.000Z']);
    // A browser leaves out seconds that are none.
    expect(isoOf(instantsShowing('2026-12-01T12:00'))).toEqual(['2026-12-01T11:00:00.000Z']);
  });

  it('are none in the hour that is left out', () => {
    expect(instantsShowing('2026-03-29T02:30:00')).toEqual([]);
    expect(isoOf(instantsShowing('2026-03-29T03:00:00'))).toEqual(['2026-03-29T01:00:00.000Z']);
  });

  it('are two in the hour that comes again', () => {
    const both = instantsShowing('2026-10-25T02:30:00');
    expect(isoOf(both)).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z']);
    expect(both.map(offsetAt)).toEqual(['UTC+02:00', 'UTC+01:00']);
    expect(isoOf(instantsShowing('2026-10-25T03:00:00'))).toEqual(['2026-10-25T02:00:00.000Z']);
  });

  it('are none of a text that is no time', () => {
    expect(instantsShowing('')).toEqual([]);
  });
});
