import { timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { createDb, createPool, openSnapshot } from '@nephos/db';
import { startEmbeddedPostgres } from '@nephos/db/embedded';
import { countOf } from '../../core/count-of.ts';
import { createSecretsBox, loadSecretsKey } from '../../platform/secrets-box.ts';
import { keptKey } from '../kept-key.ts';
import type { Manifest } from '../repository/manifest.ts';
import { createChunkReader, entriesOf } from '../repository/part-reader.ts';
import type { Repository } from '../repository/repository.ts';
import { DATABASE_PART } from '../sources/database.ts';
import { digestRows } from './row-digest.ts';

/** Opens the database that was restored to a folder, and compares every row, sequence and the secrets key. */
export async function checkDatabase(
  folder: string,
  { repository, manifest }: { repository: Repository; manifest: Manifest },
): Promise<{ tables: number; rows: number; problems: string[] }> {
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'pg') });
  try {
    const problems = await compareSecrets(folder, server.url, repository);
    return { ...(await compareRows(server.url, { repository, manifest, problems })), problems };
  } finally {
    await server.stop();
  }
}

async function compareRows(
  url: string,
  { repository, manifest, problems }: { repository: Repository; manifest: Manifest; problems: string[] },
): Promise<{ tables: number; rows: number }> {
  const { chunks } = repository;
  const reader = createChunkReader(chunks);
  const snapshot = await openSnapshot(url);
  let [tables, all] = [0, 0];
  try {
    const { lastMigration, queueVersion, sequences } = manifest.database;
    // A migration since may have written to any row; and the job queue of another version is not restored.
    const isSame = snapshot.lastMigration === lastMigration;
    const part = manifest.parts.find(({ name }) => name === DATABASE_PART);
    if (!part) throw new Error('This backup has no database.');
    for await (const entry of entriesOf(chunks, part)) {
      if (entry.kind !== 'table') continue;
      if (entry.path.startsWith('pgboss.') && snapshot.queueVersion !== queueVersion) continue;
      const kept = await digestRows(reader.bytes(entry.at));
      const { digest, rows } = await digestRows(snapshot.rows({ name: entry.path, columns: entry.columns }));
      tables += 1;
      all += rows;
      if (rows !== entry.rows)
        problems.push(`${entry.path} has ${countOf(rows, 'row')} in place of ${entry.rows}.`);
      else if (isSame && digest !== kept.digest) problems.push(`${entry.path} has other rows.`);
    }
    if (isSame && JSON.stringify(snapshot.sequences) !== JSON.stringify(sequences)) {
      problems.push('The sequences go on elsewhere.');
    }
    return { tables, rows: all };
  } finally {
    await snapshot.close();
  }
}

/** What was sealed opens again: the key of these backups is. */
async function compareSecrets(folder: string, url: string, { key }: Repository): Promise<string[]> {
  const db = createDb(createPool({ url, max: 1 }));
  try {
    const secrets = createSecretsBox(await loadSecretsKey({ dataDir: folder, secretsKey: undefined }));
    const kept = await keptKey(db, secrets, [key.id]);
    return kept && timingSafeEqual(kept, key.key) ? [] : ['The key of these backups is not in its database.'];
  } catch {
    return ['What was sealed does not open with its secrets key.'];
  } finally {
    await db.destroy();
  }
}
