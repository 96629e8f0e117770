import { afterEach, expect, test } from 'vitest';
import { inWorkspace, keepTabWorkspace } from './tab-workspace.ts';

afterEach(() => sessionStorage.clear());

test('addresses that the browser asks for by itself name the workspace of the tab', () => {
  expect(inWorkspace('/api/runs/1/log')).toBe('/api/runs/1/log');
  const workspace = { id: 'w1', name: 'Shop', personal: false, role: 'viewer' } as const;
  // What is read of a user here.
  keepTabWorkspace({ id: 'u1', workspace } as Parameters<typeof keepTabWorkspace>[0]);
  expect(inWorkspace('/api/runs/1/log')).toBe('/api/runs/1/log?workspace=w1');
  expect(inWorkspace('/api/runs/1/log?download=1')).toBe('/api/runs/1/log?download=1&workspace=w1');
});
