import { createHmac, randomUUID } from 'node:crypto';
import { ALERT_KINDS, type AlertDelivery, MAX_ALERT_CHANNELS, type NewAlertChannel } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { takeDue } from '../../src/domains/alerts/due-deliveries.ts';
import { bodyFor } from '../../src/domains/alerts/messages.ts';
import { postMessage } from '../../src/domains/alerts/post-message.ts';
import { type NewAlert, raiseAlert, recoverAlerts } from '../../src/domains/alerts/raise-alert.ts';
import { type MailServer, startMailServer } from '../mail/mail-server.ts';
import { callerOf, createWorld, type Person, type World } from '../world.ts';
import { startAlertService } from './alert-service.ts';

let world: World;
let replica: World;
let mails: MailServer;
let ada: Person;
let bob: Person;
let service: Awaited<ReturnType<typeof startAlertService>>;
/** What the clock shows by which hours are quiet. */
let now = new Date('2026-11-23T12:00:00Z');

beforeAll(async () => {
  mails = await startMailServer();
  const options = {
    running: true,
    settings: {
      ...{ allowPrivateWebhooks: true, secretsKey: 'ab'.repeat(32) },
      mail: { smtpUrl: mails.url, from: { name: 'Nephos', address: 'nephos@console.example' } },
    },
    overrides: { alertTimes: { patience: 300, now: () => now } },
  };
  world = await createWorld(options);
  replica = await createWorld({ ...options, databaseUrl: world.databaseUrl });
  ada = await world.as('Ada');
  bob = await world.as('Bob');
});
beforeEach(async () => {
  service = await startAlertService();
});
afterEach(async () => {
  const { db } = world.deps;
  await db.deleteFrom('alertChannels').execute();
  await db.deleteFrom('alerts').execute();
  await service.close();
});
afterAll(async () => {
  await mails.close();
  await replica.close();
  await world.close();
});

const channelOf = (change: Partial<NewAlertChannel> = {}): NewAlertChannel => ({
  ...{ type: 'webhook', name: 'Ours', address: `${service.origin}/hook/secret?sig=hidden` },
  kinds: [...ALERT_KINDS],
  ...change,
});
const create = (change?: Partial<NewAlertChannel>) => ada.rpc.alertChannels.create.mutate(channelOf(change));
const alertOf = (change: Partial<NewAlert> = {}): NewAlert => ({
  ...{ ownerId: ada.user.id, kind: 'deploy-failed', text: 'It <failed> & ended.', path: '/projects/1' },
  subject: { kind: 'project', id: '1', name: 'Shop' },
  ...change,
});
const raise = (change?: Partial<NewAlert>) => raiseAlert(world.deps.db, alertOf(change));
const deliveries = (id: string) => ada.rpc.alertChannels.deliveries.query({ id });
const told = (id: string, ...expected: Partial<AlertDelivery>[]) =>
  expect.poll(() => deliveries(id)).toMatchObject(expected);
/** Has what waits tried now, as after its pause. */
async function hurry(): Promise<void> {
  const { db } = world.deps;
  await sql`update alert_deliveries set due_at = now() where state in ('waiting', 'held')`.execute(db);
  await sql`notify alert_delivery`.execute(db);
}

