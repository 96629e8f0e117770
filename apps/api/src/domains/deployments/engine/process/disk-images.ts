import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, open, rename, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Account, removeTree } from '@nephos/db';
import type { DiskPlace } from '../folders.ts';
import { findPrograms } from './find-program.ts';
import { mountAt } from './mount-table.ts';
import { createTurns } from './turns.ts';

const run = promisify(execFile);

/**
 * Disks that the kernel holds to their size: each is an ext4 file system in a sparse file that projects cannot reach,
 * mounted at the disk's folder. What an app has fsynced is in that file's journal or in its place there.
 */
export interface DiskImages {
  /** Whether `grow` reaches what is mounted; else that grows when it is mounted for the next start of its app. */
  readonly growsMounted: boolean;
  /**
   * Mounts a disk of `bytes` for a project's account. What is there is taken up: a mount that a killed server left, an
   * image that was not mounted, one that was to become larger. It never becomes smaller.
   */
  mount(place: DiskPlace, bytes: number, account: Account | undefined): Promise<void>;
  /** Makes the image that is there larger. */
  grow(place: DiskPlace, bytes: number): Promise<void>;
  /** Throws while a process of this machine is in it. */
  unmount(place: DiskPlace): Promise<void>;
}

/** The programs, and the Debian package of each. */
const PROGRAMS = {
  'mkfs.ext4': 'e2fsprogs',
  e2fsck: 'e2fsprogs',
  resize2fs: 'e2fsprogs',
  mount: 'mount',
  umount: 'mount',
  losetup: 'mount',
} as const;
type Programs = Record<keyof typeof PROGRAMS, string>;

const MB = 1024 ** 2;
const BLOCK = 4096;
/** Where the file system's size in blocks stands: the first 32 bits of it (ext4's superblock). */
const BLOCK_COUNT = 1024 + 4;
/** The least number of files that a disk has room for. */
const FILES = 8192;
/** MB of a disk's journal. */
const JOURNAL = 16;
/** MB that a disk needs beside its files at least: the journal, the tables of the first files, what describes the rest. */
const FIXED = JOURNAL + 3;
/** Of the image, for the tables of its files, a 64th, and what finds free blocks. */
const TABLES = 0.018;
/** What the kernel keeps free for itself (`s_resv_clusters` of ext4): this share, up to so many bytes. */
const KEPT_FREE = { share: 0.02, most: 16 * MB };
const OPTIONS = 'loop,nosuid,nodev,discard,errors=remount-ro';
/** Bytes of a disk that is tried out. Smaller ones have no room for the journal. */
const TRIAL = 24 * MB;
const TIME_MS = 300_000;
const TRIES = 40;
const PAUSE_MS = 50;
/** What e2fsck ends with where nothing was wrong, or all of it was put right (e2fsck(8)). */
const SOUND = [0, 1, 2];

/** The mark of an image that is not ready: what a killed server left begins anew, or is swept. */
export const HALF_MADE = '.new';

/** Disk images, tried out in `folder`; a sentence says why there are none. */
export async function findDiskImages(path: string, folder: string): Promise<DiskImages | string> {
  if (process.getuid?.() !== 0) return 'Nephos runs without root.';
  const found = new Map<string, string>();
  for (const [name, debianPackage] of Object.entries(PROGRAMS)) {
    const [program] = findPrograms(name, path);
    if (!program) return `${name} (${debianPackage}) is not installed.`;
    found.set(name, program);
  }
  // Every name of the list was found.
  const programs = Object.fromEntries(found) as Programs;
  const trial = { folder: join(folder, 'mount'), image: join(folder, 'image') };
  try {
    await mount(programs, trial, { bytes: TRIAL, account: undefined, growsMounted: true });
    const growsMounted = await growMounted(programs, trial, TRIAL + MB);
    await unmount(programs, trial);
    return createDiskImages(programs, growsMounted);
  } catch {
    return 'This system does not let Nephos mount file systems of its own (loop devices).';
  } finally {
    await removeTree(folder).catch(() => {});
  }
}

function createDiskImages(programs: Programs, growsMounted: boolean): DiskImages {
  const turns = createTurns(1);
  return {
    growsMounted,
    async mount(place, bytes, account) {
      using _turn = await turns.take();
      const mounted = await mountAt(place.folder);
      if (mounted) {
        if (!mounted.isReadOnly && (await growMounted(programs, place, bytes))) return;
        try {
          await unmount(programs, place);
        } catch (error) {
          // The kernel lets nobody write any more where it found an error. Else what is in use may grow another time.
          if (mounted.isReadOnly) throw error;
          return;
        }
      }
      await mount(programs, place, { bytes, account, growsMounted });
    },
    async grow(place, bytes) {
      using _turn = await turns.take();
      if (growsMounted && (await mountAt(place.folder))) await growMounted(programs, place, bytes);
    },
    async unmount(place) {
      using _turn = await turns.take();
      await unmount(programs, place);
    },
  };
}

