import {
  type AdminTotals,
  type AdminUsageRecord,
  type AdminUser,
  admin,
  type BackgroundJobs,
  type Engine,
  type InstallationBackup,
  type InstallationSettings,
  type Invitation,
  type Payment,
  type Subscription,
  type User,
  type WorkspaceLimits,
} from '@nephos/contracts';
import { GB, type Limited } from '@nephos/contracts/constants';
import { mockUsageRecord } from './mock-billing.ts';
import { found, implement, pageOf, success } from './mock-implement.ts';
import { idOf, type MockWorld } from './mock-world.ts';

export interface MockAdmin {
  totals: AdminTotals;
  users: (User & Partial<Pick<AdminUser, 'disabledAt' | 'consentEndsAt'>>)[];
  subscriptions: Subscription[];
  payments: Payment[];
  usage: Omit<AdminUsageRecord, 'userEmail'>[];
  engines: Engine[];
  invitations: Invitation[];
  jobs: BackgroundJobs;
  backups: InstallationBackup[];
  settings: InstallationSettings;
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

export function mockInstallationBackup(changes: Partial<InstallationBackup> = {}): InstallationBackup {
  return {
    ...{ id: idOf(1), kind: 'backup', status: 'done', step: 'thinning', error: '', missing: [] },
    ...{ done: 5_000_000, expected: null, bytes: 5_242_880, added: 1024 },
    ...{ startedAt: '2026-11-21T03:00:00.000Z', endedAt: '2026-11-21T03:02:05.000Z' },
    ...changes,
  };
}

export function mockInvitation(changes: Partial<Invitation> = {}): Invitation {
  return {
    id: idOf(1),
    email: 'grace@example.com',
    invitedBy: 'ada@example.com',
    createdAt: '2026-11-21T12:00:00.000Z',
    expiresAt: '2026-11-28T12:00:00.000Z',
    ...changes,
  };
}

/** What every invitation leads to. */
export const MOCK_LINK = 'http://localhost:3000/api/login?mode=signup&invite=token';

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
    invitations: [],
    jobs: { queues: [], jobs: [] },
    backups: [],
    settings: {
      ...{ publicUrl: 'http://localhost:3000', signups: 'open', billing: true, mail: null },
      ...{ nextPublicUrl: null, setUp: false, fixed: ['billing'] },
    },
    ...changes,
  };
}

/** The rows any of whose values has the searched text in it. */
function searched<T extends object>(rows: readonly T[], search = ''): T[] {
  return rows.filter((row) =>
    JSON.stringify(Object.values(row)).toLowerCase().includes(search.toLowerCase()),
  );
}

/** Adds the emails of those whom the rows belong to. */
function owned<T extends { userId: string }>({ world }: { world: MockWorld }, rows: readonly T[]) {
  const emailOf = (id: string) => world.admin.users.find((user) => user.id === id)?.email;
  return rows.map((row) => ({ ...row, userEmail: emailOf(row.userId) ?? 'someone@example.com' }));
}

function asAdminUser(user: MockAdmin['users'][number]): AdminUser {
  return { disabledAt: null, consentEndsAt: null, ...user };
}

function changed({ world }: { world: MockWorld }, userId: string, changes: Partial<AdminUser>): AdminUser {
  return asAdminUser(Object.assign(found(world.admin.users, userId), changes));
}

function mockLimits(set: Partial<Record<Limited, number | null>> = {}): WorkspaceLimits {
  const limit = (name: Limited, standard: number | null) => ({ used: 1, standard, set: set[name] ?? null });
  return {
    plan: 'Starter',
    limits: {
      projects: limit('projects', 5),
      previews: limit('previews', null),
      workspaces: limit('workspaces', 3),
      databases: limit('databases', 20),
      dnsZones: limit('dnsZones', 100),
      virtualAccounts: limit('virtualAccounts', 20),
      storage: limit('storage', 10 * GB),
    },
  };
}

