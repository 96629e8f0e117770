import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type MailServer, startMailServer } from '../mail/mail-server.ts';
import { createWorld, PASSWORD, type Person, type World } from '../world.ts';
import { openPage, submitForm } from './auth-forms.ts';
import { codeOf } from './two-step.ts';

let mail: MailServer;
let world: World;
let count = 0;

beforeAll(async () => {
  mail = await startMailServer();
  world = await createWorld({
    settings: {
      ...{ rateLimits: true, trustProxy: '127.0.0.1' },
      mail: { smtpUrl: mail.url, from: { name: 'Nephos', address: 'nephos@example.com' } },
    },
    running: true,
  });
});
beforeEach(async () => {
  mail.taken.length = 0;
  await world.deps.db.deleteFrom('rateLimits').execute();
});
afterAll(async () => {
  await world.close();
  await mail.close();
});

const mailsTo = (address: string) => mail.taken.filter(({ to }) => to === address);
const at = (path: string) => new URL(path, world.url);
const tokenIn = (text: string) => /[?&]token=([\w-]{43})/.exec(text)?.[1] ?? '';
const post = (path: string, token: string) => world.anyone.rest(`POST ${path}`, { body: { token } });
const confirm = (token: string) => post('/api/login/email', token);
const undo = (token: string) => post('/api/login/email/undo', token);
const logIn = (email: string, password = PASSWORD) =>
  world.anyone.rest('POST /api/login', { body: { email, password } });
const emailOf = async (person: Person) =>
  (
    await world.deps.db
      .selectFrom('users')
      .select('email')
      .where('id', '=', person.user.id)
      .executeTakeFirst()
  )?.email;

/** Somebody who asked for another address, and the token of the mail that went there. */
async function someone() {
  const name = `Person${++count}`;
  const person = await world.as(name);
  const [former, email] = [`${name.toLowerCase()}@example.com`, `new-${name.toLowerCase()}@example.com`];
  const ask = (input: object = {}) =>
    person.rest('POST /api/auth/email-change', { body: { email, password: PASSWORD, ...input } });
  return { person, former, email, ask };
}
async function asked() {
  const all = await someone();
  expect((await all.ask()).status).toBe(200);
  return { ...all, token: tokenIn((await mail.mailTo(all.email)).text) };
}
async function confirmed() {
  const all = await asked();
  expect((await confirm(all.token)).status).toBe(200);
  const { text } = await mail.mailTo(all.former, /was changed/);
  return { ...all, undoToken: tokenIn(text), text };
}

describe('a new address', () => {
  test('is the account’s once its link was opened and the button pressed, and the former one is told', async () => {
    const { person, former, email, token } = await asked();
    expect(await person.rpc.auth.emailChange.query()).toMatchObject({ mail: true, pending: { email } });
    const page = await openPage(at(`/api/login/email?token=${token}`));
    expect(page.html).toContain(`The account ${former} gets the address ${email}.`);
    expect(await emailOf(person)).toBe(former);
    const done = await submitForm(at('/api/login/email'), { token });
    expect(done).toMatchObject({ status: 200, html: expect.stringContaining(`You log in with ${email}`) });
    expect(await person.rpc.auth.user.query()).toMatchObject({ email });
    expect(await person.rpc.auth.emailChange.query()).toEqual({ mail: true, pending: null });
    expect((await logIn(email)).status).toBe(200);
    expect((await logIn(former)).status).toBe(403);
    const { text } = await mail.mailTo(former);
    expect(text).toContain(`Your account has the address ${email} now.`);
    expect(text).toContain('/api/login/email/undo?token=');
    expect((await confirm(token)).body).toMatchObject({ code: 'LINK_INVALID' });
  });

  test('needs the password, whose wrong ones count for the account whatever the address and key', async () => {
    const { person, ask, email } = await someone();
    for (let round = 0; round < 5; round++) {
      await world.deps.db.deleteFrom('rateLimits').where('key', 'like', 'auth.%').execute();
      const answer = await person.rest('POST /api/auth/email-change', {
        body: { email, password: 'wrong' },
        headers: { 'idempotency-key': crypto.randomUUID(), 'x-forwarded-for': `192.0.2.${round}` },
      });
      expect(answer).toMatchObject({ status: 403, body: { code: 'INVALID_CREDENTIALS' } });
    }
    await world.deps.db.deleteFrom('rateLimits').where('key', 'like', 'auth.%').execute();
    expect((await ask()).status).toBe(429);
    const change = person.rpc.auth.changePassword.mutate({
      currentPassword: PASSWORD,
      newPassword: 'a'.repeat(9),
    });
    await expect(change).rejects.toMatchObject({ data: { httpStatus: 429 } });
    expect(mailsTo(email)).toEqual([]);
  });

  test('that an account has is told after the proof alone', async () => {
    const other = await someone();
    const { person, former, ask } = await someone();
    const free = await ask({ email: 'free@example.com' });
    const taken = await ask({ email: other.former });
    expect({ ...taken, headers: 0, text: '', body: { mail: true } }).toEqual({
      ...{ ...free, headers: 0, text: '', body: { mail: true } },
    });
    const token = tokenIn((await mail.mailTo(other.former)).text);
    const page = await submitForm(at('/api/login/email'), { token });
    expect(page).toMatchObject({ status: 409, html: expect.stringContaining('already exists') });
    expect(await emailOf(person)).toBe(former);
  });

  test('is one at a time: the newest link works, and none after it was withdrawn or became too old', async () => {
    const { person, ask, token: first, former } = await asked();
    mail.taken.length = 0;
    await ask({ email: 'second@example.com' });
    const second = tokenIn((await mail.mailTo('second@example.com')).text);
    expect((await confirm(first)).status).toBe(403);
    await world.deps.db
      .updateTable('emailChanges')
      .set({ endsAt: '2020-01-01T00:00:00Z' })
      .where('userId', '=', person.user.id)
      .execute();
    expect((await openPage(at(`/api/login/email?token=${second}`))).status).toBe(403);
    expect((await confirm(second)).status).toBe(403);
    await ask({ email: 'third@example.com' });
    const third = tokenIn((await mail.mailTo('third@example.com')).text);
    await person.rpc.auth.cancelEmailChange.mutate();
    expect((await confirm(third)).status).toBe(403);
    expect(await emailOf(person)).toBe(former);
    await world.deps.domains.auth.sweeps?.emailChanges?.();
  });

  test('is refused by both doors where it is none, the same, or nobody is logged in', async () => {
    const { person, ask, former } = await someone();
    expect(await ask({ email: 'x' })).toMatchObject({ status: 400, body: { code: 'VALIDATION' } });
    expect(await ask({ password: '' })).toMatchObject({ status: 400 });
    expect(await ask({ email: former })).toMatchObject({ status: 422, body: { code: 'SAME_EMAIL' } });
    const input = { email: 'a@example.com', password: PASSWORD };
    await expect(world.anyone.rpc.auth.changeEmail.mutate(input)).rejects.toThrow('Unauthorized');
    expect((await world.anyone.rest('GET /api/auth/email-change')).status).toBe(401);
    const { db } = world.deps;
    await db.updateTable('users').set({ passwordHash: null }).where('id', '=', person.user.id).execute();
    expect(await ask()).toMatchObject({ status: 422, body: { code: 'NO_PASSWORD' } });
    for (const token of ['', 'x', 'a'.repeat(43)]) expect((await confirm(token)).status).toBe(403);
  });
});

