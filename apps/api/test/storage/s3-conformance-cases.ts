import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  ChecksumAlgorithm,
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  DeleteObjectTaggingCommand,
  GetBucketAclCommand,
  GetBucketEncryptionCommand,
  GetBucketLocationCommand,
  GetBucketPolicyStatusCommand,
  GetBucketWebsiteCommand,
  GetObjectAclCommand,
  GetObjectAttributesCommand,
  GetObjectCommand,
  GetObjectLockConfigurationCommand,
  GetObjectTaggingCommand,
  type Grant,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  type ListBucketsCommandOutput,
  ListObjectsCommand,
  ListObjectsV2Command,
  PutBucketAclCommand,
  PutBucketTaggingCommand,
  PutBucketVersioningCommand,
  PutObjectAclCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
} from '@aws-sdk/client-s3';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { readQuota } from '../../src/domains/plans/storage-quota.ts';
import type { S3World } from './s3-conformance-world.ts';
import { MULTIPART } from './s3-multipart-cases.ts';
import { SETTINGS } from './s3-settings-cases.ts';
import { VERSIONS } from './s3-version-cases.ts';
import { clientFor, expectRefusal, keyFor } from './s3-world.ts';

/** A case in the manner of ceph's s3-tests, by whose names most are called. */
export interface ConformanceCase {
  name: string;
  /** What a client can count on; for what is refused on purpose, what it gets in its place. */
  says: string;
  isRefused?: true;
  run(world: S3World): Promise<void>;
}

const DAY = 24 * 60 * 60 * 1000;

async function textOf(world: S3World, Bucket: string, Key: string): Promise<string | undefined> {
  const { Body } = await world.s3.send(new GetObjectCommand({ Bucket, Key }));
  return Body?.transformToString();
}

async function listed({ s3 }: S3World, input: ConstructorParameters<typeof ListObjectsV2Command>[0]) {
  const { Contents = [], CommonPrefixes = [], ...rest } = await s3.send(new ListObjectsV2Command(input));
  return {
    keys: Contents.map(({ Key }) => Key),
    prefixes: CommonPrefixes.map(({ Prefix }) => Prefix),
    ...rest,
  };
}

async function* streamed(...pieces: readonly string[]) {
  for (const piece of pieces) yield Buffer.from(piece);
}

/** A body that comes in pieces. */
function streamOf(...pieces: readonly string[]): Readable {
  return Readable.from(streamed(...pieces));
}

const BUCKETS: ConformanceCase[] = [
  {
    name: 'test_buckets_create_then_list',
    says: 'Buckets are made, listed, found and deleted',
    async run({ s3, bucket }) {
      const Bucket = await bucket();
      const { Buckets = [], Owner } = await s3.send(new ListBucketsCommand());
      expect(Buckets.map(({ Name }) => Name)).toEqual(expect.arrayContaining([Bucket, 'uploads']));
      expect(Owner?.ID).toMatch(/^[0-9a-f-]{36}$/);
      await s3.send(new HeadBucketCommand({ Bucket }));
      await s3.send(new DeleteBucketCommand({ Bucket }));
      await expectRefusal(s3.send(new ListObjectsV2Command({ Bucket })), 'NoSuchBucket', 404);
    },
  },
  {
    name: 'test_list_buckets_paginated',
    says: 'Buckets are listed by name, by pages and by prefix',
    async run({ s3, bucket }) {
      const names = [await bucket(), await bucket()].sort();
      const seen: (string | undefined)[] = [];
      let ContinuationToken: string | undefined;
      do {
        const page: ListBucketsCommandOutput = await s3.send(
          new ListBucketsCommand({ Prefix: 'case-', MaxBuckets: 1, ContinuationToken }),
        );
        expect(page.Buckets).toHaveLength(1);
        seen.push(...(page.Buckets ?? []).map(({ Name }) => Name));
        ContinuationToken = page.ContinuationToken;
      } while (ContinuationToken !== undefined);
      expect(seen).toEqual(expect.arrayContaining(names));
      expect(seen).toEqual([...new Set(seen)].sort());
    },
  },
  {
    name: 'test_bucket_create_naming_bad_short_two',
    says: 'Names have 3 to 63 characters: InvalidBucketName',
    run: ({ s3 }) =>
      expectRefusal(s3.send(new CreateBucketCommand({ Bucket: 'aa' })), 'InvalidBucketName', 400),
  },
  {
    name: 'test_bucket_create_naming_bad_ip',
    says: 'A name is no IP address: InvalidBucketName',
    run: ({ s3 }) =>
      expectRefusal(s3.send(new CreateBucketCommand({ Bucket: '192.168.5.123' })), 'InvalidBucketName', 400),
  },
  {
    name: 'test_bucket_create_exists',
    says: 'Making a bucket again is BucketAlreadyOwnedByYou',
    async run({ s3, bucket }) {
      const Bucket = await bucket();
      await expectRefusal(s3.send(new CreateBucketCommand({ Bucket })), 'BucketAlreadyOwnedByYou', 409);
    },
  },
  {
    name: 'test_bucket_create_exists_nonowner',
    says: "A name that is somebody else's is BucketAlreadyExists",
    async run({ bob, bucket }) {
      const Bucket = await bucket();
      await expectRefusal(bob.send(new CreateBucketCommand({ Bucket })), 'BucketAlreadyExists', 409);
    },
  },
  {
    name: 'test_bucket_delete_nonempty',
    says: 'A bucket with objects is BucketNotEmpty',
    async run({ s3, bucket }) {
      const Bucket = await bucket(['foo']);
      await expectRefusal(s3.send(new DeleteBucketCommand({ Bucket })), 'BucketNotEmpty', 409);
    },
  },
  {
    name: 'test_bucket_delete_notexist',
    says: 'A bucket that is not there is NoSuchBucket',
    run: ({ s3 }) =>
      expectRefusal(s3.send(new DeleteBucketCommand({ Bucket: 'nowhere' })), 'NoSuchBucket', 404),
  },
  {
    name: 'test_bucket_delete_nonowner',
    says: "Somebody else's bucket is AccessDenied",
    async run({ bob, bucket }) {
      const Bucket = await bucket();
      await expectRefusal(bob.send(new DeleteBucketCommand({ Bucket })), 'AccessDenied', 403);
    },
  },
  {
    name: 'test_bucket_delete_unclear',
    says: 'A deletion of what is not known here deletes nothing: NotImplemented',
    async run({ s3, signed, bucket }) {
      const Bucket = await bucket(['foo']);
      for (const path of [`/${Bucket}`, `/${Bucket}/foo`]) {
        const answer = await signed({ method: 'DELETE', path, query: { someday: '' } });
        expect(answer).toMatchObject({ status: 501, text: expect.stringContaining('NotImplemented') });
      }
      await s3.send(new HeadObjectCommand({ Bucket, Key: 'foo' }));
    },
  },
  {
    name: 'test_atomic_write_bucket_gone',
    says: 'What arrives for a bucket that was deleted meanwhile is NoSuchBucket',
    async run({ s3, bucket }) {
      const Bucket = await bucket();
      let end = () => {};
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      async function* slowly() {
        yield Buffer.alloc(100_000);
        await s3.send(new DeleteBucketCommand({ Bucket }));
        end();
        yield Buffer.alloc(100_000);
      }
      const put = { Bucket, Key: 'foo', Body: Readable.from(slowly()), ContentLength: 200_000 };
      await expectRefusal(s3.send(new PutObjectCommand(put)), 'NoSuchBucket', 404);
      await ended;
    },
  },
  {
    name: 'test_bucket_get_location',
    says: 'The location is the one without a name, us-east-1',
    async run({ s3, bucket }) {
      const { LocationConstraint } = await s3.send(new GetBucketLocationCommand({ Bucket: await bucket() }));
      expect(LocationConstraint).toBeUndefined();
    },
  },
  {
    name: 'test_uploads_bucket_stays',
    says: "The bucket of the console's files is listed like any other and cannot be deleted",
    run: ({ s3 }) =>
      expectRefusal(s3.send(new DeleteBucketCommand({ Bucket: 'uploads' })), 'AccessDenied', 403),
  },
];

