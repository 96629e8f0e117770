import { createHmac, timingSafeEqual } from 'node:crypto';
import type { storage } from '@nephos/contracts';
import type { BytesAnswer } from '@nephos/contracts/kit';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Context, UserContext } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';
import type { SecretsBox } from '../../platform/secrets-box.ts';
import { answerOf } from './download.ts';
import type { FileRow } from './service.ts';
import type { StorageParts } from './storage.ts';

/** Makes and checks the signatures of shared links. */
export interface ShareSigner {
  /** In base64url; `until` is in seconds since 1970. */
  sign(file: Pick<FileRow, 'id' | 'shareNonce'>, until: number): string;
}

export function createShareSigner(secrets: Pick<SecretsBox, 'deriveKey'>): ShareSigner {
  const key = secrets.deriveKey('shared file links');
  return {
    sign: ({ id, shareNonce }, until) =>
      createHmac('sha256', key).update(`${id} ${shareNonce} ${until}`).digest('base64url'),
  };
}

/** Makes a link that is good for `seconds` by the database's clock. Throws 404. */
export async function shareFile(
  { db, ownerId, audit }: UserContext,
  { settings, signer }: Pick<StorageParts, 'settings' | 'signer'>,
  { id, seconds }: z.output<typeof storage.share.input>,
): Promise<z.output<typeof storage.share.output>> {
  const file = await db
    .selectFrom('storedFiles')
    .select(['id', 'fileName', 'shareNonce'])
    .select(sql<number>`floor(extract(epoch from now()))::bigint + ${seconds}`.as('until'))
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!file) throw notFound();
  const { fileName, until } = file;
  const ends = new Date(until * 1000).toISOString();
  audit.note({ subject: { name: fileName }, after: { until: ends } });
  const link = new URL(`/files/shared/${id}/${encodeURIComponent(fileName)}`, settings.publicUrl);
  link.search = new URLSearchParams({ until: `${until}`, signature: signer.sign(file, until) }).toString();
  return { link: link.href, until: ends };
}

/** Ends all links of a file. Throws 404. */
export async function unshareFile(
  { db, ownerId, audit }: UserContext,
  id: string,
): Promise<{ success: true }> {
  const file = await db
    .updateTable('storedFiles')
    .set({ shareNonce: sql<number>`share_nonce + 1` })
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .returning('fileName')
    .executeTakeFirst();
  if (!file) throw notFound();
  audit.note({ subject: { name: file.fileName } });
  return { success: true };
}

/** A file by a link, whatever name its address has. Throws 404 also where the link has ended or is none of ours. */
export async function downloadSharedFile(
  { db }: Context,
  parts: Pick<StorageParts, 'objects' | 'log' | 'signer'>,
  { id, until, signature, inline }: z.output<typeof storage.sharedFile.input>,
): Promise<BytesAnswer> {
  const file = await db
    .selectFrom('storedFiles')
    .selectAll()
    .select(sql<boolean>`now() < to_timestamp(${Number(until)})`.as('isLive'))
    .where('id', '=', id)
    .executeTakeFirst();
  if (!file?.isLive || !isSame(parts.signer.sign(file, Number(until)), signature)) {
    throw notFound('NOT_FOUND', 'This link has ended, or the file is gone.');
  }
  return answerOf(parts, file, inline);
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
