import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { IfExists, StoredFile } from '@nephos/contracts';
import { expect } from 'vitest';
import type { Answer, Person, World } from '../world.ts';

export const MB = 1024 * 1024;

export function dataUrl(bytes: Uint8Array | string, type = 'text/plain'): string {
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
}

/** The documented body of `POST /api/storage`. */
export function documented(bytes: Uint8Array | string, change: object = {}) {
  return {
    fileName: 'notes.txt',
    filePath: '/uploads/',
    fileSize: Buffer.byteLength(bytes),
    mimeType: 'text/plain',
    fileData: dataUrl(bytes),
    isPublic: false,
    ...change,
  };
}

export interface Upload {
  name?: string;
  path?: string;
  type?: string;
  isPublic?: boolean;
  ifExists?: IfExists | undefined;
  headers?: Record<string, string>;
}

/** The streaming upload, as the console makes it. */
export async function upload(
  { url }: Pick<World, 'url'>,
  { cookie }: Pick<Person, 'cookie'>,
  bytes: Uint8Array | string,
  { name = 'notes.txt', path, type = 'text/plain', isPublic, ifExists, headers }: Upload = {},
): Promise<Answer> {
  const query = new URLSearchParams({
    fileName: name,
    ...(path !== undefined && { filePath: path }),
    ...(ifExists !== undefined && { ifExists }),
    ...(isPublic !== undefined && { isPublic: String(isPublic) }),
  });
  const response = await fetch(`${url}/api/storage/upload?${query}`, {
    method: 'POST',
    headers: { cookie, 'content-type': type, ...headers },
    body: Buffer.from(bytes),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as unknown };
}

export async function uploaded(...args: Parameters<typeof upload>): Promise<StoredFile> {
  const answer = await upload(...args);
  expect(answer).toMatchObject({ status: 201 });
  return answer.body as StoredFile;
}

/** Every file below the object store's folder: objects and whatever is temporary. */
export async function filesOnDisk({ deps }: World): Promise<string[]> {
  const folder = join(deps.settings.dataDir, 'objects');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}
