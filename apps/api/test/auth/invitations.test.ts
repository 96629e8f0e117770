import type { CreatedInvitation, CreatedWorkspaceInvitation, User } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { callerOf, cookieOf, createWorld, PASSWORD, type Person, type World } from '../world.ts';
import { describedBy, inputTag, openPage, submitForm } from './auth-forms.ts';

let world: World;
let replica: World;
let admin: Person;

beforeAll(async () => {
  world = await createWorld({ settings: { signups: 'invite' } });
  replica = await createWorld({ databaseUrl: world.databaseUrl, settings: { signups: 'invite' } });
  // The first account of an installation may always be made.
  admin = await world.as('Admin');
});
afterEach(async () => {
  await world.deps.db.deleteFrom('users').where('id', '<>', admin.user.id).execute();
  await world.deps.db.deleteFrom('invitations').execute();
});
afterAll(async () => {
  await replica.close();
  await world.close();
});

const INVITE_ONLY = 'This server is invite-only. Ask an admin for an invitation.';
const CLOSED = 'Sign-ups are closed on this server.';
const OVER = 'This invitation is no longer valid. Ask an admin for a new one.';

const address = (path: string) => new URL(path, world.url);
const signUp = (change: object = {}, where = world) =>
  where.anyone.rest('POST /api/signup', {
    body: { email: 'ada@example.com', password: PASSWORD, ...change },
  });
const signUpForm = (fields: Record<string, string>) =>
  submitForm(address('/api/signup'), { email: 'ada@example.com', password: PASSWORD, ...fields });

async function invite(email?: string): Promise<CreatedInvitation> {
  const answer = await admin.rest('POST /api/admin/invitations', { body: { email } });
  expect(answer.status).toBe(201);
  return answer.body as CreatedInvitation;
}

function tokenOf({ link }: CreatedInvitation): string {
  return new URL(link).searchParams.get('invite') ?? '';
}

const emails = async () =>
  (await world.deps.db.selectFrom('users').select('email').execute()).map(({ email }) => email);
const rows = () => world.deps.db.selectFrom('invitations').selectAll().orderBy('id').execute();

describe('while the server is invite-only', () => {
  test('nobody makes an account, and nobody learns who has one', async () => {
    for (const email of ['ada@example.com', admin.user.email]) {
      expect(await signUp({ email })).toMatchObject({
        status: 403,
        body: { code: 'SIGNUPS_CLOSED', message: INVITE_ONLY },
      });
    }
    const page = await signUpForm({});
    expect(page.status).toBe(403);
    expect(page.html).toMatch(new RegExp(`role="alert"[^>]*>${INVITE_ONLY}`));
    expect(page.html).toContain('<title>Log in · Nephos</title>');
    expect(await emails()).toEqual([admin.user.email]);
  });

  test.each([
    ['/api/login', 'Log in', 'Log in to Nephos', INVITE_ONLY],
    [
      '/api/login?mode=signup',
      'Invite-only',
      'This server is invite-only',
      'Ask an admin for an invitation. Already have an account? Log in.',
    ],
  ])('%s offers no sign-up, says whom to ask, and logs in', async (path, title, heading, whom) => {
    const { status, html } = await openPage(address(path));
    expect(status).toBe(200);
    expect(html).toContain(`<title>${title} · Nephos</title>`);
    expect(html).toMatch(new RegExp(`<h1[^>]*>${heading}</h1>`));
    expect(html).toContain(whom);
    expect(html).toContain('action="/api/login"');
    expect(html).not.toMatch(/mode=signup|action="\/api\/signup"|[Ff]ree trial/);
  });

  test('who has an account logs in', async () => {
    const body = { email: admin.user.email, password: PASSWORD };
    expect((await world.anyone.rest('POST /api/login', { body })).status).toBe(200);
  });
});

