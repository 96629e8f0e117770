import { expect, test } from 'vitest';
import { isSandbox } from '../isolation.ts';
import { isolationOf } from './isolation.ts';

test('builds alone keep members out where all else is kept apart, and their images run', () => {
  const facts = isolationOf({ MemoryLimit: true, CpuCfsQuota: true, PidsLimit: true }, '');
  expect(isSandbox(facts)).toBe(false);
  expect(isSandbox(facts, { builds: false })).toBe(true);
  expect(isSandbox(isolationOf({}, ''), { builds: false })).toBe(false);
  expect(isSandbox(isolationOf({ MemoryLimit: true, PidsLimit: true }, 'no nft'), { builds: false })).toBe(
    false,
  );
  expect(facts).toContainEqual(expect.objectContaining({ name: 'Disk', holds: false, isExtra: true }));
});
