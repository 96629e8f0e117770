import { randomUUID } from 'node:crypto';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import { Refusal } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import type { EngineCheck } from '../engine-check.ts';
import type { Jobs } from '../jobs.ts';
import type { SecretsBox } from '../secrets-box.ts';
import type { Sweeps } from '../sweeps.ts';
import { mailCheck } from './mail-check.ts';
import { type MailContent, renderMail } from './message.ts';
import { type SendParts, sendMail } from './send-mail.ts';
import { type Delivery, deliver } from './smtp.ts';

export interface NewMail extends MailContent {
  /** A valid address. */
  to: string;
  /** Of mails with the same one, only the first is sent in 30 days. */
  once?: string | undefined;
  /** Seconds after which it is of no use and not tried again, one day at most. */
  usefulFor?: number | undefined;
}

/** Sends mail, where a server for it is set. */
export interface Mail {
  /** Whether there is one; otherwise links are shown to who may hand them on. */
  readonly isOn: boolean;
  /** Sends a mail once `trx` is committed; nothing where mail is off. */
  queueMail(trx: Kysely<Database>, mail: NewMail): Promise<void>;
  /** Sends one while the caller waits, and not again; undefined where mail is off. */
  sendAtOnce(mail: MailContent & { to: string }): Promise<Delivery | undefined>;
  /** Has a mail tried as soon as the job that tries it runs, though its time has not come; of other jobs nothing. */
  hurry(trx: Kysely<Database>, job: { queue: string; payload: unknown }): Promise<void>;
  sweeps: Sweeps;
  engines(): readonly EngineCheck[];
  resume(): Promise<void>;
}

interface MailDeps {
  settings: Pick<Settings, 'mail' | 'publicUrl'>;
  log: Logger;
  db: Kysely<Database>;
  secrets: SecretsBox;
  jobs: Jobs;
}

const QUEUE = 'mails';
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Seconds between two tries of one mail: for a day. */
const PAUSES: readonly number[] = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 7 * HOUR, 12 * HOUR];
/** Mails that are sent at once. */
const AT_ONCE = 4;
/** Seconds that one try may take, beyond its own patience. */
const EXPIRES = 180;
/** Tries to write down what became of a mail while the database is away; the next start, or sweep, tries it again. */
const RETRIES = 20;
const LONGEST_PAUSE = 60;
const KEPT_DAYS = 30;

/** `pauses` are seconds, for tests. */
export function createMail(deps: MailDeps, pauses: readonly number[] = PAUSES): Mail {
  const { settings, db, secrets, jobs } = deps;
  const queue = jobs.queue<{ id: string }>(
    QUEUE,
    {
      concurrency: AT_ONCE,
      expireInSeconds: EXPIRES,
      retryLimit: RETRIES,
      longestPause: LONGEST_PAUSE,
      // One mail is tried by one replica at a time.
      oneAtATimePerGroup: true,
    },
    ({ id }, signal) => sendMail(parts, id, signal),
  );
  const tryLater: SendParts['tryLater'] = async (trx, id, after) => {
    try {
      await queue.enqueue(trx, { id }, { group: id, after });
    } catch (error) {
      // The server stops, or has not begun: the next start takes it up.
      if (!(error instanceof Refusal)) throw error;
    }
  };
  const parts: SendParts = { ...deps, pauses, tryLater };
  return {
    get isOn() {
      return settings.mail !== undefined;
    },
    async queueMail(trx, mail) {
      if (settings.mail === undefined) return;
      const id = await storeMail(trx, secrets, mail);
      if (id !== undefined) await tryLater(trx, id, 0);
    },
    async sendAtOnce({ to, ...content }) {
      if (settings.mail === undefined) return undefined;
      const message = renderMail(content, settings.publicUrl.origin);
      return deliver(settings.mail, {
        ...message,
        ...{ to, id: randomUUID(), createdAt: new Date().toISOString() },
      });
    },
    async hurry(trx, { queue: name, payload }) {
      if (name !== QUEUE) return;
      // Of this queue's own jobs.
      const { id } = payload as { id: string };
      await trx
        .updateTable('mails')
        .set({ nextTry: sql<string>`now()` })
        .where('id', '=', id)
        .where('state', '=', 'waiting')
        .execute();
    },
    sweeps: { mails: () => sweepMails(db), lateMails: () => takeUp(db, tryLater) },
    engines: () => [mailCheck({ db, settings })],
    resume: () => takeUp(db, tryLater),
  };
}

/** Of mails that are to be sent once, the second has no id. */
async function storeMail(
  trx: Kysely<Database>,
  secrets: SecretsBox,
  { to, once, usefulFor = DAY, ...content }: NewMail,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select uuid7() as id`.execute(trx);
  const id = rows[0]?.id ?? '';
  const row = await trx
    .insertInto('mails')
    .values({
      ...{ id, once: once ?? null, recipient: to },
      content: secrets.seal(JSON.stringify(content), `mails.content|${id}`),
      sendUntil: sql<string>`now() + make_interval(secs => ${Math.min(usefulFor, DAY)})`,
    })
    .onConflict((existing) => existing.column('once').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** A mail waits although no job may know of it: one is made for each, and the second of two finds nothing to do. */
async function takeUp(db: Kysely<Database>, tryLater: SendParts['tryLater']): Promise<void> {
  const waiting = await db
    .selectFrom('mails')
    .select('id')
    .select(sql<number>`ceil(greatest(0, extract(epoch from next_try - now())))::int`.as('after'))
    .where('state', '=', 'waiting')
    .where('nextTry', '<', sql<string>`now() + interval '1 hour'`)
    .orderBy('nextTry')
    .limit(1000)
    .execute();
  for (const { id, after } of waiting) await tryLater(db, id, after);
}

async function sweepMails(db: Kysely<Database>): Promise<void> {
  await db
    .deleteFrom('mails')
    .where('createdAt', '<', sql<string>`now() - make_interval(days => ${KEPT_DAYS})`)
    .execute();
}
