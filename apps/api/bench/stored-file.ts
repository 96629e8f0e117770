import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { StoredFile } from '@nephos/contracts';
import { UPLOAD_PATH } from '@nephos/contracts/constants';
import type { Console } from './console.ts';

/** The largest file that the console takes. */
export const FILE = randomBytes(10 * 1024 * 1024);

/** By Node's own client: `fetch` copies a body before it sends it, which takes as long as half of the upload. */
export async function uploadFile({ url, cookie }: Console): Promise<StoredFile> {
  const sent = request(`${url}${UPLOAD_PATH}?fileName=bench.bin`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/octet-stream', 'content-length': FILE.length },
  });
  sent.end(FILE);
  const [response]: IncomingMessage[] = await once(sent, 'response');
  const answer = await text(response as IncomingMessage);
  if (response?.statusCode !== 201) throw new Error(`the upload failed: ${answer}`);
  // The console answers by its own contract.
  return JSON.parse(answer) as StoredFile;
}