const LISTS: ConformanceCase[] = [
  {
    name: 'test_bucket_list_empty',
    says: 'An empty bucket lists nothing',
    async run(world) {
      expect(await listed(world, { Bucket: await world.bucket() })).toMatchObject({ keys: [], KeyCount: 0 });
    },
  },
  {
    name: 'test_bucket_listv2_delimiter_basic',
    says: 'With a delimiter, folders are common prefixes',
    async run(world) {
      const Bucket = await world.rows(['foo/bar', 'foo/bar/xyzzy', 'quux/thud', 'asdf']);
      expect(await listed(world, { Bucket, Delimiter: '/' })).toMatchObject({
        ...{ keys: ['asdf'], prefixes: ['foo/', 'quux/'], KeyCount: 3 },
      });
      expect(await listed(world, { Bucket, Delimiter: '/', Prefix: 'foo/' })).toMatchObject({
        ...{ keys: ['foo/bar'], prefixes: ['foo/bar/'] },
      });
    },
  },
  {
    name: 'test_bucket_list_delimiter_prefix',
    says: 'Pages of the first version go on after a key or a common prefix',
    async run({ s3, rows }) {
      const Bucket = await rows(['asdf', 'boo/bar', 'boo/baz/xyzzy', 'cquux/thud', 'cquux/bla']);
      const page = async (Marker: string, MaxKeys: number) => {
        const {
          Contents = [],
          CommonPrefixes = [],
          NextMarker,
          IsTruncated,
        } = await s3.send(new ListObjectsCommand({ Bucket, Delimiter: '/', Marker, MaxKeys }));
        return [
          ...Contents.map(({ Key }) => Key),
          ...CommonPrefixes.map(({ Prefix }) => Prefix),
          NextMarker,
          IsTruncated,
        ];
      };
      expect(await page('', 1)).toEqual(['asdf', 'asdf', true]);
      expect(await page('asdf', 1)).toEqual(['boo/', 'boo/', true]);
      expect(await page('boo/', 1)).toEqual(['cquux/', undefined, false]);
      expect(await page('', 2)).toEqual(['asdf', 'boo/', 'boo/', true]);
    },
  },
  {
    name: 'test_bucket_listv2_delimiter_alt',
    says: 'Any text is a delimiter, also of several characters',
    async run(world) {
      const Bucket = await world.rows(['bar', 'baz', 'cab', 'foo', 'x--y--z', 'x--yy']);
      expect(await listed(world, { Bucket, Delimiter: 'a' })).toMatchObject({
        ...{ keys: ['foo', 'x--y--z', 'x--yy'], prefixes: ['ba', 'ca'] },
      });
      expect(await listed(world, { Bucket, Delimiter: '--', Prefix: 'x--' })).toMatchObject({
        ...{ keys: ['x--yy'], prefixes: ['x--y--'] },
      });
    },
  },
  {
    name: 'test_bucket_listv2_prefix_basic',
    says: 'A prefix is any beginning of a key; an unknown one lists nothing',
    async run(world) {
      const Bucket = await world.rows(['foo/bar', 'foo/baz', 'quux']);
      expect(await listed(world, { Bucket, Prefix: 'foo/' })).toMatchObject({ keys: ['foo/bar', 'foo/baz'] });
      expect(await listed(world, { Bucket, Prefix: 'd' })).toMatchObject({ keys: [] });
    },
  },
  {
    name: 'test_bucket_listv2_continuationtoken',
    says: 'A continuation token goes on where the page ended; each entry comes once',
    async run(world) {
      const keys = ['a/1', 'a/2', 'b', 'c/1', 'd', 'é/1', '😀/1', '😀b'];
      const Bucket = await world.rows(keys);
      const seen: unknown[] = [];
      let token: string | undefined;
      do {
        const page = await listed(world, { Bucket, Delimiter: '/', MaxKeys: 2, ContinuationToken: token });
        seen.push(...page.keys, ...page.prefixes);
        token = page.NextContinuationToken;
      } while (token !== undefined);
      expect(seen.sort()).toEqual(['a/', 'b', 'c/', 'd', 'é/', '😀/', '😀b'].sort());
    },
  },
  {
    name: 'test_bucket_listv2_startafter',
    says: 'start-after leaves out the key itself and all before it',
    async run(world) {
      const Bucket = await world.rows(['bar', 'baz', 'foo', 'quxx']);
      expect(await listed(world, { Bucket, StartAfter: 'baz' })).toMatchObject({ keys: ['foo', 'quxx'] });
      expect(await listed(world, { Bucket, StartAfter: 'zzz' })).toMatchObject({ keys: [] });
    },
  },
  {
    name: 'test_bucket_list_maxkeys',
    says: 'max-keys is 0 to 1,000; more is 1,000; anything else is InvalidArgument',
    async run(world) {
      const Bucket = await world.rows(['bar', 'baz', 'foo']);
      expect(await listed(world, { Bucket, MaxKeys: 0 })).toMatchObject({
        keys: [],
        IsTruncated: false,
        MaxKeys: 0,
      });
      expect(await listed(world, { Bucket, MaxKeys: 1 })).toMatchObject({ keys: ['bar'], IsTruncated: true });
      expect(await listed(world, { Bucket, MaxKeys: 3 })).toMatchObject({ IsTruncated: false });
      expect(await listed(world, { Bucket, MaxKeys: 1000 })).toMatchObject({ MaxKeys: 1000 });
      expect(await listed(world, { Bucket, MaxKeys: 1001 })).toMatchObject({ MaxKeys: 1000 });
      const blah = await world.signed({ path: `/${Bucket}`, query: { 'max-keys': 'blah' } });
      expect(blah).toMatchObject({
        status: 400,
        text: expect.stringContaining('<Code>InvalidArgument</Code>'),
      });
    },
  },
  {
    name: 'test_bucket_listv2_encoding_basic',
    says: 'encoding-type=url encodes what XML could not hold, and keeps the slash',
    async run(world) {
      const Bucket = await world.rows(['asdf+b', 'foo+1/bar', 'quux ab/thud', 'new\nline']);
      expect(await listed(world, { Bucket, Delimiter: '/', EncodingType: 'url' })).toMatchObject({
        ...{ keys: ['asdf%2Bb', 'new%0Aline'], prefixes: ['foo%2B1/', 'quux%20ab/'] },
      });
    },
  },
  {
    name: 'test_bucket_list_special_prefix',
    says: 'Keys come in the order of their bytes',
    async run(world) {
      const keys = ['Z', '_bla/1', 'a', 'ä', '\ud7ff', '\ue000', '\uf900', '😀'];
      const Bucket = await world.rows(keys.toReversed());
      expect(await listed(world, { Bucket })).toMatchObject({ keys });
      expect(await listed(world, { Bucket, Prefix: '😀', StartAfter: '\ud7ff' })).toMatchObject({
        keys: ['😀'],
      });
      expect(await listed(world, { Bucket, Prefix: '😀', StartAfter: '\ue000' })).toMatchObject({
        keys: ['😀'],
      });
    },
  },
  {
    name: 'test_bucket_listv2_fetchowner_notempty',
    says: 'Owners are shown where they are asked for, and always by the first version',
    async run({ s3, rows }) {
      const Bucket = await rows(['foo']);
      const list = async (FetchOwner: boolean) =>
        (await s3.send(new ListObjectsV2Command({ Bucket, FetchOwner }))).Contents?.[0]?.Owner?.ID;
      expect(await list(true)).toMatch(/^[0-9a-f-]{36}$/);
      expect(await list(false)).toBeUndefined();
      expect((await s3.send(new ListObjectsCommand({ Bucket }))).Contents?.[0]?.Owner?.ID).toBeDefined();
    },
  },
  {
    name: 'test_bucket_list_objects_anonymous_fail',
    says: 'Nobody lists without a key, not even a public bucket',
    async run({ s3, raw }) {
      await s3.send(new CreateBucketCommand({ Bucket: 'public-list', ACL: 'public-read' }));
      const answer = await raw({ path: '/public-list/', headers: { host: 's3.localhost' } });
      expect(answer).toMatchObject({
        status: 403,
        text: expect.stringContaining('<Code>AccessDenied</Code>'),
      });
    },
  },
];

