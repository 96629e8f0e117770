import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deliver } from '../../src/platform/mail/smtp.ts';
import { codeOf } from '../auth/two-step.ts';
import { createWorld, type Person, type World } from '../world.ts';
import { type MailServer, startMailServer } from './mail-server.ts';

const FROM = { name: 'Nephos', address: 'nephos@console.example' };
const MAIL = { to: 'grace@example.com', subject: 'Hello', lines: ['How are you?'] };
const SECRETS_KEY = randomBytes(32).toString('hex');

let server: MailServer;
let world: World;
let replica: World;
let ada: Person;

beforeAll(async () => {
  server = await startMailServer();
  const options = {
    settings: { mail: { smtpUrl: server.url, from: FROM }, secretsKey: SECRETS_KEY },
    overrides: { mailPauses: [1, 1] },
    running: true,
  };
  world = await createWorld(options);
  replica = await createWorld({ ...options, databaseUrl: world.databaseUrl });
  ada = await world.as('Ada');
});
beforeEach(() => {
  server.taken.length = 0;
  server.troubles.length = 0;
});
afterEach(() => world.deps.db.deleteFrom('mails').execute());
afterAll(async () => {
  await replica.close();
  await world.close();
  await server.close();
});

const queue = (mail: Partial<Parameters<typeof world.deps.mail.queueMail>[1]> = {}) =>
  world.deps.db.transaction().execute((trx) => world.deps.mail.queueMail(trx, { ...MAIL, ...mail }));
const mails = () =>
  world.deps.db.selectFrom('mails').select(['state', 'tries', 'problem', 'content']).execute();
const waitFor = (...expected: object[]) => expect.poll(mails).toMatchObject(expected);
const engine = async () => {
  const engines = await ada.rpc.admin.engines.query();
  return engines.find(({ id }) => id === 'mail');
};

