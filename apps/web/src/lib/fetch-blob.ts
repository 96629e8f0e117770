import { fetchAgain } from './fetch-again.ts';
import { cancelled, refusalOf, unanswered } from './rest-errors.ts';
import { workspaceHeaders } from './tab-workspace.ts';

/**
 * The bytes at an address of our own, fetched before they are saved, since a download cannot say why not.
 *
 * @throws `CallError`, the same as the refusal would be through tRPC
 */
export async function fetchBlob(path: string): Promise<Blob> {
  const response = await fetchAgain(path, { headers: workspaceHeaders() }).catch((error: unknown) => {
    throw error instanceof Error && error.name === 'AbortError' ? cancelled() : unanswered();
  });
  if (!response.ok) throw refusalOf(response.status, await response.text());
  return response.blob();
}
