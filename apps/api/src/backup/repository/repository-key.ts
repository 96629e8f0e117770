import { createHmac, hkdfSync, randomBytes, randomUUID, scryptSync, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { SettingError } from '../../core/settings.ts';
import { createSecretsBox } from '../../platform/secrets-box.ts';
import { makeRecoveryKey, readRecoveryKey } from './recovery-key.ts';

/** How the key of a repository is kept in it: once for each means by which it can be opened. */
const Slot = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('passphrase'),
    salt: z.base64(),
    /** scrypt's (RFC 7914): its cost, which takes `cost` kB of memory. */
    cost: z
      .int()
      .min(1024)
      .max(1_048_576)
      .refine((cost) => Number.isInteger(Math.log2(cost))),
    sealed: z.base64(),
  }),
  z.strictObject({ kind: z.literal('recovery'), salt: z.base64(), sealed: z.base64() }),
]);

const MOST_SLOTS = 10;

const Contents = z.strictObject({
  version: z.literal(1),
  id: z.uuid(),
  slots: z.array(Slot).min(1).max(MOST_SLOTS),
});

/**
 * What lies in a repository to open it: JSON as it was written, and a digest of it by the key itself, so that
 * nothing in it can be changed.
 */
export const KeyFile = z.strictObject({ contents: z.string(), mac: z.string() });
export type KeyFile = z.output<typeof KeyFile>;
type Contents = z.output<typeof Contents>;
type Slot = z.output<typeof Slot>;

/** The key of a repository, by which all in it is sealed and named. */
export interface RepositoryKey {
  /** Of the repository. */
  id: string;
  /** 32 bytes. */
  key: Buffer;
}

/** What somebody opens a repository with. */
export type Secret = { passphrase: string } | { recoveryKey: string };

/** It does not open with this. Its message is for people. */
export class WrongKey extends Error {
  override readonly name = 'WrongKey';
}

/** Characters of a passphrase that is set. One that opens what is there has the length it has. */
const LEAST_PASSPHRASE = 12;
const SCRYPT_COST = 131_072;
const SCRYPT_BLOCK = 8;

/**
 * Makes a key with a new recovery key, which is nowhere but in the result, and one more way in by the passphrase. Throws
 * `SettingError` for one that is too short.
 */
export function makeKey(passphrase: string | undefined): {
  key: RepositoryKey;
  file: KeyFile;
  recoveryKey: string;
} {
  const key = { id: randomUUID(), key: randomBytes(32) };
  const recoveryKey = makeRecoveryKey();
  const secrets: Secret[] = [{ recoveryKey }, ...(passphrase === undefined ? [] : [{ passphrase }])];
  const slots = secrets.map((secret) => sealSlot(key, secret));
  return { key, file: keyFileOf(key, slots), recoveryKey };
}

/** The key of a repository. Throws `WrongKey` where the secret does not open it, or something in the file was changed. */
export function openKeyFile(file: KeyFile, secret: Secret): RepositoryKey {
  const { id, slots: all } = readContents(file);
  const kind = 'passphrase' in secret ? 'passphrase' : 'recovery';
  const slots = all.filter((slot) => slot.kind === kind);
  if (slots.length === 0) {
    throw new WrongKey(
      kind === 'passphrase' ? 'These backups have no passphrase.' : 'These backups have no recovery key.',
    );
  }
  for (const slot of slots) {
    const key = openSlot(id, slot, secret);
    if (!key) continue;
    assertUnchanged(key, file);
    return { id, key };
  }
  const words = kind === 'passphrase' ? 'passphrase' : 'recovery key';
  throw new WrongKey(
    `The ${words} does not open these backups: it is not theirs, or their key file is damaged.`,
  );
}

/**
 * The file with this passphrase in the place of any other; undefined where this one opens it already. Throws `SettingError`
 * for one that is too short.
 */
