import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import {
  AbortMultipartUploadCommand,
  type ChecksumAlgorithm,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type CreateMultipartUploadCommandInput,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { expect } from 'vitest';
import type { ConformanceCase } from './s3-conformance-cases.ts';
import type { S3World } from './s3-conformance-world.ts';
import { expectRefusal } from './s3-world.ts';

const FIRST = randomBytes(5 * 1024 * 1024);
const SECOND = randomBytes(1000);
const WHOLE = Buffer.concat([FIRST, SECOND]);

interface At {
  Bucket: string;
  Key: string;
  UploadId: string;
}

function md5(...texts: (Uint8Array | string)[]): string {
  const hash = createHash('md5');
  for (const text of texts) hash.update(text);
  return hash.digest('hex');
}

async function begun(
  { s3, bucket }: S3World,
  more: Partial<CreateMultipartUploadCommandInput> = {},
): Promise<At> {
  const at = { Bucket: more.Bucket ?? (await bucket()), Key: more.Key ?? 'big' };
  const { UploadId = '' } = await s3.send(new CreateMultipartUploadCommand({ ...at, ...more }));
  return { ...at, UploadId };
}

async function sent({ s3 }: S3World, at: At, ...bodies: readonly Uint8Array[]): Promise<CompletedPart[]> {
  const parts: CompletedPart[] = [];
  for (const [index, Body] of bodies.entries()) {
    const PartNumber = index + 1;
    const answer = await s3.send(new UploadPartCommand({ ...at, PartNumber, Body }));
    const { ETag, ChecksumCRC32, ChecksumSHA256 } = answer;
    parts.push({ PartNumber, ETag, ChecksumCRC32, ChecksumSHA256 } as CompletedPart);
  }
  return parts;
}

function completing(at: At, Parts: CompletedPart[], more: object = {}): CompleteMultipartUploadCommand {
  return new CompleteMultipartUploadCommand({ ...at, MultipartUpload: { Parts }, ...more });
}

async function bytesOf({ s3 }: S3World, { Bucket, Key }: Omit<At, 'UploadId'>, more: object = {}) {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key, ...more }));
  return Buffer.from((await Body?.transformToByteArray()) ?? []);
}

