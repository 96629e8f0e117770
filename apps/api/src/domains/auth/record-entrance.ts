import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Noted } from '../../core/call-audit.ts';
import { record } from '../../platform/audit.ts';
import { placeOf } from '../../platform/places.ts';
import type { SessionClient } from './sessions.ts';

/** What came of somebody's coming or going. */
type Passage = 'auth.logIn' | 'auth.signUp' | 'auth.logOut' | 'auth.useToken' | 'auth.signInAs';

interface Person {
  id: string;
  email: string;
}

interface Passed {
  user: Person;
  /** The workspace that is told of it; absent: the person's own. */
  ownerId?: string;
  procedure: Passage;
  client?: SessionClient;
  tokenName?: string;
  /** Who does so in the person's name. */
  impersonator?: Person | null;
}

/** By what, and from which country, somebody came. */
async function whence({ userAgent, ip }: SessionClient): Promise<{ userAgent: string; region?: string }> {
  const region = await placeOf(ip);
  return { userAgent, ...(region !== null && { region }) };
}

/** Records who came or went, in the transaction of their session. */
export async function recordPassage(
  db: Kysely<Database>,
  { user: { id, email }, ownerId = id, procedure, client, tokenName, impersonator }: Passed,
): Promise<void> {
  await record(db, {
    ownerId,
    actor: impersonator ? { id: impersonator.id, email: impersonator.email } : { id, email },
    asWhom: impersonator ? id : null,
    via: tokenName === undefined ? 'session' : 'token',
    ...{ tokenName: tokenName ?? null, ip: client?.ip ?? null, procedure },
    subject: { kind: 'person', id, name: email },
    ...(client && { after: await whence(client) }),
  });
}

const CAUSES = { code: 'Wrong code', passkey: 'Refused passkey' } as const;

/**
 * Records a log-in that was refused: for the account that it named, else for the installation. What was given for an
 * address that nobody has is not written down: people type passwords into the wrong field. `by`: the second factor, or
 * the passkey, that was wrong; absent for the password.
 */
export async function recordRefusedLogIn(
  db: Kysely<Database>,
  { account, client, by }: { account: Person | undefined; client: SessionClient; by?: keyof typeof CAUSES },
): Promise<void> {
  await record(db, {
    ownerId: account?.id ?? null,
    actor: null,
    via: 'none',
    ...{ ip: client.ip, procedure: 'auth.logIn', result: 'refused' },
    subject: { kind: 'person', id: account?.id ?? null, name: account?.email ?? null },
    after: { ...(await whence(client)), ...(by && { cause: CAUSES[by] }) },
  });
}

/** Records what somebody did by a link of a mail, in the transaction of that: who that was is only known by the link. */
export async function recordByLink(
  trx: Kysely<Database>,
  {
    user: { id, email },
    procedure,
    ...sides
  }: { user: Person; procedure: 'auth.resetPassword' | 'auth.confirmEmail' | 'auth.undoEmail' } & Pick<
    Noted,
    'before' | 'after'
  >,
): Promise<void> {
  await record(trx, {
    ...{ ownerId: id, actor: null, via: 'none', procedure, ...sides },
    subject: { kind: 'person', id, name: email },
  });
}
