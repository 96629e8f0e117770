import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseEnv } from 'node:util';
import { runsAsRoot } from '@nephos/db';
import { createEmptyDatabase, migrations, type TestDatabase } from '@nephos/db/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeBackup } from '../../src/backup/make-backup.ts';
import { openOwnRepository } from '../../src/backup/open-repository.ts';
import { openBackupStore } from '../../src/backup/repository/backup-store.ts';
import { once } from '../../src/backup/repository/chunks.ts';
import { createRepository, type Repository } from '../../src/backup/repository/repository.ts';
import { createCopying, type PartCopy } from '../../src/backup/sources/copying.ts';
import { readSettings } from '../../src/core/env.ts';
import { createWorld, type World } from '../world.ts';
import { nephos, openFolder } from './whole-cloud.ts';

const BACKUP_PASSPHRASE = 'four words of mine';
const EARLIER = '2026-11-23T03:00:00.000Z';
const LATEST = '2026-11-24T03:00:00.000Z';

let home: string;

beforeAll(() => {
  home = openFolder();
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Makes a place of backups, the `target`, with what `fill` writes to it. */
async function placeWith(name: string, fill: (repository: Repository) => Promise<void> = async () => {}) {
  const target = join(home, name);
  const { store, close } = await openBackupStore(target, { server: undefined, dataDir: join(home, 'data') });
  const { repository } = await createRepository(store, BACKUP_PASSPHRASE);
  await fill(repository);
  await close();
  return target;
}

/** Writes a backup that has no more than `fill` puts into its apps. */
async function write(
  repository: Repository,
  takenAt: string,
  fill: (part: PartCopy) => Promise<void> = async () => {},
): Promise<void> {
  const { copying, result } = createCopying(repository.chunks, {
    ...{ told() {}, signal: AbortSignal.timeout(60_000), earlierPart: async () => async () => undefined },
  });
  await copying.part('apps', fill);
  await repository.write({
    ...{ version: 1, takenAt, program: '0.1.0', asRoot: runsAsRoot(), dataDir: '/srv', secretsKey: '00' },
    database: { lastMigration: Object.keys(migrations)[0] ?? '', sequences: [], queueVersion: null },
    ...{ ...result(), bytes: 0 },
  });
}

const fileAt = (path: string) => ({
  ...{
    kind: 'file' as const,
    path,
    mode: 0o600,
    uid: 0,
    gid: 0,
    mtime: 0,
    ctime: 0,
    inode: 0,
    size: 1,
    at: [],
  },
});

const restore = (from: string, ...args: string[]) =>
  nephos(['restore', '--from', from, '--data-dir', join(home, 'restored'), ...args], { BACKUP_PASSPHRASE });

const refusal = (said: string) => ({
  ...{ code: 1, stderr: expect.stringMatching(new RegExp(`^nephos restore: .*${said}.*\\n$`)) },
});

it('says that a short passphrase does not open backups, not that it is short', async () => {
  const target = await placeWith('short');
  const args = ['restore', '--from', target, '--data-dir', join(home, 'restored')];
  expect(await nephos(args, { BACKUP_PASSPHRASE: 'four words' })).toMatchObject(
    refusal('The passphrase does not open these backups'),
  );
});

it('lists what there is without an installation, also at a path from here', async () => {
  const target = await placeWith('listed', async (repository) => {
    await write(repository, EARLIER);
    await write(repository, LATEST);
  });
  const said = await Promise.all([
    restore(relative(process.cwd(), target), '--list'),
    restore(join(home, 'absent'), '--list'),
    restore('s3://No/Bucket', '--list'),
    restore(target, '--list', '--verify'),
  ]);
  expect(said).toMatchObject([
    { code: 0, stdout: `${LATEST}\n${EARLIER}\n`, stderr: '' },
    refusal(`There is no folder ${home}/absent`),
    refusal('neither an absolute path nor s3:'),
    { code: 2 },
  ]);
});

it('names the backup before one that is damaged', async () => {
  const target = await placeWith('damaged', async (repository) => {
    await write(repository, EARLIER);
    await write(repository, LATEST, async (part) => {
      await part.add(fileAt('file'), once(Buffer.from('x')));
    });
  });
  const manifests = join(target, 'data', 'manifests');
  const chunks = join(target, 'data', 'chunks');
  rmSync(chunks, { recursive: true });
  expect(await restore(target)).toMatchObject(refusal(`is missing: .* before, .*: --at ${EARLIER}`));
  for (const path of readdirSync(manifests, { recursive: true, encoding: 'utf8' })) {
    if (path.includes('/')) writeFileSync(join(manifests, path), 'something else');
  }
  expect(await Promise.all([restore(target), restore(target, '--at', EARLIER)])).toMatchObject([
    refusal(`is damaged: .* before, .*: --at ${EARLIER}`),
    refusal('is damaged: manifests/[^ ]*'),
  ]);
});

it('says how to make way for a backup, and how much room it takes', async () => {
  const target = await placeWith('large', async (repository) => {
    await write(repository, EARLIER);
    await write(repository, LATEST, (part) =>
      part.note({ ...fileAt('file'), at: [['0'.repeat(64), 0, 10 ** 15]] }),
    );
  });
  expect(await restore(target)).toMatchObject(
    refusal(`needs 909.49 TB of room, and the disk of ${home} has [\\d.]+ [GTM]B left: make room`),
  );
  mkdirSync(join(home, 'restored'));
  writeFileSync(join(home, 'restored', 'lock'), '');
  expect(await restore(target, '--at', EARLIER)).toMatchObject(
    refusal(`stop Nephos, .* \\(mv ${home}/restored ${home}/restored.old\\)`),
  );
  rmSync(join(home, 'restored'), { recursive: true });
});

const mount = (folder: string, options: string) => {
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `mode=711,${options}`, 'none', folder]);
};

