import { randomUUID } from 'node:crypto';
import { CHOSEN_ALERT_KINDS } from '@nephos/contracts/constants';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as alertsOfProjects from '../../../../packages/db/src/migrations/0095-alerts-of-projects.ts';
import * as notedChanges from '../../../../packages/db/src/migrations/0097-noted-changes.ts';
import { createScriptedEngine } from '../databases/scripted-database-engine.ts';
import { createWorld, type Person, type World } from '../world.ts';

const mysql = createScriptedEngine('mysql');
const postgresql = createScriptedEngine('postgresql');

let world: World;
let ada: Person;

// Nothing runs by itself: what is looked for is looked for here alone.
beforeAll(async () => {
  const databaseEngines = {
    mysql,
    postgresql,
    mongodb: createScriptedEngine('mongodb'),
    redis: createScriptedEngine('redis'),
  };
  world = await createWorld({ overrides: { databaseEngines } });
  ada = await world.as('Ada');
});
beforeEach(() => world.deps.db.deleteFrom('alerts').execute());
afterAll(() => world.close());

const makeProjects = (count: number, { user }: Person = ada) =>
  world.deps.db
    .insertInto('projects')
    .values(
      Array.from({ length: count }, () => ({
        ...{ ownerId: user.id, name: 'Shop', description: '', repositoryUrl: '', branch: '' },
        ...{ framework: 'static' as const, slug: randomUUID() },
      })),
    )
    .returning('id')
    .execute();
const open = () => ada.rpc.alerts.list.query({ view: 'open' });

describe('a database server', () => {
  const insert = (name: string, type: 'mysql' | 'postgresql') =>
    world.deps.db
      .insertInto('managedDatabases')
      .values({
        ...{ ownerId: ada.user.id, name, type, region: 'us-east-1', storageSize: 10, status: 'available' },
        ...{ engineName: `${type}_${name}`, password: Buffer.alloc(0) },
      })
      .execute();
  const watch = () => world.deps.domains.alerts.watch();

  test('is away when none of several databases is told of, twice in a row', async () => {
    for (const name of ['one', 'two']) await insert(name, 'mysql');
    await insert('three', 'postgresql');
    let answering: string[] = [];
    mysql.usage = async (name) => {
      if (!answering.includes(name)) throw new Error('No answer.');
      return { size: 1, connections: 0, connectionLimit: 20 };
    };
    // The newest alone is none of the server's trouble, and one look is not yet.
    answering = ['mysql_one'];
    await watch();
    await watch();
    answering = [];
    await watch();
    expect(await open()).toEqual([]);
    answering = ['mysql_two'];
    await watch();
    answering = [];
    await watch();
    expect(await open()).toEqual([]);
    await watch();
    expect((await open()).map(({ kind, subject }) => [kind, subject.name])).toEqual([
      ['database-unavailable', 'two'],
      ['database-unavailable', 'one'],
    ]);
    // Where the looks stopped for long, the next is the first again: nobody is told that it was over.
    await sql`update unanswered_servers set looked_at = now() - interval '1 hour'`.execute(world.deps.db);
    await watch();
    expect(await open()).toHaveLength(2);
    answering = ['mysql_one'];
    await watch();
    expect(await open()).toEqual([]);
  });

  test('of one database is away by two failed looks, and is not known before it was started', async () => {
    const starts = new Map<string, 'untried' | 'worked' | 'failed'>();
    postgresql.lastStart = (name) => starts.get(name);
    for (const name of ['own', 'older']) await insert(name, 'postgresql');
    const names = async () => {
      await watch();
      return (await open()).map(({ subject }) => subject.name);
    };
    starts.set('postgresql_own', 'failed');
    expect(await names()).toEqual([]);
    starts.set('postgresql_own', 'worked');
    expect(await names()).toEqual([]);
    starts.set('postgresql_own', 'failed');
    await names();
    expect(await names()).toEqual(['own']);
    starts.set('postgresql_own', 'untried');
    expect(await names()).toEqual(['own']);
    starts.set('postgresql_own', 'worked');
    expect(await names()).toEqual([]);
    // The others share a server still, which is asked.
    const asked: string[] = [];
    postgresql.usage = async (name) => {
      asked.push(name);
      throw new Error('No answer.');
    };
    starts.set('postgresql_three', 'worked');
    await names();
    expect(await names()).toEqual(['older']);
    expect(new Set(asked)).toEqual(new Set(['postgresql_older']));
    await world.deps.db.deleteFrom('managedDatabases').execute();
  });
});

