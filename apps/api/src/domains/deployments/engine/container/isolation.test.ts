import { expect, test } from 'vitest';
import { isSandbox } from '../isolation.ts';
import { isolationOf } from './isolation.ts';

test('builds alone keep members out where all else is kept apart, and their images run', () => {
  const info = { MemoryLimit: true, CpuCfsQuota: true, PidsLimit: true };
  const holding = { noFirewall: '', noBuilders: '' };
  const withoutBuilders = { noFirewall: '', noBuilders: 'No builders.' };
  const facts = isolationOf(info, withoutBuilders);
  expect(isSandbox(facts)).toBe(false);
  expect(isSandbox(facts, { builds: false })).toBe(true);
  expect(facts).toContainEqual(expect.objectContaining({ detail: expect.stringMatching(/No builders\.$/) }));
  expect(isSandbox(isolationOf(info, holding))).toBe(true);
  expect(isSandbox(isolationOf({}, holding), { builds: false })).toBe(false);
  expect(isSandbox(isolationOf(info, { ...holding, noFirewall: 'no nft' }), { builds: false })).toBe(false);
  expect(facts).toContainEqual(expect.objectContaining({ name: 'Disk', holds: false, isExtra: true }));
});
