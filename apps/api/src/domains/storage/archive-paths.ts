import { nthName } from './same-path.ts';
import type { FileRow } from './service.ts';

type Placed = Pick<FileRow, 'filePath' | 'fileName'>;

/** The deepest folder that all of them are in or below; it begins and ends with a slash. */
export function commonFolder(files: readonly Pick<Placed, 'filePath'>[]): string {
  const [first = [], ...others] = files.map(({ filePath }) => filePath.split('/').slice(0, -1));
  const differs = first.findIndex((part, at) => others.some((parts) => parts[at] !== part));
  return `${first.slice(0, differs === -1 ? first.length : differs).join('/')}/`;
}

/** What some system would not take as a part of a path, or for the end of one; keys of S3 clients may have anything. */
const UNFIT = /[\p{Cc}\\]/gu;
const DRIVE = /^[a-z](?=:)/i;

function partOf(text: string): string {
  const part = text.replace(UNFIT, '_');
  return part === '.' || part === '..' ? part.replaceAll('.', '_') : part;
}

/** As systems compare names that keep, but do not tell apart, their case. */
function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/**
 * Where files are in an archive of `root`: below it, none outside of it, and each in a place of its own wherever the archive
 * is taken apart. One whose place is taken is numbered like a file of the console.
 */
export function archivePaths(files: readonly Placed[], root: string): string[] {
  const split = files.map(({ filePath, fileName }) => ({
    folders: filePath
      .slice(root.length)
      .split('/')
      .filter((part) => part !== '')
      .map(partOf),
    name: partOf(fileName || '_'),
  }));
  const taken = new Set(
    split.flatMap(({ folders }) => folders.map((_, at) => fold(folders.slice(0, at + 1).join('/')))),
  );
  const tried = new Map<string, number>();
  return split.map(({ folders, name }) => {
    const usual = fold([...folders, name].join('/'));
    for (let nth = tried.get(usual) ?? 0; ; nth += 1) {
      const path = [...folders, nthName(name, nth)].join('/').replace(DRIVE, '_');
      if (taken.has(fold(path))) continue;
      tried.set(usual, nth + 1);
      taken.add(fold(path));
      return path;
    }
  });
}
