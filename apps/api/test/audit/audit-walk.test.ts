import { contract } from '@nephos/contracts';
import { type Row, type Table, writes } from '@nephos/contracts/kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cardInput } from '../billing/billing-fixtures.ts';
import { createWorld, type Person, type World } from '../world.ts';

let world: World;
let ada: Person;

beforeAll(async () => {
  world = await createWorld({
    running: true,
    overrides: { publicDns: { txt: async () => [], addresses: async () => [] } },
    settings: { publicUrl: new URL('http://console.nephos.test:3000'), appsDomain: 'apps.nephos-a.test' },
  });
  ada = await world.as('Ada');
});
afterAll(() => world.close());

const rows = new Map<string, Row>(
  Object.entries<Table>(contract).flatMap(([domain, table]) =>
    Object.entries(table).map(([name, row]): [string, Row] => [`${domain}.${name}`, row]),
  ),
);

/**
 * Writes that succeed only with what this world has not: a running app, an image or a server. They pass the same wrapper
 * as all others, and none of them is its own affair.
 */
const NOT_WALKED = [
  ...[
    'admin.joinCommand',
    'admin.retryJob',
    'admin.cancelJob',
    'admin.startBackup',
    'admin.cancelBackup',
    'admin.removeSecondFactor',
    'appRuns.runCommand',
    'appRuns.runJob',
    'appRuns.cancel',
    'assistant.chat',
  ],
  ...['containers.removeUntagged', 'containers.removeUntaggedImage', 'customDomains.point'],
  ...['pointDomain', 'setCertificate', 'updateCertificate', 'removeCertificate', 'issueCertificate'].map(
    (name) => `bucketSites.${name}`,
  ),
  ...['customDomains.setCertificate', 'customDomains.updateCertificate', 'customDomains.removeCertificate'],
  ...['customDomains.issueCertificate', 'databases.create', 'databases.retry', 'databases.rotatePassword'],
  ...['update', 'start', 'prove', 'restore', 'swap'].map((name) => `databaseBackups.${name}`),
  ...['changeStatement', 'run', 'explain', 'cancel'].map((name) => `databaseContents.${name}`),
  ...['resetStatements', 'wake', 'cancelSession', 'endSession'].map((name) => `databaseFigures.${name}`),
  ...[
    'databases.update',
    ...['create', 'rotatePassword', 'remove'].map((name) => `databaseUsers.${name}`),
    ...['databaseExtensions.add', 'databaseExtensions.remove'],
    'databases.setMemory',
    'databases.move',
    'databaseImports.start',
    'databases.cancelWork',
    'databases.freeSpace',
    'databases.remove',
    'deployments.rollback',
    'deployments.stop',
    'deployments.startApp',
  ],
  ...['deployments.restartApp', 'deployments.stopApp', 'deployments.cancel', 'deployments.create'],
  ...[
    'deployKeys.forgetHost',
    'deployKeys.renew',
    'marketplace.upgrade',
    'marketplace.install',
    'marketplace.uninstall',
    'disks.grow',
    'dns.finishRoll',
  ],
  // Parts of a file go there, and no file is made of none.
  ...['storageUploads.putPart', 'storageUploads.complete'],
  ...['dns.revertChange', 'paymentGateway.cancel', 'billing.authenticateSandboxPayment', 'dns.cancelRoll'],
  // What a passkey signs, mail and what a server's certificate is asked of are not here.
  ...[
    'auth.addPasskey',
    'auth.removePasskey',
    'auth.confirmTotp',
    'auth.removeTotp',
    'auth.renewRecoveryCodes',
  ],
  ...['auth.beginConnection', 'auth.disconnect'],
  ...['auth.changeEmail', 'auth.cancelEmailChange', 'admin.sendTestMail', 'admin.issueCertificate'],
  // Somebody else's to do, or to be done to.
  ...['workspaces.accept', 'workspaces.leave', 'workspaces.changeMember', 'workspaces.removeMember'],
  ...['alerts.mark', 'alertChannels.test', 'alertChannels.repeat'],
];