interface NewDisk {
  bytes: number;
  account: Account | undefined;
}

async function mount(
  programs: Programs,
  place: DiskPlace,
  { growsMounted, ...disk }: NewDisk & Pick<DiskImages, 'growsMounted'>,
): Promise<void> {
  const { folder, image } = place;
  if (!existsSync(image)) await make(programs, image, disk);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // An earlier server may have it mounted elsewhere; the kernel then gives us the same file system.
  if (!(await isAttached(programs, image))) {
    await check(programs, image, '-p');
    if (!growsMounted && (await enlarge(image, imageSize(disk.bytes)))) {
      await check(programs, image, '-fp');
      await call(programs.resize2fs, [image]);
    }
  }
  await call(programs.mount, ['-t', 'ext4', '-o', OPTIONS, '--', image, folder]);
  // Many a program refuses a folder that is not empty. What is in it stays, as does what has its name.
  await rmdir(join(folder, 'lost+found')).catch(() => {});
  // The kernel's own way may be cut short at any moment.
  if (growsMounted) await growMounted(programs, place, disk.bytes);
}

/** Whether what is mounted has that size now. What was cut before is made up for. */
async function growMounted(
  programs: Programs,
  { folder, image }: DiskPlace,
  bytes: number,
): Promise<boolean> {
  const { device = '' } = (await mountAt(folder)) ?? {};
  if (!(await enlarge(image, imageSize(bytes)))) return true;
  await call(programs.losetup, ['--set-capacity', device]);
  return call(programs.resize2fs, [device]).then(
    () => true,
    () => false,
  );
}

/** Bytes of an image in which so many are left for files. */
function imageSize(bytes: number): number {
  const kept = Math.min(bytes * KEPT_FREE.share, KEPT_FREE.most);
  const size = (bytes + kept + FIXED * MB) * (1 + TABLES);
  return Math.ceil(size / MB) * MB;
}

/** Makes an image, all of it or none. */
async function make(programs: Programs, image: string, { bytes, account }: NewDisk): Promise<void> {
  const half = `${image}${HALF_MADE}`;
  await mkdir(dirname(image), { recursive: true, mode: 0o700 });
  await using file = await open(half, 'w', 0o600);
  const size = imageSize(bytes);
  await file.truncate(size);
  // A small disk that grows has as many files for each further part as it has for the first.
  const perFile = Math.min(4 * BLOCK, Math.floor(size / FILES));
  const { uid, gid } = account ?? { uid: 0, gid: 0 };
  await call(programs['mkfs.ext4'], [
    ...['-q', '-b', String(BLOCK), '-i', String(perFile), '-m', '0', '-J', `size=${JOURNAL}`],
    ...['-E', `lazy_itable_init=1,lazy_journal_init=1,root_owner=${uid}:${gid}`, half],
  ]);
  await file.sync();
  await rename(half, image);
  await using folder = await open(dirname(image));
  await folder.sync();
}

/** Puts right what a crash of the machine left in what is not mounted. */
async function check({ e2fsck }: Programs, image: string, how: '-p' | '-fp'): Promise<void> {
  const code = await run(e2fsck, [how, image], { env: {}, timeout: TIME_MS }).then(
    () => 0,
    ({ code }: { code?: unknown }) => code,
  );
  if (!SOUND.some((sound) => sound === code)) {
    throw new Error('Its file system is damaged: an administrator has to repair it with e2fsck.');
  }
}

/** Makes an image as large as it should be. Whether its file system is smaller than it is then. */
async function enlarge(image: string, size: number): Promise<boolean> {
  await using file = await open(image, 'r+');
  const present = (await file.stat()).size;
  if (present < size) {
    await file.truncate(size);
    await file.sync();
  }
  const { buffer } = await file.read(Buffer.alloc(4), 0, 4, BLOCK_COUNT);
  return buffer.readUInt32LE() * BLOCK < Math.max(size, present);
}

/** A process that has just ended may hold it for a moment; then the kernel takes a moment to let go of the image. */
async function unmount(programs: Programs, { folder, image }: DiskPlace): Promise<void> {
  for (let tries = 1; await mountAt(folder); tries++) {
    try {
      await call(programs.umount, ['--', folder]);
    } catch (error) {
      if (tries === TRIES) throw error;
      await wait(PAUSE_MS);
    }
  }
  for (let tries = 0; tries < TRIES && (await isAttached(programs, image)); tries++) await wait(PAUSE_MS);
}

async function isAttached({ losetup }: Programs, image: string): Promise<boolean> {
  return existsSync(image) && (await call(losetup, ['--associated', image])) !== '';
}

/** What a program of ours prints. Throws what it says where it fails. */
async function call(program: string, args: string[]): Promise<string> {
  // Some of them look for others.
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };
  const { stdout } = await run(program, args, { env, timeout: TIME_MS }).catch(
    (error: { stderr?: string; message: string }) => {
      throw new Error(error.stderr?.trim() || error.message);
    },
  );
  return stdout.trim();
}
