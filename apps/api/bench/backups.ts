/**
 * A backup of an installation and its restore, beside `tar | zstd`, which neither encrypts nor knows what is there already:
 *
 *     node apps/api/bench/backups.ts [<gigabytes>]
 *
 * Half of the files are text, half are bytes by chance; one in eight bytes is in small files.
 */
import { execFileSync } from 'node:child_process';
import { createCipheriv, randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { currentNode } from '../../../tools/process.mjs';
import { createKillableServer } from '../test/killable-server.ts';

const MB = 1024 ** 2;
const CLI = join(import.meta.dirname, '..', 'src', 'cli.ts');
const SMALL = 16 * 1024;
const LARGE = 64 * MB;

const megabytes = Number(process.argv[2] ?? 5) * 1024;
const home = mkdtempSync(join(tmpdir(), 'nephos-bench-backups-'));
chmodSync(home, 0o711);

/** Bytes by chance, faster than the system gives them. */
function chance(size: number): Buffer {
  const cipher = createCipheriv('aes-128-ctr', randomBytes(16), randomBytes(16));
  return cipher.update(Buffer.alloc(size));
}

function text(size: number): Buffer {
  const line = () =>
    `${new Date().toISOString()} INFO request id=${randomBytes(6).toString('hex')} path=/orders/${Math.floor(Math.random() * 1000)} status=200\n`;
  const some = Buffer.from(Array.from({ length: 20_000 }, line).join(''));
  return Buffer.alloc(size, some.subarray(Math.floor(Math.random() * MB)));
}

function fill(folder: string): void {
  for (let written = 0, n = 0; written < megabytes * MB; n += 1) {
    const make = n % 2 === 0 ? text : chance;
    const below = join(folder, String(n));
    mkdirSync(below, { recursive: true });
    writeFileSync(join(below, 'large'), make(LARGE - LARGE / 8));
    const small = make(LARGE / 8);
    for (let at = 0; at < small.length; at += SMALL)
      writeFileSync(join(below, `${at}`), small.subarray(at, at + SMALL));
    written += LARGE;
  }
}

function seconds(what: string, command: string, args: string[], env: Record<string, string> = {}): number {
  execFileSync('sync', ['-f', home]);
  const began = performance.now();
  execFileSync('/usr/bin/time', ['-f', '%M', command, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  execFileSync('sync', ['-f', home]);
  const took = (performance.now() - began) / 1000;
  process.stdout.write(`${what}: ${took.toFixed(1)} s, ${(megabytes / took).toFixed(0)} MB/s\n`);
  return took;
}

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

const server = await createKillableServer();
try {
  await server.start();
  await server.stop();
  fill(join(server.dataDir, 'apps', 'projects', 'bench', 'disks', 'disk'));
  const [target, archive] = [join(home, 'backups'), join(home, 'archive.tar.zst')];
  const [restored, unpacked] = [join(home, 'restored'), join(home, 'unpacked')];
  const settings = {
    DATA_DIR: server.dataDir,
    BACKUP_URL: target,
    BACKUP_PASSPHRASE: 'four words of mine',
  };
  const nephos = (what: string, ...args: string[]) => seconds(what, currentNode(), [CLI, ...args], settings);
  const tar = seconds('tar | zstd', 'sh', [
    '-c',
    `tar -C ${server.dataDir} -cf - . | zstd -q -T0 -o ${archive}`,
  ]);
  const backup = nephos('backup', 'backup');
  nephos('backup, nothing new', 'backup');
  mkdirSync(unpacked);
  const untar = seconds('zstd | tar', 'sh', ['-c', `zstd -dc ${archive} | tar -C ${unpacked} -xf -`]);
  rmSync(unpacked, { recursive: true });
  const restore = nephos('restore', 'restore', '--from', target, '--data-dir', restored);
  const sizes = [sizeOf(target), statSync(archive).size].map((size) => `${(size / MB).toFixed(0)} MB`);
  process.stdout.write(
    `ratios: backup ${(tar / backup).toFixed(2)}, restore ${(untar / restore).toFixed(2)}; ${sizes.join(' and ')}\n`,
  );
} finally {
  await server.close();
  rmSync(home, { recursive: true, force: true });
}
