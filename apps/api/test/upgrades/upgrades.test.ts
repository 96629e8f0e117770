import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALERT_KINDS, type StoredFile } from '@nephos/contracts';
import { createDb, createPool, migrate } from '@nephos/db';
import { createTestDatabase, migrations } from '@nephos/db/testing';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openVariable } from '../../src/domains/projects/variable-store.ts';
import { makeToken, pushImage, registryClient } from '../containers/registry-client.ts';
import { elsewhere, openAccount, payment } from '../payment-gateway/gateway-fixtures.ts';
import { documented } from '../storage/storage-world.ts';
import { callerOf, cookieOf, createWorld, PASSWORD } from '../world.ts';
import { putInstallation, readInstallation, takeInstallation, writeInstallation } from './installation.ts';

const SECRETS_KEY = '5a'.repeat(32);
const KEPT = '.json.gz';
const versions = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith(KEPT))
  .map((name) => name.slice(0, -KEPT.length));

/** Where an installation's files lie in its data folder. */
const OBJECTS = 'objects';
const IMAGE = 'ada/shop';

// `MAKE_INSTALLATION=1.2.3 npm test -- <this file>`, with the version that was released.
test.runIf(process.env.MAKE_INSTALLATION)('what this version leaves is kept', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nephos-kept-'));
  const world = await createWorld({ settings: { dataDir: folder, secretsKey: SECRETS_KEY }, running: true });
  const ada = await world.as('Ada');
  const bob = await world.as('Bob');
  for (const name of ['notes.txt', 'notes.txt', 'Grüße.txt']) {
    await ada.rest('POST /api/storage', { body: documented(`Hello, ${name}`, { fileName: name }) });
  }
  const project = await ada.rpc.projects.create.mutate({ name: 'Shop' });
  await ada.rpc.projects.setVariable.mutate({ id: project.id, name: 'TOKEN', value: 'a secret of the shop' });
  await ada.rpc.dns.create.mutate({
    domain: 'example.test',
    name: 'www',
    recordType: 'A',
    value: '192.0.2.1',
  });
  const purse = await openAccount(ada, { balance: 1000 });
  const to = await openAccount(bob, { balance: 0, bankName: purse.bankName });
  await ada.rpc.paymentGateway.send.mutate(payment(purse, to, 250));
  await ada.rpc.paymentGateway.send.mutate(payment(purse, elsewhere(), 100));
  const { token } = await makeToken(ada);
  const registry = registryClient({ url: world.url, username: 'ada@example.com', password: token });
  await pushImage(registry, IMAGE, { layer: Buffer.from('a layer') });
  await ada.rpc.mobileApps.create.mutate({ name: 'Walks', bundleId: 'com.example.walks' });
  await ada.rpc.alertChannels.create.mutate({
    ...{
      type: 'webhook',
      name: 'Hook',
      address: 'https://hooks.example.test/secret',
      kinds: [...ALERT_KINDS],
    },
  });
  const installation = await takeInstallation(world.databaseUrl, {
    ...{ folder: join(folder, OBJECTS), secretsKey: SECRETS_KEY, token },
  });
  writeInstallation(join(import.meta.dirname, `${process.env.MAKE_INSTALLATION}${KEPT}`), installation);
  await world.close();
  rmSync(folder, { recursive: true });
});

test.each(versions)('what %s left is all there with this version', async (version) => {
  const installation = readInstallation(join(import.meta.dirname, `${version}${KEPT}`));
  const database = await createTestDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'nephos-kept-'));
  const db = createDb(createPool({ url: database.url, max: 2 }));
  await sql`drop schema public cascade`.execute(db);
  await sql`create schema public`.execute(db);
  const before = Object.entries(migrations).filter(([name]) => installation.migrations.includes(name));
  expect(before.map(([name]) => name)).toEqual(installation.migrations);
  await migrate(db, Object.fromEntries(before));
  await putInstallation(database.url, { folder: join(folder, OBJECTS), installation });
  await migrate(db);
  await db.destroy();

  const world = await createWorld({
    databaseUrl: database.url,
    settings: { dataDir: folder, secretsKey: installation.secretsKey },
    running: true,
  });
  try {
    const login = await world.anyone.rest('POST /api/login', {
      body: { email: 'ada@example.com', password: PASSWORD },
    });
    expect(login.status).toBe(200);
    const ada = callerOf(world.url, cookieOf(login.headers));

    const files = (await ada.rest('GET /api/storage?fileData=false')).body as StoredFile[];
    const contents = await Promise.all(
      files.map(async ({ id }) => (await ada.rest(`GET /api/storage/${id}/download`)).text),
    );
    expect(contents.toSorted()).toEqual(['Hello, Grüße.txt', 'Hello, notes.txt', 'Hello, notes.txt']);

    const [project] = await ada.rpc.projects.list.query();
    expect(project?.name).toBe('Shop');
    const { projectId, value } = await world.deps.db
      .selectFrom('projectVariables')
      .select(['projectId', 'value'])
      .where('name', '=', 'TOKEN')
      .executeTakeFirstOrThrow();
    expect(openVariable(world.deps.secrets, projectId, 'TOKEN', value)).toBe('a secret of the shop');
    expect(await ada.rpc.dns.list.query({})).toEqual([
      expect.objectContaining({ domain: 'example.test', name: 'www', value: '192.0.2.1' }),
    ]);

    // The rail takes up what was on its way to another bank.
    const purse = () => ada.rpc.paymentGateway.virtualAccounts.query({});
    await expect.poll(async () => (await purse())[0]).toMatchObject({ balance: 650, pending: 0 });
    const { currencies } = await ada.rpc.paymentGateway.trialBalance.query();
    expect(currencies.length).toBeGreaterThan(0);
    expect(await ada.rest('POST /api/storage', { body: documented('New', {}) })).toMatchObject({
      status: 201,
    });

    const { token } = installation;
    const registry = registryClient({ url: world.url, username: 'ada@example.com', password: token });
    const manifest = await registry('GET', `/v2/${IMAGE}/manifests/latest`);
    const { layers } = manifest.json() as { layers: { digest: string }[] };
    const layer = await registry('GET', `/v2/${IMAGE}/blobs/${layers[0]?.digest}`);
    expect(layer.body.toString()).toBe('a layer');
    await pushImage(registry, IMAGE, { tag: 'newer' });
    expect(await ada.rpc.mobileApps.list.query()).toMatchObject([{ bundleId: 'com.example.walks' }]);
    // Whoever heard of everything hears of what is new as well.
    const channels = await ada.rpc.alertChannels.list.query();
    expect(channels).toMatchObject([{ name: 'Hook', kinds: expect.arrayContaining([...ALERT_KINDS]) }]);
  } finally {
    await world.close();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
});
