import type { Wanted } from './upload-queue.ts';

const KEY = 'uploads';
/** As long as the server keeps an upload that nobody goes on with. */
const KEPT_MS = 7 * 24 * 3600 * 1000;

interface Kept {
  id: string;
  /** Bytes of each part but the last. */
  partSize: number;
  begunAt: number;
}

/** The same for the same file on the way to the same place, also after a reload: as far as a browser tells. */
function nameOf({ file, filePath, bucketId }: Wanted): string {
  return JSON.stringify([file.name, file.size, file.lastModified, filePath, bucketId ?? '']);
}

/** What is kept here is no one's but this page's; something else that stands there is as good as nothing. */
function read(): Record<string, Kept> {
  try {
    const all: Record<string, Kept> = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return Object.fromEntries(
      Object.entries(all).filter(([, { begunAt }]) => begunAt > Date.now() - KEPT_MS),
    );
  } catch {
    return {};
  }
}

function write(all: Record<string, Kept>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    // A browser that keeps nothing sends the file anew after a reload.
  }
}

/** The upload that was begun of this file before; undefined where none was. */
export function keptUpload(wanted: Wanted): Kept | undefined {
  return read()[nameOf(wanted)];
}

export function keepUpload(wanted: Wanted, { id, partSize }: Pick<Kept, 'id' | 'partSize'>): void {
  write({ ...read(), [nameOf(wanted)]: { id, partSize, begunAt: Date.now() } });
}

export function forgetUpload(wanted: Wanted): void {
  forgetName(nameOf(wanted));
}

function forgetName(name: string): void {
  const { [name]: _, ...others } = read();
  write(others);
}

/** An upload that was begun in this browser, and where the file goes. */
export interface BegunUpload extends Omit<Wanted, 'file'> {
  id: string;
  /** Bytes of the whole file. */
  size: number;
  /** Whether a file is that one, as far as a browser tells. */
  isOf: (file: File) => boolean;
  forget: () => void;
}

/** What was begun in this browser and neither finished nor given up, in any tab. */
export function begunUploads(): BegunUpload[] {
  return Object.entries(read()).map(([name, { id }]) => {
    // Our own writing.
    const [, size, , filePath, bucket]: [string, number, number, string, string] = JSON.parse(name);
    const place = { filePath, bucketId: bucket || undefined };
    const isOf = (file: File) => nameOf({ file, ...place }) === name;
    return { id, size, ...place, isOf, forget: () => forgetName(name) };
  });
}