describe('a channel', () => {
  test('is kept with its address sealed and shown masked, changed and deleted, by both doors', async () => {
    const made = await ada.rest('POST /api/alert-channels', { body: channelOf({ type: 'slack' }) });
    expect(made).toMatchObject({
      status: 201,
      body: { type: 'slack', name: 'Ours', enabled: true, failingSince: null, quietHours: null },
    });
    const { id } = made.body as { id: string };
    const stored = await world.deps.db.selectFrom('alertChannels').selectAll().executeTakeFirstOrThrow();
    expect(stored.shownAddress).toBe(`${service.origin}/…`);
    expect(JSON.stringify([made.body, stored, String(stored.sealedAddress)])).not.toContain('hidden');
    const quietHours = { from: '22:00', until: '07:00', timeZone: 'Europe/Berlin', urgent: [] };
    const changed = await ada.rpc.alertChannels.update.mutate({ id, name: 'Night', quietHours });
    expect(changed).toMatchObject({ name: 'Night', quietHours, kinds: ALERT_KINDS });
    expect(await ada.rpc.alertChannels.list.query()).toEqual([changed]);
    await ada.rpc.alertChannels.update.mutate({ id, address: `${service.origin}/moved/hidden` });
    const records = world.deps.db.selectFrom('auditLog').where('subjectId', '=', id).orderBy('id');
    const told = await records.select(['procedure', 'after']).execute();
    expect(told.map(({ procedure }) => procedure)).toEqual([
      'alertChannels.create',
      ...['alertChannels.update', 'alertChannels.update'],
    ]);
    expect(told.at(-1)?.after).toMatchObject({ address: `${service.origin}/…` });
    expect(JSON.stringify(told)).not.toMatch(/hidden|hook/);
    await ada.rpc.alertChannels.update.mutate({ id, address: `${service.origin}/hook/secret?sig=hidden` });
    expect(await ada.rpc.alertChannels.list.query()).toEqual([changed]);
    expect(await bob.rpc.alertChannels.list.query()).toEqual([]);
    expect(await ada.rest(`DELETE /api/alert-channels/${id}`)).toMatchObject({ status: 200 });
    expect(await ada.rpc.alertChannels.list.query()).toEqual([]);
  });

  test('is nobody else’s, and nobody’s who is signed out', async () => {
    const { id } = await create();
    for (const route of ['PATCH', 'DELETE'].map((method) => `${method} /api/alert-channels/${id}`)) {
      expect((await bob.rest(route, { body: {} })).status).toBe(404);
      expect((await world.anyone.rest(route, { body: {} })).status).toBe(401);
    }
    for (const path of ['test', 'secret']) {
      expect((await bob.rest(`POST /api/alert-channels/${id}/${path}`)).status).toBe(404);
      expect((await world.anyone.rest(`POST /api/alert-channels/${id}/${path}`)).status).toBe(401);
    }
    expect((await bob.rest(`GET /api/alert-channels/${id}/deliveries`)).status).toBe(404);
    const { id: delivery } = await ada.rpc.alertChannels.test.mutate({ id });
    expect((await bob.rest(`POST /api/alert-deliveries/${delivery}/repeat`)).status).toBe(404);
    expect(service.taken).toHaveLength(1);
  });

  test('can be for one project alone, of its own workspace', async () => {
    const { id: projectId } = await ada.rpc.projects.create.mutate({ name: 'Shop' });
    const { id: his } = await bob.rpc.projects.create.mutate({ name: 'His' });
    expect(await ada.rest('POST /api/alert-channels', { body: channelOf({ projectId: his }) })).toMatchObject(
      {
        status: 400,
        body: { fields: [{ path: 'projectId' }] },
      },
    );
    const { id } = await create({ projectId });
    await raise();
    await raise({
      path: `/projects/${projectId}/log`,
      subject: { kind: 'project', id: projectId, name: 'Shop' },
    });
    await told(id, { state: 'delivered' });
    expect(service.taken.map(({ body }) => body.alerts[0].subject.id)).toEqual([projectId]);
    await ada.rpc.projects.remove.mutate({ id: projectId });
    // What is gone may stay, and tells nobody.
    expect(await ada.rpc.alertChannels.update.mutate({ id, projectId, name: 'Old' })).toMatchObject({
      projectId,
    });
    expect((await ada.rest(`PATCH /api/alert-channels/${id}`, { body: { projectId: his } })).status).toBe(
      400,
    );
    const mine = { mail: true, kinds: [], quietHours: null, projectId: his };
    expect((await ada.rest('PUT /api/alert-preferences', { body: mine })).status).toBe(400);
    await raise({ kind: 'app-crashed' });
    expect(await deliveries(id)).toHaveLength(1);
    const { projectId: none } = await ada.rpc.alertChannels.update.mutate({ id, projectId: null });
    expect(none).toBeNull();
  });

  test('is refused with a sentence at its field', async () => {
    const quiet = { from: '22:00', until: '07:00', timeZone: 'Europe/Berlin', urgent: [] };
    const refused: [Partial<NewAlertChannel>, string, string][] = [
      [{ name: ' ' }, 'name', 'Name is required.'],
      [{ address: 'hooks' }, 'address', 'Enter the address that the service gave you'],
      [{ address: 'https://a:b@hooks.example/x' }, 'address', 'without a user name'],
      [{ quietHours: { ...quiet, until: '22:00' } }, 'quietHours.until', 'another time'],
      [{ quietHours: { ...quiet, timeZone: 'Berlin' } }, 'quietHours.timeZone', 'not a known time zone'],
      [{ quietHours: { ...quiet, from: '24:00' } }, 'quietHours.from', 'like 22:00'],
    ];
    for (const [change, path, message] of refused) {
      expect(await ada.rest('POST /api/alert-channels', { body: channelOf(change) })).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION', fields: [{ path, message: expect.stringContaining(message) }] },
      });
    }
    const { id } = await create();
    const { db } = world.deps;
    await sql`
      insert into alert_channels (owner_id, type, name, shown_address, sealed_address, kinds)
      select owner_id, type, name, shown_address, sealed_address, kinds
      from alert_channels, generate_series(2, ${MAX_ALERT_CHANNELS}::integer) where id = ${id}`.execute(db);
    expect(await ada.rest('POST /api/alert-channels', { body: channelOf() })).toMatchObject({
      status: 403,
      body: { code: 'QUOTA_EXCEEDED' },
    });
    const slack = await ada.rest(`POST /api/alert-channels/${id}/secret`);
    expect(slack.status).toBe(200);
  });
});

