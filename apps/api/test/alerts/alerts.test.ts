import { randomUUID } from 'node:crypto';
import { MAX_ALERTS } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { syncConditions } from '../../src/domains/alerts/conditions.ts';
import { type NewAlert, raiseAlert, recoverAlerts } from '../../src/domains/alerts/raise-alert.ts';
import { ScriptedEngine } from '../deployments/fixtures/scripted-engine.ts';
import { createWorld, type Person, type World } from '../world.ts';

const REPOSITORY = 'https://example.com/shop.git';

let world: World;
let engine: ScriptedEngine;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  engine = new ScriptedEngine();
  world = await createWorld({ overrides: { engine }, running: true });
  ada = await world.as('Ada');
  bob = await world.as('Bob');
});
beforeEach(() => world.deps.db.deleteFrom('alerts').execute());
afterAll(() => world.close());

const alertOf = (subjectId: string, change: Partial<NewAlert> = {}): NewAlert => ({
  ...{ ownerId: ada.user.id, kind: 'deploy-failed', text: 'It failed.', path: '/projects' },
  subject: { kind: 'project', id: subjectId, name: 'Shop' },
  ...change,
});
const raise = (alert: NewAlert) => raiseAlert(world.deps.db, alert);
const list = () => ada.rpc.alerts.list.query();

