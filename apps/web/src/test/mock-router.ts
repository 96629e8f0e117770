import {
  type AppRouter,
  auth,
  deployments,
  disks,
  observability,
  processes,
  projects,
} from '@nephos/contracts';
import { DETECTED_SETTINGS } from '@nephos/contracts/constants';
import { adminMock } from './mock-admin.ts';
import { alertChannelsMock, alertsMock } from './mock-alerts.ts';
import { appRunsMock } from './mock-app-runs.ts';
import { assistantMock } from './mock-assistant.ts';
import { auditMock } from './mock-audit.ts';
import { billingMock } from './mock-billing.ts';
import { bucketSitesMock } from './mock-bucket-sites.ts';
import { bucketsMock } from './mock-buckets.ts';
import { commitStatusesMock } from './mock-commit-statuses.ts';
import { containersMock } from './mock-containers.ts';
import { customDomainsMock } from './mock-custom-domains.ts';
import { databaseBackupsMock } from './mock-database-backups.ts';
import { databaseContentsMock } from './mock-database-contents.ts';
import { databaseExtensionsMock } from './mock-database-extensions.ts';
import { databaseFiguresMock } from './mock-database-figures.ts';
import { databaseImportsMock } from './mock-database-imports.ts';
import { databaseUsersMock } from './mock-database-users.ts';
import { databasesMock } from './mock-databases.ts';
import { deployKeysMock } from './mock-deploy-keys.ts';
import { dnsMock } from './mock-dns.ts';
import { found, implement, router, silence, success } from './mock-implement.ts';
import { marketplaceMock } from './mock-marketplace.ts';
import { mobileAppsMock } from './mock-mobile-apps.ts';
import { paymentGatewayMock } from './mock-payment-gateway.ts';
import { previewsMock } from './mock-previews.ts';
import { pushHooksMock } from './mock-push-hooks.ts';
import { storageMock } from './mock-storage.ts';
import { storageTrashMock } from './mock-storage-trash.ts';
import { storageUploadsMock } from './mock-storage-uploads.ts';
import { storageVersionsMock } from './mock-storage-versions.ts';
import { mockVariable, variableGroupsMock } from './mock-variable-groups.ts';
import { workspacesMock } from './mock-workspaces.ts';
import { MOCK_PUSH_URL, mockDeployment, mockProject, mockToken } from './mock-world.ts';

/** What every made access token reads. */
const MOCK_TOKEN = 'nph_secret-that-is-shown-once';

/** What an authenticator app is given. */
const MOCK_SECRET = 'JBSWY3DPEHPK3PXP';
const MOCK_CODES = ['abcd-efgh-jkmn', 'pqrs-tuvw-xyz2'];

