import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, isServerIn } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Settings } from '../../core/settings.ts';
import type { Credentials } from '../../domains/databases/engines/engine.ts';
import { LOOPBACK } from '../../domains/databases/engines/listening.ts';
import { dumpOf, KEPT_DUMPS, KEPT_USERS } from '../../domains/databases/engines/mysql/kept-dumps.ts';
import { mariadbFolder, rememberedPort } from '../../domains/databases/engines/mysql/mariadb-home.ts';
import { findMariadbClients } from '../../domains/databases/engines/mysql/mariadb-programs.ts';
import { createMysqlDumps } from '../../domains/databases/engines/mysql/mysql-dumps.ts';
import { credentialsOf } from '../../domains/databases/sealed-password.ts';
import { createSecretsBox, loadSecretsKey } from '../../platform/secrets-box.ts';
import { once } from '../repository/chunks.ts';
import type { Copying, PartCopy } from './copying.ts';
import { patiently } from './patiently.ts';
import { copyOneFile, copyTree } from './tree.ts';

export const MARIADB_PART = 'managed-mysql';

/**
 * Takes MySQL databases: as files while their server is stopped, else each as a dump, which the server loads when it is
 * first started after a restore.
 */
export async function copyMariadb(copying: Copying, settings: Settings, db: Kysely<Database>): Promise<void> {
  const root = mariadbFolder(settings.dataDir);
  if (!existsSync(root)) return;
  const data = join(root, 'data');
  await copying.part(MARIADB_PART, async (part) => {
    await patiently(copying, part, {
      what: 'The server of MySQL databases',
      async copy() {
        if (isServerIn(data, 'mariadbd')) return copyDumps(copying, part, { root, settings, db });
        await copyTree(part, root);
        if (isServerIn(data, 'mariadbd')) throw new Error('It was started meanwhile.');
      },
    });
  });
}

async function copyDumps(
  copying: Copying,
  part: PartCopy,
  { root, settings, db }: { root: string; settings: Settings; db: Kysely<Database> },
): Promise<void> {
  const port = rememberedPort(root);
  if (!port) throw new Error('It just starts.');
  const clients = findMariadbClients(settings.hostEnvironment.PATH);
  const dumps = createMysqlDumps(clients, (credentials) => ({ ...credentials, port, host: LOOPBACK }));
  const reason = dumps.unavailable();
  if (reason) {
    part.miss(reason);
    return;
  }
  for (const name of ['', KEPT_DUMPS]) {
    await part.note({ kind: 'folder', path: name, mode: name === '' ? 0o711 : 0o700, ...ownerOf(root) });
  }
  for (const file of ['password', 'port']) await copyOneFile(part, join(root, file), file);
  const taken: Credentials[] = [];
  for (const credentials of await databasesIn(settings, db)) {
    const path = `${KEPT_DUMPS}/${dumpOf(credentials.name)}`;
    await patiently(copying, part, {
      what: `The MySQL database ${credentials.name}`,
      async copy() {
        await addFile(part, path, { root, source: dumps.read(credentials, copying.signal) });
        taken.push(credentials);
      },
    });
  }
  const users = Buffer.from(JSON.stringify(taken));
  await addFile(part, `${KEPT_DUMPS}/${KEPT_USERS}`, { root, source: once(users) });
}

const ownerOf = (root: string) => {
  const { uid, gid } = statSync(root);
  return { uid, gid };
};

function addFile(
  part: PartCopy,
  path: string,
  { root, source }: { root: string; source: AsyncIterable<Uint8Array> },
): Promise<void> {
  const times = { mtime: Date.now(), ctime: 0, inode: 0 };
  return part.add({ kind: 'file', path, mode: 0o600, ...ownerOf(root), ...times, size: 0, at: [] }, source);
}

async function databasesIn(settings: Settings, db: Kysely<Database>): Promise<Credentials[]> {
  const secrets = createSecretsBox(await loadSecretsKey(settings));
  const rows = await db
    .selectFrom('managedDatabases')
    .select(['engineName', 'password'])
    .where('type', '=', 'mysql')
    .where('status', '=', 'available')
    .orderBy('engineName')
    .execute();
  return rows.map((row) => credentialsOf(secrets, row));
}
