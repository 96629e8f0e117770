import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { contract } from '../src/index.ts';
import { needsWriteScope, type Row } from '../src/kit.ts';

const rows = Object.entries(contract).flatMap(([domain, table]) =>
  Object.entries<Row>(table).map(([name, row]) => ({ path: `${domain}.${name}`, row })),
);
const routed = rows.filter(({ row }) => row.route !== undefined);

/** Every documented call: what others build upon keeps its address. */
const DOCUMENTED = [
  'GET /api/auth/user',
  'GET /api/auth/tokens',
  'POST /api/auth/tokens',
  'DELETE /api/auth/tokens/{id}',
  'GET /api/projects',
  'GET /api/containers',
  'POST /api/containers',
  'POST /api/projects',
  'GET /api/projects/{id}/deployments',
  'POST /api/projects/{id}/deployments',
  'GET /api/deployments/{id}/log',
  'GET /api/deployments/{id}/log-tail',
  'POST /api/deployments/{id}/cancel',
  'POST /api/deployments/{id}/rollback',
  'GET /api/storage',
  'POST /api/storage',
  'GET /api/storage/{id}/download',
  'POST /api/assistant/chat/{sessionId}',
  'GET /api/dns',
  'POST /api/dns',
  'GET /api/payment-gateway/virtual-accounts',
  'POST /api/payment-gateway/virtual-accounts',
  'GET /api/payment-gateway/transactions',
  'POST /api/payment-gateway/transactions/send',
  'POST /api/payment-gateway/transactions/receive',
  'GET /api/payment-gateway/beneficiaries',
  'POST /api/payment-gateway/beneficiaries',
  'DELETE /api/payment-gateway/beneficiaries/{id}',
];

describe('the contract', () => {
  test.each(DOCUMENTED)('has the documented route %s', (route) => {
    expect(routed.map(({ row }) => row.route)).toContain(route);
  });

  test('gives each route to one procedure', () => {
    const routes = routed.map(({ row }) => row.route);
    expect(new Set(routes).size).toBe(routes.length);
  });

  test.each(routed)('$path: every parameter of its route is a required member of its input', ({ row }) => {
    const parameters = [...(row.route ?? '').matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const { required = [] } = z.toJSONSchema(row.input, { io: 'input', unrepresentable: 'any' });
    expect(required).toEqual(expect.arrayContaining(parameters));
  });

  test.each(routed)('$path: reads are GET, and only reads', ({ row }) => {
    const reads = row.kind === 'query' || (row.kind === 'bytes' && !needsWriteScope(row));
    expect(row.route?.startsWith('GET ')).toBe(reads);
  });

  test('says of each row whose answer carries a secret that it does', () => {
    const carrying = rows.filter(({ row }) => {
      const output = row.output instanceof z.ZodArray ? row.output.element : row.output;
      const { properties = {} } = z.toJSONSchema(output as z.ZodType, { unrepresentable: 'any' });
      return Object.keys(properties).some((name) =>
        /connectionString|secret|password$|^(token|link|joinCommand|recoveryCodes)$/i.test(name),
      );
    });
    // What is in somebody's database may be anything.
    const ofContents = (path: string) =>
      (path.startsWith('databaseContents.') && path !== 'databaseContents.cancel') ||
      path === 'databaseFigures.sessions';
    expect(rows.filter(({ row }) => row.secret).map(({ path }) => path)).toEqual(
      rows
        .map(({ path }) => path)
        .filter((path) => ofContents(path) || carrying.some((row) => row.path === path)),
    );
  });

  test('answers 201 where something is created and nowhere else', () => {
    const created = rows.filter(({ row }) => row.status === 201).map(({ path }) => path);
    expect(created).toEqual([
      'auth.addPasskey',
      'auth.beginTotp',
      'auth.createToken',
      'workspaces.create',
      'workspaces.invite',
      'workspaces.createServiceAccount',
      'workspaces.serviceToken',
      'projects.create',
      'variableGroups.create',
      'deployments.create',
      'deployments.rollback',
      'deployments.startApp',
      'deployments.restartApp',
      'disks.add',
      'customDomains.add',
      'appRuns.createJob',
      'appRuns.runJob',
      'appRuns.runCommand',
      'alertChannels.create',
      'storage.create',
      'storage.upload',
      'storageUploads.begin',
      'storageUploads.complete',
      'buckets.create',
      'buckets.createKey',
      'bucketSites.addDomain',
      'containers.create',
      'databases.create',
      'databaseBackups.start',
      'databaseBackups.restore',
      'databaseImports.start',
      'databaseUsers.create',
      'dns.create',
      'dns.addSecondary',
      'mobileApps.create',
      'marketplace.install',
      'paymentGateway.createVirtualAccount',
      'paymentGateway.send',
      'paymentGateway.receive',
      'paymentGateway.createBeneficiary',
      'billing.subscribe',
      'admin.passwordLink',
      'admin.createInvitation',
      'admin.startBackup',
      'assistant.createSession',
    ]);
  });
});

describe('what the assistant may call', () => {
  const forAssistant = rows.filter(({ row }) => row.forAssistant);

  test('is exactly this', () => {
    expect(forAssistant.map(({ path }) => path)).toEqual([
      'auth.user',
      'projects.list',
      'projects.get',
      'projects.variables',
      'projects.runtimes',
      'projects.containerRuntime',
      'variableGroups.list',
      'deployments.list',
      'deployments.get',
      'deployments.logTail',
      'processes.list',
      'disks.list',
      'customDomains.list',
      'appRuns.jobs',
      'appRuns.list',
      'appRuns.get',
      'observability.logs',
      'observability.metrics',
      'observability.events',
      'storage.list',
      'buckets.list',
      'containers.list',
      'containers.get',
      'containers.registry',
      'containers.storage',
      'containers.repositories',
      'databases.list',
      'databases.get',
      'databases.usage',
      'databases.engines',
      'dns.list',
      'dns.answer',
      'dns.zones',
      'dns.secondaries',
      'dns.nameServer',
      'mobileApps.list',
      'mobileApps.files',
      'marketplace.list',
      'marketplace.installations',
      'billing.status',
      'billing.activeSubscription',
      'billing.usage',
      'billing.summary',
      'billing.limits',
      'assistant.find',
      'assistant.manifest',
    ]);
  });

  test.each(forAssistant)('$path is a read of the person’s own, without a secret', ({ path, row }) => {
    expect(row).toMatchObject({ kind: 'query', secret: false, sessionOnly: false });
    expect(row.access).not.toBe('admin');
    expect(path).not.toMatch(/^(paymentGateway|admin)\./);
    expect(path).not.toMatch(/connection|password|token|session|secret|payment/i);
  });

  test.each(forAssistant)('$path keeps back only what its answer has', ({ row }) => {
    const output = row.output instanceof z.ZodArray ? row.output.element : row.output;
    const { properties = {} } = z.toJSONSchema(output as z.ZodType, { unrepresentable: 'any' });
    expect(Object.keys(properties)).toEqual(expect.arrayContaining([...row.withheld]));
  });

  test('holds no row that it may not see with something kept back', () => {
    expect(rows.filter(({ row }) => !row.forAssistant && row.withheld.length > 0)).toEqual([]);
  });
});
