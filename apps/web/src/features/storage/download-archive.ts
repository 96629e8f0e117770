import { ARCHIVE_PATH } from '@nephos/contracts/constants';
import { refusalOf } from '../../lib/rest-errors.ts';
import { ask, save } from './ask-for-file.ts';

/** What an archive has: files, or all that is in a folder and below it. */
export type Archived = { ids: readonly string[] } | { bucket: string | undefined; folder: string };

/**
 * Hands an archive to the browser, which is called as the server says. Its head is asked for first, since a download cannot say
 * why not.
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
  const head = await ask(path, { method: 'HEAD' });
  if (!head.ok) {
    // The sentence is in the body.
    const answer = await ask(path);
    if (!answer.ok) throw refusalOf(answer.status, await answer.text());
    await answer.body?.cancel();
  }
  save(path, '');
}
