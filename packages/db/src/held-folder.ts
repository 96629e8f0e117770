import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, runsAsRoot } from './unprivileged-account.ts';

/**
 * A folder that another account may change at any moment, held by its descriptor: what becomes of its name, and of
 * those above it, no longer matters.
 */
export interface HeldFolder extends AsyncDisposable {
  /** The path of an entry of this folder and no other, until the folder is let go. The entry itself may be a link. */
  at(name: string): string;
}

/** An entry was not taken; the message completes a sentence that begins with its name. */
export class NotTaken extends Error {
  override readonly name = 'NotTaken';
  /** It is there, but nothing for us to read. */
  readonly isHidden: boolean;

  constructor(message: string, code?: string) {
    super(message);
    this.isHidden = code === 'EACCES';
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'is not there any more',
  ENOTDIR: 'is not a folder',
  ELOOP: 'is a link',
  ENXIO: 'is not a file',
  EACCES: 'cannot be read',
};

/**
 * Holds a folder of `account`, of anybody without one. A link is not followed. Throws `NotTaken`. `path` is one whose
 * folders only we can change, or comes from the `at` of the folder above.
 */
export async function holdFolder(path: string | Buffer, account: Account | undefined): Promise<HeldFolder> {
  const handle = await take(path, constants.O_DIRECTORY, account);
  return {
    at: (name) => join(placeOf(handle, path), name),
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

/**
 * Opens a plain file of `account`, of anybody without one, for reading. A link is not followed and a pipe not waited
 * for. Throws `NotTaken`. `path` is one that `holdFolder` would take.
 */
export async function openPlainFile(
  path: string | Buffer,
  account: Account | undefined,
): Promise<FileHandle> {
  const handle = await take(path, constants.O_NONBLOCK, account);
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new NotTaken('is not a file');
}

/** The first `maxBytes` of such a file as text; undefined where there is none. */
export async function readPlainFile(
  path: string,
  account: Account | undefined,
  maxBytes: number,
): Promise<string | undefined> {
  try {
    await using file = await openPlainFile(path, account);
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, maxBytes)), 0);
    return buffer.subarray(0, bytesRead).toString('utf8');
  } catch (error) {
    if (error instanceof NotTaken) return undefined;
    throw error;
  }
}

async function take(path: string | Buffer, flags: number, account: Account | undefined): Promise<FileHandle> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | flags).catch(
    (error: NodeJS.ErrnoException) => {
      const reason = REASONS[error.code ?? ''];
      throw reason ? new NotTaken(reason, error.code) : error;
    },
  );
  // It may be a second name of a file that belongs to somebody else, where the system lets one make that.
  if (account && (await handle.stat()).uid !== account.uid) {
    await handle.close();
    throw new NotTaken('belongs to another account');
  }
  return handle;
}

/** Linux resolves this to the folder itself (proc(5)). Elsewhere its name has to do, which only root could be hurt by. */
function placeOf(handle: FileHandle, path: string | Buffer): string {
  if (process.platform === 'linux') return `/proc/self/fd/${handle.fd}`;
  if (runsAsRoot())
    throw new Error('As root, Nephos needs Linux: it cannot hold on to folders of projects here.');
  return String(path);
}