const OBJECTS: ConformanceCase[] = [
  {
    name: 'test_object_write_read_update_read_delete',
    says: 'An object is written, read, written over and deleted; its ETag is its MD5',
    async run(world) {
      const { s3, bucket } = world;
      const [Bucket, Key] = [await bucket(), 'foo'];
      const { ETag } = await s3.send(new PutObjectCommand({ Bucket, Key, Body: 'bar' }));
      expect(ETag).toBe(`"${createHash('md5').update('bar').digest('hex')}"`);
      expect(await textOf(world, Bucket, Key)).toBe('bar');
      await s3.send(new PutObjectCommand({ Bucket, Key, Body: 'soup' }));
      expect(await textOf(world, Bucket, Key)).toBe('soup');
      await s3.send(new DeleteObjectCommand({ Bucket, Key }));
      await expectRefusal(s3.send(new GetObjectCommand({ Bucket, Key })), 'NoSuchKey', 404);
      await s3.send(new DeleteObjectCommand({ Bucket, Key }));
    },
  },
  {
    name: 'test_object_head_zero_bytes',
    says: 'An object may be empty',
    async run({ s3, bucket }) {
      const Bucket = await bucket();
      await s3.send(new PutObjectCommand({ Bucket, Key: 'folder/', Body: '' }));
      expect(await s3.send(new HeadObjectCommand({ Bucket, Key: 'folder/' }))).toMatchObject({
        ContentLength: 0,
      });
    },
  },
  {
    name: 'test_object_set_get_metadata',
    says: 'Type, metadata and the headers of HTTP come back as they were sent',
    async run({ s3, bucket }) {
      const Bucket = await bucket();
      const headers = {
        ContentType: 'Text/Plain; charset=UTF-8; x=1',
        CacheControl: 'public, max-age=14400',
        ContentDisposition: 'attachment; filename="a.txt"',
        ContentEncoding: 'gzip',
        ContentLanguage: 'de',
        Metadata: { meta1: 'bar', 'x-y': 'a b' },
      };
      await s3.send(new PutObjectCommand({ Bucket, Key: 'foo', Body: 'x', ...headers }));
      expect(await s3.send(new HeadObjectCommand({ Bucket, Key: 'foo' }))).toMatchObject(headers);
      await s3.send(new PutObjectCommand({ Bucket, Key: 'foo', Body: 'x' }));
      const plain = await s3.send(new HeadObjectCommand({ Bucket, Key: 'foo' }));
      expect(plain).toMatchObject({ ContentType: 'application/octet-stream', Metadata: {} });
    },
  },
  {
    name: 'test_object_set_get_unicode_metadata',
    says: 'Headers are signed, kept and sent as the bytes that came',
    async run({ bucket, signed }) {
      const Bucket = await bucket();
      const bytes = Buffer.from('Grüße, à').toString('latin1');
      const put = await signed(
        { method: 'PUT', path: `/${Bucket}/foo`, headers: { 'x-amz-meta-a': 'Grüße, à' } },
        {
          // As a client sends them, whose text is UTF-8.
          change: (headers) => {
            headers['x-amz-meta-a'] = bytes;
          },
        },
      );
      expect(put).toMatchObject({ status: 200 });
      const { headers } = await signed({ method: 'HEAD', path: `/${Bucket}/foo` });
      expect(headers['x-amz-meta-a']).toBe(bytes);
    },
  },
  {
    name: 'test_object_metadata_too_large',
    says: 'More than 2 KB of metadata is MetadataTooLarge',
    async run({ s3, bucket }) {
      const put = (length: number) =>
        new PutObjectCommand({ Bucket: 'metadata', Key: 'a', Body: '', Metadata: { m: 'x'.repeat(length) } });
      await s3.send(new CreateBucketCommand({ Bucket: 'metadata' }));
      await s3.send(put(2047));
      await expectRefusal(s3.send(put(2048)), 'MetadataTooLarge', 400);
      await bucket();
    },
  },
  {
    name: 'test_object_key_length',
    says: 'A key has at most 1,024 bytes of UTF-8: KeyTooLongError',
    async run({ s3, bucket }) {
      const Bucket = await bucket();
      await s3.send(new PutObjectCommand({ Bucket, Key: 'ä'.repeat(512), Body: '' }));
      await expectRefusal(
        s3.send(new PutObjectCommand({ Bucket, Key: `${'ä'.repeat(512)}x`, Body: '' })),
        ...(['KeyTooLongError', 400] as const),
      );
    },
  },
  {
    name: 'test_bucket_create_special_key_names',
    says: 'A key may be any text',
    async run(world) {
      const keys = [
        ' ',
        '"',
        '$',
        '%',
        '&',
        "'",
        '<',
        '>',
        '_',
        '_ ',
        '../x',
        'a//b',
        '.',
        'a?b#c',
        '+',
        'ü/😀',
        'a%2Fb',
      ];
      const Bucket = await world.bucket(keys);
      expect((await listed(world, { Bucket })).keys.sort()).toEqual(keys.sort());
      for (const key of keys) expect(await textOf(world, Bucket, key)).toBe(key);
    },
  },
  {
    name: 'test_ranged_request_response_code',
    says: 'A range is 206; one that is not there is InvalidRange',
    async run({ s3, bucket }) {
      const Bucket = await bucket(['testcontent']);
      const get = (Range: string) => s3.send(new GetObjectCommand({ Bucket, Key: 'testcontent', Range }));
      const part = await get('bytes=4-7');
      expect(part).toMatchObject({ ContentRange: 'bytes 4-7/11', $metadata: { httpStatusCode: 206 } });
      expect(await part.Body?.transformToString()).toBe('cont');
      expect(await (await get('bytes=-7')).Body?.transformToString()).toBe('content');
      expect(await (await get('bytes=4-')).Body?.transformToString()).toBe('content');
      await expectRefusal(get('bytes=40-50'), 'InvalidRange', 416);
    },
  },
  {
    name: 'test_get_object_ifmatch_good',
    says: 'Reads have conditions: PreconditionFailed, or 304',
    async run({ s3, bucket }) {
      const input = { Bucket: await bucket(['foo']), Key: 'foo' };
      const { ETag, LastModified } = await s3.send(new HeadObjectCommand(input));
      const get = (more: object) => s3.send(new GetObjectCommand({ ...input, ...more }));
      await get({ IfMatch: ETag });
      await get({ IfMatch: ETag?.replaceAll('"', '') });
      await expectRefusal(get({ IfMatch: '"ABCORZ"' }), 'PreconditionFailed', 412);
      await expectRefusal(get({ IfNoneMatch: ETag }), 'Error', 304);
      await get({ IfNoneMatch: 'ABCORZ' });
      await expectRefusal(get({ IfModifiedSince: LastModified }), 'Error', 304);
      await expectRefusal(get({ IfUnmodifiedSince: new Date(Date.now() - DAY) }), 'PreconditionFailed', 412);
    },
  },
  {
    name: 'test_put_object_ifnonmatch_overwrite_existed_failed',
    says: 'Writes have conditions: only if nothing is there, or only over what is known',
    async run({ s3, bucket }) {
      const Bucket = await bucket(['foo']);
      const put = (Key: string, more: object) =>
        s3.send(new PutObjectCommand({ Bucket, Key, Body: 'zar', ...more }));
      await expectRefusal(put('foo', { IfNoneMatch: '*' }), 'PreconditionFailed', 412);
      await put('new', { IfNoneMatch: '*' });
      await expectRefusal(put('foo', { IfMatch: '"ABCORZ"' }), 'PreconditionFailed', 412);
      await expectRefusal(put('absent', { IfMatch: '"ABCORZ"' }), 'NoSuchKey', 404);
      const { ETag } = await s3.send(new HeadObjectCommand({ Bucket, Key: 'foo' }));
      await put('foo', { IfMatch: ETag });
      const both = await Promise.allSettled([
        put('race', { IfNoneMatch: '*' }),
        put('race', { IfNoneMatch: '*' }),
      ]);
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    },
  },
  {
    name: 'test_object_checksum_sha256',
    says: 'CRC32, CRC32C, CRC64NVME, SHA1 and SHA256 are checked, kept and given back',
    async run({ s3, bucket }) {
      const Bucket = await bucket();
      const values = {
        CRC32: 'DUoRhQ==',
        CRC32C: 'yZRlqg==',
        CRC64NVME: 'jSnVw/bqjr4=',
        SHA1: 'Kq5sNclPz7QV2+lfQIuc6R7oRu0=',
        SHA256: 'uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek=',
      } as const;
      for (const algorithm of ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const) {
        const input = { Bucket, Key: algorithm };
        await s3.send(
          new PutObjectCommand({
            ...input,
            Body: 'hello world',
            ChecksumAlgorithm: ChecksumAlgorithm[algorithm],
          }),
        );
        const head = await s3.send(new HeadObjectCommand({ ...input, ChecksumMode: 'ENABLED' }));
        expect(head).toMatchObject({
          [`Checksum${algorithm}`]: values[algorithm],
          ChecksumType: 'FULL_OBJECT',
        });
        const wrong = { [`Checksum${algorithm}`]: values[algorithm] };
        await expectRefusal(
          s3.send(new PutObjectCommand({ ...input, Body: 'hello', ...wrong })),
          'BadDigest',
          400,
        );
      }
    },
  },
  {
    name: 'test_object_create_bad_md5_bad',
    says: 'Content-MD5 and x-amz-content-sha256 are checked: BadDigest, InvalidDigest, XAmzContentSHA256Mismatch',
    async run({ s3, bucket, signed }) {
      const Bucket = await bucket();
      const put = (ContentMD5: string) =>
        s3.send(new PutObjectCommand({ Bucket, Key: 'foo', Body: 'bar', ContentMD5 }));
      await put(createHash('md5').update('bar').digest('base64'));
      await expectRefusal(put(createHash('md5').update('baz').digest('base64')), 'BadDigest', 400);
      await expectRefusal(put('AWS HAHAHA'), 'InvalidDigest', 400);
      const headers = { 'x-amz-content-sha256': createHash('sha256').update('other').digest('hex') };
      const answer = await signed({ method: 'PUT', path: `/${Bucket}/sha`, body: 'bar', headers });
      expect(answer).toMatchObject({
        status: 400,
        text: expect.stringContaining('XAmzContentSHA256Mismatch'),
      });
      expect(await signed({ method: 'HEAD', path: `/${Bucket}/sha` })).toMatchObject({
        status: 404,
        text: '',
      });
    },
  },
  {
    name: 'test_object_copy_to_itself_with_metadata',
    says: 'Copies keep or replace metadata and tags, and get another checksum if asked; onto itself only with something new',
    async run(world) {
      const { s3, bucket } = world;
      const Bucket = await bucket();
      const Metadata = { a: '1' };
      await s3.send(new PutObjectCommand({ Bucket, Key: 'ü 1', Body: 'bytes', Metadata, Tagging: 'k=v' }));
      const CopySource = `${Bucket}/${encodeURIComponent('ü 1')}`;
      const copy = (Key: string, more: object = {}) =>
        s3.send(new CopyObjectCommand({ Bucket, Key, CopySource, ...more }));
      const { CopyObjectResult } = await copy('kept');
      expect(CopyObjectResult?.ETag).toBe(`"${createHash('md5').update('bytes').digest('hex')}"`);
      const head = (Key: string) => s3.send(new HeadObjectCommand({ Bucket, Key }));
      expect(await head('kept')).toMatchObject({ Metadata, TagCount: 1 });
      const summed = await copy('summed', { ChecksumAlgorithm: 'SHA256' });
      const ChecksumSHA256 = createHash('sha256').update('bytes').digest('base64');
      expect(summed.CopyObjectResult).toMatchObject({ ChecksumSHA256, ChecksumType: 'FULL_OBJECT' });
      await copy('new', { MetadataDirective: 'REPLACE', Metadata: { b: '2' }, ContentType: 'image/png' });
      expect(await head('new')).toMatchObject({ Metadata: { b: '2' }, ContentType: 'image/png' });
      expect(await textOf(world, Bucket, 'new')).toBe('bytes');
      await expectRefusal(copy('ü 1'), 'InvalidRequest', 400);
      await copy('ü 1', { MetadataDirective: 'REPLACE', Metadata: {} });
      await expectRefusal(copy('x', { CopySourceIfMatch: '"other"' }), 'PreconditionFailed', 412);
      await expectRefusal(copy('x', { CopySource: `${Bucket}/absent` }), 'NoSuchKey', 404);
      await expectRefusal(copy('x', { CopySource: 'nowhere/absent' }), 'NoSuchBucket', 404);
    },
  },
  {
    name: 'test_object_copy_not_owned_bucket',
    says: "Somebody else's object cannot be copied: AccessDenied",
    async run({ s3, bob, bucket }) {
      const Bucket = await bucket(['foo']);
      await bob.send(new CreateBucketCommand({ Bucket: 'bobs' }));
      const copy = { Bucket: 'bobs', Key: 'x', CopySource: `${Bucket}/foo` };
      await expectRefusal(bob.send(new CopyObjectCommand(copy)), 'AccessDenied', 403);
      await expectRefusal(s3.send(new CopyObjectCommand({ ...copy, Bucket: 'bobs' })), 'AccessDenied', 403);
    },
  },
  {
    name: 'test_multi_object_delete',
    says: 'Up to 1,000 are deleted at once; those that are not there count as deleted',
    async run(world) {
      const { s3 } = world;
      const Bucket = await world.bucket(['key0', 'key1', 'a&<b>', ' ']);
      const Objects = ['key0', 'a&<b>', ' ', 'absent'].map((Key) => ({ Key }));
      const { Deleted, Errors } = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
      expect({ Deleted: Deleted?.map(({ Key }) => Key), Errors }).toEqual({
        ...{ Deleted: ['key0', 'a&<b>', ' ', 'absent'], Errors: undefined },
      });
      expect(await listed(world, { Bucket })).toMatchObject({ keys: ['key1'] });
      const quiet = { Objects: [{ Key: 'key1' }], Quiet: true };
      expect((await s3.send(new DeleteObjectsCommand({ Bucket, Delete: quiet }))).Deleted).toBeUndefined();
      const many = { Objects: Array.from({ length: 1001 }, (_, at) => ({ Key: `k${at}` })) };
      await expectRefusal(s3.send(new DeleteObjectsCommand({ Bucket, Delete: many })), 'MalformedXML', 400);
    },
  },
  {
    name: 'test_multi_object_delete_key_limit',
    says: 'A thousand are deleted at once, with their bytes, while other writes are answered; where versions are kept, each with its marker',
    async run(world) {
      const { s3, rows } = world;
      const { db } = world.world.deps;
      const keys = Array.from({ length: 1000 }, (_, at) => `k/${at}`);
      const Objects = keys.map((Key) => ({ Key }));
      const Bucket = await rows(keys);
      const objects = await db
        .selectFrom('storedFiles')
        .innerJoin('buckets', 'buckets.id', 'storedFiles.bucketId')
        .select('objectKey')
        .where('buckets.name', '=', Bucket)
        .execute();
      const [{ Deleted }] = await Promise.all([
        s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } })),
        ...['a', 'b', 'c'].map((Key) => s3.send(new PutObjectCommand({ Bucket, Key, Body: Key }))),
      ]);
      expect(Deleted?.map(({ Key }) => Key)).toEqual(keys);
      expect(await listed(world, { Bucket })).toMatchObject({ keys: ['a', 'b', 'c'] });
      const { rows: jobs } = await sql<{ key: string }>`
        select jsonb_array_elements_text(data -> 'keys') as key from pgboss.job
        where name = 'storage.delete-object' and data ? 'keys'`.execute(db);
      const deleting = new Set(jobs.map(({ key }) => key));
      expect(objects.filter(({ objectKey }) => !deleting.has(objectKey))).toEqual([]);

      const VersioningConfiguration = { Status: 'Enabled' as const };
      await s3.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration }));
      const again = { Objects: Objects.slice(0, 60) };
      const marked = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: again }));
      const ids = marked.Deleted?.map(({ DeleteMarkerVersionId }) => DeleteMarkerVersionId);
      expect(new Set(ids).size).toBe(60);
    },
  },
  {
    name: 'test_multi_object_delete_special_names',
    says: 'Keys with ends of lines are deleted like any other; one that is no key is refused alone',
    async run(world) {
      const keys = ['new\nline', 'line\r', 'a\tb', 'x'.repeat(1025)];
      const Bucket = await world.rows(keys.slice(0, 3));
      const Objects = keys.map((Key) => ({ Key }));
      const { Deleted, Errors } = await world.s3.send(
        new DeleteObjectsCommand({
          Bucket,
          Delete: { Objects: [...Objects, { Key: 'a', VersionId: 'no' }] },
        }),
      );
      expect(Deleted).toHaveLength(3);
      expect(Errors).toMatchObject([{ Code: 'KeyTooLongError' }, { Code: 'InvalidArgument', Key: 'a' }]);
      expect(await listed(world, { Bucket })).toMatchObject({ keys: [] });
    },
  },
  {
    name: 'test_delete_object_if_match',
    says: 'A deletion can expect what is there, one by one among many as well; where nothing is, it is done',
    async run(world) {
      const { s3 } = world;
      const Bucket = await world.bucket(['foo']);
      const IfMatch = (await s3.send(new HeadObjectCommand({ Bucket, Key: 'foo' }))).ETag;
      const one = (expected: string | undefined) =>
        s3.send(new DeleteObjectCommand({ Bucket, Key: 'foo', IfMatch: expected }));
      const many = async (more: object) =>
        s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: 'foo', ...more }] } }));
      await expectRefusal(one('badetag'), 'PreconditionFailed', 412);
      expect((await many({ ETag: 'badetag' })).Errors).toMatchObject([{ Code: 'PreconditionFailed' }]);
      await expectRefusal(many({ Size: 1 }), 'NotImplemented', 501);
      const sized = new DeleteObjectCommand({ Bucket, Key: 'foo', IfMatchSize: 1 });
      await expectRefusal(s3.send(sized), 'NotImplemented', 501);
      expect(await textOf(world, Bucket, 'foo')).toBe('foo');
      expect((await many({ ETag: IfMatch })).Deleted).toHaveLength(1);
      await one('badetag');
      expect((await many({ ETag: 'badetag' })).Errors).toBeUndefined();
      await s3.send(new PutObjectCommand({ Bucket, Key: 'foo', Body: 'foo' }));
      await one(IfMatch);
      await expectRefusal(s3.send(new HeadObjectCommand({ Bucket, Key: 'foo' })), 'NotFound', 404);
    },
  },
  {
    name: 'test_get_obj_tagging',
    says: 'Tags are set with an object or after it, read and deleted; at most 10, each key once',
    async run({ s3, bucket }) {
      const input = { Bucket: await bucket(), Key: 'foo' };
      await s3.send(new PutObjectCommand({ ...input, Body: '', Tagging: 'a=1&b=' }));
      const read = async () => (await s3.send(new GetObjectTaggingCommand(input))).TagSet;
      expect(await read()).toEqual([
        { Key: 'a', Value: '1' },
        { Key: 'b', Value: '' },
      ]);
      const put = (TagSet: { Key: string; Value: string }[]) =>
        s3.send(new PutObjectTaggingCommand({ ...input, Tagging: { TagSet } }));
      await put([{ Key: 'c', Value: 'd e' }]);
      expect(await read()).toEqual([{ Key: 'c', Value: 'd e' }]);
      await expectRefusal(
        put(Array.from({ length: 11 }, (_, at) => ({ Key: `k${at}`, Value: '' }))),
        'BadRequest',
        400,
      );
      await expectRefusal(put([{ Key: 'k'.repeat(129), Value: '' }]), 'InvalidTag', 400);
      await s3.send(new DeleteObjectTaggingCommand(input));
      expect(await read()).toEqual([]);
    },
  },
  {
    name: 'test_object_acl_default',
    says: 'An ACL is the owner’s, and anybody’s to read where that was granted; other grants: NotImplemented',
    async run({ s3, bucket, reader, bob, world }) {
      const Bucket = await bucket(['foo']);
      const input = { Bucket, Key: 'foo' };
      const { Owner, Grants } = await s3.send(new GetBucketAclCommand({ Bucket }));
      expect(Grants).toEqual([{ Grantee: { ...Owner, Type: 'CanonicalUser' }, Permission: 'FULL_CONTROL' }]);
      const permissions = async () =>
        (await reader.send(new GetObjectAclCommand(input))).Grants?.map(({ Permission }) => Permission);
      expect(await permissions()).toEqual(['FULL_CONTROL']);
      await s3.send(new PutObjectAclCommand({ ...input, ACL: 'public-read' }));
      expect(await permissions()).toEqual(['FULL_CONTROL', 'READ']);
      await s3.send(new PutObjectAclCommand({ ...input, ACL: 'private' }));
      expect(await permissions()).toEqual(['FULL_CONTROL']);
      const Everybody = { Type: 'Group' as const, URI: 'http://acs.amazonaws.com/groups/global/AllUsers' };
      const granting = (...more: Grant[]) =>
        s3.send(
          new PutObjectAclCommand({
            ...input,
            AccessControlPolicy: { Owner, Grants: [...(Grants ?? []), ...more] },
          }),
        );
      await granting({ Grantee: Everybody, Permission: 'READ' });
      expect(await permissions()).toEqual(['FULL_CONTROL', 'READ']);
      for (const grant of [
        { Grantee: Everybody, Permission: 'WRITE' },
        { Grantee: { Type: 'CanonicalUser', ID: 'somebody' }, Permission: 'READ' },
      ] as const) {
        await expectRefusal(granting(grant), 'NotImplemented', 501);
      }
      expect(await permissions()).toEqual(['FULL_CONTROL', 'READ']);
      await granting();
      expect(await permissions()).toEqual(['FULL_CONTROL']);
      const records = await world.deps.db
        .selectFrom('auditLog')
        .select('after')
        .where('procedure', '=', 'storage.update')
        .orderBy('id')
        .execute();
      const told = [true, false, true, false].map((isPublic) => ({ after: { isPublic } }));
      expect(records.slice(-4)).toEqual(told);
      await s3.send(new PutBucketAclCommand({ Bucket, ACL: 'public-read' }));
      expect((await s3.send(new GetBucketPolicyStatusCommand({ Bucket }))).PolicyStatus?.IsPublic).toBe(true);
      await s3.send(new PutBucketAclCommand({ Bucket, ACL: 'private' }));
      await expectRefusal(
        reader.send(new PutObjectAclCommand({ ...input, ACL: 'private' })),
        'AccessDenied',
        403,
      );
      await expectRefusal(bob.send(new GetObjectAclCommand(input)), 'AccessDenied', 403);
      await expectRefusal(
        s3.send(new PutObjectAclCommand({ Bucket, Key: 'none', ACL: 'private' })),
        'NoSuchKey',
        404,
      );
    },
  },
  {
    name: 'test_get_object_attributes',
    says: 'Attributes are given without the bytes; what is none is InvalidArgument',
    async run({ s3, bucket }) {
      const input = { Bucket: await bucket(['foo']), Key: 'foo' };
      const attributes = await s3.send(
        new GetObjectAttributesCommand({
          ...input,
          ObjectAttributes: ['ETag', 'ObjectSize', 'StorageClass'],
        }),
      );
      expect(attributes).toMatchObject({ ObjectSize: 3, StorageClass: 'STANDARD', ETag: expect.any(String) });
      const other = new GetObjectAttributesCommand({ ...input, ObjectAttributes: ['Color' as 'ETag'] });
      await expectRefusal(s3.send(other), 'InvalidArgument', 400);
    },
  },
  {
    name: 'test_object_raw_get',
    says: 'Anybody reads a public bucket, by path and by host name; a private one is AccessDenied',
    async run({ s3, bucket, raw }) {
      await s3.send(new CreateBucketCommand({ Bucket: 'public-read', ACL: 'public-read' }));
      await s3.send(
        new PutObjectCommand({
          Bucket: 'public-read',
          Key: 'a/b.html',
          Body: '<p>',
          ContentType: 'text/html',
        }),
      );
      const byPath = await raw({ path: '/public-read/a/b.html', headers: { host: 's3.localhost' } });
      expect(byPath).toMatchObject({
        ...{ status: 200, text: '<p>' },
        headers: {
          'content-type': 'text/html',
          'content-security-policy': 'sandbox',
          'x-content-type-options': 'nosniff',
        },
      });
      expect(await raw({ path: '/a/b.html', headers: { host: 'public-read.s3.localhost' } })).toMatchObject({
        text: '<p>',
      });
      expect(await raw({ path: '/absent', headers: { host: 'public-read.s3.localhost' } })).toMatchObject({
        status: 404,
      });
      // The console's own host has nothing for anybody, whatever an address says of a signature.
      expect(await raw({ path: '/public-read/a/b.html' })).not.toMatchObject({ text: '<p>' });
      for (const name of ['X-Amz-Credential', 'x-amz-signature', 'x-amz-algorithm']) {
        const unsigned = await raw({ path: '/public-read/a/b.html', query: { [name]: 'x' } });
        expect(unsigned).toMatchObject({ status: 403, text: expect.stringContaining('AccessDenied') });
      }
      const Bucket = await bucket(['foo']);
      const host = `${Bucket}.s3.localhost`;
      expect(await raw({ path: '/foo', headers: { host } })).toMatchObject({ status: 403 });
      await s3.send(new PutObjectCommand({ Bucket, Key: 'open', Body: 'open', ACL: 'public-read' }));
      expect(await raw({ path: '/open', headers: { host } })).toMatchObject({ status: 200, text: 'open' });
      // What is written over it is private unless it says otherwise, and what was there is nobody else's business.
      const VersioningConfiguration = { Status: 'Enabled' as const };
      await s3.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration }));
      await s3.send(new PutObjectCommand({ Bucket, Key: 'open', Body: 'closed' }));
      expect(await raw({ path: '/open', headers: { host } })).toMatchObject({ status: 403 });
      await s3.send(new PutObjectCommand({ Bucket, Key: 'open', Body: 'again', ACL: 'public-read' }));
      expect(await raw({ path: '/open', headers: { host } })).toMatchObject({ status: 200, text: 'again' });
      const former = await raw({ path: '/open', query: { versionId: 'null' }, headers: { host } });
      expect(former).toMatchObject({ status: 403 });
      const overridden = await raw({
        path: '/open',
        query: { 'response-content-type': 'x/y' },
        headers: { host },
      });
      expect(overridden).toMatchObject({ status: 400 });
    },
  },
];

