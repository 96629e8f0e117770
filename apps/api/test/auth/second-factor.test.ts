import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callerOf, cookieOf, createWorld, PASSWORD, type Person, type World } from '../world.ts';
import { describedBy, inputTag, openPage, submitForm } from './auth-forms.ts';
import { ageProofs, codeOf } from './two-step.ts';

let world: World;
let people = 0;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  world.deps.settings.rateLimits = false;
});

const at = (path: string) => new URL(path, world.url);
const emailOf = ({ user }: Person) => user.email;
const logIn = (email: string, password = PASSWORD) =>
  world.anyone.rest('POST /api/login', { body: { email, password } });
const sendCode = (cookie: string, code: string) =>
  world.anyone.rest('POST /api/login/second-factor', { body: { code }, headers: { cookie } });
const whoIs = (cookie: string) => world.anyone.rest('GET /api/auth/user', { headers: { cookie } });
const sessionsOf = async ({ user }: Person) =>
  (await world.deps.db.selectFrom('sessions').select('id').where('userId', '=', user.id).execute()).length;

/** As if no code had been used. */
const forgetStep = ({ user }: Person) =>
  world.deps.db.updateTable('totpSecrets').set({ lastStep: 0 }).where('userId', '=', user.id).execute();

/** Somebody whose app is set up, none of whose codes is used. */
async function protectedPerson(
  within = world,
): Promise<{ person: Person; secret: string; recoveryCodes: string[] }> {
  people += 1;
  const person = await within.as(`Person-${people}`);
  const { secret } = await person.rpc.auth.beginTotp.mutate();
  const { recoveryCodes } = await person.rpc.auth.confirmTotp.mutate({ code: codeOf(secret) });
  await forgetStep(person);
  return { person, secret, recoveryCodes };
}

async function half(email: string): Promise<string> {
  return cookieOf((await logIn(email)).headers);
}

describe('setting up', () => {
  test('shows the secret and the codes once, by both doors, and counts from the first right code', async () => {
    const person = await world.as('Set-up');
    const begun = await person.rest('POST /api/auth/totp');
    const setup = begun.body as { secret: string; address: string };
    expect(begun.status).toBe(201);
    expect(setup.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(setup.address).toMatch(
      new RegExp(`^otpauth://totp/Nephos:set-up%40example.com\\?.*secret=${setup.secret}`),
    );
    expect(await person.rpc.auth.factors.query()).toEqual({
      passwordSet: true,
      totp: false,
      recoveryCodesLeft: 0,
      passkeys: [],
      demandedBy: { installation: false, workspaces: [] },
    });
    expect((await logIn(emailOf(person))).status).toBe(200);

    const wrong = await person.rest('POST /api/auth/totp/confirm', { body: { code: '000000' } });
    expect([wrong.status, wrong.body]).toEqual([
      403,
      expect.objectContaining({
        code: 'INVALID_CODE',
        message: 'This code is wrong or was already used. Enter the next one.',
      }),
    ]);
    const done = await person.rest('POST /api/auth/totp/confirm', { body: { code: codeOf(setup.secret) } });
    const { recoveryCodes } = done.body as { recoveryCodes: string[] };
    expect(done.status).toBe(200);
    expect(new Set(recoveryCodes).size).toBe(10);
    expect(recoveryCodes[0]).toMatch(/^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}$/);
    const factors = await person.rest('GET /api/auth/factors');
    expect(factors.body).toMatchObject({
      passwordSet: true,
      totp: true,
      recoveryCodesLeft: 10,
      passkeys: [],
    });

    const again = await person.rest('POST /api/auth/totp');
    expect([again.status, again.body]).toEqual([409, expect.objectContaining({ code: 'ALREADY_SET_UP' })]);
    const unbegun = await person.rest('POST /api/auth/totp/confirm', { body: { code: '000000' } });
    expect([unbegun.status, unbegun.body]).toEqual([409, expect.objectContaining({ code: 'NOT_BEGUN' })]);
  });

  test('keeps neither the secret nor a code in the clear', async () => {
    const { person, secret, recoveryCodes } = await protectedPerson();
    const { rows } = await sql<{ text: string }>`
      select t.secret::text || coalesce(string_agg(r.hash, ''), '') as text
      from totp_secrets t left join recovery_codes r using (user_id)
      where t.user_id = ${person.user.id} group by t.secret`.execute(world.deps.db);
    const stored = `${rows[0]?.text}${Buffer.from(rows[0]?.text.slice(2) ?? '', 'hex')}`;
    expect(stored).not.toContain(secret);
    for (const code of recoveryCodes) expect(stored).not.toContain(code.replaceAll('-', ''));
  });

  test('is refused to who is signed out, and to access tokens', async () => {
    const { person } = await protectedPerson();
    const { token } = await person.rpc.auth.createToken.mutate({ name: 'all', scope: 'write' });
    const headers = { authorization: `Bearer ${token}` };
    for (const route of [
      'GET /api/auth/factors',
      'POST /api/auth/totp',
      'DELETE /api/auth/totp',
      'POST /api/auth/recovery-codes',
    ]) {
      expect((await world.anyone.rest(route)).status, route).toBe(401);
      expect((await world.anyone.rest(route, { headers })).status, route).toBe(403);
    }
    // A token itself is not asked for a code.
    expect((await world.anyone.rest('GET /api/projects', { headers })).status).toBe(200);
  });

  test('can be undone: then the password is enough, and no recovery code is left', async () => {
    const { person } = await protectedPerson();
    expect((await person.rest('DELETE /api/auth/totp')).body).toEqual({ success: true });
    expect((await person.rest('DELETE /api/auth/totp')).status).toBe(404);
    expect(await person.rpc.auth.factors.query()).toMatchObject({ totp: false, recoveryCodesLeft: 0 });
    expect((await logIn(emailOf(person))).status).toBe(200);
    const renewed = await person.rest('POST /api/auth/recovery-codes');
    expect([renewed.status, renewed.body]).toEqual([
      409,
      expect.objectContaining({ code: 'NO_SECOND_FACTOR', message: 'Set up a second factor first.' }),
    ]);
  });
});