describe('a limit', () => {
  const watch = () => world.deps.domains.alerts.sweeps?.limitAlerts?.();
  const told = async () => (await open()).map(({ kind, subject, text }) => [kind, subject.id, text]);
  const limit = (values: Partial<Record<'databases' | 'storage' | 'projects', number | null>>) =>
    world.deps.db
      .insertInto('workspaceLimits')
      .values({ ownerId: ada.user.id, ...values })
      .onConflict((conflict) => conflict.column('ownerId').doUpdateSet(values))
      .execute();
  const MB = 1024 ** 2;
  const store = (bytes: number) =>
    sql`
      insert into usage_meters (user_id, resource_type, resource_id, level, since)
      values (${ada.user.id}, 'storage', uuid7(), ${bytes}, now())`.execute(world.deps.db);

  test('of a plan is told at 90% and 100%, once each, and is over with room again', async () => {
    const { db } = world.deps;
    await makeProjects(4);
    await watch();
    expect(await told()).toEqual([]);
    await makeProjects(1);
    await watch();
    await watch();
    expect(await told()).toEqual([
      [
        'limit-nearly-reached',
        'projects',
        'This workspace has 5 of at most 5 projects. No more can be made. Delete what is not needed, or change the plan.',
      ],
    ]);
    // One that comes and goes is told once.
    await limit({ projects: 6 });
    await watch();
    expect(await told()).toHaveLength(1);
    await limit({ projects: 7 });
    await watch();
    expect(await told()).toEqual([]);
    await makeProjects(13);
    await limit({ projects: 20 });
    await watch();
    expect(await told()).toEqual([
      [
        'limit-nearly-reached',
        'projects',
        expect.stringContaining('18 of at most 20 projects. At the limit,'),
      ],
    ]);
    await makeProjects(2);
    await watch();
    expect(await told()).toHaveLength(2);
    await db.deleteFrom('projects').execute();
    await limit({ projects: null });
    await watch();
    expect(await told()).toEqual([]);
  });

  test('that an admin set counts with plans and without them', async () => {
    const { settings } = world.deps;
    await store(90 * MB);
    await watch();
    expect(await told()).toEqual([]);
    const byAdmin = [
      'storage-nearly-full',
      ada.user.id,
      '90 MB of 100 MB of the storage that an admin allows you are in use. Delete files, images or databases, or ask an admin for more.',
    ];
    await limit({ storage: 100 * MB });
    await watch();
    expect(await told()).toEqual([byAdmin]);
    await limit({ storage: 90 * MB });
    await watch();
    expect((await told())[0]?.[2]).toBe(
      '90 MB of 90 MB of the storage that an admin allows you are in use. Nothing more can be stored but backups of databases, which go on. Delete files, images or databases, or ask an admin for more.',
    );
    await limit({ storage: null });
    await watch();
    expect(await told()).toEqual([]);
    settings.billing = false;
    await store(20 * 1024 * MB);
    await watch();
    expect(await told()).toEqual([]);
    await limit({ storage: 20 * 1024 * MB });
    await watch();
    expect(await told()).toMatchObject([['storage-nearly-full', ada.user.id, expect.any(String)]]);
    settings.billing = true;
  });
});

