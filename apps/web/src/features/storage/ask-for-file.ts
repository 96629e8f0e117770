import { downloadPath } from '@nephos/contracts/constants';
import { refusalOf, refused, unanswered } from '../../lib/rest-errors.ts';
import { inWorkspace } from '../../lib/tab-workspace.ts';

const MISSING = { message: 'File data not available', code: 'NOT_FOUND', requestId: '' };

/** @throws `CallError` where no answer came */
export function ask(path: string, init?: RequestInit): Promise<Response> {
  return fetch(inWorkspace(path), init).catch(() => {
    throw unanswered();
  });
}

/**
 * Asks for a file's bytes, or for what is said of them.
 *
 * @throws `CallError`; where there are no bytes, with our own sentence
 */
export async function askForFile(path: string, init: RequestInit): Promise<Response> {
  const response = await ask(path, init);
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

/** Has the browser save what is at a path, under that name, or the server's. */
export function save(path: string, fileName: string): void {
  const link = document.createElement('a');
  link.href = inWorkspace(path);
  link.download = fileName;
  link.click();
}
