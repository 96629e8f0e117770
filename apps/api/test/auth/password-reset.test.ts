import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeResetLink } from '../../src/domains/auth/reset-links.ts';
import { type MailServer, startMailServer } from '../mail/mail-server.ts';
import { createWorld, PASSWORD, type Person, type World } from '../world.ts';
import { describedBy, openPage, submitForm } from './auth-forms.ts';
import { CLIENT } from './oidc-server.ts';

const NEW_PASSWORD = 'another horse battery';

let mail: MailServer;
let world: World;
let ada: Person;
let grace: Person;

beforeAll(async () => {
  mail = await startMailServer();
  world = await createWorld({
    settings: {
      ...{ rateLimits: true, trustProxy: '127.0.0.1' },
      mail: { smtpUrl: mail.url, from: { name: 'Nephos', address: 'nephos@example.com' } },
      oidc: [{ ...CLIENT, name: 'Example Login', issuer: 'https://login.example' }],
    },
    running: true,
  });
  ada = await world.as('Ada');
  grace = await world.as('Grace');
});
beforeEach(async () => {
  mail.taken.length = 0;
  const { db } = world.deps;
  await db.deleteFrom('rateLimits').execute();
  await db.deleteFrom('passwordResets').execute();
});
afterAll(async () => {
  await world.close();
  await mail.close();
});

const at = (path: string) => new URL(path, world.url);
const forget = (email: string, headers: Record<string, string> = {}) =>
  world.anyone.rest('POST /api/login/forgot', { body: { email }, headers });
const reset = (token: string, password = NEW_PASSWORD) =>
  world.anyone.rest('POST /api/login/reset', { body: { token, password } });
const logIn = (email: string, password: string) =>
  world.anyone.rest('POST /api/login', { body: { email, password } });
const tokenIn = (text: string) => /[?&]token=([\w-]{43})/.exec(text)?.[1] ?? '';
// Only somebody's: what another test has asked for may still be on its way.
const linksOf = ({ user }: Person) =>
  world.deps.db.selectFrom('passwordResets').select('hash').where('userId', '=', user.id).execute();
const linkFor = async ({ user }: Person) => tokenIn(await makeResetLink(world.deps.db, user.id, 1));