describe('an invitation', () => {
  test('opens the form, makes one account, and is used up', async () => {
    const invitation = await invite();
    const page = await openPage(invitation.link);
    expect(page.html).toContain('<title>Sign up · Nephos</title>');
    expect(page.html).toContain('You have been invited to this server.');
    expect(page.html).toContain(`<input type="hidden" name="invite" value="${tokenOf(invitation)}">`);
    const made = await signUpForm({ invite: tokenOf(invitation) });
    expect([made.status, made.headers.get('location')]).toEqual([303, '/']);
    const me = await world.anyone.rest('GET /api/auth/user', { headers: { cookie: made.cookie } });
    expect(me.body).toMatchObject({ email: 'ada@example.com', role: 'member', trialActive: true });

    expect(await signUp({ email: 'bob@example.com', invite: tokenOf(invitation) })).toMatchObject({
      status: 403,
      body: { code: 'INVITATION_INVALID', message: OVER },
    });
    const again = await openPage(invitation.link);
    expect(again.html).toMatch(new RegExp(`role="alert"[^>]*>${OVER}`));
    expect(await rows()).toMatchObject([
      { createdBy: admin.user.id, usedBy: (me.body as User).id, usedAt: expect.any(String), revokedAt: null },
    ]);
  });

  test('makes one account, however many come with it at once', async () => {
    const token = tokenOf(await invite());
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        signUp({ email: `p${index}@example.com`, invite: token }, index % 2 ? world : replica),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(7).fill(403)]);
    expect(await emails()).toHaveLength(2);
  });

  test('for an address makes an account for that address alone, and a mistake does not use it up', async () => {
    const invitation = await invite(' Ada@Example.COM ');
    expect(invitation.email).toBe('ada@example.com');
    expect(inputTag((await openPage(invitation.link)).html, 'email')).toContain('value="ada@example.com"');
    const other = await signUpForm({ email: 'bob@example.com', invite: tokenOf(invitation) });
    expect(other.status).toBe(403);
    expect(describedBy(other.html, 'email')).toBe('This invitation is for a different email address.');
    expect(inputTag(other.html, 'email')).toContain('value="bob@example.com"');
    expect(inputTag(other.html, 'invite')).toContain(tokenOf(invitation));
    expect(await signUp({ email: 'ADA@example.com', invite: tokenOf(invitation) })).toMatchObject({
      status: 201,
    });
  });

  test('of an address that took an account elsewhere meanwhile says so, and is not used up', async () => {
    const invitation = await invite();
    expect(await signUp({ email: admin.user.email, invite: tokenOf(invitation) })).toMatchObject({
      status: 409,
      body: { code: 'EMAIL_TAKEN' },
    });
    expect((await signUp({ invite: tokenOf(invitation) })).status).toBe(201);
  });

  test('is over after seven days by the database', async () => {
    const invitation = await invite();
    expect(Date.parse(invitation.expiresAt) - Date.parse(invitation.createdAt)).toBe(7 * 24 * 60 * 60 * 1000);
    const { db } = world.deps;
    await db.updateTable('invitations').set({ expiresAt: sql`now() + interval '1 minute'` }).execute();
    expect((await openPage(invitation.link)).html).toContain('Sign up · Nephos');
    await db.updateTable('invitations').set({ expiresAt: sql`now()` }).execute();
    expect(await signUp({ invite: tokenOf(invitation) })).toMatchObject({ status: 403 });
    expect(await admin.rpc.admin.invitations.query()).toEqual([]);
  });

  test.each(['x', 'x'.repeat(43), ''])('%j lets nobody in', async (token) => {
    await invite();
    expect((await signUp({ invite: token })).status).toBe(403);
  });
});