describe('a message', () => {
  test('that somebody waits for holds no connection to the database meanwhile', async () => {
    const { id } = await create();
    const { db } = world.deps;
    const inTransactions = async () => {
      const { rows } = await sql`
        select query from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction' and query ~ 'alert_'`.execute(
        db,
      );
      return rows;
    };
    for (const again of [false, true]) {
      service.answers.push('hang');
      const [{ id: last = '' } = {}] = await deliveries(id);
      const sent = again
        ? ada.rpc.alertChannels.repeat.mutate({ id: last })
        : ada.rpc.alertChannels.test.mutate({ id });
      await expect.poll(() => service.taken.length, { interval: 5 }).toBe(again ? 2 : 1);
      expect(await inTransactions()).toEqual([]);
      expect(await sent).toMatchObject({ state: 'failed' });
    }
  });

  test.each(['slack', 'discord', 'teams'] as const)('is what %s takes', async (type) => {
    const { id } = await create({ type });
    await raise();
    await told(id, { state: 'delivered', status: 200, answer: 'ok', event: 'raised', tries: 1 });
    const [message] = service.taken;
    expect(message).toMatchObject({ path: '/hook/secret?sig=hidden' });
    expect(message?.headers['nephos-signature']).toBeUndefined();
    const page = `http://console.test/projects/1?workspace=${ada.user.id}`;
    const bodies = {
      slack: {
        text: `*Deployment failed: Shop*\nIt &lt;failed&gt; &amp; ended.\n<${page}|Open in the console>`,
      },
      discord: {
        embeds: [{ title: 'Deployment failed: Shop', description: 'It <failed> & ended.', url: page }],
        allowed_mentions: { parse: [] },
      },
      teams: {
        type: 'message',
        attachments: [
          {
            contentType: 'application/vnd.microsoft.card.adaptive',
            content: { type: 'AdaptiveCard', actions: [{ type: 'Action.OpenUrl', url: page }] },
          },
        ],
      },
    };
    // Each replica of the test has an origin of its own.
    const text = message?.text.replaceAll(/http:\/\/localhost:\d+/g, 'http://console.test') ?? '';
    expect(JSON.parse(text)).toMatchObject(bodies[type]);
  });

  // https://docs.discord.com/developers/resources/message#embed-object-embed-limits, and "Create an Incoming Webhook" and
  // "Send adaptive cards" of Microsoft's documentation of webhooks in Teams.
  test('of the largest size stays within the bounds that Discord and Teams document, member by member', () => {
    const alert = {
      ...{ id: '1', ownerId: ada.user.id, kind: 'deploy-failed', once: null, path: '/projects/1', count: 1 },
      ...{ subjectKind: 'project', subjectId: '1', subjectName: '💥'.repeat(200), text: '❗\n'.repeat(500) },
      ...{ createdAt: '', lastAt: '', recoveredAt: null, projectId: null },
    };
    const message = {
      ...{ id: '1', event: 'summary' as const, title: '💥'.repeat(300), origin: 'http://console.test' },
      alerts: Array(30).fill(alert),
    };
    const discord = bodyFor('discord', message) as { embeds: { title: string; description: string }[] };
    const [embed = expect.fail()] = discord.embeds;
    expect(Object.keys(discord).toSorted()).toEqual(['allowed_mentions', 'embeds']);
    expect(Object.keys(embed).toSorted()).toEqual(['color', 'description', 'title', 'url']);
    expect(embed.title.length).toBeLessThanOrEqual(256);
    expect(embed.description.length).toBeLessThanOrEqual(4096);
    expect(embed.title.length + embed.description.length).toBeLessThanOrEqual(6000);
    const teams = bodyFor('teams', message) as { attachments: { content: { body: object[] } }[] };
    expect(Buffer.byteLength(JSON.stringify(teams))).toBeLessThan(28 * 1024);
    const lines = teams.attachments[0]?.content.body ?? [];
    expect(lines.length).toBeGreaterThan(10);
    expect(teams).toEqual({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            ...{ type: 'AdaptiveCard', version: '1.4' },
            body: lines.map((_, index) => ({
              ...{ type: 'TextBlock', text: expect.stringMatching(/./), wrap: true },
              ...(index === 0 && { weight: 'bolder', size: 'medium' }),
            })),
            actions: [{ type: 'Action.OpenUrl', title: 'Open in the console', url: expect.any(String) }],
          },
        },
      ],
    });
  });

  test('to a webhook is signed with a secret that is shown once', async () => {
    const { id } = await create();
    const { secret } = await ada.rpc.alertChannels.renewSecret.mutate({ id });
    await raise();
    await told(id, { state: 'delivered' });
    const [{ headers, text, body } = expect.fail()] = service.taken;
    const timestamp = headers['nephos-timestamp'];
    const mac = createHmac('sha256', secret).update(`${timestamp}.${text}`).digest('hex');
    expect(headers['nephos-signature']).toBe(`v1=${mac}`);
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(60);
    const [delivery] = await deliveries(id);
    expect(body).toMatchObject({
      ...{ id: delivery?.id, event: 'raised', title: 'Deployment failed: Shop' },
      alerts: [{ kind: 'deploy-failed', subject: { kind: 'project', id: '1', name: 'Shop' }, count: 1 }],
    });
    expect(headers['nephos-delivery']).toBe(delivery?.id);
  });

  test('is sent once by several replicas, and only for the kinds that the channel is for', async () => {
    const { id } = await create({ kinds: ['deploy-failed'] });
    for (let n = 0; n < 20; n += 1) await raise({ subject: { kind: 'project', id: `${n}`, name: 'Shop' } });
    await raise({ kind: 'app-crashed' });
    // What happens again is counted, and not told.
    await raise();
    await expect
      .poll(async () => (await deliveries(id)).filter(({ state }) => state === 'delivered').length)
      .toBe(20);
    await hurry();
    expect(service.taken).toHaveLength(20);
    expect(new Set(service.taken.map(({ body }) => body.id)).size).toBe(20);
  });

  test('tells the end to whoever was told of the beginning', async () => {
    const { id } = await create();
    await raise();
    await told(id, { event: 'raised', state: 'delivered' });
    const late = await create({ name: 'Late' });
    await recoverAlerts(world.deps.db, {
      ...{ ownerId: ada.user.id, kinds: ['deploy-failed'], subjectId: '1' },
    });
    await told(id, { event: 'recovered', state: 'delivered', title: 'Over: Deployment failed: Shop' }, {});
    expect(service.taken.at(-1)?.body.alerts[0].recoveredAt).not.toBeNull();
    expect(await deliveries(late.id)).toEqual([]);
  });

  test('of a test is answered at once, and what was sent is sent again by a click', async () => {
    const { id } = await create({ type: 'discord' });
    const tested = await ada.rest(`POST /api/alert-channels/${id}/test`);
    expect(tested).toMatchObject({ status: 200, body: { event: 'test', state: 'delivered', status: 200 } });
    service.answers.push({ status: 404, body: `Unknown Webhook${'!'.repeat(2000)}` });
    const failed = await ada.rpc.alertChannels.test.mutate({ id });
    const { host } = new URL(service.origin);
    const problem = `${host} refused the message (HTTP 404).`;
    expect(failed).toMatchObject({ state: 'failed', status: 404, problem });
    expect(failed.answer).toHaveLength(1024);
    const [failing] = await ada.rpc.alertChannels.list.query();
    expect(failing).toMatchObject({ problem, failingSince: expect.any(String) });
    const again = await ada.rpc.alertChannels.repeat.mutate({ id: failed.id });
    expect(again).toMatchObject({ event: 'test', state: 'delivered' });
    expect(await ada.rpc.alertChannels.list.query()).toMatchObject([{ problem: '', failingSince: null }]);
    expect(await deliveries(id)).toHaveLength(3);
    await expect(ada.rpc.alertChannels.repeat.mutate({ id: randomUUID() })).rejects.toThrow('Not found.');
  });
});