/** What the calls about uploads in parts have to do. */
export const MULTIPART: readonly ConformanceCase[] = [
  {
    name: 'test_multipart_upload',
    says: 'Parts make one object, with its metadata, and an ETag by theirs; a range goes over them',
    async run(world) {
      const at = await begun(world, {
        ...{ ContentType: 'text/foo', Metadata: { foo: 'bar' }, ChecksumAlgorithm: 'CRC32' },
      });
      const parts = await sent(world, at, FIRST, SECOND);
      const done = await world.s3.send(completing(at, parts));
      const binary = [FIRST, SECOND].map((part) => Buffer.from(md5(part), 'hex'));
      const ETag = `"${md5(...binary)}-2"`;
      expect(done).toMatchObject({ ETag, Bucket: at.Bucket, Key: 'big', ChecksumType: 'COMPOSITE' });
      const head = await world.s3.send(
        new HeadObjectCommand({ Bucket: at.Bucket, Key: 'big', ChecksumMode: 'ENABLED' }),
      );
      expect(head).toMatchObject({
        ...{ ETag, ContentLength: WHOLE.length, ContentType: 'text/foo', Metadata: { foo: 'bar' } },
        ChecksumCRC32: done.ChecksumCRC32,
      });
      expect((await bytesOf(world, at)).equals(WHOLE)).toBe(true);
      const range = `bytes=${FIRST.length - 2}-${FIRST.length + 1}`;
      const seam = WHOLE.subarray(FIRST.length - 2, FIRST.length + 2);
      expect((await bytesOf(world, at, { Range: range })).equals(seam)).toBe(true);
      expect((await bytesOf(world, at, { PartNumber: 2 })).equals(SECOND)).toBe(true);
      // Asked again, as after an answer that was lost.
      expect(await world.s3.send(completing(at, parts))).toMatchObject({ ETag });
    },
  },
  {
    name: 'test_multipart_checksum_full_object',
    says: 'Of CRCs that of the whole is known when the parts are, as if it had come at once',
    async run(world) {
      for (const ChecksumAlgorithm of ['CRC32', 'CRC32C', 'CRC64NVME'] satisfies ChecksumAlgorithm[]) {
        const at = await begun(world, { ChecksumAlgorithm, ChecksumType: 'FULL_OBJECT' });
        const parts: CompletedPart[] = [];
        for (const [index, Body] of [FIRST, SECOND].entries()) {
          const part = { ...at, PartNumber: index + 1, Body, ChecksumAlgorithm };
          const { ETag } = await world.s3.send(new UploadPartCommand(part));
          parts.push({ PartNumber: index + 1, ETag } as CompletedPart);
        }
        const done = await world.s3.send(completing(at, parts, { ChecksumType: 'FULL_OBJECT' }));
        const whole = await world.s3.send(
          new PutObjectCommand({ Bucket: at.Bucket, Key: 'whole', Body: WHOLE, ChecksumAlgorithm }),
        );
        const name = `Checksum${ChecksumAlgorithm}` as const;
        expect(done[name]).toMatch(/=$/);
        expect(done[name]).toBe(whole[name]);
      }
    },
  },
  {
    name: 'test_multipart_checksum_sha256',
    says: 'A checksum of the whole, or its size, that comes with the last call is compared: BadDigest, InvalidRequest',
    async run(world) {
      const at = await begun(world, { ChecksumAlgorithm: 'SHA256' });
      const body = { ...at, PartNumber: 1, Body: SECOND, ChecksumAlgorithm: 'SHA256' as const };
      const { ETag, ChecksumSHA256 } = await world.s3.send(new UploadPartCommand(body));
      const parts = [{ PartNumber: 1, ETag, ChecksumSHA256 }] as CompletedPart[];
      const sum = Buffer.from(ChecksumSHA256 ?? '', 'base64');
      const composite = `${createHash('sha256').update(sum).digest('base64')}-1`;
      const done = (more: object) => world.s3.send(completing(at, parts, more));
      await expectRefusal(done({ ChecksumSHA256: ChecksumSHA256 }), 'BadDigest', 400);
      await expectRefusal(done({ MpuObjectSize: SECOND.length + 1 }), 'InvalidRequest', 400);
      const all = { ChecksumSHA256: composite, MpuObjectSize: SECOND.length };
      expect(await done(all)).toMatchObject({ ChecksumSHA256: composite });
      expect(await done(all)).toMatchObject({ ChecksumSHA256: composite });
    },
  },
  {
    name: 'test_multipart_checksum_mismatch',
    says: 'Parts have the checksum that the upload was begun with, sent or computed; another: InvalidRequest, InvalidPart',
    async run(world) {
      const { s3, signed } = world;
      const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64');
      const at = await begun(world, { ChecksumAlgorithm: 'SHA256' });
      const part = { ...at, PartNumber: 1, Body: SECOND };
      const other = new UploadPartCommand({ ...part, ChecksumAlgorithm: 'CRC32' });
      await expectRefusal(s3.send(other), 'InvalidRequest', 400);
      const path = `/${at.Bucket}/${at.Key}`;
      const query = { partNumber: '1', uploadId: at.UploadId };
      const { headers } = await signed({ method: 'PUT', path, query, body: SECOND.toString('base64') });
      const ChecksumSHA256 = sha256(Buffer.from(SECOND.toString('base64')));
      expect(headers['x-amz-checksum-sha256']).toBe(ChecksumSHA256);
      const named = (sums: object) => [{ PartNumber: 1, ETag: headers.etag, ...sums }] as CompletedPart[];
      const wrong = { ChecksumSHA256: sha256(FIRST) };
      await expectRefusal(s3.send(completing(at, named(wrong))), 'InvalidPart', 400);
      await expectRefusal(s3.send(completing(at, named({ ChecksumCRC32: 'AAAAAA==' }))), 'InvalidPart', 400);
      expect(await s3.send(completing(at, named({ ChecksumSHA256 })))).toMatchObject({
        ChecksumSHA256: `${sha256(Buffer.from(ChecksumSHA256, 'base64'))}-1`,
      });
    },
  },
  {
    name: 'test_multipart_checksum_unknown',
    says: 'A checksum of the whole that the parts do not tell is refused and not passed over: InvalidRequest',
    async run(world) {
      const { bucket, signed } = world;
      const path = `/${await bucket()}/big`;
      const begin = await signed({ method: 'POST', path, query: { uploads: '' } });
      const uploadId = /<UploadId>(.*)<\/UploadId>/.exec(begin.text)?.[1] ?? '';
      const { headers } = await signed({
        method: 'PUT',
        path,
        query: { partNumber: '1', uploadId },
        body: 'a',
      });
      const complete = (more: Record<string, string>) => {
        const part = `<Part><PartNumber>1</PartNumber><ETag>${headers.etag}</ETag></Part>`;
        const body = `<CompleteMultipartUpload>${part}</CompleteMultipartUpload>`;
        return signed({ method: 'POST', path, query: { uploadId }, body, headers: more });
      };
      expect(await complete({ 'x-amz-checksum-crc64nvme': 'AAAAAAAAAAA=' })).toMatchObject({
        status: 400,
        text: expect.stringContaining('<Code>InvalidRequest</Code>'),
      });
      // Sent with a checksum, the part tells that of the whole.
      const crc32Of = (text: string) => {
        const sum = Buffer.alloc(4);
        sum.writeUInt32BE(crc32(text));
        return { 'x-amz-checksum-crc32': sum.toString('base64') };
      };
      const again = { partNumber: '1', uploadId };
      await signed({ method: 'PUT', path, query: again, body: 'a', headers: crc32Of('a') });
      expect(await complete(crc32Of('b'))).toMatchObject({
        status: 400,
        text: expect.stringContaining('<Code>BadDigest</Code>'),
      });
      expect(await complete(crc32Of('a'))).toMatchObject({ status: 200 });
    },
  },
  {
    name: 'test_multipart_get_part',
    says: 'A part of an object is read by its number, and how many there are; another one: InvalidPartNumber',
    async run(world) {
      const at = await begun(world);
      await world.s3.send(completing(at, await sent(world, at, FIRST, SECOND)));
      const part = (Key: string, PartNumber: number) =>
        world.s3.send(new HeadObjectCommand({ Bucket: at.Bucket, Key, PartNumber }));
      expect(await part(at.Key, 2)).toMatchObject({ PartsCount: 2, ContentLength: SECOND.length });
      await world.s3.send(new PutObjectCommand({ Bucket: at.Bucket, Key: 'whole', Body: 'abc' }));
      expect(await part('whole', 1)).toMatchObject({ ContentLength: 3 });
      for (const Key of [at.Key, 'whole']) {
        const get = new GetObjectCommand({ Bucket: at.Bucket, Key, PartNumber: 3 });
        await expectRefusal(world.s3.send(get), 'InvalidPartNumber', 416);
      }
    },
  },
  {
    name: 'test_multipart_complete_and_abort_at_once',
    says: 'Of an end and a giving up at the same time one is done, and what is there is whole',
    async run(world) {
      for (let round = 0; round < 5; round += 1) {
        const at = await begun(world, { Key: `race-${round}` });
        const parts = await sent(world, at, SECOND);
        const settled = await Promise.allSettled([
          world.s3.send(completing(at, parts)),
          world.s3.send(new AbortMultipartUploadCommand(at)),
          world.s3.send(new UploadPartCommand({ ...at, PartNumber: 2, Body: FIRST })),
          world.s3.send(completing(at, parts)),
        ]);
        const [complete, abort, , again] = settled.map(({ status }) => status);
        expect([complete, again].includes('fulfilled')).toBe(abort === 'rejected');
        if (abort === 'rejected') expect((await bytesOf(world, at)).equals(SECOND)).toBe(true);
      }
    },
  },
  {
    name: 'test_multipart_upload_size_too_small',
    says: 'A part before the last that has less than 5 MiB: EntityTooSmall',
    async run(world) {
      const at = await begun(world);
      const parts = await sent(world, at, SECOND, SECOND);
      await expectRefusal(world.s3.send(completing(at, parts)), 'EntityTooSmall', 400);
    },
  },
  {
    name: 'test_multipart_upload_missing_part',
    says: 'Parts that have not arrived, have another ETag, or come in another order: InvalidPart, InvalidPartOrder',
    async run(world) {
      const at = await begun(world);
      const [first, second] = await sent(world, at, FIRST, SECOND);
      if (!first || !second) throw new Error('two parts were sent');
      const refused = (parts: CompletedPart[], code: string) =>
        expectRefusal(world.s3.send(completing(at, parts)), code, 400);
      await refused([first, { ...second, PartNumber: 9999 }], 'InvalidPart');
      await refused([first, { ...second, ETag: '"ffffffffffffffffffffffffffffffff"' }], 'InvalidPart');
      await refused([first, { ...second, ChecksumCRC32: 'AAAAAA==' }], 'InvalidPart');
      await refused([second, first], 'InvalidPartOrder');
      await refused([], 'MalformedXML');
      const other = { ...at, Key: 'other' };
      await expectRefusal(world.s3.send(completing(other, [first])), 'NoSuchUpload', 404);
      await expectRefusal(world.bob.send(completing(at, [first])), 'AccessDenied', 403);
      await expectRefusal(world.reader.send(completing(at, [first])), 'AccessDenied', 403);
      expect(await world.s3.send(completing(at, [first, second]))).toMatchObject({ Key: 'big' });
    },
  },
  {
    name: 'test_multipart_upload_resend_part',
    says: 'A part that is sent again takes the place of the former one; parts that are not named go',
    async run(world) {
      const at = await begun(world);
      await sent(world, at, randomBytes(10), SECOND, SECOND);
      const [first] = await sent(world, at, SECOND);
      await world.s3.send(completing(at, first ? [first] : []));
      expect((await bytesOf(world, at)).equals(SECOND)).toBe(true);
    },
  },
  {
    name: 'test_abort_multipart_upload',
    says: 'What is given up is gone; again: NoSuchUpload',
    async run(world) {
      const at = await begun(world);
      const parts = await sent(world, at, SECOND);
      await world.s3.send(new AbortMultipartUploadCommand(at));
      await expectRefusal(world.s3.send(new AbortMultipartUploadCommand(at)), 'NoSuchUpload', 404);
      await expectRefusal(world.s3.send(completing(at, parts)), 'NoSuchUpload', 404);
      const unknown = { ...at, UploadId: '56788' };
      await expectRefusal(world.s3.send(new AbortMultipartUploadCommand(unknown)), 'NoSuchUpload', 404);
      const part = new UploadPartCommand({ ...at, PartNumber: 1, Body: SECOND });
      await expectRefusal(world.s3.send(part), 'NoSuchUpload', 404);
      await expectRefusal(
        world.s3.send(new UploadPartCommand({ ...at, PartNumber: 10_001, Body: SECOND })),
        'InvalidArgument',
        400,
      );
    },
  },
  {
    name: 'test_multipart_copy_small',
    says: 'A part may be copied from an object, whole or a range of it',
    async run(world) {
      const Bucket = await world.bucket();
      await world.s3.send(new PutObjectCommand({ Bucket, Key: 'source object', Body: WHOLE }));
      const at = await begun(world, { Bucket });
      const copied = (PartNumber: number, CopySourceRange?: string) =>
        world.s3.send(
          new UploadPartCopyCommand({
            ...{ ...at, PartNumber, CopySource: `${Bucket}/source%20object` },
            ...(CopySourceRange !== undefined && { CopySourceRange }),
          }),
        );
      const one = await copied(1);
      const two = await copied(2, 'bytes=1-4');
      expect(one.CopyPartResult?.ETag).toBe(`"${md5(WHOLE)}"`);
      await expectRefusal(copied(3, `bytes=0-${WHOLE.length}`), 'InvalidRange', 416);
      await expectRefusal(copied(3, 'bytes=4-'), 'InvalidArgument', 400);
      const parts = [one, two].map(({ CopyPartResult }, index) => ({
        ...{ PartNumber: index + 1, ETag: CopyPartResult?.ETag },
      }));
      await world.s3.send(completing(at, parts as CompletedPart[]));
      expect((await bytesOf(world, at)).equals(Buffer.concat([WHOLE, WHOLE.subarray(1, 5)]))).toBe(true);
    },
  },
  {
    name: 'test_multipart_copy_checksum',
    says: 'A copied part has the checksum that its upload was begun with',
    async run(world) {
      const Bucket = await world.bucket(['source']);
      const at = await begun(world, { Bucket, ChecksumAlgorithm: 'SHA256' });
      const ChecksumSHA256 = createHash('sha256').update('source').digest('base64');
      const copy = new UploadPartCopyCommand({ ...at, PartNumber: 1, CopySource: `${Bucket}/source` });
      const { CopyPartResult } = await world.s3.send(copy);
      expect(CopyPartResult).toMatchObject({ ChecksumSHA256, ETag: `"${md5('source')}"` });
      const { ETag = '' } = CopyPartResult ?? {};
      await world.s3.send(completing(at, [{ PartNumber: 1, ETag, ChecksumSHA256 }]));
      const ofParts = createHash('sha256').update(Buffer.from(ChecksumSHA256, 'base64')).digest('base64');
      const head = await world.s3.send(
        new HeadObjectCommand({ Bucket, Key: at.Key, ChecksumMode: 'ENABLED' }),
      );
      expect(head.ChecksumSHA256).toBe(`${ofParts}-1`);
    },
  },
  {
    name: 'test_list_multipart_upload',
    says: 'Uploads and parts are listed in their order and by pages, uploads also by prefix and delimiter',
    async run(world) {
      const Bucket = await world.bucket();
      const keys = ['a/1', 'a/1', 'a/2', 'b'];
      const all: At[] = [];
      for (const Key of keys) all.push(await begun(world, { Bucket, Key }));
      const seen: (string | undefined)[] = [];
      let next: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {};
      for (let page = 0; page < 4; page += 1) {
        const input = { Bucket, MaxUploads: 1, ...next };
        const answer = await world.s3.send(new ListMultipartUploadsCommand(input as { Bucket: string }));
        seen.push(...(answer.Uploads ?? []).map(({ UploadId }) => UploadId));
        expect(answer.IsTruncated).toBe(page < 3);
        next = { KeyMarker: answer.NextKeyMarker, UploadIdMarker: answer.NextUploadIdMarker };
      }
      expect(seen).toEqual(all.map(({ UploadId }) => UploadId));
      const folders = await world.s3.send(new ListMultipartUploadsCommand({ Bucket, Delimiter: '/' }));
      expect(folders.CommonPrefixes).toEqual([{ Prefix: 'a/' }]);
      expect(folders.Uploads?.map(({ Key }) => Key)).toEqual(['b']);
      const below = await world.s3.send(new ListMultipartUploadsCommand({ Bucket, Prefix: 'a/' }));
      expect(below.Uploads).toHaveLength(3);

      const [at] = all;
      if (!at) throw new Error('uploads were begun');
      await sent(world, at, SECOND, SECOND, SECOND);
      const first = await world.s3.send(new ListPartsCommand({ ...at, MaxParts: 2 }));
      expect(first).toMatchObject({ IsTruncated: true, NextPartNumberMarker: '2' });
      const last = await world.s3.send(new ListPartsCommand({ ...at, PartNumberMarker: '2' }));
      expect(last).toMatchObject({ IsTruncated: false, Parts: [{ PartNumber: 3, Size: SECOND.length }] });
    },
  },
  {
    name: 'test_multipart_put_object_if_failed',
    says: 'Conditions of a write hold when an upload is finished',
    async run(world) {
      const at = await begun(world);
      const parts = await sent(world, at, SECOND);
      await world.s3.send(new PutObjectCommand({ Bucket: at.Bucket, Key: at.Key, Body: 'first' }));
      const refused = world.s3.send(completing(at, parts, { IfNoneMatch: '*' }));
      await expectRefusal(refused, 'PreconditionFailed', 412);
      await world.s3.send(completing(at, parts, { IfMatch: `"${md5('first')}"` }));
      expect((await bytesOf(world, at)).equals(SECOND)).toBe(true);
    },
  },
];