describe('the former address', () => {
  test('takes the account back: everybody is out, and a new password is set', async () => {
    const { person, former, email, undoToken } = await confirmed();
    expect((await openPage(at(`/api/login/email/undo?token=${undoToken}`))).html).toContain(former);
    const done = await submitForm(at('/api/login/email/undo'), { token: undoToken });
    expect(done.status).toBe(303);
    const path = done.headers.get('location') ?? '';
    expect((await openPage(at(path))).html).toContain(`For ${former}.`);
    expect(await emailOf(person)).toBe(former);
    expect((await person.rest('GET /api/auth/user')).status).toBe(401);
    expect((await logIn(email)).status).toBe(403);
    expect((await undo(undoToken)).status).toBe(403);
    const links = await world.deps.db
      .selectFrom('auditLog')
      .select(['procedure', 'before', 'after', 'via'])
      .where('chain', '=', person.user.id)
      .where('via', '=', 'none')
      .orderBy('id')
      .execute();
    expect(links).toEqual([
      { procedure: 'auth.confirmEmail', before: { email: former }, after: { email }, via: 'none' },
      { procedure: 'auth.undoEmail', before: { email }, after: { email: former }, via: 'none' },
    ]);
  });

  test.each([
    ['goes with it, which whoever was in may have set up', 'now()', 0],
    ['stays, where it is older than the change', "now() - interval '1 hour'", 1],
  ])('a second factor %s', async (_, since, left) => {
    const { person, undoToken } = await confirmed();
    const { secret } = await person.rpc.auth.beginTotp.mutate();
    await person.rpc.auth.confirmTotp.mutate({ code: codeOf(secret) });
    const ofPerson = ['userId', '=', person.user.id] as const;
    const { db } = world.deps;
    await db
      .updateTable('totpSecrets')
      .set({ confirmedAt: sql<string>`${sql.raw(since)}` })
      .where(...ofPerson)
      .execute();
    expect((await undo(undoToken)).status).toBe(200);
    expect(
      await db
        .selectFrom('totpSecrets')
        .select('userId')
        .where(...ofPerson)
        .execute(),
    ).toHaveLength(left);
    expect(
      await db
        .selectFrom('recoveryCodes')
        .select('userId')
        .where(...ofPerson)
        .execute(),
    ).toEqual([]);
  });

  test('does so whatever the address became later, and a link to set a password ends with the change', async () => {
    const { person, former, undoToken, ask } = await confirmed();
    mail.taken.length = 0;
    await ask({ email: 'later@example.com' });
    expect((await confirm(tokenIn((await mail.mailTo('later@example.com')).text))).status).toBe(200);
    expect(await emailOf(person)).toBe('later@example.com');
    expect((await undo(undoToken)).status).toBe(200);
    expect(await emailOf(person)).toBe(former);
  });

  test('is nobody else’s for seven days, and anybody’s after that', async () => {
    const { person, former, undoToken } = await confirmed();
    const signUp = () =>
      world.anyone.rest('POST /api/signup', { body: { email: former, password: PASSWORD } });
    expect(await signUp()).toMatchObject({ status: 409, body: { code: 'EMAIL_TAKEN' } });
    await world.deps.db
      .updateTable('emailChanges')
      .set({ endsAt: '2020-01-01T00:00:00Z' })
      .where('userId', '=', person.user.id)
      .execute();
    expect((await undo(undoToken)).status).toBe(403);
    expect((await signUp()).status).toBe(201);
  });
});

