import { fitName, nthName } from './same-path.ts';
import type { FileRow } from './service.ts';

type Placed = Pick<FileRow, 'filePath' | 'fileName'>;

/** The deepest folder that all of them are in or below; it begins and ends with a slash. */
export function commonFolder(files: readonly Pick<Placed, 'filePath'>[]): string {
  const [first = [], ...others] = files.map(({ filePath }) => filePath.split('/').slice(0, -1));
  const differs = first.findIndex((part, at) => others.some((parts) => parts[at] !== part));
  return `${first.slice(0, differs === -1 ? first.length : differs).join('/')}/`;
}

/** What some system does not take in a name, or at its end; keys of S3 clients may have anything. */
const UNFIT = /[\p{Cc}\p{Bidi_Control}\\<>:"|?*]/gu;
const UNFIT_END = /[. ]+$/;
/** Devices of Windows, with whatever extension. */
const DEVICE = /^(?=(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))/i;
/** Bytes of a name: systems take 255, of which a number may have some. */
const MOST = 240;

function partOf(text: string): string {
  return fitName(text.replace(UNFIT, '_').replace(DEVICE, '_'), MOST).replace(UNFIT_END, (end) =>
    '_'.repeat(end.length),
  );
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
      const path = [...folders, nthName(name, nth)].join('/');
      if (taken.has(fold(path))) continue;
      tried.set(usual, nth + 1);
      taken.add(fold(path));
      return path;
    }
  });
}
