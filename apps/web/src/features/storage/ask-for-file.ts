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
