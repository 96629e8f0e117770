import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createKillableServer, type KillableServer } from '../killable-server.ts';
import { nephos, openFolder } from './whole-cloud.ts';

const { BACKUP_KILLS } = process.env;
const BACKUPS = Number(BACKUP_KILLS ?? 6);
const RESTORES = Number(BACKUP_KILLS ?? 4);
/** Milliseconds over which kills are spread: as long as either takes. */
const SPREAD = 2500;

let home: string;
let server: KillableServer;

beforeAll(async () => {
  home = openFolder();
  server = await createKillableServer();
  await server.start();
  await server.signUp();
});
afterAll(async () => {
  await server?.close();
  rmSync(home, { recursive: true, force: true });
});

it('a kill at any moment leaves the backups and the data folder whole', { timeout: 900_000 }, async () => {
  const settings = {
    BACKUP_URL: join(home, 'backups'),
    BACKUP_PASSPHRASE: 'four words of mine',
    DATA_DIR: server.dataDir,
  };
  const dataDir = join(home, 'restored');
  const restore = ['restore', '--from', settings.BACKUP_URL, '--data-dir', dataDir];
  const there = { BACKUP_PASSPHRASE: settings.BACKUP_PASSPHRASE };
  expect(await nephos(['backup'], settings)).toMatchObject({ code: 0, stderr: '' });
  for (let round = 0; round < BACKUPS; round += 1) {
    await nephos(['backup'], settings, AbortSignal.timeout(Math.round((SPREAD * (round + 1)) / BACKUPS)));
    // Whatever was cut short: the latest that is there can be read.
    expect(await nephos([...restore, '--verify'], there), `round ${round}`).toMatchObject({ code: 0 });
  }
  expect(await nephos(['backup'], settings)).toMatchObject({ code: 0, stderr: '' });
  for (let round = 0; round < RESTORES; round += 1) {
    await nephos(restore, there, AbortSignal.timeout(Math.round((SPREAD * (round + 1)) / RESTORES)));
    if (existsSync(dataDir)) break;
  }
  // All of it or nothing: what is there is not restored once more.
  const isThere = existsSync(dataDir);
  expect(await nephos(restore, there)).toMatchObject({ code: isThere ? 1 : 0 });
  expect(existsSync(join(dataDir, 'pg', 'PG_VERSION'))).toBe(true);
  expect(existsSync(`${dataDir}.restoring`)).toBe(false);
  const again = await createKillableServer({ DATA_DIR: dataDir });
  try {
    await again.start();
    // Its data lies outside of what `close` clears.
    await again.stop();
  } finally {
    await again.close();
  }
});