describe('a log-in', () => {
  const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0';
  const enter = (email: string, cookie = '') =>
    world.anyone.rest('POST /api/login', {
      body: { email, password: PASSWORD },
      headers: { 'user-agent': FIREFOX, 'x-forwarded-for': '194.25.0.1', ...(cookie && { cookie }) },
    });
  const marksOf = (headers: Headers) =>
    headers
      .getSetCookie()
      .map((each) => each.split(';')[0] ?? '')
      .filter((each) => each.includes('known_device'))
      .join('; ');

  test('from a browser that was never used for the account is told, and from the same one no more', async () => {
    const { person, former } = await someone();
    expect((await enter(former, person.cookie)).status).toBe(200);
    const first = await enter(former);
    const { subject, text } = await mail.mailTo(former);
    expect(subject).toBe('New log-in to your Nephos account');
    const entries = await world.deps.db
      .selectFrom('auditLog')
      .select('after')
      .where('procedure', '=', 'auth.logIn')
      .where('ip', '=', '194.25.0.1')
      .execute();
    expect(entries[0]?.after).toMatchObject({ region: 'Germany' });
    expect(text).toMatch(
      /Firefox on Windows, from Germany · 194\.25\.0\.1, on \d+ \w+ \d{4}, \d\d:\d\d UTC\./,
    );
    expect(mailsTo(former)).toHaveLength(1);
    const known = marksOf(first.headers);
    expect((await enter(former, known)).headers.getSetCookie()).toHaveLength(1);
    expect((await enter(former, 'known_device=forged.forged')).status).toBe(200);
    await expect.poll(() => mailsTo(former).length).toBe(2);
  });

  test('is of a known browser for each of the accounts in it, and after a change of address', async () => {
    const [one, other] = [await confirmed(), await someone()];
    mail.taken.length = 0;
    const second = await enter(other.former, one.person.cookie.replace(/session=[^;]*/, 'session=x'));
    await mail.mailTo(other.former, /New log-in/);
    const both = marksOf(second.headers);
    expect((await enter(one.email, both)).status).toBe(200);
    expect((await enter(other.former, both)).status).toBe(200);
    await logIn(other.former);
    await expect.poll(() => mailsTo(other.former).length).toBe(2);
    expect(mailsTo(one.email)).toEqual([]);
  });
});

test('other sessions end together, the present one and other people’s stay', async () => {
  const [one, other] = [await someone(), await someone()];
  await logIn(one.former);
  expect(await one.person.rpc.auth.sessions.query()).toHaveLength(2);
  expect((await world.anyone.rest('DELETE /api/auth/sessions')).status).toBe(401);
  expect((await one.person.rest('DELETE /api/auth/sessions')).body).toEqual({ success: true });
  expect(await one.person.rpc.auth.sessions.query()).toMatchObject([
    { current: true, device: expect.any(String) },
  ]);
  expect(await other.person.rpc.auth.sessions.query()).toHaveLength(1);
  expect(await other.person.rpc.auth.endOtherSessions.mutate()).toEqual({ success: true });
});

test('one address of mail is signed up with 20 times in an hour, wherever that comes from', async () => {
  const { former: email } = await someone();
  const signUp = (n: number) =>
    world.anyone.rest('POST /api/signup', {
      body: { email, password: PASSWORD },
      headers: { 'x-forwarded-for': `192.0.2.${n}` },
    });
  const statuses = await Promise.all(
    Array.from({ length: 21 }, (_, n) => signUp(n).then(({ status }) => status)),
  );
  expect(statuses.filter((status) => status === 429)).toHaveLength(2);
});

test('without mail an address stays, and the answer says who changes it', async () => {
  const off = await createWorld();
  const ada = await off.as('Ada');
  expect(await ada.rpc.auth.emailChange.query()).toEqual({ mail: false, pending: null });
  const answer = await ada.rest('POST /api/auth/email-change', {
    body: { email: 'a@b.example', password: PASSWORD },
  });
  expect(answer).toMatchObject({
    status: 503,
    body: { message: expect.stringContaining('Ask an administrator') },
  });
  await off.close();
});