describe('a service', () => {
  test.each([
    ['is too busy', { status: 429, headers: { 'retry-after': '90' } }, 90],
    ['fails', { status: 500 }, 60],
    ['says nothing', 'hang' as const, 60],
  ])('that %s is tried again later', async (_what, answer, wait) => {
    const { id } = await create();
    service.answers.push(answer);
    await raise();
    await told(id, { state: 'waiting', tries: 1, problem: expect.stringMatching(/not/) });
    const { rows } = await sql<{ wait: number }>`
      select extract(epoch from due_at - now())::float8 as wait from alert_deliveries`.execute(world.deps.db);
    expect(rows[0]?.wait).toBeGreaterThan(wait - 10);
    expect(rows[0]?.wait).toBeLessThanOrEqual(wait);
    expect(
      (await ada.rest(`POST /api/alert-deliveries/${(await deliveries(id))[0]?.id}/repeat`)).status,
    ).toBe(409);
    await hurry();
    await told(id, { state: 'delivered', tries: 2, problem: '' });
    expect(new Set(service.taken.map(({ body }) => body.id)).size).toBe(1);
  });

  test('that never takes it is given up in the end, and the channel says so', async () => {
    const { id } = await create();
    service.answers.push('hang');
    await raise();
    await told(id, { state: 'waiting', tries: 1 });
    await sql`update alert_deliveries set tries = 11`.execute(world.deps.db);
    service.answers.push({ status: 503 });
    await hurry();
    await told(id, { state: 'failed', tries: 12, status: 503 });
    expect(await ada.rpc.alertChannels.list.query()).toMatchObject([
      { failingSince: expect.any(String), problem: expect.stringContaining('HTTP 503') },
    ]);
  });

  test('that answers with a redirect is not followed', async () => {
    const { id } = await create();
    service.answers.push({ status: 302, headers: { location: `${service.origin}/elsewhere` } });
    await raise();
    await told(id, { state: 'failed', status: 302, problem: expect.stringContaining('redirect') });
    expect(service.taken).toHaveLength(1);
  });

  test('at a private address gets nothing, whatever its name resolves to', async () => {
    const strict = await createWorld({ databaseUrl: world.databaseUrl });
    for (const address of [
      'http://hooks.example/x',
      'https://127.0.0.1/x',
      'https://[::1]/x',
      'https://hooks.example:8443/x',
      'https://localhost/x',
      'https://2130706433/x',
    ]) {
      const caller = callerOf(strict.url, ada.cookie);
      const answer = await caller.rest('POST /api/alert-channels', { body: channelOf({ address }) });
      expect([address, answer.status]).toEqual([address, 400]);
      expect(answer.text).toContain('Set ALLOW_PRIVATE_WEBHOOKS=1');
    }
    await strict.close();
    const post = { id: '1', address: 'https://hooks.example/x', body: '{}', secret: null };
    const signal = new AbortController().signal;
    const resolve = async () => ['93.184.216.34', '10.0.0.1'];
    expect(await postMessage(post, { signal, allowPrivate: false, resolve })).toMatchObject({
      ...{ status: null, again: false, problem: 'hooks.example is not a public https address.' },
    });
  });
});

