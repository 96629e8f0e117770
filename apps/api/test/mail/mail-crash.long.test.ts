import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKillableServer, type KillableServer } from '../killable-server.ts';
import { createWorld, type World } from '../world.ts';
import { type MailServer, startMailServer } from './mail-server.ts';

const FROM = { name: 'Nephos', address: 'nephos@example.com' };

let mail: MailServer;
/** It only writes: no job runs in it. */
let writer: World;
let sender: KillableServer;

beforeAll(async () => {
  mail = await startMailServer();
  const secretsKey = randomBytes(32).toString('hex');
  writer = await createWorld({ settings: { mail: { smtpUrl: mail.url, from: FROM }, secretsKey } });
  sender = await createKillableServer({
    ...{ DATABASE_URL: writer.databaseUrl, SECRETS_KEY: secretsKey },
    ...{ SMTP_URL: mail.url.href, MAIL_FROM: FROM.address, DNS_PORT: '0', MANAGED_POSTGRES_PORT: '0' },
  });
});
afterAll(async () => {
  await sender.close();
  await writer.close();
  await mail.close();
});

test('a mail whose sender is killed while the server for mail has it comes again under the same name, and then no more', async () => {
  const held = Promise.withResolvers<void>();
  const until = Promise.withResolvers<void>();
  mail.troubles.push({ at: 'hold', held: held.resolve, until: until.promise });
  const { db, mail: queue } = writer.deps;
  await queue.queueMail(db, { to: 'grace@example.com', subject: 'Hello', lines: ['How are you?'] });
  await sender.start();
  await held.promise;
  await sender.kill();
  until.resolve();
  await sender.start();
  // Its job is another's once its heartbeat has lapsed.
  await expect
    .poll(() => db.selectFrom('mails').select(['state', 'content']).execute())
    .toEqual([{ state: 'sent', content: null }]);
  expect(mail.taken.map(({ subject }) => subject)).toEqual(['Hello', 'Hello']);
  expect(new Set(mail.taken.map(({ messageId }) => messageId)).size).toBe(1);
  await sender.stop();
  await sender.start();
  await queue.queueMail(db, { to: 'grace@example.com', subject: 'Last', lines: [] });
  await sender.stop();
  await sender.start();
  await mail.mailTo('grace@example.com', /Last/);
  expect(mail.taken).toHaveLength(3);
}, 180_000);