const PLANS: ConformanceCase[] = [
  {
    name: 'test_user_quota',
    says: 'What does not fit into the plan is QuotaExceeded, and leaves nothing',
    async run({ s3, ada, bucket, world }) {
      const Bucket = await bucket(['foo']);
      const put = (Key: string, length: number) =>
        s3.send(new PutObjectCommand({ Bucket, Key, Body: Buffer.alloc(length) }));
      const limit = (storage: number | null) =>
        ada.rpc.admin.setLimits.mutate({ ownerId: ada.user.id, projects: null, databases: null, storage });
      const { used, trash } = await readQuota(world.deps, ada.user.id);
      await limit(used - trash + 150_000);
      try {
        await put('fits', 100_000);
        await expectRefusal(put('large', 100_000), 'QuotaExceeded', 403);
        await expectRefusal(put('small', 60_000), 'QuotaExceeded', 403);
        await put('fits', 101_000);
        await expectRefusal(s3.send(new HeadObjectCommand({ Bucket, Key: 'small' })), 'NotFound', 404);
      } finally {
        await limit(null);
      }
    },
  },
];

const SIGNATURES: ConformanceCase[] = [
  {
    name: 'test_object_create_bad_authorization_invalid_aws4',
    says: 'A wrong secret key is SignatureDoesNotMatch, which tells nothing of what would have been right',
    async run({ world, credentials, bucket, signed }) {
      const Bucket = await bucket();
      const wrong = { ...credentials, secretAccessKey: 'x'.repeat(40) };
      const list = clientFor(world, wrong).send(new ListObjectsV2Command({ Bucket }));
      await expectRefusal(list, 'SignatureDoesNotMatch', 403);
      const { text } = await signed({ path: `/${Bucket}` }, { credentials: wrong });
      expect(text).not.toMatch(/StringToSign|CanonicalRequest|[0-9a-f]{64}/);
    },
  },
  {
    name: 'test_object_create_bad_authorization_unknown_key',
    says: 'An access key that is not there is InvalidAccessKeyId',
    async run({ world }) {
      const nobody = clientFor(world, { accessKeyId: 'NPHSAAAAAAAAAAAAAAAA', secretAccessKey: 'x' });
      await expectRefusal(nobody.send(new ListBucketsCommand()), 'InvalidAccessKeyId', 403);
    },
  },
  {
    name: 'test_object_create_bad_date_before_today_aws4',
    says: 'A request that was signed more than 15 minutes ago or ahead is RequestTimeTooSkewed',
    async run({ signed }) {
      for (const minutes of [-16, 16]) {
        const at = new Date(Date.now() + minutes * 60_000);
        const answer = await signed({ path: '/' }, { at });
        expect(answer).toMatchObject({ status: 403, text: expect.stringContaining('RequestTimeTooSkewed') });
      }
      expect(await signed({ path: '/' }, { at: new Date(Date.now() - 14 * 60_000) })).toMatchObject({
        status: 200,
      });
    },
  },
  {
    name: 'test_object_signed_headers_changed',
    says: 'What is signed cannot be changed, and headers of S3 cannot be added',
    async run({ signed }) {
      const changed = await signed(
        { path: '/', headers: { 'x-amz-meta-a': '1' } },
        {
          change: (headers) => {
            headers['x-amz-meta-a'] = '2';
          },
        },
      );
      expect(changed).toMatchObject({ status: 403, text: expect.stringContaining('SignatureDoesNotMatch') });
      const added = await signed(
        { path: '/' },
        {
          change: (headers) => {
            headers['x-amz-meta-a'] = '2';
          },
        },
      );
      expect(added).toMatchObject({ status: 403, text: expect.stringContaining('HeadersNotSigned') });
    },
  },
  {
    name: 'test_object_raw_get_x_amz_expires_out_range',
    says: 'A signed address is good for 1 second to 7 days, and not after that',
    async run({ s3, bucket, presigned, raw }) {
      const Bucket = await bucket(['foo']);
      const path = `/${Bucket}/foo`;
      expect(await raw({ path: await presigned({ path }) })).toMatchObject({ status: 200, text: 'foo' });
      const old = await presigned({ path }, { at: new Date(Date.now() - 61_000), expiresIn: 60 });
      expect(await raw({ path: old })).toMatchObject({
        status: 403,
        text: expect.stringContaining('expired'),
      });
      const long = (await presigned({ path })).replace('X-Amz-Expires=60', 'X-Amz-Expires=604801');
      expect(await raw({ path: long })).toMatchObject({ status: 400 });
      const changed = (await presigned({ path })).replace('X-Amz-Expires=60', 'X-Amz-Expires=61');
      expect(await raw({ path: changed })).toMatchObject({ status: 403 });
      const put = await presigned({ method: 'PUT', path: `/${Bucket}/put` });
      expect(await raw({ method: 'PUT', path: put, body: 'by address' })).toMatchObject({ status: 200 });
      const textOf = async (Key: string) =>
        (await s3.send(new GetObjectCommand({ Bucket, Key }))).Body?.transformToString();
      expect(await textOf('put')).toBe('by address');
      // A header that a client has put into the address is one.
      const query = { 'x-amz-copy-source': `/${Bucket}/foo` };
      const copy = await presigned({ method: 'PUT', path: `/${Bucket}/put`, query });
      expect(await raw({ method: 'PUT', path: copy })).toMatchObject({ status: 200 });
      expect(await textOf('put')).toBe('foo');
      const wrong: Record<string, string>[] = [
        ...[{ 'x-amz-meta-a': 'a\r\nb: c' }, { 'x-amz-meta-a b': 'c' }, { 'x-amz-meta-a': '\0' }],
      ];
      for (const query of wrong) {
        const address = await presigned({ method: 'PUT', path: `/${Bucket}/put`, query });
        expect(await raw({ method: 'PUT', path: address, body: 'x' })).toMatchObject({ status: 400 });
      }
    },
  },
  {
    name: 'test_object_raw_response_headers',
    says: 'A signed address changes the headers of the response; at the console no browser runs what comes',
    async run({ s3, bucket, presigned, raw }) {
      const Bucket = await bucket();
      await s3.send(new PutObjectCommand({ Bucket, Key: 'p', Body: 'x', ContentType: 'text/javascript' }));
      const query = { 'response-content-disposition': 'attachment', 'response-cache-control': 'no-cache' };
      const { headers } = await raw({ path: await presigned({ path: `/${Bucket}/p`, query }) });
      expect(headers).toMatchObject({
        ...{ 'content-disposition': 'attachment', 'cache-control': 'no-cache' },
        ...{ 'content-type': 'application/octet-stream', 'content-security-policy': 'sandbox' },
      });
    },
  },
  {
    name: 'test_put_obj_streaming_aws4',
    says: 'Bodies come in chunks, signed ones too, with checksums behind them; a changed chunk is refused',
    async run(world) {
      const { bucket, signed, s3 } = world;
      const Bucket = await bucket();
      await s3.send(
        new PutObjectCommand({ Bucket, Key: 'stream', Body: streamOf('a', 'bc'), ContentLength: 3 }),
      );
      expect(await textOf(world, Bucket, 'stream')).toBe('abc');
      const send = (body: string, trailer = 'x-amz-checksum-crc32:DUoRhQ==') =>
        signed({
          method: 'PUT',
          path: `/${Bucket}/chunks`,
          body: `${body}${trailer}\r\n\r\n`,
          headers: {
            'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
            'x-amz-decoded-content-length': '11',
            'x-amz-trailer': 'x-amz-checksum-crc32',
            'content-encoding': 'aws-chunked,gzip',
          },
        });
      expect(await send('6\r\nhello \r\n5\r\nworld\r\n0\r\n')).toMatchObject({ status: 200 });
      expect(await s3.send(new HeadObjectCommand({ Bucket, Key: 'chunks' }))).toMatchObject({
        ContentEncoding: 'gzip',
      });
      const code = async (...sent: Parameters<typeof send>) =>
        /<Code>(\w+)</.exec((await send(...sent)).text)?.[1];
      expect(await code('6\r\nhello \r\n5\r\nworle\r\n0\r\n')).toBe('BadDigest');
      expect(await code('6\r\nhello \r\n4\r\nworl\r\n0\r\n')).toBe('IncompleteBody');
      expect(await code('6\r\nhello world\r\n')).toBe('IncompleteBody');
      expect(await code('b\r\nhello world\r\n0\r\n', 'x-amz-checksum-crc32:nonsense')).toBe('InvalidRequest');
      expect(await textOf(world, Bucket, 'chunks')).toBe('hello world');
    },
  },
  {
    name: 'test_access_key_read_only',
    says: 'A key that only reads writes nothing: AccessDenied',
    async run({ s3, reader, bucket }) {
      const Bucket = await bucket(['foo']);
      await reader.send(new GetObjectCommand({ Bucket, Key: 'foo' }));
      for (const command of [
        new PutObjectCommand({ Bucket, Key: 'foo', Body: 'x' }),
        new DeleteObjectCommand({ Bucket, Key: 'foo' }),
        new CopyObjectCommand({ Bucket, Key: 'x', CopySource: `${Bucket}/foo` }),
        new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: 'foo' }] } }),
        new CreateBucketCommand({ Bucket: 'by-reader' }),
      ] as const) {
        await expectRefusal(reader.send(command as PutObjectCommand), 'AccessDenied', 403);
      }
      await s3.send(new HeadObjectCommand({ Bucket, Key: 'foo' }));
    },
  },
  {
    name: 'test_access_key_of_one_bucket',
    says: 'A key for one bucket lists and opens that one',
    async run({ world, ada, bucket, s3 }) {
      const [own, other] = [await bucket(['foo']), await bucket(['foo'])];
      const { id: bucketId } = (await ada.rpc.buckets.list.query()).find(({ name }) => name === own) ?? {};
      const bound = clientFor(world, await keyFor(ada, { ...(bucketId && { bucketId }) }));
      expect((await bound.send(new ListBucketsCommand())).Buckets?.map(({ Name }) => Name)).toEqual([own]);
      await bound.send(new HeadObjectCommand({ Bucket: own, Key: 'foo' }));
      await expectRefusal(
        bound.send(new GetObjectCommand({ Bucket: other, Key: 'foo' })),
        'AccessDenied',
        403,
      );
      const copy = { Bucket: own, Key: 'x', CopySource: `${other}/foo` };
      await expectRefusal(bound.send(new CopyObjectCommand(copy)), 'AccessDenied', 403);
      await s3.send(new CopyObjectCommand(copy));
    },
  },
  {
    name: 'test_bucket_by_host_name',
    says: 'Buckets are addressed by host name as well',
    async run({ world, credentials, bucket }) {
      const Bucket = await bucket(['foo/bar']);
      const { port } = new URL(world.url);
      const byHost = clientFor(world, credentials, {
        endpoint: `http://s3.localhost:${port}`,
        forcePathStyle: false,
      });
      const { Body } = await byHost.send(new GetObjectCommand({ Bucket, Key: 'foo/bar' }));
      expect(await Body?.transformToString()).toBe('foo/bar');
      expect((await byHost.send(new ListObjectsV2Command({ Bucket }))).KeyCount).toBe(1);
    },
  },
  {
    name: 'test_signature_v2',
    says: 'Signature Version 2 is InvalidRequest, which names Version 4',
    isRefused: true,
    async run({ raw }) {
      const query = { AWSAccessKeyId: 'AKID', Signature: 'sig', Expires: '1' };
      expect(await raw({ path: '/b/k', query })).toMatchObject({
        status: 400,
        text: expect.stringContaining('Version 4'),
      });
      const authorization = 'AWS AKID:sig';
      const hosts: Record<string, string>[] = [{}, { host: 's3.localhost' }];
      for (const host of hosts) {
        const headers = { ...host, authorization };
        expect(await raw({ path: '/', headers })).toMatchObject({
          status: 400,
          text: expect.stringMatching(/^<\?xml.*Version 4/s),
        });
      }
    },
  },
];

