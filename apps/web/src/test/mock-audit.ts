import type { AuditRecord } from '@nephos/contracts';
import { audit } from '@nephos/contracts';
import { implement } from './mock-implement.ts';

const CHAIN = { position: 0, hash: '00', sweptPosition: 0 };

export function mockRecord(changes: Partial<AuditRecord> = {}): AuditRecord {
  return {
    id: crypto.randomUUID(),
    at: '2026-01-02T03:04:05.000Z',
    workspaceId: null,
    actor: { id: crypto.randomUUID(), email: 'ada@example.com' },
    via: 'session',
    tokenName: null,
    asWhom: null,
    ip: '192.0.2.1',
    requestId: null,
    procedure: 'projects.update',
    action: "Change a project's settings",
    subject: { kind: 'project', id: crypto.randomUUID(), name: 'Market' },
    before: { name: 'Shop' },
    after: { name: 'Market' },
    result: 'done',
    position: 1,
    hash: 'ab',
    ...changes,
  };
}

export const auditMock = implement(audit, {
  list: ({ ctx, input }) =>
    ctx.world.auditRecords.filter(({ action }) => action.includes(input?.search ?? '')),
  chain: () => CHAIN,
  installation: ({ ctx }) => ctx.world.auditRecords,
  installationChain: () => CHAIN,
});
