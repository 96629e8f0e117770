import { randomBytes } from 'node:crypto';
import type { StoredFile } from '@nephos/contracts';
import { UPLOAD_PATH } from '@nephos/contracts/constants';
import type { Console } from './console.ts';

/** The largest file that the console takes. */
export const FILE = randomBytes(10 * 1024 * 1024);

export async function uploadFile({ url, cookie }: Console): Promise<StoredFile> {
  const response = await fetch(`${url}${UPLOAD_PATH}?fileName=bench.bin`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/octet-stream' },
    body: FILE,
  });
  if (response.status !== 201) throw new Error(`the upload failed: ${await response.text()}`);
  // The console answers by its own contract.
  return (await response.json()) as StoredFile;
}