describe('a forgotten password', () => {
  test('is replaced by the link of a mail, once, and all sessions and tokens end', async () => {
    const other = await logIn('ada@example.com', PASSWORD);
    expect(other.status).toBe(200);
    const { token: accessToken } = await ada.rpc.auth.createToken.mutate({ name: 'CI', scope: 'read' });
    const page = await openPage(at('/api/login'));
    expect(page.html).toContain('href="/api/login/forgot"');
    expect((await openPage(at('/api/login/forgot'))).html).toMatch(/<h1[^>]*>Forgot your password\?/);
    const sent = await submitForm(at('/api/login/forgot'), { email: ' Ada@Example.com ' });
    expect(sent).toMatchObject({ status: 200, html: expect.stringContaining('If ada@example.com has an') });

    const { text } = await mail.mailTo('ada@example.com', /Set a new password/);
    const token = tokenIn(text);
    expect(text).toContain(`${world.deps.settings.publicUrl.origin}/api/login/reset?token=${token}`);
    const form = await openPage(at(`/api/login/reset?token=${token}`));
    expect(form.html).toContain('For ada@example.com.');
    const short = await submitForm(at('/api/login/reset'), { token, password: 'short' });
    expect(short.status).toBe(400);
    expect(describedBy(short.html, 'password')).toBe('Password must be at least 8 characters.');
    const done = await submitForm(at('/api/login/reset'), { token, password: NEW_PASSWORD });
    expect(done).toMatchObject({ status: 303 });
    expect(done.headers.get('location')).toBe('/api/login?reset');
    expect((await openPage(at('/api/login?reset'))).html).toContain('Your new password is set.');

    expect((await logIn('ada@example.com', PASSWORD)).status).toBe(403);
    expect((await logIn('ada@example.com', NEW_PASSWORD)).status).toBe(200);
    expect((await ada.rest('GET /api/auth/user')).status).toBe(401);
    const bearer = { authorization: `Bearer ${accessToken}` };
    expect((await world.anyone.rest('GET /api/auth/user', { headers: bearer })).status).toBe(401);
    expect((await grace.rest('GET /api/auth/user')).status).toBe(200);
    await mail.mailTo('ada@example.com', /was changed/);

    const again = await submitForm(at('/api/login/reset'), { token, password: PASSWORD });
    expect(again).toMatchObject({ status: 403, html: expect.stringContaining('no longer valid') });
    expect(again.html).toContain('href="/api/login/forgot"');
    expect((await openPage(at(`/api/login/reset?token=${token}`))).status).toBe(403);
  });

  test('is not told apart from an account that does not exist', async () => {
    const answers = [await forget('nobody@example.com'), await forget('grace@example.com')];
    for (const { status, body } of answers)
      expect({ status, body }).toEqual({ status: 200, body: { success: true } });
    await mail.mailTo('grace@example.com');
    expect(mail.taken.filter(({ to }) => to === 'nobody@example.com')).toEqual([]);
    const pages = await Promise.all(
      ['grace', 'nobody'].map((name) =>
        submitForm(at('/api/login/forgot'), { email: `${name}@example.com` }),
      ),
    );
    const [known, unknown] = pages.map(({ html }) => html.replaceAll(/grace|nobody/g, ''));
    expect(known).toBe(unknown);
  });

  test('of somebody who is disabled is none, and looks the same', async () => {
    const { db } = world.deps;
    const disable = (disabledAt: string | null) =>
      db.updateTable('users').set({ disabledAt }).where('id', '=', grace.user.id).execute();
    const waiting = async () =>
      (await sql`select from pgboss.job where name = 'password-resets' and state < 'completed'`.execute(db))
        .rows.length;
    await expect.poll(waiting).toBe(0);
    await db.deleteFrom('passwordResets').execute();
    await disable('now');
    expect(await forget('grace@example.com')).toMatchObject({ status: 200, body: { success: true } });
    await expect.poll(waiting).toBe(0);
    await disable(null);
    expect(await linksOf(grace)).toEqual([]);
  });

  test('that is changed on the account page is told by mail, and one that was refused is not', async () => {
    const person = await world.as('Barbara');
    const change = (currentPassword: string) =>
      person.rest('POST /api/auth/password', { body: { currentPassword, newPassword: 'another password' } });
    expect((await change('not it')).status).toBe(403);
    expect((await change(PASSWORD)).status).toBe(200);
    const { text } = await mail.mailTo('barbara@example.com', /^Your Nephos password was changed$/);
    expect(text).toMatch(/on the Account page\.[\s\S]*set another one at http\S+\/api\/login\/forgot/);
    expect(mail.taken.filter(({ to }) => to === 'barbara@example.com')).toHaveLength(1);
  });

  test('of an account that has only an identity provider is none: the mail says so', async () => {
    const { db } = world.deps;
    const edsger = await world.as('Edsger');
    await db.updateTable('users').set({ passwordHash: null }).where('id', '=', edsger.user.id).execute();
    await db
      .insertInto('identities')
      .values({ issuer: 'https://login.example', subject: '1', userId: edsger.user.id })
      .execute();
    await forget('edsger@example.com');
    const { text } = await mail.mailTo('edsger@example.com');
    expect(text).toContain('you log in to it with Example Login.');
    expect(tokenIn(text)).toBe('');
    expect(await linksOf(edsger)).toEqual([]);
  });

  test.each([
    ['', 'Enter an email address like name@example.com.'],
    ['ada', 'Enter an email address like name@example.com.'],
    [`${'a'.repeat(250)}@example.com`, 'An email address can have at most 254 characters.'],
  ])('of %j is refused beside the field', async (email, sentence) => {
    const { status, body } = await forget(email);
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'VALIDATION' } });
    const page = await submitForm(at('/api/login/forgot'), { email });
    expect(page.status).toBe(400);
    expect(describedBy(page.html, 'email')).toBe(sentence);
  });

  test('can be asked for 3 times in an hour from one place, and 10 times from all', async () => {
    const from = (ip: string) => forget('grace@example.com', { 'x-forwarded-for': ip });
    for (let round = 0; round < 3; round++) expect((await from('192.0.2.1')).status).toBe(200);
    expect((await from('192.0.2.1')).status).toBe(429);
    // What was refused for its own address counts for nobody else.
    for (let place = 2; place < 9; place++) expect((await from(`192.0.2.${place}`)).status).toBe(200);
    expect((await from('192.0.2.9')).status).toBe(429);
    expect((await forget('nobody@example.com', { 'x-forwarded-for': '192.0.2.9' })).status).toBe(200);
    const page = await submitForm(
      at('/api/login/forgot'),
      { email: 'grace@example.com' },
      { 'x-forwarded-for': '192.0.2.9' },
    );
    expect(page).toMatchObject({ status: 429, html: expect.stringContaining('Too many requests.') });
    expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(3000);
  });
});

