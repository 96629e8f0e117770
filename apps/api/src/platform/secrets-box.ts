import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
} from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SettingError, type Settings } from '../core/settings.ts';

/** Authenticated encryption at rest; `context` (for example a row's id and column) must be the same to open. */
export interface SecretsBox {
  seal(plaintext: string, context: string): Buffer;
  open(sealed: Buffer, context: string): string;
  /** HMAC-SHA-256 in hex: the same for the same text, and no help in guessing it to who lacks the key. */
  fingerprint(text: string): string;
  /** A key of 32 bytes for one purpose, always the same, from which no other can be told. */
  deriveKey(purpose: string): Uint8Array;
}

/** First byte of everything sealed, so that a later format can be told apart. */
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + NONCE_BYTES;

/** AES-256-GCM (NIST SP 800-38D) with a random 96-bit nonce: version, nonce, ciphertext, tag. `key` has 32 bytes. */
export function createSecretsBox(key: Buffer): SecretsBox {
  const deriveKey = (purpose: string) => new Uint8Array(hkdfSync('sha256', key, '', purpose, 32));
  // Made once: from bytes, each HMAC would make it anew, for six times what it costs itself.
  const fingerprintKey = createSecretKey(deriveKey('fingerprint'));
  return {
    seal(plaintext, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(context));
      const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(VERSION), nonce, ciphertext, cipher.getAuthTag()]);
    },
    open(sealed, context) {
      if (sealed[0] !== VERSION || sealed.length < HEADER_BYTES + TAG_BYTES) {
        throw new Error('This secret was not sealed by this program.');
      }
      const nonce = sealed.subarray(1, HEADER_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      const plaintext = decipher.update(sealed.subarray(HEADER_BYTES, -TAG_BYTES));
      return Buffer.concat([plaintext, decipher.final()]).toString('utf8');
    },
    deriveKey,
    fingerprint: (text) => createHmac('sha256', fingerprintKey).update(text).digest('hex'),
  };
}

/**
 * The installation's key: the setting, else the file `secrets.key` in the data folder, made once. Throws
 * `SettingError` where the file holds anything else, since a new key would lose every secret.
 */
export async function loadSecretsKey({
  secretsKey,
  dataDir,
}: Pick<Settings, 'secretsKey' | 'dataDir'>): Promise<Buffer> {
  if (secretsKey) return Buffer.from(secretsKey, 'hex');
  const file = join(dataDir, 'secrets.key');
  const text = (await readIfThere(file)) ?? (await makeKeyFile(file, dataDir));
  if (!/^[0-9a-f]{64}\n?$/i.test(text)) {
    throw new SettingError(
      `SECRETS_KEY: ${file} must contain 64 hexadecimal digits; restore it from a backup`,
    );
  }
  return Buffer.from(text.trim(), 'hex');
}

/** Written aside and linked into place, so that of several starts at once all take the first one's whole file. */
async function makeKeyFile(file: string, dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    await link(draft, file);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await unlink(draft);
  }
  return readFile(file, 'utf8');
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