const REFUSED: ConformanceCase[] = [
  ['test_bucket_website', 'Web sites of buckets are set up in the console', GetBucketWebsiteCommand],
  ['test_bucket_encryption', 'Encryption is the disk’s affair', GetBucketEncryptionCommand],
  ['test_object_lock_get_obj_lock', 'Nothing is locked', GetObjectLockConfigurationCommand],
].map(([name, says, Command]) => ({
  name: String(name),
  says: `${says}: NotImplemented`,
  isRefused: true,
  async run({ s3, bucket }) {
    const command = new (Command as typeof GetBucketWebsiteCommand)({ Bucket: await bucket() });
    await expectRefusal(s3.send(command), 'NotImplemented', 501);
  },
}));

const MORE_REFUSED: ConformanceCase[] = [
  {
    name: 'test_encryption_sse_c_method_head',
    says: 'Encryption with keys of the client: NotImplemented, before anything is kept in the clear',
    isRefused: true,
    async run({ s3 }) {
      const put = new PutObjectCommand({
        Bucket: 'uploads',
        Key: 'a',
        Body: '',
        ServerSideEncryption: 'aws:kms',
      });
      await expectRefusal(s3.send(put), 'NotImplemented', 501);
    },
  },
  {
    name: 'test_object_storage_class',
    says: 'Storage classes other than STANDARD: InvalidStorageClass',
    isRefused: true,
    async run({ s3 }) {
      const put = new PutObjectCommand({
        Bucket: 'uploads',
        Key: 'a',
        Body: '',
        StorageClass: 'GLACIER',
      });
      await expectRefusal(s3.send(put), 'InvalidStorageClass', 400);
    },
  },
  {
    name: 'test_unknown_methods',
    says: 'Methods and settings of buckets that are not known here: MethodNotAllowed, NotImplemented; no bucket is made',
    isRefused: true,
    async run({ s3, signed }) {
      for (const method of ['PATCH', 'PROPFIND', 'LOCK']) {
        expect(await signed({ method, path: '/uploads/a' })).toMatchObject({
          status: 405,
          text: expect.stringContaining('<Code>MethodNotAllowed</Code>'),
        });
      }
      for (const name of ['metadataJournalTable', 'somethingNew']) {
        const query = { [name]: '' };
        const answer = await signed({ method: 'PUT', path: '/never-made', query, body: '<a/>' });
        expect(answer).toMatchObject({ status: 501, text: expect.stringContaining('NotImplemented') });
      }
      await expectRefusal(s3.send(new HeadBucketCommand({ Bucket: 'never-made' })), 'NotFound', 404);
    },
  },
  {
    name: 'test_set_bucket_tagging',
    says: 'Buckets have no tags: NotImplemented',
    isRefused: true,
    async run({ s3, bucket }) {
      const Tagging = { TagSet: [{ Key: 'a', Value: 'b' }] };
      const put = new PutBucketTaggingCommand({ Bucket: await bucket(), Tagging });
      await expectRefusal(s3.send(put), 'NotImplemented', 501);
    },
  },
  {
    name: 'test_post_object_authenticated_request',
    says: 'Uploads by HTML forms: NotImplemented',
    isRefused: true,
    async run({ signed }) {
      expect(await signed({ method: 'POST', path: '/uploads' })).toMatchObject({ status: 501 });
    },
  },
  {
    name: 'test_object_acl_canned_publicreadwrite',
    says: 'ACLs other than private and public-read: NotImplemented',
    isRefused: true,
    async run({ s3 }) {
      const put = new PutObjectCommand({
        Bucket: 'uploads',
        Key: 'a',
        Body: '',
        ACL: 'public-read-write',
      });
      await expectRefusal(s3.send(put), 'NotImplemented', 501);
    },
  },
];

/** By what they are about. */
export const CONFORMANCE: Readonly<Record<string, readonly ConformanceCase[]>> = {
  Buckets: BUCKETS,
  Lists: LISTS,
  Objects: OBJECTS,
  'Uploads in parts': MULTIPART,
  Versions: VERSIONS,
  'Settings of buckets': SETTINGS,
  Plans: PLANS,
  'Signatures and keys': SIGNATURES,
  'Refused on purpose': [...REFUSED, ...MORE_REFUSED],
};
