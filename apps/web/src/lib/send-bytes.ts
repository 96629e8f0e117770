import type { CallError } from './errors.ts';
import { cancelled, refusalOf, unanswered } from './rest-errors.ts';
import { workspaceHeaders } from './tab-workspace.ts';

export interface Sending {
  url: string;
  method?: 'POST' | 'PUT';
  bytes: Blob;
  /** Media type of the bytes. */
  type: string;
  /** Aborting it ends the request. */
  signal: AbortSignal;
  /** Told how many bytes have left so far. */
  onProgress: (sent: number) => void;
}

/**
 * Sends bytes as they are and reads the answer as JSON of type `Output`. `XMLHttpRequest`, because `fetch` cannot say
 * how much of a body has left.
 *
 * @throws `CallError`, the same as the refusal would be through tRPC
 */
export function sendBytes<Output>({
  url,
  method = 'POST',
  bytes,
  type,
  signal,
  onProgress,
}: Sending): Promise<Output> {
  // An event that was before anybody listened would not end it.
  if (signal.aborted) return Promise.reject(cancelled());
  const { promise, resolve, reject } = Promise.withResolvers<Output>();
  const fail = (error: CallError) => reject(error);
  const request = new XMLHttpRequest();
  const abort = () => request.abort();

  request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded));
  request.addEventListener('load', () => {
    if (request.status < 200 || request.status > 299)
      return fail(refusalOf(request.status, request.responseText));
    // Our own server's contracted answer.
    const output: Output = JSON.parse(request.responseText);
    resolve(output);
  });
  request.addEventListener('error', () => fail(unanswered()));
  request.addEventListener('abort', () => fail(cancelled()));
  request.addEventListener('loadend', () => signal.removeEventListener('abort', abort));
  signal.addEventListener('abort', abort);

  request.open(method, url);
  request.setRequestHeader('content-type', type);
  for (const [name, value] of Object.entries(workspaceHeaders())) request.setRequestHeader(name, value);
  request.send(bytes);
  return promise;
}