describe('an invitation to a workspace', () => {
  async function inviteToWorkspace(email?: string): Promise<CreatedWorkspaceInvitation & { token: string }> {
    const { id } = await admin.rpc.workspaces.create.mutate({ name: 'Shop' });
    const invitation = await admin.rpc.workspaces.invite.mutate({ id, email, role: 'viewer' });
    return { ...invitation, token: new URL(invitation.link).pathname.split('/').at(-1) ?? '' };
  }

  afterEach(async () => {
    await world.deps.db.deleteFrom('workspaces').where('personal', '=', false).execute();
  });

  test('opens the form, leads back to itself, and is used up by joining alone', async () => {
    const { token, mailed } = await inviteToWorkspace();
    expect(mailed).toBe(false);
    const returnTo = `/join/${token}`;
    const page = await openPage(address(`/api/login?mode=signup&returnTo=${returnTo}&invite=${token}`));
    expect(page.html).toContain('You have been invited to this server.');
    expect(page.html).toContain(`<input type="hidden" name="invite" value="${token}">`);
    const made = await signUpForm({ invite: token, returnTo });
    expect([made.status, made.headers.get('location')]).toEqual([303, returnTo]);
    const { rest } = callerOf(world.url, made.cookie);
    const joined = await rest(`POST /api/workspace-invitations/${token}`);
    expect(joined).toMatchObject({ status: 200, body: { name: 'Shop', role: 'viewer' } });
    expect(await signUp({ email: 'bob@example.com', invite: token })).toMatchObject({
      status: 403,
      body: { code: 'INVITATION_INVALID', message: OVER },
    });
  });

  test('makes one account, however many come with it at once, and is for that one alone', async () => {
    const { token } = await inviteToWorkspace();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        signUp({ email: `p${index}@example.com`, invite: token }, index % 2 ? world : replica),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(5).fill(403)]);
    expect(await emails()).toHaveLength(2);
    const refused = answers.find(({ status }) => status === 403);
    expect(refused?.body).toMatchObject({ code: 'INVITATION_EMAIL' });
  });

  test('lets in one person, who joins or signs up with it at the same moment as another', async () => {
    const { token: other } = await inviteToWorkspace();
    const bob = await signUp({ email: 'bob@example.com', invite: other });
    const { rest } = callerOf(replica.url, cookieOf(bob.headers));
    const { token } = await inviteToWorkspace();
    const [made, joined] = await Promise.all([
      signUp({ invite: token }),
      rest(`POST /api/workspace-invitations/${token}`),
    ]);
    expect([made.status, joined.status].filter((status) => status < 300)).toHaveLength(1);
  });

  test('for an address lets in that address alone; of no use once revoked or its workspace is being deleted', async () => {
    const { token } = await inviteToWorkspace('ada@example.com');
    expect(await signUp({ email: 'bob@example.com', invite: token })).toMatchObject({
      status: 403,
      body: { code: 'INVITATION_EMAIL', message: 'This invitation is for a different email address.' },
    });
    const { db } = world.deps;
    for (const [column, table] of [
      ['revokedAt', 'workspaceInvitations'],
      ['closingSince', 'workspaces'],
    ] as const) {
      const change = (value: string | null) =>
        db
          .updateTable(table)
          .set({ [column]: value })
          .where('id', '<>', admin.user.id)
          .execute();
      await change('now');
      expect((await signUp({ invite: token })).body).toMatchObject({ code: 'INVITATION_INVALID' });
      await change(null);
    }
    expect((await signUp({ invite: token })).status).toBe(201);
  });

  test('lets nobody in while sign-ups are closed', async () => {
    const closed = await createWorld({ databaseUrl: world.databaseUrl, settings: { signups: 'closed' } });
    onTestFinished(() => closed.close());
    const { token } = await inviteToWorkspace();
    expect(await signUp({ invite: token }, closed)).toMatchObject({
      status: 403,
      body: { code: 'SIGNUPS_CLOSED', message: CLOSED },
    });
  });
});