describe('mail', () => {
  const wanted = { mail: true, kinds: ['deploy-failed' as const], quietHours: null };

  test('is chosen by each person for themself, by both doors', async () => {
    const off = { mailAvailable: true, mail: false, kinds: ALERT_KINDS, projectId: null, quietHours: null };
    expect(await ada.rest('GET /api/alert-preferences')).toMatchObject({ status: 200, body: off });
    expect((await world.anyone.rest('GET /api/alert-preferences')).status).toBe(401);
    const set = await ada.rest('PUT /api/alert-preferences', { body: wanted });
    expect(set).toMatchObject({ status: 200, body: { ...wanted, mailAvailable: true } });
    expect(await bob.rpc.alertChannels.preferences.query()).toEqual(off);
    const quietHours = { from: '22:00', until: '22:00', timeZone: 'UTC', urgent: [] };
    const refused = await ada.rest('PUT /api/alert-preferences', { body: { ...wanted, quietHours } });
    expect(refused).toMatchObject({ status: 400, body: { fields: [{ path: 'quietHours.until' }] } });
    // One's mail is none of the workspace's channels.
    expect(await ada.rpc.alertChannels.list.query()).toEqual([]);
  });

  test('says what happened, once, and leads to it', async () => {
    await ada.rpc.alertChannels.setPreferences.mutate(wanted);
    await raise({ kind: 'app-crashed' });
    await raise();
    const { text, subject } = await mails.mailTo('ada@example.com', /Deployment failed/);
    expect(subject).toBe('Deployment failed: Shop');
    expect(text).toContain('It <failed> & ended.');
    expect(text).toContain(`/projects/1?workspace=${ada.user.id}`);
    await hurry();
    await ada.rpc.alertChannels.setPreferences.mutate({ ...wanted, mail: false });
    await raise({ subject: { kind: 'project', id: '2', name: 'Blog' } });
    expect(await world.deps.db.selectFrom('alertDeliveries').select('state').execute()).toEqual([
      { state: 'delivered' },
    ]);
    expect(mails.taken).toHaveLength(1);
  });
});

