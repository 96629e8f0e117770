import { type AppRouter, auth, deployments, projects } from '@nephos/contracts';
import { adminMock } from './mock-admin.ts';
import { assistantMock } from './mock-assistant.ts';
import { billingMock } from './mock-billing.ts';
import { containersMock } from './mock-containers.ts';
import { databasesMock } from './mock-databases.ts';
import { dnsMock } from './mock-dns.ts';
import { found, implement, router, silence, success } from './mock-implement.ts';
import { marketplaceMock } from './mock-marketplace.ts';
import { mobileAppsMock } from './mock-mobile-apps.ts';
import { paymentGatewayMock } from './mock-payment-gateway.ts';
import { storageMock } from './mock-storage.ts';
import { mockDeployment, mockProject, mockToken } from './mock-world.ts';

/** What every made access token reads. */
const MOCK_TOKEN = 'nph_secret-that-is-shown-once';

const authMock = implement(auth, {
  welcome: () => ({
    signups: true,
    billing: true,
    membersDeploy: true,
    databases: ['postgresql' as const],
    dns: true,
  }),
  user: ({ ctx }) => ctx.user,
  updateProfile: ({ ctx, input }) => Object.assign(ctx.user, input),
  changePassword: ({ ctx: { world } }) => {
    world.sessions = world.sessions.filter((session) => session.current);
    world.tokens = [];
    return success;
  },
  sessions: ({ ctx }) => ctx.world.sessions,
  revokeSession: ({ ctx: { world }, input }) => {
    world.sessions = world.sessions.filter((session) => session.id !== input.id);
    return success;
  },
  tokens: ({ ctx }) => ctx.world.tokens,
  createToken: ({ ctx: { world }, input: { name, scope, expiresAt = null } }) => {
    const token = mockToken({ id: crypto.randomUUID(), name, scope, expiresAt, lastUsedAt: null });
    world.tokens = [token, ...world.tokens];
    return { ...token, token: MOCK_TOKEN };
  },
  revokeToken: ({ ctx: { world }, input }) => {
    world.tokens = world.tokens.filter((token) => token.id !== input.id);
    return success;
  },
});

const projectsMock = implement(projects, {
  list: ({ ctx }) => ctx.world.projects,
  create: ({ ctx: { world }, input }) => {
    const id = crypto.randomUUID();
    const first = mockDeployment({ projectId: id, status: 'queued' });
    const latestDeployment = input.repositoryUrl ? first : null;
    const project = mockProject({ ...input, id, latestDeployment });
    world.projects = [project, ...world.projects];
    world.deployments = latestDeployment ? [first] : [];
    return project;
  },
  get: ({ ctx, input }) => found(ctx.world.projects, input.id),
  update: ({ ctx, input }) => found(ctx.world.projects, input.id),
  remove: () => success,
  variables: ({ ctx }) => ctx.world.variables,
  setVariables: ({ input }) =>
    input.variables.map(({ name }) => ({ name, updatedAt: new Date().toISOString() })),
  setVariable: ({ input }) => ({ name: input.name, updatedAt: new Date().toISOString() }),
  removeVariable: () => success,
  runtimes: ({ ctx }) => ctx.world.runtimes,
});

const deploymentsMock = implement(deployments, {
  list: ({ ctx }) => ctx.world.deployments,
  create: () => mockDeployment({ status: 'queued' }),
  get: ({ ctx, input }) => found(ctx.world.deployments, input.id),
  cancel: ({ ctx, input }) => Object.assign(found(ctx.world.deployments, input.id), { status: 'cancelled' }),
  rollback: ({ ctx, input }) => found(ctx.world.deployments, input.id),
  stop: ({ ctx, input }) => found(ctx.world.deployments, input.id),
  startApp: ({ input }) => mockDeployment({ projectId: input.id, kind: 'start', status: 'queued' }),
  restartApp: ({ input }) => mockDeployment({ projectId: input.id, kind: 'restart', status: 'queued' }),
  stopApp: () => success,
  logTail: () => ({ text: '' }),
  log: silence,
  changes: silence,
});

/** The whole contract, answered from a `MockWorld`. */
export const mockRouter = router({
  auth: authMock,
  projects: projectsMock,
  deployments: deploymentsMock,
  storage: storageMock,
  containers: containersMock,
  databases: databasesMock,
  dns: dnsMock,
  mobileApps: mobileAppsMock,
  marketplace: marketplaceMock,
  paymentGateway: paymentGatewayMock,
  billing: billingMock,
  admin: adminMock,
  assistant: assistantMock,
});

mockRouter._def.record satisfies AppRouter['_def']['record'];
