import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBackupStore, PlaceFailed, readBackupStore } from '../../src/backup/repository/backup-store.ts';
import { createRepository, openRepository } from '../../src/backup/repository/repository.ts';
import { type LoopbackS3, startLoopbackS3 } from '../platform/loopback-s3.ts';

const TARGET = 's3://backups/of/nephos';
const MINUTE = 60_000;

let s3: LoopbackS3;
let home: string;

beforeAll(async () => {
  s3 = await startLoopbackS3('backups');
  home = await mkdtemp(join(tmpdir(), 'nephos-bucket-'));
});
afterAll(async () => {
  await s3?.close();
  await rm(home, { recursive: true, force: true });
});

const server = () => ({
  ...{ endpoint: s3.endpoint, region: 'us-east-1', pathStyle: true },
  ...{ accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'not-for-the-log' },
});
const open = (dataDir = home) => openBackupStore(TARGET, { server: server(), dataDir });
const keys = () => [...s3.objects.keys()];

it('keeps backups in a bucket below their prefix, and one writer from another', async () => {
  s3.objects.set('somebody/else', { bytes: Buffer.from('x'), at: new Date() });
  const first = await open();
  const { repository, recoveryKey } = await createRepository(first.store, undefined);
  await repository.chunks.survey();
  const bytes = Buffer.from('some bytes of a file');
  const { name } = await repository.chunks.put(bytes);
  expect(keys().filter((key) => key.startsWith('of/nephos/'))).toHaveLength(keys().length - 1);

  await expect(open()).rejects.toThrow('in use by another Nephos process');
  const elsewhere = await mkdtemp(join(home, 'other-'));
  await expect(open(elsewhere)).rejects.toThrow('Another Nephos writes to BACKUP_URL');
  // Whoever was refused leaves no lock behind.
  await first.close();
  expect(keys().filter((key) => key.includes('locks/'))).toEqual([]);

  const read = await openRepository(await readBackupStore(TARGET, server()), { recoveryKey });
  expect(await read.chunks.get(name)).toEqual(bytes);
  await expect(read.chunks.put(Buffer.from('y'))).rejects.toThrow('only read');

  // One that was killed is waited for, but not for ever.
  const killed = { bytes: Buffer.alloc(0), at: new Date(Date.now() - 5 * MINUTE) };
  s3.objects.set('of/nephos/locks/aa', killed);
  await expect(open()).rejects.toThrow('try again in ten minutes');
  s3.objects.set('of/nephos/locks/aa', { ...killed, at: new Date(Date.now() - 11 * MINUTE) });
  await (await open()).close();
});

it('says that the server is away or full, and calls no backup damaged for it', async () => {
  const { store, close } = await open();
  try {
    const [key = ''] = keys().filter((found) => found.includes('/repository/key'));
    expect(key).toBe('of/nephos/repository/key');
    s3.refuse({ status: 403, code: 'AccessDenied' });
    await expect(store.get('repository/key')).rejects.toThrow(
      'The place of backups cannot be reached: S3 answered 403 AccessDenied.',
    );
    await expect(Array.fromAsync(store.list('chunks/'))).rejects.toThrow(PlaceFailed);
    s3.refuse({ status: 507, code: 'InsufficientStorage' });
    await expect(store.delete('chunks/aa')).rejects.toThrow('There is no room left where backups go');
  } finally {
    s3.refuse(undefined);
    await close();
  }
});