describe('nobody is told', () => {
  const wanted = { mail: true, kinds: ['deploy-failed' as const], quietHours: null };
  const stateOf = (id: string) =>
    world.deps.db
      .selectFrom('alertDeliveries')
      .select(['state', 'problem'])
      .where('channelId', '=', id)
      .execute();

  test('by mail who is disabled, of what came before that or after', async () => {
    const { db } = world.deps;
    await bob.rpc.alertChannels.setPreferences.mutate(wanted);
    const mail = db.selectFrom('alertChannels').select('id').where('userId', '=', bob.user.id);
    const { id } = await mail.executeTakeFirstOrThrow();
    const ofBob = { ownerId: bob.user.id };
    await db.transaction().execute(async (trx) => {
      await raiseAlert(trx, alertOf(ofBob));
      await trx.updateTable('users').set({ disabledAt: sql`now()` }).where('id', '=', bob.user.id).execute();
    });
    const dropped = { state: 'failed', problem: 'The account is disabled.' };
    await expect.poll(() => stateOf(id)).toEqual([dropped]);
    await raise({ ...ofBob, subject: { kind: 'project', id: '2', name: 'Blog' } });
    expect(await stateOf(id)).toHaveLength(1);
    expect(mails.taken.filter(({ to }) => to.includes('bob@example.com'))).toEqual([]);
    await db.updateTable('users').set({ disabledAt: null }).where('id', '=', bob.user.id).execute();
  });

  test('of a workspace that is deleted, whatever is kept of it', async () => {
    const { db } = world.deps;
    const { id: ownerId } = await ada.rpc.workspaces.create.mutate({ name: 'Gone' });
    const { id } = await create();
    await db.updateTable('alertChannels').set({ ownerId }).where('id', '=', id).execute();
    const ofGone = { ownerId };
    await db.transaction().execute(async (trx) => {
      await raiseAlert(trx, alertOf(ofGone));
      await trx
        .updateTable('workspaces')
        .set({ closingSince: sql`now()`, closedAt: sql`now()` })
        .where('id', '=', ownerId)
        .execute();
    });
    await expect
      .poll(() => stateOf(id))
      .toEqual([{ state: 'failed', problem: 'The workspace was deleted.' }]);
    await raise({ ...ofGone, kind: 'app-crashed' });
    expect(await stateOf(id)).toHaveLength(1);
    expect(service.taken).toEqual([]);
  });
});