describe('a mail', () => {
  test('is sent once its cause is committed, in text and in HTML, and forgets what it said', async () => {
    await queue({ action: { label: 'Look', url: 'https://console.example/?a=1&b=2' } });
    await waitFor({ state: 'sent', tries: 1, problem: '', content: null });
    const [mail] = server.taken;
    expect(mail).toMatchObject({ from: FROM.address, to: MAIL.to, subject: 'Hello' });
    expect(mail?.text).toContain('How are you?\n\nLook:\nhttps://console.example/?a=1&b=2');
    expect(mail?.raw).toMatch(/^Content-Type: multipart\/alternative/m);
    expect(mail?.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(mail?.raw).toMatch(/^From: Nephos <nephos@console\.example>\r$/m);
    expect(mail?.messageId).toMatch(/^<[0-9a-f-]{36}@console\.example>$/);
    expect(await engine()).toMatchObject({ state: 'healthy', running: server.url.host });
  });

  test('is not sent where its cause is undone, nor twice for one key', async () => {
    const { db, mail } = world.deps;
    const undone = db.transaction().execute(async (trx) => {
      await mail.queueMail(trx, MAIL);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await queue({ once: 'reset|1' });
    await queue({ once: 'reset|1', subject: 'Again' });
    await waitFor({ state: 'sent' });
    expect(server.taken.map(({ subject }) => subject)).toEqual(['Hello']);
  });

  test('waits for a server that is not ready, under the same name', async () => {
    server.troubles.push(
      { at: 'greeting', status: 421, words: 'Too busy' },
      { at: 'rcpt', status: 451, words: 'Greylisted' },
    );
    await queue();
    await waitFor({ state: 'waiting', tries: 1, problem: expect.stringContaining('421 Too busy') });
    await waitFor({ state: 'waiting', tries: 2, problem: expect.stringContaining('451 Greylisted') });
    expect(await engine()).toMatchObject({
      state: 'unhealthy',
      detail: expect.stringContaining('Greylisted'),
    });
    await waitFor({ state: 'sent', tries: 3, problem: '' });
    expect(server.taken).toHaveLength(1);
  });

  test.each([
    ['rcpt', 550, 'No such user'],
    ['data', 554, 'Looks like spam'],
  ] as const)('that the server refuses for good at %s ends with its words', async (at, status, words) => {
    server.troubles.push({ at, status, words });
    await queue();
    const problem = `${server.url.host} answered: ${status} ${words}`;
    await waitFor({ state: 'failed', tries: 1, problem, content: null });
    expect(server.taken).toEqual([]);
    expect(await engine()).toMatchObject({ state: 'unhealthy', detail: expect.stringContaining(words) });
  });

  test('whose connection ends in DATA, or whose answer is lost, comes again with the same name', async () => {
    server.troubles.push({ at: 'cut' }, { at: 'lost' });
    await queue();
    await waitFor({ state: 'sent', tries: 3 });
    const names = server.taken.map(({ messageId }) => messageId);
    expect(names).toHaveLength(2);
    expect(new Set(names).size).toBe(1);
  });

  test('is given up when it was tried often enough, or is of no use any more', async () => {
    const busy = { at: 'rcpt', status: 450, words: 'Busy' } as const;
    server.troubles.push(busy, busy, busy);
    await queue();
    await waitFor({ state: 'failed', tries: 3, problem: expect.stringContaining('450 Busy'), content: null });
    await world.deps.db.deleteFrom('mails').execute();
    await queue({ usefulFor: -1 });
    await waitFor({ state: 'failed', problem: 'It could not be sent in time.' });
    expect(server.taken).toEqual([]);
  });

  test('that waits for its next try is tried at once by an administrator', async () => {
    await world.deps.db.transaction().execute(async (trx) => {
      await world.deps.mail.queueMail(trx, MAIL);
      await sql`update mails set next_try = now() + interval '1 hour'`.execute(trx);
      await sql`update pgboss.job set start_after = now() + interval '1 hour' where name = 'mails' and state = 'created'`.execute(
        trx,
      );
    });
    const { jobs } = await ada.rpc.admin.jobs.query();
    const id = jobs.find(({ queue, state }) => queue === 'mails' && state === 'waiting')?.id ?? '';
    await ada.rpc.admin.retryJob.mutate({ id });
    await waitFor({ state: 'sent', tries: 1 });
  });

  test('is sent once, however many replicas there are and jobs that know of it', async () => {
    const numbers = Array.from({ length: 12 }, (_, n) => `Mail ${n}`);
    for (const subject of numbers) await queue({ subject });
    await Promise.all([world, replica, world].map(({ deps }) => deps.mail.resume()));
    await waitFor(...numbers.map(() => ({ state: 'sent', tries: 1 })));
    expect(server.taken.map(({ subject }) => subject).toSorted()).toEqual(numbers.toSorted());
  });

  test('that no job knows of is taken up by a start, and forgotten after 30 days', async () => {
    const idle = await createWorld({
      settings: { mail: { smtpUrl: server.url, from: FROM }, secretsKey: SECRETS_KEY },
      databaseUrl: world.databaseUrl,
    });
    await idle.deps.mail.queueMail(idle.deps.db, MAIL);
    expect(await mails()).toMatchObject([{ state: 'waiting' }]);
    await idle.close();
    await world.deps.mail.resume();
    await waitFor({ state: 'sent' });
    const { db, mail } = world.deps;
    await mail.sweeps.mails?.();
    expect(await mails()).toHaveLength(1);
    await db.updateTable('mails').set({ createdAt: '2020-01-01T00:00:00Z' }).execute();
    await mail.sweeps.mails?.();
    expect(await mails()).toEqual([]);
  });

  test('says nothing in the database, and nothing is kept of it where mail is off', async () => {
    server.troubles.push({ at: 'rcpt', status: 451, words: 'Later' });
    await queue({ lines: ['hunter2'] });
    await waitFor({ state: 'waiting', tries: 1 });
    const [row] = await mails();
    expect(row?.content?.includes('hunter2')).toBe(false);
    await waitFor({ state: 'sent' });
    await world.deps.db.deleteFrom('mails').execute();
    const off = await createWorld();
    expect(off.deps.mail.isOn).toBe(false);
    await off.deps.mail.queueMail(off.deps.db, MAIL);
    expect(await off.deps.db.selectFrom('mails').selectAll().execute()).toEqual([]);
    await off.close();
  });
});

describe('a server for mail', () => {
  const letter = {
    ...{ to: MAIL.to, subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' },
    ...{ id: 'f0f9bd18-4b5e-4d6a-a5b0-7f4f1d3f1f6e', createdAt: '2026-01-02T03:04:05.678Z' },
  };
  const deliverTo = (smtpUrl: URL | string) => deliver({ smtpUrl: new URL(smtpUrl), from: FROM }, letter);

  test('is spoken to in the clear on this machine alone, and encrypted where it can be', async () => {
    const plain = await startMailServer({ hideSTARTTLS: true, disabledCommands: ['STARTTLS', 'AUTH'] });
    expect(await deliverTo(plain.url)).toEqual({ state: 'sent' });
    const refused = {
      state: 'later',
      problem: expect.stringContaining('offers no encryption that can be trusted'),
    };
    expect(await deliverTo(`${plain.url}?tls=required`)).toEqual(refused);
    expect(await deliverTo(server.url)).toEqual({ state: 'sent' });
    expect(await deliverTo(`${server.url}?tls=off`)).toEqual({ state: 'sent' });
    expect(await deliverTo(`${server.url}?tls=required`)).toEqual({
      state: 'later',
      problem: expect.stringContaining('cannot be reached: certificate'),
    });
    expect(await deliverTo(server.url.href.replace('smtp:', 'smtps:'))).toMatchObject({ state: 'later' });
    expect(plain.taken.map(({ encrypted }) => encrypted)).toEqual([false]);
    expect(server.taken.map(({ encrypted }) => encrypted)).toEqual([true, false]);
    await plain.close();
    expect(await deliverTo(plain.url)).toEqual({
      state: 'later',
      problem: expect.stringMatching(/cannot be reached: .*ECONNREFUSED/),
    });
  });

  test('is given the name and password, and what it says of them is no fault of the mail', async () => {
    const strict = await startMailServer({
      authOptional: false,
      onAuth: ({ username, password }, _session, callback) =>
        username === 'ada@example.com' && password === 'p@ss/word'
          ? callback(null, { user: username })
          : callback(Object.assign(new Error('Bad credentials'), { responseCode: 535 })),
    });
    const withUser = (user: string) => strict.url.href.replace('//', `//${user}@`);
    expect(await deliverTo(withUser('ada%40example.com:p%40ss%2Fword'))).toEqual({ state: 'sent' });
    expect(await deliverTo(withUser('ada%40example.com:wrong'))).toEqual({
      state: 'later',
      problem: expect.stringContaining('did not take the name and password of SMTP_URL: 535'),
    });
    expect(await deliverTo(strict.url)).toMatchObject({ state: 'later' });
    await strict.close();
  });

  test('gets one recipient and one subject, whatever is in them', async () => {
    const hostile = { ...letter, to: 'grace@example.com, eve@example.com' };
    await deliver({ smtpUrl: server.url, from: FROM }, hostile);
    await queue({ subject: 'Hello\r\nBcc: eve@example.com\r\n\r\nbody' });
    await waitFor({ state: 'sent' });
    expect(server.taken.filter(({ to }) => to.split(',').includes('eve@example.com'))).toEqual([]);
    expect(server.taken.at(-1)?.raw).not.toMatch(/^Bcc:/m);
    expect(server.taken.at(-1)?.subject).toBe('Hello Bcc: eve@example.com body');
  });
});

describe('admins', () => {
  const doors = [
    [
      'REST',
      (person: Omit<Person, 'user'>) =>
        person.rest('POST /api/admin/test-mail').then(({ status, body }) => ({ status, body })),
    ],
    [
      'tRPC',
      (person: Omit<Person, 'user'>) =>
        person.rpc.admin.sendTestMail.mutate().then(
          (body) => ({ status: 200, body }),
          (error) => ({ status: error.data.httpStatus, body: { code: error.data.reason } }),
        ),
    ],
  ] as const;

  test.each(doors)(
    'send a mail to themselves through %s, and are told why it does not go',
    async (_door, send) => {
      expect(await send(ada)).toEqual({ status: 200, body: { success: true } });
      expect(server.taken).toMatchObject([{ to: 'ada@example.com', subject: 'Nephos can send mail' }]);
      server.troubles.push({ at: 'rcpt', status: 550, words: 'No relaying' });
      expect(await send(ada)).toMatchObject({ status: 422, body: { code: 'MAIL_NOT_SENT' } });
      server.taken.length = 0;
      expect(await send(world.anyone)).toMatchObject({ status: 401 });
      const grace = await world.as(`Grace${_door}`);
      expect(await send(grace)).toMatchObject({ status: 403 });
      expect(server.taken).toEqual([]);
    },
  );

  test('have an invitation mailed to whom it is for', async () => {
    const { link, mailed } = await ada.rpc.admin.createInvitation.mutate({ email: 'edsger@example.com' });
    expect(mailed).toBe(true);
    const mail = await server.mailTo('edsger@example.com');
    expect(mail.subject).toBe('ada@example.com invites you to Nephos');
    expect(mail.text).toContain(`Create your account:\n${link}`);
    const anyone = await ada.rpc.admin.createInvitation.mutate({});
    expect(anyone.mailed).toBe(false);
    const refused = ada.rpc.admin.createInvitation.mutate({ email: 'ada@example.com' });
    await expect(refused).rejects.toThrow('already exists');
    expect(server.taken).toHaveLength(1);
  });

  test('tell somebody whose second factor they remove', async () => {
    const hopper = await world.as('Hopper');
    const { secret } = await hopper.rpc.auth.beginTotp.mutate();
    await hopper.rpc.auth.confirmTotp.mutate({ code: codeOf(secret) });
    await ada.rpc.admin.removeSecondFactor.mutate({ userId: hopper.user.id });
    const mail = await server.mailTo(hopper.user.email);
    expect(mail.subject).toBe('The second factor of your Nephos account was removed');
    expect(mail.text).toContain('ada@example.com, an administrator, removed the second factor');
  });
});

test('an invitation to a workspace is mailed to whom it is for', async () => {
  const { id } = await ada.rpc.workspaces.create.mutate({ name: 'Shop' });
  const { link, mailed } = await ada.rpc.workspaces.invite.mutate({
    ...{ id, role: 'viewer', email: 'barbara@example.com' },
  });
  expect(mailed).toBe(true);
  const mail = await server.mailTo('barbara@example.com');
  expect(mail.subject).toBe('ada@example.com invites you to Shop');
  expect(mail.text).toContain(`Join the workspace:\n${link}`);
  expect((await ada.rpc.workspaces.invite.mutate({ id, role: 'viewer' })).mailed).toBe(false);
});