export function withPassphrase(file: KeyFile, key: RepositoryKey, passphrase: string): KeyFile | undefined {
  const { id, slots } = readContents(file);
  const former = slots.filter(({ kind }) => kind === 'passphrase');
  if (former.some((slot) => openSlot(id, slot, { passphrase })?.equals(key.key))) return undefined;
  const others = slots.filter(({ kind }) => kind !== 'passphrase');
  return keyFileOf(key, [...others, sealSlot(key, { passphrase })]);
}

/** A new recovery key, the file with it besides the former ones, and the file with it in their place. */
export function withRecoveryKey(
  file: KeyFile,
  key: RepositoryKey,
): { recoveryKey: string; besides: KeyFile; instead: KeyFile } {
  const recoveryKey = makeRecoveryKey();
  const slot = sealSlot(key, { recoveryKey });
  const { slots } = readContents(file);
  const others = slots.filter(({ kind }) => kind !== 'recovery');
  return {
    recoveryKey,
    // Each that was made and never shown has left one; the oldest was shown.
    besides: keyFileOf(key, [...slots.slice(0, MOST_SLOTS - 1), slot]),
    instead: keyFileOf(key, [slot, ...others]),
  };
}

function keyFileOf(key: RepositoryKey, slots: Slot[]): KeyFile {
  const contents = JSON.stringify({ version: 1, id: key.id, slots } satisfies Contents);
  return { contents, mac: macOf(key.key, contents) };
}

/** Throws `WrongKey` where the file is not as it was made with this key. */
export function assertUnchanged(key: Uint8Array, { contents, mac }: KeyFile): void {
  const [expected, given] = [Buffer.from(macOf(key, contents)), Buffer.from(mac)];
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) {
    throw new WrongKey('The key file of these backups is damaged.');
  }
}

/** A key for one purpose, from which no other can be told. */
export function deriveKey(key: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, '', purpose, 32));
}

/** Not proven yet. Throws where it cannot be one of ours. */
export function readContents({ contents }: KeyFile): Contents {
  return Contents.parse(JSON.parse(contents));
}

function macOf(key: Uint8Array, contents: string): string {
  return createHmac('sha256', deriveKey(key, 'key-file')).update(contents).digest('base64');
}

/** Throws `SettingError` for a passphrase that is too short. */
function sealSlot({ id, key }: RepositoryKey, secret: Secret): Slot {
  if ('passphrase' in secret && secret.passphrase.length < LEAST_PASSPHRASE) {
    throw new SettingError(`BACKUP_PASSPHRASE must be at least ${LEAST_PASSPHRASE} characters`);
  }
  const salt = randomBytes(32).toString('base64');
  const shape = 'passphrase' in secret ? { kind: 'passphrase' as const, cost: SCRYPT_COST } : RECOVERY;
  const slot: Slot = { ...shape, salt, sealed: '' };
  const by = keyOf(slot, secret);
  if (!by) throw new WrongKey('This is not a recovery key.');
  return { ...slot, sealed: createSecretsBox(by).seal(key.toString('hex'), id).toString('base64') };
}

const RECOVERY = { kind: 'recovery' as const };

function openSlot(id: string, slot: Slot, secret: Secret): Buffer | undefined {
  const by = keyOf(slot, secret);
  if (!by) throw new WrongKey('This is not a recovery key: check each group.');
  try {
    return Buffer.from(createSecretsBox(by).open(Buffer.from(slot.sealed, 'base64'), id), 'hex');
  } catch {
    return undefined;
  }
}

function keyOf(slot: Slot, secret: Secret): Buffer | undefined {
  const salt = Buffer.from(slot.salt, 'base64');
  if (slot.kind === 'passphrase' && 'passphrase' in secret) {
    const maxmem = 256 * SCRYPT_BLOCK * slot.cost;
    return scryptSync(secret.passphrase.normalize('NFC'), salt, 32, {
      ...{ N: slot.cost, r: SCRYPT_BLOCK, p: 1, maxmem },
    });
  }
  const bits = 'recoveryKey' in secret ? readRecoveryKey(secret.recoveryKey) : undefined;
  return bits && Buffer.from(hkdfSync('sha256', bits, salt, 'recovery', 32));
}
