import { expect, test } from 'vitest';
import { isSandbox } from '../isolation.ts';
import { isolationOf } from './isolation.ts';

test('builds alone keep members out where all else is kept apart', () => {
  const facts = isolationOf({ MemoryLimit: true, CpuCfsQuota: true, PidsLimit: true }, '');
  expect(isSandbox(facts)).toBe(false);
  expect(isSandbox(facts.filter(({ name }) => name !== 'Builds'))).toBe(true);
  expect(facts).toContainEqual(expect.objectContaining({ name: 'Disk', holds: false, isExtra: true }));
});