test('of each channel one message is taken at a time, and of each workspace a few', async () => {
  const { id } = await create();
  const { id: his } = await bob.rpc.alertChannels.create.mutate(channelOf());
  const { db } = world.deps;
  const taken = await db.transaction().execute(async (trx) => {
    await sql`
      insert into alert_channels (owner_id, type, name, shown_address, sealed_address, kinds)
      select owner_id, type, name, shown_address, sealed_address, kinds
      from alert_channels, generate_series(1, 5) where id = ${id}`.execute(trx);
    await sql`
      insert into alert_deliveries (owner_id, channel_id, event, alert_ids, title, due_at)
      select owner_id, id, 'raised', '{}', '', now() - make_interval(secs => case id when ${his} then 1 else 10 end)
      from alert_channels, generate_series(1, 3)`.execute(trx);
    const rounds = [await takeDue(trx, 16), await takeDue(trx, 16)];
    await trx.deleteFrom('alertDeliveries').execute();
    await trx.deleteFrom('alertChannels').where('id', '<>', id).execute();
    return rounds;
  });
  const [first = [], second] = taken;
  expect(first.filter(({ ownerId }) => ownerId === ada.user.id)).toHaveLength(4);
  expect(first.filter(({ channelId }) => channelId === his)).toHaveLength(1);
  expect(new Set(first.map(({ channelId }) => channelId)).size).toBe(5);
  expect(second).toEqual([]);
});

describe('quiet hours', () => {
  const quietHours = {
    ...{ from: '22:00', until: '07:00', timeZone: 'Europe/Berlin' },
    urgent: ['app-crashed' as const],
  };

  test('keep back what comes, and tell it as one at their end; what is urgent comes at once', async () => {
    const { id } = await create({ quietHours });
    // The night in which clocks go forward.
    now = new Date('2036-03-29T23:00:00Z');
    await raise();
    await raise({ subject: { kind: 'project', id: '2', name: 'Blog' } });
    await told(id, { state: 'held' }, { state: 'held' });
    const { rows } = await sql<{ due: Date }>`select due_at as due from alert_deliveries`.execute(
      world.deps.db,
    );
    expect(rows.map(({ due }) => new Date(due).toISOString())).toEqual(
      Array(2).fill('2036-03-30T05:00:00.000Z'),
    );
    await raise({ kind: 'app-crashed' });
    await expect.poll(() => service.taken.map(({ body }) => body.title)).toEqual(['App crashed: Shop']);
    now = new Date('2036-03-30T05:00:00Z');
    await hurry();
    await expect.poll(() => service.taken.length).toBe(2);
    expect(service.taken[1]?.body).toMatchObject({
      ...{ event: 'summary', title: '2 alerts in quiet hours' },
      alerts: [{ title: 'Deployment failed: Shop' }, { title: 'Deployment failed: Blog' }],
    });
    await hurry();
    await told(id, { event: 'raised' }, { event: 'summary', state: 'delivered' });
    now = new Date('2026-11-23T12:00:00Z');
  });

  test('are not told of later where the channel was turned off meanwhile', async () => {
    const { id } = await create({ quietHours });
    now = new Date('2036-11-23T23:00:00Z');
    await raise();
    await told(id, { state: 'held' });
    await ada.rpc.alertChannels.update.mutate({ id, enabled: false });
    await told(id, { state: 'failed', problem: 'The channel was turned off.' });
    await raise({ kind: 'app-crashed' });
    expect(await deliveries(id)).toHaveLength(1);
    now = new Date('2026-11-23T12:00:00Z');
  });
});
