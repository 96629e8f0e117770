import type { PasskeyOptions, PasskeyResponse } from '@nephos/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { INSTALLATION } from '../../src/platform/audit.ts';
import { cookieOf, createWorld, PASSWORD, type Person, type World } from '../world.ts';
import { openPage } from './auth-forms.ts';
import { Authenticator } from './authenticator.ts';
import { ageProofs } from './two-step.ts';

let world: World;
let people = 0;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const originOf = () => world.deps.settings.publicUrl.origin;
const refused = { code: 'PASSKEY_REFUSED', message: expect.stringMatching(/^This passkey could not be/) };

async function personWithPasskey(): Promise<{ person: Person; key: Authenticator; recoveryCodes: string[] }> {
  people += 1;
  const person = await world.as(`Person-${people}`);
  const key = new Authenticator({ origin: originOf() });
  const response = key.create(await person.rpc.auth.beginPasskey.mutate());
  const { recoveryCodes } = await person.rpc.auth.addPasskey.mutate({ name: 'Laptop', response });
  return { person, key, recoveryCodes };
}

async function optionsFor(cookie = ''): Promise<PasskeyOptions> {
  const answer = await world.anyone.rest('POST /api/login/passkey/options', { headers: { cookie } });
  expect(answer.status).toBe(200);
  return answer.body as PasskeyOptions;
}
const logIn = (response: PasskeyResponse, cookie = '') =>
  world.anyone.rest('POST /api/login/passkey', { body: { response }, headers: { cookie } });
const half = async ({ user: { email } }: Person) =>
  cookieOf((await world.anyone.rest('POST /api/login', { body: { email, password: PASSWORD } })).headers);
const whoIs = (cookie: string) => world.anyone.rest('GET /api/auth/user', { headers: { cookie } });

test('the first one comes with recovery codes, others without; each has a name and can be removed', async () => {
  const { person, recoveryCodes } = await personWithPasskey();
  expect(recoveryCodes).toHaveLength(10);
  const begun = await person.rest('POST /api/auth/passkeys/options');
  expect(begun.body).toMatchObject({
    rp: { id: 'localhost', name: 'Nephos' },
    user: { name: person.user.email },
    excludeCredentials: [{ type: 'public-key' }],
  });
  const response = new Authenticator({ origin: originOf() }).create(begun.body as PasskeyOptions);
  const added = await person.rest('POST /api/auth/passkeys', { body: { name: 'Phone', response } });
  expect([added.status, added.body]).toEqual([201, { recoveryCodes: [] }]);
  const { passkeys } = await person.rpc.auth.factors.query();
  expect(passkeys).toMatchObject([
    { name: 'Phone', usable: true, lastUsedAt: null },
    { name: 'Laptop', usable: true, lastUsedAt: null },
  ]);
  const stranger = await world.as(`Stranger-${people}`);
  for (const { id } of passkeys) {
    expect((await stranger.rest(`DELETE /api/auth/passkeys/${id}`)).status).toBe(404);
    expect((await person.rest(`DELETE /api/auth/passkeys/${id}`)).body).toEqual({ success: true });
  }
  expect(await person.rpc.auth.factors.query()).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 });
});

