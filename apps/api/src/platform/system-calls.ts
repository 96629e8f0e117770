/** Of fcntl(2), on Linux: another descriptor of the same socket, which programs that we start do not inherit. */
const F_DUPFD_CLOEXEC = 1030;
/** Of preadv2(2), on Linux: nothing waits for the disk. */
const RWF_NOWAIT = 8;

/** Of sync_file_range(2), on Linux. */
const SYNC_FILE_RANGE_WRITE = 2;

/** Of lseek(2), on Linux; and the error that says that no bytes follow. */
const SEEK_DATA = 3;
const ENXIO = 6;

/** What Linux can do with open files beyond what Node offers. Descriptors are numbers of open files and sockets. */
export interface SystemCalls {
  /** Another descriptor of the same socket, or -1. */
  duplicate(descriptor: number): number;
  /** How many bytes the socket took, or -1. Works in a thread. */
  sendfile(socket: number, file: number, start: number, count: number): Promise<number>;
  /**
   * Reads from `start` on into `piece` what the kernel has in its memory, and answers the number of bytes. 0 or -1 where
   * it has nothing of that, or cannot tell: then only a thread may read, which the disk holds up. Linux 5.9 and 5.10 say
   * 0 before the end of a file as well (preadv2(2), BUGS).
   */
  readCached(file: number, piece: Buffer, start: number): number;
  /**
   * Has the disk begin to take what was written to `count` bytes of a file. Works in a thread. Whether it took them, and
   * what it refused, only a sync says.
   */
  beginWriteOut(file: number, start: number, count: number): Promise<void>;
  /**
   * Where a file has bytes of its own, from `start` on: all before it are zeros that take no room. Infinity where there
   * are none; `start` where the file system cannot tell. Moves the place that reads without one begin at.
   */
  nextData(file: number, start: number): number;
  /** Gives the system back what was freed between what is still in use (malloc_trim(3)). */
  trimMemory(): void;
}

async function load(): Promise<SystemCalls | undefined> {
  if (process.platform !== 'linux') return undefined;
  try {
    const { default: koffi } = await import('koffi');
    const system = koffi.load(null);
    const duplicate = system.func('int fcntl(int descriptor, int command, ...)');
    const sendfile = system.func(
      'intptr_t sendfile64(int socket, int file, _Inout_ int64_t *start, size_t count)',
    );
    const piece = koffi.pointer(koffi.struct({ base: 'void *', length: 'size_t' }));
    const preadv2 = system.func('preadv2', 'intptr_t', ['int', piece, 'int', 'int64_t', 'int']);
    const syncFileRange = system.func(
      'int sync_file_range(int file, int64_t offset, int64_t count, unsigned int flags)',
    );
    const seek = system.func('int64_t lseek64(int file, int64_t offset, int whence)');
    const trim = system.func('int malloc_trim(size_t keep)');
    return {
      duplicate: (descriptor) => duplicate(descriptor, F_DUPFD_CLOEXEC, 'int', 0),
      sendfile: (socket, file, start, count) =>
        new Promise((resolve, reject) => {
          sendfile.async(socket, file, [start], count, (error: Error | null, moved: number) => {
            if (error) reject(error);
            else resolve(moved);
          });
        }),
      readCached: (file, into, start) =>
        preadv2(file, [{ base: into, length: into.length }], 1, start, RWF_NOWAIT),
      beginWriteOut: (file, start, count) =>
        new Promise((resolve) => {
          syncFileRange.async(file, start, count, SYNC_FILE_RANGE_WRITE, () => resolve());
        }),
      nextData(file, start) {
        const found = Number(seek(file, start, SEEK_DATA));
        if (found >= 0) return found;
        return koffi.errno() === ENXIO ? Number.POSITIVE_INFINITY : start;
      },
      trimMemory: () => trim(0),
    };
  } catch {
    // An install without the optional package, or a system that it is not built for.
    return undefined;
  }
}

let loading: Promise<SystemCalls | undefined> | undefined;

/** Undefined where they cannot be had: then Node's own ways have to do. */
export function systemCalls(): Promise<SystemCalls | undefined> {
  loading ??= load();
  return loading;
}
