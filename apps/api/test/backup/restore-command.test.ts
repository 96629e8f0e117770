import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openBackupStore } from '../../src/backup/repository/backup-store.ts';
import { createRepository } from '../../src/backup/repository/repository.ts';
import { nephos } from './whole-cloud.ts';

it('says that a short passphrase does not open backups, not that it is short', async () => {
  const home = await mkdtemp(join(tmpdir(), 'nephos-restore-'));
  try {
    const { store, close } = await openBackupStore(join(home, 'backups'), {
      ...{ server: undefined, dataDir: join(home, 'data') },
    });
    await createRepository(store, 'four words of mine');
    await close();
    const restore = ['restore', '--from', join(home, 'backups'), '--data-dir', join(home, 'restored')];
    expect(await nephos(restore, { BACKUP_PASSPHRASE: 'four words' })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The passphrase does not open these backups'),
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