describe('alerts', () => {
  test('are told by both doors to their owner alone, newest first and page by page', async () => {
    for (const subject of ['one', 'two', 'three']) await raise(alertOf(subject));
    const [newest, ...rest] = await list();
    expect(newest).toMatchObject({
      ...{ kind: 'deploy-failed', subject: { kind: 'project', id: 'three', name: 'Shop' } },
      ...{ text: 'It failed.', path: '/projects', count: 1, recoveredAt: null, read: false },
    });
    const page = await ada.rest(`GET /api/alerts?limit=2&cursor=${newest?.id}`);
    expect(page).toMatchObject({ status: 200, body: rest });
    expect(await bob.rpc.alerts.list.query()).toEqual([]);
    expect((await world.anyone.rest('GET /api/alerts')).status).toBe(401);
    expect((await world.anyone.rest('GET /api/alerts/unread')).status).toBe(401);
    await expect(world.anyone.rpc.alerts.list.query()).rejects.toThrow('Unauthorized');
  });

  test('of one project are listed by themselves, page by page', async () => {
    const [shop, blog] = [randomUUID(), randomUUID()];
    await raise(alertOf('a', { path: `/projects/${shop}` }));
    await raise(alertOf('b', { path: `/projects/${shop}/log?deployment=1`, kind: 'app-crashed' }));
    await raise(alertOf('c', { path: `/projects/${blog}` }));
    await raise(alertOf('d', { path: '/databases' }));
    await raise(alertOf('e', { ownerId: bob.user.id, path: `/projects/${shop}` }));
    const of = async (projectId: string, more: object = {}) =>
      (await ada.rpc.alerts.list.query({ projectId, ...more })).map(({ subject }) => subject.id);
    expect(await of(shop)).toEqual(['b', 'a']);
    const [first] = await ada.rpc.alerts.list.query({ projectId: shop, limit: 1 });
    expect(await of(shop, { cursor: first?.id ?? '' })).toEqual(['a']);
    expect(await of(blog)).toEqual(['c']);
    const answer = await ada.rest(`GET /api/alerts?projectId=${shop}&kind=app-crashed`);
    expect(answer).toMatchObject({ status: 200, body: [{ subject: { id: 'b' } }] });
  });

  test('that happen again within an hour are counted, and told anew after that', async () => {
    await Promise.all(Array.from({ length: 8 }, () => raise(alertOf('shop'))));
    await raise(alertOf('shop', { kind: 'app-crashed' }));
    expect((await list()).map(({ kind, count }) => [kind, count])).toEqual([
      ['app-crashed', 1],
      ['deploy-failed', 8],
    ]);
    await sql`update alerts set last_at = now() - interval '61 minutes'`.execute(world.deps.db);
    await raise(alertOf('shop'));
    expect((await list()).map(({ count }) => count)).toEqual([1, 1, 8]);
  });

  test('that go on happening are told anew each day', async () => {
    const { db } = world.deps;
    await raise(alertOf('shop'));
    await sql`update alerts set created_at = now() - interval '23 hours'`.execute(db);
    await raise(alertOf('shop'));
    expect((await list()).map(({ count }) => count)).toEqual([2]);
    await sql`update alerts set created_at = now() - interval '25 hours'`.execute(db);
    await raise(alertOf('shop'));
    expect((await list()).map(({ count }) => count)).toEqual([1, 2]);
  });

  test('that are told once are told again when they have recovered', async () => {
    const once = alertOf('disk', { kind: 'disk-nearly-full', once: '1' });
    await raise(once);
    await raise(once);
    expect(await list()).toMatchObject([{ count: 1 }]);
    const over = { ownerId: ada.user.id, kinds: ['disk-nearly-full'] as const, subjectId: 'disk' };
    await recoverAlerts(world.deps.db, { ...over, ownerId: bob.user.id });
    expect(await ada.rpc.alerts.list.query({ view: 'open' })).toHaveLength(1);
    await recoverAlerts(world.deps.db, over);
    expect(await list()).toMatchObject([{ recoveredAt: expect.any(String) }]);
    expect(await ada.rpc.alerts.list.query({ view: 'open' })).toEqual([]);
    await raise(once);
    expect(await list()).toHaveLength(2);
  });

  test('are read by each person, and unread again once they happen again', async () => {
    for (const subject of ['one', 'two', 'three']) await raise(alertOf(subject));
    const [three, two] = await list();
    const unread = async () => (await ada.rpc.alerts.unread.query()).unread;
    const records = world.deps.db.selectFrom('auditLog').select('id');
    const before = await records.execute();
    const marked = await ada.rest(`POST /api/alerts/${three?.id}/mark`, { body: { read: true } });
    expect(marked).toMatchObject({ status: 200, body: { success: true } });
    expect(await unread()).toBe(2);
    expect(await ada.rpc.alerts.list.query({ view: 'unread' })).toHaveLength(2);
    await raise(alertOf('three'));
    expect(await unread()).toBe(3);
    // What came after the newest that was seen is still unread.
    await ada.rpc.alerts.markAllRead.mutate({ through: two?.id ?? '' });
    expect((await ada.rpc.alerts.list.query({ view: 'unread' })).map(({ id }) => id)).toEqual([three?.id]);
    await ada.rpc.alerts.mark.mutate({ id: two?.id ?? '', read: false });
    expect(await unread()).toBe(2);
    expect(await bob.rest(`POST /api/alerts/${two?.id}/mark`, { body: { read: true } })).toMatchObject({
      status: 404,
    });
    await bob.rest('POST /api/alerts/read', { body: { through: three?.id } });
    expect(await unread()).toBe(2);
    // What somebody looked at is nobody else's to read.
    expect(await records.execute()).toEqual(before);
  });

  test('are told live, with how many are unread', async () => {
    const told: number[] = [];
    const stream = ada.rpc.alerts.changes.subscribe({}, { onData: ({ data }) => told.push(data.unread) });
    await expect.poll(() => told.at(-1)).toBe(0);
    await raise(alertOf('one'));
    await raise(alertOf('two', { ownerId: bob.user.id }));
    await expect.poll(() => told.at(-1)).toBe(1);
    const [alert] = await list();
    await ada.rpc.alerts.mark.mutate({ id: alert?.id ?? '', read: true });
    await expect.poll(() => told.at(-1)).toBe(0);
    stream.unsubscribe();
  });

  test(`are kept for 90 days, and ${MAX_ALERTS} of an owner`, async () => {
    const { db, domains } = world.deps;
    await raise(alertOf('old'));
    await sql`update alerts set created_at = now() - interval '91 days'`.execute(db);
    await sql`
      insert into alerts (owner_id, kind, subject_kind, subject_id, subject_name, text, path)
      select ${ada.user.id}, 'app-crashed', 'project', n::text, 'Shop', '', '/'
      from generate_series(0, ${MAX_ALERTS}::integer) n`.execute(db);
    await raise(alertOf('of Bob', { ownerId: bob.user.id }));
    await domains.alerts.sweeps?.alerts?.();
    const kept = await list();
    expect(kept).toHaveLength(MAX_ALERTS);
    expect(kept.at(-1)?.subject.id).toBe('1');
    expect(await bob.rpc.alerts.list.query()).toHaveLength(1);
  });
});

