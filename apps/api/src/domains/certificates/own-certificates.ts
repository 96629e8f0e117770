import { createSecureContext, type SecureContext } from 'node:tls';
import type { Database } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { FindCertificate } from '../../http/tls-server.ts';
import { type ChangeFollower, createChangeFollower } from '../../platform/change-follower.ts';
import { databaseNow } from '../../platform/database-clock.ts';
import type { ValidUntil } from '../../platform/host-address.ts';
import type { Platform } from '../../platform/platform.ts';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import type { Issued } from './order-certificate.ts';
import { readCertificate } from './read-certificate.ts';

/** Certificates of the server's own names, in memory: each handshake asks. */
export interface OwnCertificates extends ChangeFollower {
  /** Throws where it cannot be used. */
  certificateFor: FindCertificate;
  validUntil: ValidUntil;
  /** For servers that end TLS themselves; undefined where there is none. Throws where it cannot be used. */
  keyPairFor(host: string): KeyPair | undefined;
}

/** In PEM. */
export interface KeyPair {
  /** The certificate and those between it and its authority. */
  chain: string;
  key: string;
}

interface OwnCertificate {
  name: string;
  chain: string;
  sealedKey: Buffer;
  endsAt: string;
  /** As TLS takes it, once a client asked for it. */
  context?: SecureContext;
}

/** What `tell_own_certificate_change()` notifies. */
const CHANNEL = 'own_certificate_changed';

export function createOwnCertificates({
  settings,
  db,
  notifications,
  secrets,
  log,
}: Pick<Platform, 'settings' | 'db' | 'notifications' | 'secrets' | 'log'>): OwnCertificates {
  let certificates = new Map<string, OwnCertificate>();

  /** Of a host itself, or of all names beside it. */
  const find = (host: string) => certificates.get(host) ?? certificates.get(host.replace(/^[^.]+/, '*'));

  async function read(): Promise<void> {
    const rows = await db
      .selectFrom('ownCertificates')
      .select(['name', 'chain', 'sealedKey', 'endsAt'])
      .execute();
    certificates = new Map(rows.map((row) => [row.name, row]));
  }

  const follower = createChangeFollower({
    ...{ notifications, log, channel: CHANNEL },
    failure: 'certificates could not be read; still serving the previous ones',
    readAll: read,
    // They are a few.
    readSome: read,
  });

  return {
    ...follower,
    certificateFor(serverName) {
      const certificate = find(serverName);
      if (certificate) certificate.context ??= contextOf(certificate, secrets);
      return certificate?.context;
    },
    keyPairFor(host) {
      const certificate = find(host);
      return certificate && { chain: certificate.chain, key: keyOf(certificate, secrets) };
    },
    validUntil(host) {
      // Those of before may still be there.
      const certificate = settings.httpsPort === 0 ? undefined : find(host);
      return certificate ? Date.parse(certificate.endsAt) : 0;
    },
  };
}

function contextOf(certificate: OwnCertificate, secrets: SecretsBox): SecureContext {
  return createSecureContext({ cert: certificate.chain, key: keyOf(certificate, secrets) });
}

function keyOf({ name, sealedKey }: OwnCertificate, secrets: SecretsBox): string {
  return secrets.open(sealedKey, keyContext(name));
}

function keyContext(name: string): string {
  return `own-certificate:${name}`;
}

/** Puts what the authority issued in the place of a name's former certificate, and returns the chain. */
export async function keepOwnCertificate(
  trx: Kysely<Database>,
  { secrets }: Pick<Platform, 'secrets'>,
  name: string,
  issued: Issued,
): Promise<string> {
  const { key, ...certificate } = readCertificate({ domain: name, ...issued }, await databaseNow(trx));
  const stored = { ...certificate, sealedKey: secrets.seal(key, keyContext(name)) };
  await trx
    .insertInto('ownCertificates')
    .values({ name, ...stored })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ ...stored, updatedAt: sql<string>`now()` }),
    )
    .execute();
  return certificate.chain;
}