test('one is all that a log-in needs, where it verified its person; the challenge is good once', async () => {
  const { person, key } = await personWithPasskey();
  const options = await optionsFor();
  expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
  const response = key.get(options);
  const answers = await Promise.all([logIn(response), logIn(response)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
  const entered = answers.find(({ status }) => status === 200);
  expect(entered?.body).toEqual(person.user);
  expect((await whoIs(cookieOf(entered?.headers ?? new Headers()))).status).toBe(200);
  expect((await person.rpc.auth.factors.query()).passkeys[0]?.lastUsedAt).not.toBeNull();

  key.verifies = false;
  const unverified = await logIn(key.get(await optionsFor()));
  expect([unverified.status, unverified.body]).toEqual([403, expect.objectContaining(refused)]);
});

test('after the right password it is the second factor, and nobody else’s will do', async () => {
  const { person, key } = await personWithPasskey();
  const other = await personWithPasskey();
  const cookie = await half(person);
  expect(cookie).toMatch(/^second_factor=/);
  const page = await openPage(new URL('/api/login/second-factor', world.url), { cookie });
  expect(page.html).toContain('<div id="passkey" hidden data-return-to="/"');
  expect(page.html).toContain('Use your passkey');

  expect((await logIn(other.key.get(await optionsFor(cookie)), cookie)).status).toBe(403);
  // What was asked of anybody is no answer to what is asked of this person.
  expect((await logIn(key.get(await optionsFor()), cookie)).status).toBe(403);
  expect((await logIn(key.get(await optionsFor(cookie)))).status).toBe(403);
  key.verifies = false;
  const answer = await logIn(key.get(await optionsFor(cookie)), cookie);
  expect([answer.status, answer.body]).toEqual([200, person.user]);
});

test('what another site asked, another key signed, or a copy counts is refused', async () => {
  const { key } = await personWithPasskey();
  const elsewhere = new Authenticator({ origin: 'https://evil.example', rpId: 'localhost' });
  const forged = { ...elsewhere.get(await optionsFor()), id: key.id.toString('base64url') };
  expect((await logIn({ ...forged, rawId: forged.id })).status).toBe(403);
  const unknown = new Authenticator({ origin: originOf() });
  expect((await logIn(unknown.get(await optionsFor()))).status).toBe(403);
  expect((await logIn(key.get({ challenge: 'AAAA' }))).status).toBe(403);

  key.counter = 7;
  expect((await logIn(key.get(await optionsFor()))).status).toBe(200);
  key.counter = 2;
  expect((await logIn(key.get(await optionsFor()))).status).toBe(403);
  for (const body of [{}, { response: {} }, { response: { id: 1 } }]) {
    expect((await world.anyone.rest('POST /api/login/passkey', { body })).status).toBe(400);
  }
});

test('what is refused is recorded, and counts for its account, or for the address', async () => {
  const { person, key } = await personWithPasskey();
  const unknown = new Authenticator({ origin: originOf() });
  key.verifies = false;
  world.deps.settings.rateLimits = true;
  const statuses: number[] = [];
  for (const _ of Array(6)) statuses.push((await logIn(key.get(await optionsFor()))).status);
  const strange: number[] = [];
  for (const _ of Array(21)) strange.push((await logIn(unknown.get({ challenge: 'AAAA' }))).status);
  world.deps.settings.rateLimits = false;
  expect(statuses).toEqual([403, 403, 403, 403, 403, 429]);
  expect([strange.slice(0, 20), strange.at(-1)]).toEqual([Array(20).fill(403), 429]);
  const records = await world.deps.db
    .selectFrom('auditLog')
    .select(['chain', 'after'])
    .where('result', '=', 'refused')
    .orderBy('id', 'desc')
    .limit(25)
    .execute();
  expect(records.filter(({ chain }) => chain === person.user.id)).toHaveLength(5);
  expect(records.filter(({ chain }) => chain === INSTALLATION)).toHaveLength(20);
  expect(records[0]?.after).toMatchObject({ cause: 'Refused passkey' });
});

test('what expired is refused, and forgotten', async () => {
  const { key } = await personWithPasskey();
  const options = await optionsFor();
  await world.deps.db
    .updateTable('passkeyChallenges')
    .set({ expiresAt: new Date(Date.now() - 1000).toISOString() })
    .where('challenge', '=', options.challenge)
    .execute();
  expect((await logIn(key.get(options))).status).toBe(403);
});

test('it proves who somebody is, and an old session adds or removes none without a proof', async () => {
  const { person, key } = await personWithPasskey();
  await ageProofs(world, person);
  for (const route of ['POST /api/auth/passkeys/options', `DELETE /api/auth/passkeys/${person.user.id}`]) {
    expect((await person.rest(route)).body).toMatchObject({ code: 'PROOF_REQUIRED' });
  }
  const options = await person.rpc.auth.beginProof.mutate();
  const passkey = key.get(options);
  expect((await person.rest('POST /api/auth/proof', { body: { passkey } })).body).toEqual({ success: true });
  expect((await person.rest('POST /api/auth/passkeys/options')).status).toBe(200);
  expect((await person.rest('POST /api/auth/proof', { body: { passkey } })).body).toMatchObject(refused);
});

test('at another host it is listed as of no use, and asks for a recovery code at log-in', async () => {
  const { person, key, recoveryCodes } = await personWithPasskey();
  const { settings } = world.deps;
  const { publicUrl } = settings;
  settings.publicUrl = new URL('http://console.example:3000');
  try {
    expect((await person.rpc.auth.factors.query()).passkeys).toMatchObject([{ usable: false }]);
    expect((await logIn(key.get(await optionsFor()))).status).toBe(403);
    const body = { code: recoveryCodes[0] };
    const headers = { cookie: await half(person) };
    expect((await world.anyone.rest('POST /api/login/second-factor', { body, headers })).status).toBe(200);
  } finally {
    settings.publicUrl = publicUrl;
  }
});