/** What is only looked at, asked for or begun: each click of it would leave a record that tells nothing. */
const UNRECORDED = [
  ...['storageUploads.begin', 'storageUploads.abort'],
  ...['dns.planImport', 'alerts.markAllRead', 'workspaces.enter', 'auth.beginProof', 'auth.beginPasskey'],
  'containers.previewRetention',
];

type Answer = Record<string, unknown> & { id: string };

const walked = new Set<string>();

function recordsOf(path: string) {
  return world.deps.db
    .selectFrom('auditLog')
    .selectAll()
    .where('procedure', '=', path)
    .orderBy('id')
    .execute();
}

async function countAll(): Promise<number> {
  const { count } = await world.deps.db
    .selectFrom('auditLog')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Makes a write by tRPC, or by REST where it takes bytes, and sees that it left one record. */
async function write(path: string, input: object = {}, key?: string): Promise<Answer> {
  const row = rows.get(path);
  if (!row) throw new Error(`${path} is no row`);
  const before = await countAll();
  const headers: Record<string, string> = key ? { 'idempotency-key': key } : {};
  const answer =
    row.kind === 'bytes'
      ? await ada.rest(`${row.route}?${new URLSearchParams(Object.entries(input))}`, { body: '"x"', headers })
      : await ada.rest(`POST /trpc/${path}`, { body: input, headers });
  expect(answer.status, `${path}: ${answer.text}`).toBeLessThan(300);
  const isRecorded = !UNRECORDED.includes(path);
  expect(await countAll(), path).toBe(before + (isRecorded ? 1 : 0));
  if (isRecorded) expect((await recordsOf(path)).at(-1)?.result).toBe('done');
  walked.add(path);
  const { body } = answer as { body: { result?: { data: Answer } } };
  return body.result?.data ?? (body as unknown as Answer);
}

const SECRET = 'correct-horse-secret';

test('each write of the contract leaves one record, and none of them tells a secret', async () => {
  const project = await write('projects.create', {
    ...{ name: 'Shop', variables: [{ name: 'TOKEN', value: SECRET, scope: 'all' }] },
  });
  const { id } = project;
  await write('projects.update', { id, name: 'Market', settings: { buildCommand: `run ${SECRET}` } });
  await write('projects.setVariables', { id, variables: [{ name: 'A', value: SECRET, scope: 'all' }] });
  await write('projects.setVariable', { id, name: 'B', value: SECRET, scope: 'all' });
  await write('projects.scopeVariable', { id, name: 'B', scope: 'run' });
  await write('projects.removeVariable', { id, name: 'B' });
  await write('pushHooks.renewSecret', { id });
  await write('pushHooks.update', { id, paths: ['src'] });
  await write('pushHooks.remove', { id });
  await write('previews.update', { id, days: 3 });
  await write('disks.add', { id, name: 'data', path: '/data' });
  await write('disks.remove', { id, name: 'data' });
  const job = await write('appRuns.createJob', {
    ...{ id, name: 'Nightly', schedule: '0 3 * * *', command: `run ${SECRET}` },
  });
  await write('appRuns.updateJob', { id: job.id, name: 'Daily' });
  await write('appRuns.removeJob', { id: job.id });
  await write('customDomains.add', { id, domain: 'shop.example.test' });
  await write('customDomains.check', { id, domain: 'shop.example.test' }, 'check');
  await write('customDomains.update', { id, domain: 'shop.example.test', isPrimary: true });
  await write('customDomains.remove', { id, domain: 'shop.example.test' });

  const group = await write('variableGroups.create', { name: 'Mail' });
  await write('variableGroups.rename', { id: group.id, name: 'Post' });
  const variables = [{ name: 'A', value: SECRET, scope: 'all' }];
  await write('variableGroups.setVariables', { id: group.id, variables });
  await write('variableGroups.setVariable', { id: group.id, name: 'B', value: SECRET, scope: 'all' });
  await write('variableGroups.scopeVariable', { id: group.id, name: 'B', scope: 'run' });
  await write('variableGroups.removeVariable', { id: group.id, name: 'B' });
  await write('variableGroups.link', { id, groupId: group.id });
  await write('variableGroups.unlink', { id, groupId: group.id });
  await write('variableGroups.remove', { id: group.id });
  await write('projects.remove', { id });

  const fileData = `data:text/plain;base64,${Buffer.from(SECRET).toString('base64')}`;
  const file = await write('storage.create', {
    ...{ fileName: 'a.txt', fileSize: SECRET.length, mimeType: 'text/plain', fileData },
  });
  await write('storage.upload', { fileName: 'b.txt' });
  await write('storage.upload', { fileName: 'c.txt' }, 'upload');
  await write('storage.update', { id: file.id, fileName: 'd.txt' });
  await write('storage.share', { id: file.id, seconds: 60 });
  await write('storage.unshare', { id: file.id });
  await write('storage.remove', { id: file.id });
  const [trashed] = await ada.rpc.storageTrash.list.query();
  await write('storageTrash.restore', { id: trashed?.id });
  await write('storage.remove', { id: file.id });
  const [again] = await ada.rpc.storageTrash.list.query();
  await write('storageTrash.remove', { id: again?.id });
  const many = [];
  for (const fileName of ['m.txt', 'n.txt']) many.push((await write('storage.upload', { fileName })).id);
  await write('storage.moveMany', { ids: many, filePath: '/many/' });
  expect((await recordsOf('storage.moveMany')).at(-1)).toMatchObject({
    subjectName: 'm.txt and 1 more',
    after: expect.objectContaining({ files: many.map((id, at) => ({ id, name: ['m.txt', 'n.txt'][at] })) }),
  });
  await write('storage.removeMany', { ids: many });
  const gone = async () => ({ ids: (await ada.rpc.storageTrash.list.query()).map(({ id }) => id) });
  await write('storageTrash.restoreMany', await gone());
  await write('storage.removeMany', { ids: many });
  await write('storageTrash.removeMany', await gone());
  await write('storageTrash.empty');
  await write('storage.moveFolder', { folder: '/uploads/', to: '/moved/' });
  await write('storage.removeFolder', { folder: '/moved/' });
  const arriving = await write('storageUploads.begin', { fileName: 'e.bin', size: 1 });
  await write('storageUploads.abort', { id: arriving.id });
  const bucket = await write('buckets.create', { name: 'walked' });
  await write('buckets.update', { id: bucket.id, versioning: true, isPublic: true });
  await write('buckets.setLifecycle', { id: bucket.id, rules: [{ abortDays: 1 }] });
  await write('buckets.setCors', { id: bucket.id, rules: [] });
  await write('bucketSites.set', { id: bucket.id });
  await write('bucketSites.addDomain', { id: bucket.id, domain: 'site.example.test' });
  await write('bucketSites.checkDomain', { id: bucket.id, domain: 'site.example.test' }, 'site');
  await write('bucketSites.updateDomain', { id: bucket.id, domain: 'site.example.test', isPrimary: true });
  await write('bucketSites.removeDomain', { id: bucket.id, domain: 'site.example.test' });
  await write('bucketSites.remove', { id: bucket.id });
  const uploads = (await ada.rpc.buckets.list.query()).find(({ name }) => name === 'uploads');
  await write('buckets.update', { id: uploads?.id, versioning: true });
  const versioned = { fileName: 'v.txt', ifExists: 'replace' };
  await write('storage.upload', versioned);
  const { id: versionedId } = await write('storage.upload', versioned);
  const [version] = await ada.rpc.storageVersions.list.query({ id: versionedId });
  await write('storageVersions.restore', { id: version?.id });
  const [former] = await ada.rpc.storageVersions.list.query({ id: versionedId });
  await write('storageVersions.remove', { id: former?.id });
  const { id: keyId } = await write('buckets.createKey', { name: 'k', access: 'read', bucketId: bucket.id });
  await write('buckets.removeKey', { keyId });
  await write('buckets.remove', { id: bucket.id });

  const image = await write('containers.create', { name: 'web' });
  await write('containers.update', { id: image.id, isPublic: true });
  const { repositoryId } = await ada.rpc.containers.get.query({ id: image.id });
  const rule = { matching: '*', keepLast: 1, olderThanDays: 30, untagged: false };
  await write('containers.previewRetention', { id: repositoryId, ...rule });
  await write('containers.setRetention', { id: repositoryId, ...rule });
  await write('containers.removeRetention', { id: repositoryId });
  await write('containers.remove', { id: image.id });

  const domain = 'example.test';
  const record = await write('dns.create', { domain, recordType: 'A', name: '@', value: '192.0.2.1' });
  await write('dns.create', { domain, recordType: 'A', name: 'b', value: '192.0.2.1' }, 'dns');
  await write('dns.update', { id: record.id, value: '192.0.2.2' });
  await write('dns.verify', { domain });
  const [zone] = await ada.rpc.dns.zones.query();
  const edits = [{ action: 'add', recordType: 'TXT', name: 't', value: 'text' }];
  await write('dns.edit', { domain, serial: zone?.serial, edits });
  const importing = { domain, file: 'www 300 IN A 192.0.2.3', mode: 'merge' };
  const plan = await write('dns.planImport', importing);
  await write('dns.importZone', { ...importing, serial: plan.serial });
  await write('dns.sign', { domain });
  await write('dns.rollKey', { domain });
  await write('dns.unsign', { domain, force: true });
  await write('dns.renewTransferKey', { domain });
  const secondary = await write('dns.addSecondary', { domain, address: '9.9.9.9', port: 53 });
  const { secondaries } = secondary as { secondaries?: { id: string }[] };
  await write('dns.removeSecondary', { domain, id: secondaries?.[0]?.id ?? secondary.id });
  await write('dns.remove', { id: record.id });

  const app = await write('mobileApps.create', { name: 'App', bundleId: 'com.example.app' });
  await write('mobileApps.update', { id: app.id, name: 'Other' });
  await write('mobileApps.generateConfig', { id: app.id });
  await write('mobileApps.remove', { id: app.id });

  const [one, two] = [
    await write('paymentGateway.createVirtualAccount', { accountName: 'One' }),
    await write('paymentGateway.createVirtualAccount', { accountName: 'Two' }),
  ];
  await write('paymentGateway.renameVirtualAccount', { id: two.id, accountName: 'Zwei' });
  await write('paymentGateway.receive', {
    ...{ virtualAccountId: one.id, amount: 500, senderAccountNumber: '12345678' },
    ...{ senderAccountName: 'Bank', senderBankName: 'Other Bank' },
  });
  const send = {
    ...{ virtualAccountId: one.id, amount: 100, receiverAccountNumber: two.accountNumber },
    ...{ receiverAccountName: 'Two', receiverBankName: two.bankName },
  };
  await write('paymentGateway.send', send);
  await write('paymentGateway.send', send, 'send');
  await write('paymentGateway.send', { ...send, receiverAccountNumber: '87654321', receiverBankName: 'Far' });
  const beneficiary = await write('paymentGateway.createBeneficiary', {
    ...{ accountName: 'Bob', accountNumber: '12345678', bankName: 'Bank' },
  });
  await write('paymentGateway.removeBeneficiary', { id: beneficiary.id });
  await write('paymentGateway.closeVirtualAccount', {
    id: (await write('paymentGateway.createVirtualAccount', { accountName: 'Three' })).id,
  });

  for (const planTier of ['starter', 'professional']) {
    const started = await write('billing.startPayment', { planTier }, `start-${planTier}`);
    const { clientSecret, paymentIntentId } = started;
    const saved = planTier === 'professional';
    if (saved) await write('billing.payWithSavedCard', { paymentIntentId });
    else await write('billing.confirmSandboxPayment', { ...cardInput(), clientSecret });
    await write('billing.subscribe', { planTier, paymentIntentId }, `subscribe-${planTier}`);
  }
  await write('billing.cancel');
  await write('billing.resume');
  await write('billing.cancel');
  await write('billing.removeCard');

  const conversation = await write('assistant.createSession', {});
  await write('assistant.send', { sessionId: conversation.id, message: SECRET });
  await write('assistant.stop', { id: conversation.id });
  await write('assistant.removeSession', { id: conversation.id });

  const bob = await world.as('Bob');
  await write('admin.changeSettings', { mail: { smtpUrl: `smtp://ada:${SECRET}@127.0.0.1:25` } });
  await write('admin.changeSettings', { mail: null });
  await write('admin.changeRole', { userId: bob.user.id, role: 'admin' });
  const invitation = await write('admin.createInvitation', {});
  await write('admin.revokeInvitation', { id: invitation.id });
  await write('admin.setLimits', { ownerId: bob.user.id, projects: 3 });
  await write('admin.removeUser', { userId: bob.user.id, email: bob.user.email, things: 'delete' });

  const carol = await world.as('Carol');
  const { user } = carol;
  await write('admin.changeEmail', { userId: user.id, email: 'carol@example.test' });
  await carol.rpc.auth.allowSignIn.mutate({ hours: 1 });
  await write('admin.signInAs', { userId: user.id });
  await write('admin.passwordLink', { userId: user.id });
  await write('admin.endAccess', { userId: user.id });
  await write('admin.disable', { userId: user.id });
  await write('admin.enable', { userId: user.id });

  const shared = await write('workspaces.create', { name: 'Shared' });
  await write('workspaces.update', { id: shared.id, name: 'Ours' });
  // Anybody can do without; what is demanded of the caller, factor-demands.test.ts shows.
  await write('workspaces.demandSecondFactor', { id: shared.id, demanded: false });
  await write('admin.demandSecondFactor', { demanded: false });
  const link = await write('workspaces.invite', { id: shared.id, role: 'viewer' });
  await write('workspaces.revokeInvitation', { id: shared.id, invitationId: link.id });
  const robot = await write('workspaces.createServiceAccount', { id: shared.id, name: 'CI', role: 'viewer' });
  const { userId } = robot as unknown as { userId: string };
  const ci = await write('workspaces.serviceToken', { id: shared.id, userId, name: 'CI', scope: 'read' });
  await write('workspaces.revokeServiceToken', { id: shared.id, userId, tokenId: ci.id });
  await write('workspaces.enter', { id: shared.id });
  await write('workspaces.enter', { id: ada.user.id });
  await write('workspaces.remove', { id: shared.id, name: 'Ours' });

  const channel = await write('alertChannels.create', {
    ...{ type: 'webhook', name: 'Hook', kinds: [], address: `https://hooks.example.test/${SECRET}` },
  });
  await write('alertChannels.update', { id: channel.id, name: 'Ours' });
  await write('alertChannels.renewSecret', { id: channel.id });
  await write('alertChannels.remove', { id: channel.id });
  await write('alertChannels.setPreferences', await ada.rpc.alertChannels.preferences.query());
  await write('alerts.markAllRead', { through: ada.user.id });

  await write('auth.allowSignIn', { hours: 24 });
  await write('auth.endSignInConsent');
  await write('auth.beginProof');
  await write('auth.prove', { password: 'correct horse battery' });
  await write('auth.beginPasskey');
  await write('auth.beginTotp');
  const token = await write('auth.createToken', { name: 'CI', scope: 'read' });
  await write('auth.revokeToken', { id: token.id });
  await write('auth.updateProfile', { firstName: 'Augusta', lastName: 'King' });
  await write('auth.endOtherSessions');
  await write('auth.changePassword', { currentPassword: 'correct horse battery', newPassword: SECRET });
  await write('auth.revokeSession', { id: (await ada.rpc.auth.sessions.query())[0]?.id });

  const all = [...rows].filter(([, row]) => writes(row)).map(([path]) => path);
  expect(all.filter((path) => !walked.has(path) && !NOT_WALKED.includes(path))).toEqual([]);
  const everything = JSON.stringify(await world.deps.db.selectFrom('auditLog').selectAll().execute());
  for (const secret of [SECRET, Buffer.from(SECRET).toString('base64'), cardInput().cardNumber]) {
    expect(everything).not.toContain(secret);
  }
});