const authMock = implement(auth, {
  welcome: () => ({
    signups: true,
    invitations: true,
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
  endOtherSessions: ({ ctx: { world } }) => {
    world.sessions = world.sessions.filter((session) => session.current);
    return success;
  },
  emailChange: ({ ctx }) => ctx.world.emailChange,
  changeEmail: ({ ctx: { world }, input: { email } }) => {
    world.emailChange = { mail: true, pending: { email, expiresAt: '2026-11-24T10:00:00.000Z' } };
    return world.emailChange;
  },
  cancelEmailChange: ({ ctx: { world } }) => {
    world.emailChange = { ...world.emailChange, pending: null };
    return success;
  },
  signInConsent: ({ ctx }) => ctx.world.signInConsent,
  allowSignIn: ({ ctx: { world }, input: { hours } }) => {
    world.signInConsent = { endsAt: `2026-11-2${hours === 1 ? 4 : 5}T10:00:00.000Z`, signedIn: [] };
    return world.signInConsent;
  },
  endSignInConsent: ({ ctx: { world } }) => {
    world.signInConsent = { endsAt: null, signedIn: [] };
    return world.signInConsent;
  },
  tokens: ({ ctx }) => ctx.world.tokens,
  createToken: ({ ctx: { world }, input: { name, scope, expiresAt = null, resource: bound } }) => {
    const resource = bound ? { ...bound, name: bound.kind } : null;
    const token = mockToken({ id: crypto.randomUUID(), name, scope, expiresAt, resource, lastUsedAt: null });
    world.tokens = [token, ...world.tokens];
    return { ...token, token: MOCK_TOKEN };
  },
  revokeToken: ({ ctx: { world }, input }) => {
    world.tokens = world.tokens.filter((token) => token.id !== input.id);
    return success;
  },
  connections: ({ ctx }) => ctx.world.connections,
  beginConnection: ({ input }) => ({ path: `/api/login/oidc/${input.providerId}?connect=mock` }),
  disconnect: ({ ctx: { world }, input }) => {
    const connections = world.connections.connections.filter(({ id }) => id !== input.id);
    world.connections = { ...world.connections, connections };
    return success;
  },
  factors: ({ ctx }) => ctx.world.factors,
  prove: ({ ctx: { world } }) => {
    world.refusals = {};
    return success;
  },
  beginTotp: () => ({ secret: MOCK_SECRET, address: `otpauth://totp/Nephos:ada?secret=${MOCK_SECRET}` }),
  confirmTotp: ({ ctx: { world } }) => {
    world.factors = { ...world.factors, totp: true, recoveryCodesLeft: 10 };
    return { recoveryCodes: MOCK_CODES };
  },
  removeTotp: ({ ctx: { world } }) => {
    world.factors = { ...world.factors, totp: false, recoveryCodesLeft: 0 };
    return success;
  },
  beginProof: () => ({ challenge: 'mock' }),
  beginPasskey: () => ({ challenge: 'mock' }),
  addPasskey: () => ({ recoveryCodes: MOCK_CODES }),
  removePasskey: ({ ctx: { world }, input }) => {
    const passkeys = world.factors.passkeys.filter(({ id }) => id !== input.id);
    world.factors = { ...world.factors, passkeys };
    return success;
  },
  renewRecoveryCodes: () => ({ recoveryCodes: MOCK_CODES }),
});

const projectsMock = implement(projects, {
  list: ({ ctx }) => ctx.world.projects,
  create: ({ ctx: { world }, input }) => {
    const id = crypto.randomUUID();
    const first = mockDeployment({ projectId: id, status: 'queued' });
    const latestDeployment = input.repositoryUrl ? first : null;
    const settings = { ...DETECTED_SETTINGS, ...input.settings };
    const pushUrl = input.repositoryUrl ? null : MOCK_PUSH_URL;
    const project = mockProject({ ...input, settings, id, latestDeployment, pushUrl });
    world.projects = [project, ...world.projects];
    world.deployments = latestDeployment ? [first] : [];
    return project;
  },
  get: ({ ctx, input }) => found(ctx.world.projects, input.id),
  update: ({ ctx, input }) => found(ctx.world.projects, input.id),
  remove: () => success,
  variables: ({ ctx }) => ctx.world.variables,
  setVariables: ({ input }) => input.variables.map(({ name }) => mockVariable({ name })),
  setVariable: ({ input }) => mockVariable({ name: input.name }),
  scopeVariable: ({ input: { name, scope } }) => mockVariable({ name, scope }),
  removeVariable: () => success,
  ofDatabase: ({ ctx }) => ctx.world.databaseProjects,
  runtimes: ({ ctx }) => ctx.world.runtimes,
  containerRuntime: ({ ctx }) => ctx.world.containerRuntime,
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

const observabilityMock = implement(observability, {
  logs: ({ ctx, input }) => {
    const lines = ctx.world.logLines.filter(
      ({ line, text, process, stream }) =>
        text.toLowerCase().includes((input.search ?? '').toLowerCase()) &&
        (input.process === undefined || process === input.process) &&
        (input.stream === undefined || stream === input.stream) &&
        (input.before === undefined || line < input.before),
    );
    const page = lines.slice(-(input.limit ?? 200));
    const older = page.length < lines.length ? (page[0]?.line ?? null) : null;
    return { lines: page, older, newer: ctx.world.logLines.at(-1)?.line ?? 0, stoppedAt: null };
  },
  logSources: () => [{ process: 'web', instances: [1] }],
  newLogs: silence,
  metrics: ({ ctx, input }) => ({ ...ctx.world.metrics, range: input.range ?? '1h' }),
  activity: ({ ctx }) => ctx.world.activity,
  newMetrics: silence,
  events: ({ ctx }) => ctx.world.events,
  newEvents: silence,
});

const processesMock = implement(processes, {
  list: ({ ctx }) => ctx.world.processes,
  changes: silence,
});

const disksMock = implement(disks, {
  list: ({ ctx }) => ({
    ...ctx.world.diskSupport,
    node: null,
    shared: ctx.world.disksShared,
    disks: ctx.world.disks,
  }),
  add: ({ ctx: { world }, input: { name, path = '/data', size = 1024 } }) => {
    const createdAt = new Date().toISOString();
    const unmeasured = { limited: null, bytes: 0, measuredAt: null };
    const disk = { id: crypto.randomUUID(), name, path, size, createdAt, ...unmeasured };
    world.disks = [...world.disks, disk];
    return disk;
  },
  grow: ({ ctx: { world }, input: { name, size } }) => {
    world.disks = world.disks.map((disk) => (disk.name === name ? { ...disk, size } : disk));
    return found(world.disks, world.disks.find((disk) => disk.name === name)?.id ?? '');
  },
  remove: ({ ctx: { world }, input }) => {
    world.disks = world.disks.filter(({ name }) => name !== input.name);
    return success;
  },
});

/** The whole contract, answered from a `MockWorld`. */
export const mockRouter = router({
  auth: authMock,
  workspaces: workspacesMock,
  projects: projectsMock,
  variableGroups: variableGroupsMock,
  deployments: deploymentsMock,
  deployKeys: deployKeysMock,
  pushHooks: pushHooksMock,
  commitStatuses: commitStatusesMock,
  previews: previewsMock,
  appRuns: appRunsMock,
  observability: observabilityMock,
  processes: processesMock,
  disks: disksMock,
  customDomains: customDomainsMock,
  bucketSites: bucketSitesMock,
  storageVersions: storageVersionsMock,
  storage: storageMock,
  storageUploads: storageUploadsMock,
  storageTrash: storageTrashMock,
  buckets: bucketsMock,
  containers: containersMock,
  databases: databasesMock,
  databaseBackups: databaseBackupsMock,
  databaseContents: databaseContentsMock,
  databaseFigures: databaseFiguresMock,
  databaseImports: databaseImportsMock,
  databaseUsers: databaseUsersMock,
  databaseExtensions: databaseExtensionsMock,
  dns: dnsMock,
  mobileApps: mobileAppsMock,
  marketplace: marketplaceMock,
  paymentGateway: paymentGatewayMock,
  billing: billingMock,
  alerts: alertsMock,
  alertChannels: alertChannelsMock,
  admin: adminMock,
  audit: auditMock,
  assistant: assistantMock,
});

mockRouter._def.record satisfies AppRouter['_def']['record'];