describe('logging in', () => {
  test('by JSON: the password alone is no session, password and code are', async () => {
    const { person, secret } = await protectedPerson();
    const before = await sessionsOf(person);
    const first = await logIn(emailOf(person));
    expect([first.status, first.body]).toEqual([
      403,
      expect.objectContaining({ code: 'SECOND_FACTOR_REQUIRED' }),
    ]);
    const cookie = cookieOf(first.headers);
    expect(cookie).toMatch(/^second_factor=[A-Za-z0-9_-]+$/);
    expect(first.headers.getSetCookie()[0]).toContain('; Max-Age=600; HttpOnly; SameSite=Lax');
    expect((await whoIs(cookie)).status).toBe(401);
    expect(await sessionsOf(person)).toBe(before);

    const second = await sendCode(cookie, codeOf(secret));
    expect([second.status, second.body]).toEqual([200, person.user]);
    expect((await whoIs(cookieOf(second.headers))).status).toBe(200);
  });

  test('by form: a page asks for the code, says what is wrong with it, and leads on', async () => {
    const { person, secret } = await protectedPerson();
    const fields = { email: emailOf(person), password: PASSWORD, returnTo: '/dns' };
    const first = await submitForm(at('/api/login'), fields);
    const there = '/api/login/second-factor?returnTo=%2Fdns';
    expect([first.status, first.headers.get('location')]).toEqual([303, there]);
    const headers = { cookie: first.cookie };
    const page = await openPage(at(there), headers);
    expect(page.status).toBe(200);
    expect(inputTag(page.html, 'code')).toContain('autocomplete="one-time-code"');

    const wrong = await submitForm(
      at('/api/login/second-factor'),
      { code: '000000', returnTo: '/dns' },
      headers,
    );
    expect(wrong.status).toBe(403);
    expect(describedBy(wrong.html, 'code')).toBe(
      'This code is wrong or was already used. Enter the next one.',
    );
    expect(inputTag(wrong.html, 'returnTo')).toContain('value="/dns"');
    const empty = await submitForm(at('/api/login/second-factor'), { code: '' }, headers);
    expect([empty.status, describedBy(empty.html, 'code')]).toEqual([400, 'Enter a code.']);
    const right = await submitForm(
      at('/api/login/second-factor'),
      { code: codeOf(secret).replace(/.../, '$& '), returnTo: '/dns' },
      headers,
    );
    expect([right.status, right.headers.get('location')]).toEqual([303, '/dns']);
    expect((await whoIs(right.cookie)).status).toBe(200);
  });

  test('without a password before it there is no page for a code', async () => {
    const page = await openPage(at('/api/login/second-factor?returnTo=/dns'));
    expect([page.status, page.headers.get('location')]).toEqual([303, '/api/login?returnTo=%2Fdns']);
    for (const cookie of ['', 'second_factor=AAAA']) {
      const answer = await sendCode(cookie, '123456');
      expect([answer.status, answer.body]).toEqual([
        400,
        expect.objectContaining({ message: 'This login expired. Log in again.' }),
      ]);
    }
  });

  test('a code is good for one log-in, also of two at the same time, and an older one for none', async () => {
    const { person, secret } = await protectedPerson();
    const cookie = await half(emailOf(person));
    const code = codeOf(secret);
    const answers = await Promise.all([sendCode(cookie, code), sendCode(cookie, code)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
    expect((await sendCode(cookie, code)).status).toBe(403);
    expect((await sendCode(cookie, codeOf(secret, -1))).status).toBe(403);
    expect((await sendCode(cookie, codeOf(secret, 1))).status).toBe(200);
  });

  test('a code of another step than the neighbours is refused', async () => {
    const { person, secret } = await protectedPerson();
    const cookie = await half(emailOf(person));
    for (const steps of [-3, 3]) expect((await sendCode(cookie, codeOf(secret, steps))).status).toBe(403);
  });

  test("somebody else's code does not do, nor their recovery code", async () => {
    const { person } = await protectedPerson();
    const other = await protectedPerson();
    const cookie = await half(emailOf(person));
    expect((await sendCode(cookie, codeOf(other.secret))).status).toBe(403);
    expect((await sendCode(cookie, other.recoveryCodes[0] ?? '')).status).toBe(403);
  });

  test('a recovery code is good once, however it is written, and new ones end the others', async () => {
    const { person, recoveryCodes } = await protectedPerson();
    const cookie = await half(emailOf(person));
    const [one = '', two = '', three = ''] = recoveryCodes;
    const spelled = ` ${one.toUpperCase().replaceAll('-', ' ')}`;
    const answers = await Promise.all([sendCode(cookie, spelled), sendCode(cookie, one)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
    expect((await person.rpc.auth.factors.query()).recoveryCodesLeft).toBe(9);
    const renewed = await person.rpc.auth.renewRecoveryCodes.mutate();
    expect((await sendCode(cookie, two)).status).toBe(403);
    expect((await sendCode(cookie, renewed.recoveryCodes[0] ?? '')).status).toBe(200);
    expect((await sendCode(cookie, three)).status).toBe(403);
  });

  test('five wrong codes make everybody wait, from whatever address', async () => {
    const { person, secret, recoveryCodes } = await protectedPerson();
    const cookie = await half(emailOf(person));
    world.deps.settings.rateLimits = true;
    world.deps.settings.trustProxy = 'loopback';
    const from = (host: number, code: string) =>
      world.anyone.rest('POST /api/login/second-factor', {
        body: { code },
        headers: { cookie, 'x-forwarded-for': `192.0.2.${host}` },
      });
    const wrong = await Promise.all([1, 2, 3, 4, 5].map((host) => from(host, '000000')));
    expect(wrong.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    for (const code of [codeOf(secret), recoveryCodes[0] ?? '']) {
      const late = await from(6, code);
      expect(late.status).toBe(429);
      expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(14 * 60);
    }
    const page = await submitForm(at('/api/login/second-factor'), { code: codeOf(secret) }, { cookie });
    expect(page.status).toBe(429);
    expect(describedBy(page.html, 'code')).toMatch(/^Too many requests\. Try again in \d+ seconds\.$/);
  });

  test('a wrong code leaves a record, at log-in and as a proof, and the code is not in it', async () => {
    const { person } = await protectedPerson();
    const cookie = await half(emailOf(person));
    expect((await sendCode(cookie, '000000')).status).toBe(403);
    const proof = { body: { code: '000001' }, headers: { 'idempotency-key': 'wrong-proof' } };
    for (const _ of [1, 2]) expect((await person.rest('POST /api/auth/proof', proof)).status).toBe(403);
    const records = await world.deps.db
      .selectFrom('auditLog')
      .select(['procedure', 'chain', 'ip', 'subjectName', 'after'])
      .where('chain', '=', person.user.id)
      .where('result', '=', 'refused')
      .orderBy('id')
      .execute();
    expect(records).toMatchObject([
      {
        procedure: 'auth.logIn',
        ip: '127.0.0.1',
        subjectName: emailOf(person),
        after: { cause: 'Wrong code' },
      },
      { procedure: 'auth.prove', ip: '127.0.0.1' },
    ]);
    expect(JSON.stringify(records)).not.toMatch(/00000[01]/);
  });

  test('a password that was changed meanwhile ends the half log-in', async () => {
    const { person, secret } = await protectedPerson();
    const cookie = await half(emailOf(person));
    const newPassword = 'another horse battery';
    await person.rpc.auth.changePassword.mutate({ currentPassword: PASSWORD, newPassword });
    const answer = await sendCode(cookie, codeOf(secret));
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ code: 'VALIDATION' })]);
  });
});

describe('a recent proof', () => {
  const ask = (person: Person) => person.rest('DELETE /api/projects/00000000-0000-7000-8000-000000000000');

  test('is asked for before what hurts, at both doors, and holds for an hour', async () => {
    const { person, secret, recoveryCodes } = await protectedPerson();
    expect((await ask(person)).status).toBe(404);
    await ageProofs(world, person);
    const refused = await ask(person);
    expect([refused.status, refused.body]).toEqual([
      403,
      expect.objectContaining({ code: 'PROOF_REQUIRED', message: "Confirm that it's you, then try again." }),
    ]);
    await expect(person.rpc.auth.removeTotp.mutate()).rejects.toMatchObject({
      data: { httpStatus: 403, reason: 'PROOF_REQUIRED' },
    });
    expect((await person.rest('GET /api/projects')).status).toBe(200);

    for (const body of [{ password: PASSWORD }, { code: codeOf(secret) }, { code: recoveryCodes[0] }]) {
      await ageProofs(world, person);
      expect((await person.rest('POST /api/auth/proof', { body })).body).toEqual({ success: true });
      expect((await ask(person)).status).toBe(404);
    }
  });

  test('is of one session: another one of the same person is asked nevertheless', async () => {
    const person = await world.as('Two-sessions');
    const other = callerOf(world.url, cookieOf((await logIn(emailOf(person))).headers));
    await ageProofs(world, person);
    await person.rpc.auth.prove.mutate({ password: PASSWORD });
    expect((await ask({ ...other, user: person.user })).status).toBe(403);
    expect((await ask(person)).status).toBe(404);
  });

  test('is refused for what is wrong, used, or too often wrong', async () => {
    const { person, secret } = await protectedPerson();
    await ageProofs(world, person);
    const prove = (body: object) => person.rest('POST /api/auth/proof', { body });
    const wrong = await prove({ password: 'wrong' });
    expect([wrong.status, wrong.body]).toEqual([
      403,
      expect.objectContaining({ code: 'INVALID_CREDENTIALS', message: 'Password is incorrect.' }),
    ]);
    expect((await prove({ code: '000000' })).body).toMatchObject({ code: 'INVALID_CODE' });
    for (const body of [{}, { password: PASSWORD, code: '000000' }, { password: '' }, { code: ' ' }]) {
      expect((await prove(body)).status, JSON.stringify(body)).toBe(400);
    }
    expect((await ask(person)).status).toBe(403);
    const code = codeOf(secret);
    expect((await prove({ code })).status).toBe(200);
    expect((await prove({ code })).status).toBe(403);
    world.deps.settings.rateLimits = true;
    for (let round = 0; round < 5; round++) expect((await prove({ password: 'wrong' })).status).toBe(403);
    expect((await prove({ password: PASSWORD })).status).toBe(429);
  });

  test('is not asked of access tokens', async () => {
    const person = await world.as('Bearer');
    const { token } = await person.rpc.auth.createToken.mutate({ name: 'all', scope: 'write' });
    await ageProofs(world, person);
    const answer = await world.anyone.rest('DELETE /api/projects/00000000-0000-7000-8000-000000000000', {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(404);
  });
});

test('many guesses at once leave each other the connections that they are counted by', async () => {
  const small = await createWorld({ connections: 2 });
  try {
    const { person, secret } = await protectedPerson(small);
    const body = { email: emailOf(person), password: PASSWORD };
    const halves = await Promise.all(
      Array.from({ length: 5 }, async () =>
        cookieOf((await small.anyone.rest('POST /api/login', { body })).headers),
      ),
    );
    const newPassword = 'another horse battery';
    small.deps.settings.rateLimits = true;
    const all = [
      ...halves.map((cookie) =>
        callerOf(small.url, cookie).rest('POST /api/login/second-factor', { body: { code: codeOf(secret) } }),
      ),
      ...['a', 'b', 'c', 'd', 'e'].flatMap((name) => {
        const headers = { 'idempotency-key': `five-at-once-${name}` };
        return [
          person.rest('POST /api/auth/proof', { headers, body: { code: '000000' } }),
          person.rest('POST /api/auth/proof', { headers, body: { password: 'wrong' } }),
          person.rest('POST /api/auth/password', {
            headers,
            body: { currentPassword: 'wrong', newPassword },
          }),
          person.rest('POST /api/auth/totp/confirm', { headers, body: { code: '000000' } }),
        ];
      }),
    ];
    const statuses = (await Promise.all(all)).map(({ status }) => status);
    for (const status of statuses) expect([200, 403, 409, 429]).toContain(status);
  } finally {
    await small.close();
  }
});
