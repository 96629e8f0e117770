import { ARCHIVE_PATH, downloadPath } from '@nephos/contracts/constants';
import { refusalOf, refused, unanswered } from '../../lib/rest-errors.ts';
import { inWorkspace } from '../../lib/tab-workspace.ts';

const MISSING = { message: 'File data not available', code: 'NOT_FOUND', requestId: '' };

/**
 * Asks for a file's bytes, or for what is said of them.
 *
 * @throws `CallError`; where there are no bytes, with our own sentence
 */
export async function askForFile(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(inWorkspace(path), init).catch(() => {
    throw unanswered();
  });
  if (response.ok) return response;
  if (response.status === 404) throw refused(404, MISSING);
  throw refusalOf(response.status, await response.text());
}

/**
 * Hands a file to the browser, which streams it to the disk; asked for first, since a download cannot say why not.
 *
 * @throws `CallError`
 */
export async function downloadFile({ id, fileName }: { id: string; fileName: string }): Promise<void> {
  const path = downloadPath(id);
  await askForFile(path, { method: 'HEAD' });
  save(path, fileName);
}

/** What an archive has: files, or all that is in a folder and below it. */
export type Archived = { ids: readonly string[] } | { bucket: string | undefined; folder: string };

/**
 * The same for an archive, which is called as the server says. Asked for with what says why not, and given up as it begins.
 *
 * @throws `CallError`
 */
export async function downloadArchive(archived: Archived): Promise<void> {
  const query = new URLSearchParams(
    'ids' in archived
      ? archived.ids.map((id) => ['ids', id])
      : { folder: archived.folder, ...(archived.bucket !== undefined && { bucketId: archived.bucket }) },
  );
  const path = `${ARCHIVE_PATH}?${query}`;
  const { body } = await askForFile(path, {});
  await body?.cancel();
  save(path, '');
}

function save(path: string, fileName: string): void {
  const link = document.createElement('a');
  link.href = inWorkspace(path);
  link.download = fileName;
  link.click();
}
