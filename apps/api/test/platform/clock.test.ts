import { globSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createDb, createPool } from '@nephos/db';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@nephos/db/embedded';
import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { makeToken } from '../containers/registry-client.ts';
import { basic } from '../containers/registry-world.ts';
import { createKillableServer, type KillableServer } from '../killable-server.ts';
import { elsewhere, openAccount, payment } from '../payment-gateway/gateway-fixtures.ts';
import { callerOf, PASSWORD, type Person, signUp } from '../world.ts';

const LIBRARY = globSync('/usr/lib/*/faketime/libfaketime.so.1')[0] ?? '';
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
/** Milliseconds between two reads, of which there may be 300 a minute. */
const PAUSE = 25;
const SETTLED_MS = 20_000;

// The database keeps the real time; the API's clock is wherever the file says.
describe.skipIf(!requireTool('faketime'))('the API with a clock that jumps', () => {
  let folder: string;
  let postgres: EmbeddedPostgres;
  let db: ReturnType<typeof createDb>;
  let server: KillableServer;
  let ada: Person;

  /** Sets the API's clock, and sees that it goes so. */
  async function setClock(offset: number): Promise<void> {
    await writeFile(join(folder, 'clock'), `${offset < 0 ? '-' : '+'}${Math.abs(offset) / 1000}`);
    const said = async () => {
      const { headers } = await fetch(`${server.url}/healthz`);
      return Math.abs(Date.parse(headers.get('date') ?? '') - Date.now() - offset);
    };
    await expect.poll(said).toBeLessThan(5000);
  }

  /** Sends money to another bank, which a job with a delay settles. */
  async function sendAway(): Promise<void> {
    const { id } = await ada.rpc.paymentGateway.send.mutate(
      payment(await openAccount(ada, { balance: 100 }), elsewhere(), 1),
    );
    const status = async () =>
      (await ada.rpc.paymentGateway.transactions.query()).find((one) => one.id === id)?.status;
    await expect.poll(status, { timeout: SETTLED_MS, interval: 100 }).toBe('completed');
  }

  async function sessionsOf(id: string): Promise<number> {
    const rows = await db.selectFrom('sessions').select('id').where('userId', '=', id).execute();
    return rows.length;
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nephos-clock-'));
    await chmod(folder, 0o711);
    await writeFile(join(folder, 'clock'), '+0');
    postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'pg') });
    db = createDb(createPool({ url: postgres.url, max: 1 }));
    server = await createKillableServer({
      DATABASE_URL: postgres.url,
      RATE_LIMITS: 'on',
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: join(folder, 'clock'),
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    });
    await server.start();
    ada = await signUp(server.url, 'Ada');
  });

  afterAll(async () => {
    await server.close();
    await db.destroy();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test.each([
    ['15 days ahead', 15 * DAY],
    ['an hour back', -HOUR],
  ])('%s: sessions live, the trial lasts, jobs run', async (_, offset) => {
    await setClock(offset);
    expect(await ada.rpc.auth.user.query()).toMatchObject({ id: ada.user.id, trialActive: true });
    expect(await sessionsOf(ada.user.id)).toBe(1);
    await sendAway();
  });

  test('a session that was made ahead of time or behind it is as good as any', async () => {
    for (const offset of [20 * DAY, -HOUR]) {
      await setClock(offset);
      const body = { email: ada.user.email, password: PASSWORD };
      const answer = await callerOf(server.url, '').rest('POST /api/login', { body });
      const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      await setClock(-offset);
      expect(await callerOf(server.url, cookie).rpc.auth.user.query()).toMatchObject({ id: ada.user.id });
    }
    const { rows } = await sql<{ days: number }>`
      select extract(epoch from max(expires_at) - now()) / 86400 as days from sessions`.execute(db);
    expect(Number(rows[0]?.days)).toBeLessThan(10.01);
  });

  test('what is made later is listed first, though the clock went back between', async () => {
    await setClock(15 * DAY);
    const earlier = await ada.rpc.projects.create.mutate({ name: 'Earlier' });
    await setClock(-HOUR);
    const later = await ada.rpc.projects.create.mutate({ name: 'Later' });
    const list = await ada.rpc.projects.list.query();
    expect(list.slice(0, 2).map(({ id }) => id)).toEqual([later.id, earlier.id]);
    expect(Math.abs(Date.parse(later.createdAt) - Date.now())).toBeLessThan(60_000);
  });

  test("a token of the registry lives five minutes by the database's clock", async () => {
    const { token: accessToken } = await makeToken(ada);
    const give = async () => {
      const headers = { authorization: basic(ada.user.email, accessToken) };
      const answer = await fetch(`${server.url}/v2/token`, { headers });
      return (await answer.json()) as { token: string; issued_at: string };
    };
    const shown = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${server.url}/v2/`, { headers })).status;
    };
    for (const offset of [DAY, -HOUR]) {
      await setClock(offset);
      const { token, issued_at } = await give();
      expect(Math.abs(Date.parse(issued_at) - Date.now())).toBeLessThan(60_000);
      const { iat, exp } = decodeJwt(token);
      expect(Math.abs(Number(iat) * 1000 - Date.now())).toBeLessThan(60_000);
      expect(Number(exp) - Number(iat)).toBe(300);
      for (const other of [offset, -offset, 0]) {
        await setClock(other);
        expect(await shown(token)).toBe(200);
      }
    }
  });

  test('a limit that was reached stays so, and says truly when it ends', async () => {
    await setClock(0);
    const change = () =>
      ada.rest('POST /api/auth/password', {
        body: { currentPassword: 'not this one', newPassword: 'another long password' },
      });
    for (let call = 0; call < 5; call += 1) expect((await change()).status).toBe(403);
    for (const offset of [DAY, -HOUR]) {
      await setClock(offset);
      const answer = await change();
      const seconds = Number(answer.headers.get('retry-after'));
      expect(answer.status).toBe(429);
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(60);
    }
  });

  test("the trial ends by the database's clock, to the second", async () => {
    await setClock(-HOUR);
    await sql`update users set trial_end_date = now() + interval '1 second' where id = ${ada.user.id}`.execute(
      db,
    );
    const inTrial = async () => {
      const { rows } = await sql<{ is: boolean }>`
        select trial_end_date > now() as "is" from users where id = ${ada.user.id}`.execute(db);
      return rows[0]?.is;
    };
    const seen = new Set<boolean>();
    for (const end = performance.now() + 2500; performance.now() < end; ) {
      const before = await inTrial();
      const { trialActive } = await ada.rpc.auth.user.query();
      // Where it ended between the two, either answer is true.
      if (before === (await inTrial())) expect(trialActive).toBe(before);
      seen.add(trialActive);
      await wait(PAUSE);
    }
    expect(seen).toEqual(new Set([true, false]));
  });
});
