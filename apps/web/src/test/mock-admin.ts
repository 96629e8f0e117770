import {
  type AdminTotals,
  type AdminUsageRecord,
  admin,
  type Engine,
  type Payment,
  type Subscription,
  type User,
} from '@nephos/contracts';
import { mockUsageRecord } from './mock-billing.ts';
import { found, implement, pageOf } from './mock-implement.ts';
import type { MockWorld } from './mock-world.ts';

export interface MockAdmin {
  totals: AdminTotals;
  users: User[];
  subscriptions: Subscription[];
  payments: Payment[];
  usage: Omit<AdminUsageRecord, 'userEmail'>[];
  engines: Engine[];
}

export function mockAdminUsage(changes: Partial<AdminUsageRecord> = {}): Omit<AdminUsageRecord, 'userEmail'> {
  return { ...mockUsageRecord(), cost: 0.008, ...changes };
}

export function mockEngine(changes: Partial<Engine> = {}): Engine {
  return {
    id: 'deployment-runtime',
    name: 'Deployment runtime',
    running: 'Processes on this machine',
    state: 'healthy',
    detail: '3 apps are running.',
    settings: ['DEPLOY_RUNTIME', 'DOCKER_HOST'],
    ...changes,
  };
}

export function mockAdminWorld(changes: Partial<MockAdmin> = {}): MockAdmin {
  return {
    totals: {
      users: 0,
      admins: 0,
      subscriptions: 0,
      activeSubscriptions: 0,
      revenue: 0,
      payments: 0,
      usageRecords: 0,
    },
    users: [],
    subscriptions: [],
    payments: [],
    usage: [],
    engines: [],
    ...changes,
  };
}

/** The rows any of whose values has the searched text in it. */
function searched<T extends object>(rows: readonly T[], search = ''): T[] {
  return rows.filter((row) =>
    JSON.stringify(Object.values(row)).toLowerCase().includes(search.toLowerCase()),
  );
}

/** With the e-mails of those whom they belong to. */
function owned<T extends { userId: string }>({ world }: { world: MockWorld }, rows: readonly T[]) {
  const emailOf = (id: string) => world.admin.users.find((user) => user.id === id)?.email;
  return rows.map((row) => ({ ...row, userEmail: emailOf(row.userId) ?? 'someone@example.com' }));
}

export const adminMock = implement(admin, {
  totals: ({ ctx }) => ctx.world.admin.totals,
  users: ({ ctx, input }) => pageOf(searched(ctx.world.admin.users, input?.search), input),
  subscriptions: ({ ctx, input }) =>
    owned(ctx, pageOf(searched(ctx.world.admin.subscriptions, input?.search), input)),
  payments: ({ ctx, input }) => owned(ctx, pageOf(searched(ctx.world.admin.payments, input?.search), input)),
  usage: ({ ctx, input }) => owned(ctx, pageOf(searched(ctx.world.admin.usage, input?.search), input)),
  changeRole: ({ ctx, input: { userId, role } }) =>
    Object.assign(found(ctx.world.admin.users, userId), { role }),
  engines: ({ ctx }) => ctx.world.admin.engines,
});