it.skipIf(!runsAsRoot())('says in a sentence that the disk became full', async () => {
  const target = await placeWith('files', (repository) =>
    write(repository, LATEST, async (part) => {
      for (let at = 0; at < 20; at += 1) await part.add(fileAt(`file-${at}`), once(Buffer.from('x')));
    }),
  );
  const disk = join(home, 'disk');
  mount(disk, 'size=2g,nr_inodes=16');
  try {
    const args = ['restore', '--from', target, '--data-dir', join(disk, 'data')];
    expect(await nephos(args, { BACKUP_PASSPHRASE })).toMatchObject(
      refusal('There is no room left on the disk'),
    );
  } finally {
    execFileSync('umount', [disk]);
  }
});

describe('a whole installation', () => {
  const variables = {
    MAIL_FROM: 'Nephos <nephos@example.com>',
    OIDC_NAME: "Ada's `$HOME`",
    METRICS_TOKEN: 'p$ssword "with" all',
    HTTPS_PROXY: 'http://proxy.example.com:3128',
  };
  let world: World;
  let database: TestDatabase;

  beforeAll(async () => {
    const source = {
      ...variables,
      BACKUP_PASSPHRASE,
      BACKUP_RECOVERY_KEY: 'x',
      NEPHOS_HOME: '/opt',
      PATH: '/bin',
    };
    [world, database] = await Promise.all([
      createWorld({ settings: { variables: readSettings(source).variables } }),
      createEmptyDatabase(),
    ]);
  });
  afterAll(async () => {
    await world?.close();
    await database?.drop();
  });

  async function backUp(target: string): Promise<void> {
    const backups = { target, server: undefined, passphrase: BACKUP_PASSPHRASE, hour: 3 };
    const settings = { ...world.deps.settings, backups };
    const installation = { url: world.databaseUrl, db: world.deps.db, close: async () => {} };
    const { repository, close } = await openOwnRepository(settings, installation, { mayMake: true });
    await makeBackup({ settings, installation, repository, program: '0.1.0', say() {} });
    await close();
  }

  it('comes back with the settings that it had', async () => {
    const target = join(home, 'whole');
    await backUp(target);
    const dataDir = join(home, 'whole-again');
    const file = join(dataDir, 'settings-of-backup.env');
    const said = await nephos(['restore', '--from', target, '--data-dir', dataDir], {
      ...{ BACKUP_PASSPHRASE, DATABASE_URL: database.url },
    });
    expect(said).toMatchObject({
      ...{ code: 0, stderr: '', stdout: expect.stringContaining(`in ${file}: compare them with yours\n`) },
    });
    expect(said.stdout).not.toContain('ssword');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(parseEnv(readFileSync(file, 'utf8'))).toEqual(variables);
  });

  it.skipIf(!runsAsRoot())('is read where its backups cannot be written', async () => {
    const target = join(home, 'read-only');
    mount(target, 'size=100m');
    try {
      await backUp(target);
      rmSync(join(target, 'lock'));
      execFileSync('mount', ['-o', 'remount,ro', target]);
      const own = { DATABASE_URL: world.databaseUrl, DATA_DIR: world.deps.settings.dataDir };
      const listed = await nephos(['backup', 'list'], { ...own, BACKUP_URL: target });
      expect(listed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\S+Z\n$/), stderr: '' });
      expect(await restore(target, '--list')).toEqual(listed);
      expect(await restore(target, '--verify')).toMatchObject({ code: 0, stderr: '' });
    } finally {
      execFileSync('umount', [target]);
    }
  });
});