describe('a link', () => {
  test('is good for one of two uses at once, and ends the others of its account', async () => {
    const [first, second, other] = [await linkFor(grace), await linkFor(grace), await linkFor(ada)];
    const answers = await Promise.all([reset(first, NEW_PASSWORD), reset(first, `${NEW_PASSWORD}!`)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
    expect((await reset(second)).body).toMatchObject({
      code: 'LINK_INVALID',
      message: 'This link is no longer valid. It may have been used already, or be too old.',
    });
    expect((await openPage(at(`/api/login/reset?token=${other}`))).status).toBe(200);
    grace = await world.as('Hopper');
  });

  test('is over after its hours, by the database, and is swept', async () => {
    const { db, domains } = world.deps;
    const token = await linkFor(ada);
    await domains.auth.sweeps?.passwordResets?.();
    expect((await openPage(at(`/api/login/reset?token=${token}`))).status).toBe(200);
    await db.updateTable('passwordResets').set({ expiresAt: '2020-01-01T00:00:00Z' }).execute();
    expect((await openPage(at(`/api/login/reset?token=${token}`))).status).toBe(403);
    expect((await reset(token)).status).toBe(403);
    await domains.auth.sweeps?.passwordResets?.();
    expect(await linksOf(ada)).toEqual([]);
  });

  test.each(['', 'x', 'a'.repeat(43), '"><script>', 'a'.repeat(1000)])('%j is none', async (token) => {
    const page = await openPage(at(`/api/login/reset?${new URLSearchParams({ token })}`));
    expect(page.status).toBe(403);
    expect(page.html).not.toContain('<script>"');
    expect([400, 403]).toContain((await reset(token)).status);
  });

  test('is stored as a hash, and neither a copy of the table nor the mail that was sent gives it', async () => {
    const { db } = world.deps;
    await forget('ada@example.com');
    const token = tokenIn((await mail.mailTo('ada@example.com')).text);
    const rows = await linksOf(ada);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token);
    await expect
      .poll(() => db.selectFrom('mails').select('content').where('content', 'is not', null).execute())
      .toEqual([]);
  });

  test('is not set by a page of another site', async () => {
    const token = await linkFor(ada);
    const foreign = { 'sec-fetch-site': 'cross-site' };
    const page = await submitForm(at('/api/login/reset'), { token, password: NEW_PASSWORD }, foreign);
    expect(page.status).toBe(403);
    expect((await openPage(at(`/api/login/reset?token=${token}`))).status).toBe(200);
  });
});

test('without mail, nothing is sent, the page says whom to ask, and a link works all the same', async () => {
  const off = await createWorld({ running: true });
  const lovelace = await off.as('Lovelace');
  expect((await openPage(new URL('/api/login', off.url))).html).not.toContain('/api/login/forgot');
  expect((await openPage(new URL('/api/login/forgot', off.url))).html).toContain('Ask an administrator');
  const refused = await off.anyone.rest('POST /api/login/forgot', {
    body: { email: 'lovelace@example.com' },
  });
  expect(refused).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
  const token = tokenIn(await makeResetLink(off.deps.db, lovelace.user.id, 24));
  const body = { token, password: NEW_PASSWORD };
  expect((await off.anyone.rest('POST /api/login/reset', { body })).status).toBe(200);
  expect((await openPage(new URL('/api/login/reset?token=x', off.url))).html).not.toContain(
    '/api/login/forgot',
  );
  await off.close();
});