describe('admins', () => {
  test('list what is open and revoke it, by both doors; it is written down who did', async () => {
    const first = await admin.rpc.admin.createInvitation.mutate({ email: 'ada@example.com' });
    const second = await invite();
    expect(first.link).toMatch(/^http:\/\/localhost:\d+\/api\/login\?mode=signup&invite=[\w-]{43}$/);
    const { link: _, mailed, ...shown } = first;
    const { link: __, mailed: alsoMailed, ...newest } = second;
    expect([mailed, alsoMailed]).toEqual([false, false]);
    const open = [newest, shown];
    expect((await admin.rest('GET /api/admin/invitations')).body).toEqual(open);
    expect(await admin.rpc.admin.invitations.query()).toEqual(open);
    expect(shown).toEqual({
      id: expect.any(String),
      email: 'ada@example.com',
      invitedBy: admin.user.email,
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
    });
    const stored = JSON.stringify(await rows());
    for (const invitation of [first, second]) expect(stored).not.toContain(tokenOf(invitation));

    const path = `DELETE /api/admin/invitations/${first.id}`;
    expect(await admin.rest(path)).toMatchObject({ status: 200, body: { success: true } });
    expect((await admin.rest(path)).status).toBe(404);
    await admin.rpc.admin.revokeInvitation.mutate({ id: second.id });
    expect(await admin.rpc.admin.invitations.query()).toEqual([]);
    expect((await signUp({ invite: tokenOf(first) })).body).toMatchObject({ code: 'INVITATION_INVALID' });
    const revoked = { revokedBy: admin.user.id, revokedAt: expect.any(String), usedAt: null };
    expect(await rows()).toMatchObject([revoked, revoked]);
  });

  test('invite nobody who has an account, no half an address, and no more than a hundred', async () => {
    const create = (email: string) => admin.rest('POST /api/admin/invitations', { body: { email } });
    expect(await create(admin.user.email)).toMatchObject({ status: 409, body: { code: 'EMAIL_TAKEN' } });
    expect(await create('ada@')).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION', fields: [{ path: 'email' }] },
    });
    await world.deps.db
      .insertInto('invitations')
      .columns(['hash', 'expiresAt'])
      .expression(sql`select n::text, now() + interval '1 day' from generate_series(1, 100) n`)
      .execute();
    expect(await create('')).toMatchObject({ status: 409, body: { code: 'LIMIT' } });
  });
});

test('while sign-ups are closed, nobody gets in by a link, and none is made', async () => {
  const token = tokenOf(await invite());
  const closed = await createWorld({ databaseUrl: world.databaseUrl, settings: { signups: 'closed' } });
  onTestFinished(() => closed.close());
  for (const given of ['', token]) {
    expect(await signUp({ invite: given }, closed)).toMatchObject({
      status: 403,
      body: { code: 'SIGNUPS_CLOSED', message: CLOSED },
    });
    const { html } = await openPage(new URL(`/api/login?mode=signup&invite=${given}`, closed.url));
    expect(html).toContain('Sign-ups are closed');
    expect(html).not.toMatch(/action="\/api\/signup"|invitation|[Ff]ree trial/);
  }
  expect((await rows())[0]?.usedAt).toBeNull();
  const { rest } = callerOf(closed.url, admin.cookie);
  expect(await rest('POST /api/admin/invitations', { body: {} })).toMatchObject({
    status: 409,
    body: { code: 'SIGNUPS_CLOSED', message: expect.stringContaining('SIGNUPS=invite') },
  });
  expect((await closed.anyone.rest('GET /api/auth/welcome')).body).toMatchObject({
    signups: false,
    invitations: false,
  });
  const body = { email: admin.user.email, password: PASSWORD };
  expect((await closed.anyone.rest('POST /api/login', { body })).status).toBe(200);
});

test('where sign-ups are open, a link that is over stands in nobody’s way, and a good one is used up', async () => {
  const open = await createWorld({ databaseUrl: world.databaseUrl });
  const token = tokenOf(await invite());
  expect((await signUp({ invite: token }, open)).status).toBe(201);
  expect((await signUp({ email: 'bob@example.com', invite: token }, open)).status).toBe(201);
  expect(await rows()).toMatchObject([{ usedBy: expect.any(String) }]);
  await open.close();
});