describe('a certificate', () => {
  test('of the server is told to admins, one that was uploaded 21 days before its end', async () => {
    const { db, settings } = world.deps;
    const bob = await world.as('Bob');
    const former = { ...settings };
    Object.assign(settings, {
      publicUrl: new URL('https://console.example'),
      httpsPort: 443,
      acme: { directory: '', email: '', caFile: undefined, binding: undefined },
    });
    await sql`
      insert into own_certificates (name, chain, sealed_key, issuer, ends_at)
      values ('console.example', '', '', '', now() + interval '10 days'), ('once.example', '', '', '', now() - interval '1 day')`.execute(
      db,
    );
    const [{ id: projectId } = { id: '' }] = await makeProjects(1, bob);
    const domains = ['given.example', 'renewed.example'];
    for (const domain of domains) {
      const { id } = await db
        .insertInto('customDomains')
        .values({ ownerId: bob.user.id, projectId, domain, isPrimary: domain === domains[0] })
        .returning('id')
        .executeTakeFirstOrThrow();
      await sql`
        insert into domain_certificates (domain_id, owner_id, chain, sealed_key, issuer, ends_at, managed)
        values (${id}, ${bob.user.id}, '', '', '', now() + interval '20 days', ${domain === domains[1]})`.execute(
        db,
      );
    }
    await world.deps.domains.alerts.watch();
    await world.deps.domains.alerts.watch();
    const certificates = (all: Awaited<ReturnType<typeof open>>) =>
      all
        .filter(({ kind }) => kind === 'certificate-ending')
        .map(({ subject, path }) => [subject.name, path]);
    expect(certificates(await open())).toEqual([['console.example', '/admin?tab=engines']]);
    const ofBob = await bob.rpc.alerts.list.query();
    expect(certificates(ofBob)).toEqual([['given.example', `/projects/${projectId}/settings`]]);
    expect(ofBob[0]?.text).toContain('Upload a new one.');
    await sql`update domain_certificates set ends_at = now() + interval '6 days'`.execute(db);
    await world.deps.domains.alerts.watch();
    expect(certificates(await bob.rpc.alerts.list.query())).toHaveLength(3);
    // Who is no admin any more hears nothing of it, nor that it was over.
    await db.updateTable('users').set({ role: 'member' }).where('id', '=', ada.user.id).execute();
    await world.deps.domains.alerts.watch();
    expect(certificates(await ada.rpc.alerts.list.query())).toEqual([]);
    await db.updateTable('users').set({ role: 'admin' }).where('id', '=', ada.user.id).execute();
    await world.deps.domains.alerts.watch();
    expect(certificates(await open())).toHaveLength(1);
    await db.updateTable('ownCertificates').set({ endsAt: '2100-01-01' }).execute();
    await world.deps.domains.alerts.watch();
    expect(certificates(await open())).toEqual([]);
    Object.assign(settings, former);
    await db.deleteFrom('ownCertificates').execute();
  });
});

test('a channel that had all kinds of alerts gets those that are added, and one of a project goes back to none', async () => {
  const before = CHOSEN_ALERT_KINDS.filter((kind) => kind !== 'limit-nearly-reached');
  const kinds = await world.deps.db.transaction().execute(async (trx) => {
    const schemaless = trx as unknown as Kysely<unknown>;
    await sql`
      insert into alert_channels (owner_id, type, name, shown_address, sealed_address, kinds, project_id)
      values (${ada.user.id}, 'webhook', 'of a project', '', '', '{}', uuid7())`.execute(trx);
    await notedChanges.down(schemaless);
    await alertsOfProjects.down(schemaless);
    const narrowed = await trx.selectFrom('alertChannels').select(['name', 'enabled']).execute();
    expect(narrowed).toEqual([{ name: 'of a project', enabled: false }]);
    await trx.deleteFrom('alertChannels').execute();
    for (const [name, chosen] of Object.entries({ all: before, few: before.slice(1) })) {
      await sql`
        insert into alert_channels (owner_id, type, name, shown_address, sealed_address, kinds)
        values (${ada.user.id}, 'webhook', ${name}, '', '', ${chosen})`.execute(trx);
    }
    await alertsOfProjects.up(schemaless);
    await notedChanges.up(schemaless);
    const stored = await trx.selectFrom('alertChannels').select('kinds').orderBy('name').execute();
    await trx.deleteFrom('alertChannels').execute();
    return stored.map((channel) => channel.kinds);
  });
  expect(kinds).toEqual([[...before, 'limit-nearly-reached'], before.slice(1)]);
});

test('a database that becomes full is told twice, and that it has room again', async () => {
  const { id } = await world.deps.db
    .insertInto('managedDatabases')
    .values({
      ...{ ownerId: ada.user.id, name: 'filling', type: 'postgresql', region: 'us-east-1', storageSize: 10 },
      ...{ status: 'available', engineName: 'postgresql_filling', password: Buffer.alloc(0) },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const become = async (storageState: 'ok' | 'nearly' | 'full') => {
    await world.deps.db.updateTable('managedDatabases').set({ storageState }).where('id', '=', id).execute();
    await world.deps.domains.alerts.watch();
    const alerts = (await open()).filter(({ kind }) => kind === 'database-nearly-full');
    return alerts.map(({ text, path }) => `${path} ${text}`);
  };
  expect(await become('ok')).toEqual([]);
  const nearly = expect.stringMatching(
    `^/databases/${id} The database filling holds 95% of its 10 GB or more`,
  );
  expect(await become('nearly')).toEqual([nearly]);
  expect(await become('full')).toEqual([expect.stringContaining('is full (10 GB) and read-only'), nearly]);
  expect(await become('ok')).toEqual([]);
});
