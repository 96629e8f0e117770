import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@nephos/db';
import type { Authorization, Client } from 'acme-client';
import type { Kysely } from 'kysely';
import type { PublicDns } from '../../platform/public-dns.ts';
import { isCopied } from '../dns/secondaries/copied-zone.ts';
import type { Wanted } from './attempts.ts';
import { AuthorityProblem } from './authority-problem.ts';
import { recordNameOf, showChallenge, withdrawChallenge, zoneOf } from './challenges.ts';

export interface ProofParts {
  db: Kysely<Database>;
  publicDns: Pick<PublicDns, 'txt'>;
}

interface Proving extends Pick<Wanted, 'ownerId'> {
  signal: AbortSignal;
}

type AuthorityChallenge = Authorization['challenges'][number];

/** How often the internet's DNS is asked for a record of ours, and the milliseconds from one to the next. */
const LOOKS = 10;
const BETWEEN = 1000;

/**
 * Shows an authority that a name is its owner's: by a TXT record where our name server has the zone and the internet
 * asks it, else by HTTP. Throws `AuthorityProblem`.
 */
export async function proveName(
  parts: ProofParts,
  client: Client,
  authorization: Authorization,
  { ownerId, signal }: Proving,
): Promise<void> {
  if (authorization.status === 'valid') return;
  const { identifier, challenges, wildcard = false } = authorization;
  const { value: name } = identifier;
  const byDns = challenges.find(({ type }) => type === 'dns-01');
  const byHttp = challenges.find(({ type }) => type === 'http-01');
  if (byDns && (await proveByDns(parts, client, byDns, { name, ownerId, signal }))) return;
  if (byHttp && !wildcard) return proveByHttp(parts, client, byHttp, name);
  throw new AuthorityProblem(
    `The certificate authority needs a TXT record at ${recordNameOf(name)}, and DNS doesn't have the one of this server.`,
  );
}

/** False where the authority was not asked to look, since it would not see the record. */
async function proveByDns(
  { db, publicDns }: ProofParts,
  client: Client,
  challenge: AuthorityChallenge,
  { name, ownerId, signal }: Proving & { name: string },
): Promise<boolean> {
  const zone = await zoneOf(db, { ownerId, name });
  if (!zone) return false;
  const owner = recordNameOf(name);
  const answer = await client.getChallengeKeyAuthorization(challenge);
  const id = await showChallenge(db, { name: owner, token: challenge.token, answer }, zone);
  try {
    // Not at once: a resolver that is told that there is none keeps to that for a while.
    for (let look = 0; look < LOOKS; look += 1) {
      await pause(BETWEEN, undefined, { signal });
      if (!(await publicDns.txt(owner))?.includes(answer)) continue;
      // The authority may ask any of the zone's servers. One that lags on and on does not hold it up for good.
      if (look < LOOKS - 1 && !(await isCopied(db, zone))) continue;
      await complete(client, challenge);
      return true;
    }
    return false;
  } finally {
    await withdrawChallenge(db, id);
  }
}

async function proveByHttp(
  { db }: ProofParts,
  client: Client,
  challenge: AuthorityChallenge,
  name: string,
): Promise<void> {
  const answer = await client.getChallengeKeyAuthorization(challenge);
  const id = await showChallenge(db, { name, token: challenge.token, answer });
  try {
    await complete(client, challenge);
  } finally {
    await withdrawChallenge(db, id);
  }
}

async function complete(client: Client, challenge: AuthorityChallenge): Promise<void> {
  await client.completeChallenge(challenge);
  await decided(client, challenge);
}

/** Waits for the authority. The library throws what that says as a plain error. */
export async function decided<T>(client: Client, item: T): Promise<T> {
  try {
    return await client.waitForValidStatus(item);
  } catch (error) {
    if (error instanceof AuthorityProblem) throw error;
    throw new AuthorityProblem(error instanceof Error ? error.message : String(error));
  }
}
