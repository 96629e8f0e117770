import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { openBytes, sealBytes } from '../../platform/sealed-stream.ts';
import type { BackupStore } from './backup-store.ts';
import { type Chunks, collect, createChunks, Damaged } from './chunks.ts';
import { Manifest } from './manifest.ts';
import {
  assertUnchanged,
  deriveKey,
  KeyFile,
  makeKey,
  openKeyFile,
  type RepositoryKey,
  readContents,
  type Secret,
  WrongKey,
  withPassphrase,
  withRecoveryKey,
} from './repository-key.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

const KEY_FILE = 'repository/key';
/** One bad byte of it would lose all backups, so it is there twice. */
const KEY_FILES = [KEY_FILE, 'repository/key-copy'];
const MANIFESTS = 'manifests/';
const NAME = /^manifests\/(\d{4})(\d\d)(\d\d)t(\d\d)(\d\d)(\d\d)(\d{3})z-[0-9a-f]{8}$/;
const MAX_MANIFEST = 64 * 1024 * 1024;

/** A backup that is there. */
export interface BackupName {
  /** Of its manifest. */
  key: string;
  takenAt: Date;
}

/** Backups of one installation in a folder or a bucket. */
export interface Repository {
  key: RepositoryKey;
  chunks: Chunks;
  /** Writes the key file wherever it is missing or damaged. */
  mendKeyFiles(): Promise<void>;
  /** Has this passphrase open it, and no former one. Resolves to whether that was another. */
  setPassphrase(passphrase: string): Promise<boolean>;
  /** Has a new recovery key open it, which only `show` is told of, and from then on no former one. */
  renewRecoveryKey(show: (recoveryKey: string) => void): Promise<void>;
  /** The newest first. */
  list(): Promise<BackupName[]>;
  /** Throws `Damaged`. */
  read(backup: BackupName): Promise<Manifest>;
  write(manifest: Manifest): Promise<BackupName>;
  remove(backup: BackupName): Promise<void>;
}

/** Makes an empty store a repository; the recovery key is nowhere but in the result. Throws where it is one already. */
export async function createRepository(
  store: BackupStore,
  passphrase: string | undefined,
): Promise<{ repository: Repository; recoveryKey: string }> {
  if ((await readKeyFiles(store)).length > 0) throw new WrongKey('There are backups already.');
  const { key, file, recoveryKey } = makeKey(passphrase);
  // Its copy comes with the first backup: a second write that fails would lose the recovery key, which nobody saw yet.
  await store.put(KEY_FILE, Buffer.from(JSON.stringify(file)));
  return { repository: repositoryOf(store, key, file), recoveryKey };
}

/**
 * The id of the repository in a store, as each of its key files says it; none where there is no repository. None is proven
 * yet: `openRepository` does that.
 */
export async function repositoryIds(store: BackupStore): Promise<string[]> {
  return (await readKeyFiles(store)).map((file) => readContents(file).id);
}

/** Opens a repository by its key, or by a secret of people's. Throws `WrongKey`, or `Damaged`. */
export async function openRepository(store: BackupStore, by: Secret | { key: Buffer }): Promise<Repository> {
  const refusals: unknown[] = [];
  for (const file of await readKeyFiles(store)) {
    try {
      return repositoryOf(store, openBy(file, by), file);
    } catch (error) {
      refusals.push(error);
    }
  }
  throw refusals[0] ?? new WrongKey('There are no backups here.');
}

function openBy(file: KeyFile, by: Secret | { key: Buffer }): RepositoryKey {
  if (!('key' in by)) return openKeyFile(file, by);
  assertUnchanged(by.key, file);
  return { id: readContents(file).id, key: by.key };
}

/** Those that can be read. Throws where there are some, and none of them can: `Damaged`, or what the store says. */
async function readKeyFiles(store: BackupStore): Promise<KeyFile[]> {
  const all = await Promise.allSettled(KEY_FILES.map((name) => readKeyFile(store, name)));
  const found = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const files = found.filter((file) => file instanceof Object);
  if (files.length > 0) return files;
  for (const one of all) if (one.status === 'rejected') throw one.reason;
  if (found.includes('damaged')) throw new Damaged('The key file of these backups is damaged.');
  return [];
}

async function readKeyFile(store: BackupStore, name: string): Promise<KeyFile | 'damaged' | undefined> {
  const stored = await store.get(name);
  if (!stored) return undefined;
  const text = (await collect(stored)).toString('utf8');
  try {
    const file = KeyFile.parse(JSON.parse(text));
    readContents(file);
    return file;
  } catch {
    return 'damaged';
  }
}

function repositoryOf(store: BackupStore, key: RepositoryKey, opened: KeyFile): Repository {
  const sealing = deriveKey(key.key, 'manifests');
  let keyFile = opened;

  async function replaceKeyFile(file: KeyFile): Promise<void> {
    for (const name of KEY_FILES) await store.put(name, Buffer.from(JSON.stringify(file)));
    keyFile = file;
  }

  return {
    key,
    chunks: createChunks(store, key.key),
    async mendKeyFiles() {
      const whole = JSON.stringify(keyFile);
      for (const name of KEY_FILES) {
        const there = await readKeyFile(store, name).catch(() => 'damaged');
        // That of another repository may be the only thing that opens it.
        if (there instanceof Object && readContents(there).id !== key.id) continue;
        if (JSON.stringify(there) !== whole) await store.put(name, Buffer.from(whole));
      }
    },
    async setPassphrase(passphrase) {
      const file = withPassphrase(keyFile, key, passphrase);
      if (file) await replaceKeyFile(file);
      return file !== undefined;
    },
    async renewRecoveryKey(show) {
      const { recoveryKey, besides, instead } = withRecoveryKey(keyFile, key);
      // Whenever this ends, a key that somebody has seen opens both files.
      await replaceKeyFile(besides);
      show(recoveryKey);
      await replaceKeyFile(instead);
    },
    async list() {
      const found: BackupName[] = [];
      for await (const object of store.list(MANIFESTS)) {
        const [, ...parts] = NAME.exec(object.key) ?? [];
        const [year, month, ...rest] = parts.map(Number);
        if (year === undefined || month === undefined) continue;
        found.push({
          key: object.key,
          takenAt: new Date(Date.UTC(year, month - 1, ...rest)),
        });
      }
      return found.sort((one, other) => (one.key < other.key ? 1 : -1));
    },
    async read({ key: context, takenAt }) {
      const damaged = () => new Damaged(`The backup of ${takenAt.toISOString()} is damaged: ${context}.`);
      const stored = await store.get(context);
      if (!stored) throw damaged();
      const sealed = await collect(stored);
      try {
        const squeezed = openBytes(sealed, { key: sealing, context });
        const text = await decompress(squeezed, { maxOutputLength: MAX_MANIFEST });
        return Manifest.parse(JSON.parse(text.toString('utf8')));
      } catch {
        throw damaged();
      }
    },
    async write(manifest) {
      const takenAt = new Date(manifest.takenAt);
      const moment = takenAt.toISOString().replace(/[-:.]/g, '').toLowerCase();
      const context = `${MANIFESTS}${moment}-${randomBytes(4).toString('hex')}`;
      const squeezed = await compress(Buffer.from(JSON.stringify(manifest)));
      await store.put(context, sealBytes(squeezed, { key: sealing, context }));
      return { key: context, takenAt };
    },
    remove: (backup) => store.delete(backup.key),
  };
}