export const adminMock = implement(admin, {
  limits: () => mockLimits(),
  setLimits: ({ input: { ownerId: _, ...set } }) => mockLimits(set),
  totals: ({ ctx }) => ctx.world.admin.totals,
  users: ({ ctx, input }) => pageOf(searched(ctx.world.admin.users, input?.search), input).map(asAdminUser),
  subscriptions: ({ ctx, input }) =>
    owned(ctx, pageOf(searched(ctx.world.admin.subscriptions, input?.search), input)),
  payments: ({ ctx, input }) => owned(ctx, pageOf(searched(ctx.world.admin.payments, input?.search), input)),
  usage: ({ ctx, input }) => owned(ctx, pageOf(searched(ctx.world.admin.usage, input?.search), input)),
  changeRole: ({ ctx, input: { userId, role } }) => changed(ctx, userId, { role }),
  disable: ({ ctx, input: { userId } }) => changed(ctx, userId, { disabledAt: '2026-11-22T09:00:00.000Z' }),
  enable: ({ ctx, input: { userId } }) => changed(ctx, userId, { disabledAt: null }),
  changeEmail: ({ ctx, input: { userId, email } }) => changed(ctx, userId, { email }),
  removeSecondFactor: () => success,
  signInAs: () => ({ path: '/api/login/as?ticket=sealed' }),
  settings: ({ ctx }) => ctx.world.admin.settings,
  secondFactor: ({ ctx }) => ctx.world.factorDemand,
  demandSecondFactor: ({ ctx: { world }, input: { demanded } }) => {
    world.factorDemand = { ...world.factorDemand, demanded };
    return world.factorDemand;
  },
  changeSettings: ({ ctx, input: { mail, signups, publicUrl, setUp } }) => {
    const { settings } = ctx.world.admin;
    if (publicUrl !== undefined) settings.nextPublicUrl = publicUrl;
    if (setUp) settings.setUp = true;
    if (signups) settings.signups = signups;
    if (mail !== undefined) {
      settings.mail = mail && { host: new URL(mail.smtpUrl).host, from: mail.from ?? '' };
    }
    return settings;
  },
  userContents: () => ({
    ...{ projects: 2, databases: 0, files: 3, zones: 0, repositories: 0, mobileApps: 0, installations: 0 },
    ...{ variableGroups: 0, virtualAccounts: 1, members: 1 },
    obstacle: 'Its virtual accounts hold money.',
    ownedAlone: ['Engines'],
  }),
  removeUser: ({ ctx: { world }, input: { userId } }) => {
    found(world.admin.users, userId);
    world.admin.users = world.admin.users.filter(({ id }) => id !== userId);
    return success;
  },
  passwordLink: () => ({ link: MOCK_LINK, hours: 24 }),
  endAccess: () => ({ sessions: 2, tokens: 1 }),
  engines: ({ ctx }) => ctx.world.admin.engines,
  issueCertificate: ({ ctx, input: { name } }) => {
    const certificates = ctx.world.admin.engines.flatMap((engine) => engine.certificates ?? []);
    const tried = certificates.find((certificate) => certificate.name === name);
    if (!tried) throw new Error(`${name} is no name of the server's`);
    return Object.assign(tried, { error: '' });
  },
  sendTestMail: () => success,
  backups: ({ ctx }) => ctx.world.admin.backups,
  startBackup: ({ ctx: { world }, input: { kind } }) => {
    const begun = mockInstallationBackup({
      ...{ id: idOf(world.admin.backups.length + 21), kind, status: 'running', step: '', done: 0 },
      ...{ bytes: null, added: null, endedAt: null },
    });
    world.admin.backups.unshift(begun);
    return begun;
  },
  cancelBackup: ({ ctx: { world }, input: { id } }) => {
    Object.assign(found(world.admin.backups, id), {
      status: 'cancelled',
      endedAt: '2026-11-22T09:00:00.000Z',
    });
    return success;
  },
  jobs: ({ ctx }) => ctx.world.admin.jobs,
  retryJob: () => success,
  cancelJob: ({ ctx: { world }, input: { id } }) => {
    world.admin.jobs.jobs = world.admin.jobs.jobs.filter((job) => job.id !== id);
    return success;
  },
  joinCommand: ({ input: { renew } }) => ({
    joinCommand: `docker swarm join --token ${renew ? 'new' : 'old'} 192.0.2.1:2377`,
  }),
  invitations: ({ ctx }) => ctx.world.admin.invitations,
  createInvitation: ({ ctx: { world }, input: { email } }) => {
    const made = mockInvitation({ id: idOf(world.admin.invitations.length + 11), email: email || null });
    world.admin.invitations.unshift(made);
    return { ...made, link: MOCK_LINK, mailed: false };
  },
  revokeInvitation: ({ ctx: { world }, input: { id } }) => {
    found(world.admin.invitations, id);
    world.admin.invitations = world.admin.invitations.filter((invitation) => invitation.id !== id);
    return success;
  },
});
