import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';

const MAX_BYTES = 10 * 1024 * 1024;

export interface RotatingLog {
  write(chunk: Buffer): void;
  close(): void;
}

/** Appends to `file`, which is set aside as `<file>.1` each time it has grown past 10 MiB: two files at most. */
export function openRotatingLog(file: string, maxBytes = MAX_BYTES): RotatingLog {
  let descriptor = openSync(file, 'a', 0o600);
  let size = fstatSync(descriptor).size;
  let closed = false;

  function rotate(): void {
    closeSync(descriptor);
    renameSync(file, `${file}.1`);
    descriptor = openSync(file, 'a', 0o600);
    size = 0;
  }

  return {
    write(chunk) {
      if (closed) return;
      if (size >= maxBytes) rotate();
      // A full disk must not take the server down with its log.
      try {
        size += writeSync(descriptor, chunk);
      } catch {
        size += 0;
      }
    },
    close() {
      if (closed) return;
      closed = true;
      closeSync(descriptor);
    },
  };
}