describe('what lasts', () => {
  const condition = (id: string, level: number | null) => ({
    ...{ ownerId: ada.user.id, text: 'Nearly full.', path: '/', level },
    subject: { kind: 'disk', id, name: id },
  });
  const sync = (...conditions: ReturnType<typeof condition>[]) =>
    syncConditions(world.deps.db, 'disk-nearly-full', conditions);

  test('is told as it begins and gets worse, not as it gets better, and when it is over', async () => {
    await sync(condition('a', 1), condition('b', null));
    await sync(condition('a', 1));
    expect(await list()).toMatchObject([{ subject: { id: 'a' } }]);
    await sync(condition('a', 2));
    await sync(condition('a', 1));
    await sync(condition('a', null));
    expect(await ada.rpc.alerts.list.query({ view: 'open' })).toHaveLength(2);
    await sync();
    expect(await ada.rpc.alerts.list.query({ view: 'open' })).toEqual([]);
    await sync(condition('a', 2));
    expect(await list()).toHaveLength(3);
  });

  test('is found: a disk, a certificate and a secondary', async () => {
    const { db, domains } = world.deps;
    const { id: projectId } = await ada.rpc.projects.create.mutate({ name: 'Shop' });
    const owned = { ownerId: ada.user.id, projectId };
    const [disk] = await db
      .insertInto('projectDisks')
      .values({ ...owned, name: 'data', path: 'data', size: 100, bytes: 96 * 1024 ** 2 })
      .returning('id')
      .execute();
    const domain = { ...owned, domain: 'shop.example', isPrimary: true };
    const { id: domainId } = await db
      .insertInto('customDomains')
      .values(domain)
      .returning('id')
      .executeTakeFirstOrThrow();
    await sql`
      insert into domain_certificates (domain_id, owner_id, chain, sealed_key, issuer, ends_at)
      values (${domainId}, ${ada.user.id}, '', '', '', now() + interval '6 days')`.execute(db);
    await domains.alerts.watch();
    await domains.alerts.watch();
    expect((await list()).map(({ kind, text, subject }) => [kind, text, subject.id])).toEqual([
      ['disk-nearly-full', expect.stringContaining('data of Shop holds 96 MB of 100 MB'), disk?.id],
      ['certificate-ending', expect.stringContaining('shop.example expires on'), domainId],
    ]);
    await db.deleteFrom('customDomains').execute();
    await db
      .updateTable('projectDisks')
      .set({ bytes: 70 * 1024 ** 2 })
      .execute();
    await domains.alerts.watch();
    expect(await ada.rpc.alerts.list.query({ view: 'open' })).toEqual([]);
    await db.deleteFrom('projectDisks').execute();
    await ada.rpc.projects.remove.mutate({ id: projectId });
  });
});

describe('a deployment', () => {
  test('that fails is told with its log, and has recovered with the next one that succeeds', async () => {
    const created = await ada.rpc.projects.create.mutate({ name: 'Shop', repositoryUrl: REPOSITORY });
    const { id } = created;
    const failed = created.latestDeployment?.id ?? '';
    (await engine.runOf(failed)).end({ status: 'failed', step: 'build', error: 'The build failed.' });
    const open = () => ada.rpc.alerts.list.query({ view: 'open' });
    await expect.poll(open).toMatchObject([
      {
        kind: 'deploy-failed',
        text: 'The build failed.',
        subject: { kind: 'project', id, name: 'Shop' },
        path: `/projects/${id}/log?deployment=${failed}`,
      },
    ]);
    const next = await ada.rpc.deployments.create.mutate({ id });
    await (await engine.runOf(next.id)).succeed();
    await expect.poll(open).toEqual([]);
    await ada.rpc.projects.remove.mutate({ id });
  });

  test('of somebody who is gone tells nobody', async () => {
    await expect(raise(alertOf('shop', { ownerId: randomUUID() }))).rejects.toThrow('foreign key');
  });
});
