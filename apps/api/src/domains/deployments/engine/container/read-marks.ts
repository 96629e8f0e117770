import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Up to where the logs of containers were read, by their names: so that the next server goes on from there. */
export interface ReadMarks {
  /** The mark of the last piece; '' where none was read. */
  read(name: string): string;
  /** Is told of each piece, and writes that down a moment later, when it has been stored. */
  note(name: string, mark: string): void;
  /** Writes down at once what was noted. */
  settle(name: string): void;
  forget(name: string): void;
}

/** Longer than a piece takes from here to the database. */
const WRITE_MS = 300;

export function createReadMarks(folder: string): ReadMarks {
  const noted = new Map<string, { mark: string; timer: NodeJS.Timeout }>();
  const fileOf = (name: string) => join(folder, name);
  const write = (name: string, mark: string) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(fileOf(name), mark, { mode: 0o600 });
  };
  return {
    read(name) {
      try {
        return readFileSync(fileOf(name), 'utf8');
      } catch {
        return '';
      }
    },
    note(name, mark) {
      const before = noted.get(name);
      if (before) {
        before.mark = mark;
        return;
      }
      const timer = setTimeout(() => {
        noted.delete(name);
        write(name, mark);
      }, WRITE_MS);
      timer.unref();
      noted.set(name, { mark, timer });
    },
    settle(name) {
      const last = noted.get(name);
      if (!last) return;
      clearTimeout(last.timer);
      noted.delete(name);
      write(name, last.mark);
    },
    forget(name) {
      clearTimeout(noted.get(name)?.timer);
      noted.delete(name);
      rmSync(fileOf(name), { force: true });
    },
  };
}
