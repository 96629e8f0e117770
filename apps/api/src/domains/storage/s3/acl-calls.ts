import { atomically } from '@nephos/db';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { record } from '../../../platform/audit.ts';
import { objectAt } from '../versions.ts';
import { ownerXml } from './bucket-calls.ts';
import { setPublic } from './bucket-settings.ts';
import { readable } from './get-object.ts';
import { missing, setVersion } from './named-version.ts';
import { isPublicAcl } from './object-headers.ts';
import { listOf } from './parse-xml.ts';
import { placeOf } from './put-object.ts';
import { type BucketCall, documentOf, doerOf } from './s3-call.ts';
import type { S3Caller } from './s3-caller.ts';
import { S3Error } from './s3-error.ts';
import { sendXml, type XmlElements } from './xml.ts';

type Call = BucketCall & { caller: S3Caller };

const XSI = 'http://www.w3.org/2001/XMLSchema-instance';
const EVERYBODY = 'http://acs.amazonaws.com/groups/global/AllUsers';

function grant(type: 'CanonicalUser' | 'Group', grantee: XmlElements, Permission: string): XmlElements {
  return { Grantee: { '@xmlns:xsi': XSI, '@xsi:type': type, ...grantee }, Permission };
}

/** As lists of grants, for which clients ask: all is its owner's, and perhaps anybody's to read. */
function sendGrants({ reply, caller }: Call, isPublic: boolean): FastifyReply {
  const owner = ownerXml(caller.workspace);
  const all = grant('CanonicalUser', owner, 'FULL_CONTROL');
  const read = isPublic ? [grant('Group', { URI: EVERYBODY }, 'READ')] : [];
  return sendXml(reply, 'AccessControlPolicy', {
    Owner: owner,
    AccessControlList: { Grant: [all, ...read] },
  });
}

/** GetBucketAcl: of who may read what is in it. */
export async function sendBucketAcl(call: Call): Promise<FastifyReply> {
  return sendGrants(call, call.bucket.isPublic);
}

/** GetObjectAcl. */
export async function sendObjectAcl(call: Call): Promise<FastifyReply> {
  const row = await readable(call);
  setVersion(call.reply, call.bucket, row);
  return sendGrants(call, row.isPublic);
}

const Grant = z.object({
  Grantee: z.object({ ID: z.string().optional(), URI: z.string().optional() }),
  Permission: z.string(),
});
/** An element without any is read as text. */
const NoGrants = z.literal('').transform(() => ({ Grant: [] }));
const Policy = z.object({ AccessControlList: z.union([NoGrants, z.object({ Grant: listOf(Grant) })]) });

/** Whether an ACL, canned or in grants, makes something public. Throws NotImplemented for what there is not here. */
async function isPublicBy(call: Call): Promise<boolean> {
  const canned = isPublicAcl(call);
  if (canned !== undefined) return canned;
  const { AccessControlList } = await documentOf(call, 'AccessControlPolicy', Policy);
  const given = AccessControlList.Grant.map(({ Grantee: { ID, URI }, Permission }) => {
    if (URI === EVERYBODY && Permission === 'READ') return true;
    if (ID === call.caller.workspace.id && Permission === 'FULL_CONTROL') return false;
    throw new S3Error('NotImplemented', { message: 'Grants can only be the owner’s, or let anybody read.' });
  });
  return given.includes(true);
}

/** PutBucketAcl. */
export async function putBucketAcl(call: Call): Promise<FastifyReply> {
  const isPublic = await isPublicBy(call);
  if (isPublic !== call.bucket.isPublic) await setPublic(call, isPublic);
  return call.reply.send();
}

/** PutObjectAcl. */
export async function putObjectAcl(call: Call): Promise<FastifyReply> {
  const isPublic = await isPublicBy(call);
  const place = placeOf(call);
  await atomically(call.parts.db, async (trx) => {
    const file = await objectAt(trx, place).forUpdate().executeTakeFirst();
    if (!file) throw await missing(trx, place, undefined);
    if (file.isPublic === isPublic) return;
    await trx.updateTable('storedFiles').set({ isPublic }).where('id', '=', file.id).execute();
    await record(trx, {
      ...{ ...doerOf(call), ownerId: place.ownerId, procedure: 'storage.update' },
      subject: { kind: 'file', id: file.id, name: file.fileName },
      ...{ before: { isPublic: file.isPublic }, after: { isPublic } },
    });
  });
  return call.reply.send();
}
