import {
  AbortMultipartUploadCommand,
  type CORSRule,
  CreateMultipartUploadCommand,
  DeleteBucketCorsCommand,
  DeleteBucketLifecycleCommand,
  DeleteBucketPolicyCommand,
  DeleteObjectCommand,
  GetBucketCorsCommand,
  GetBucketLifecycleConfigurationCommand,
  GetBucketPolicyCommand,
  GetBucketPolicyStatusCommand,
  HeadObjectCommand,
  type LifecycleRule,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutBucketCorsCommand,
  PutBucketLifecycleConfigurationCommand,
  PutBucketPolicyCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { lockAccount } from '../../src/platform/account-lock.ts';
import type { ConformanceCase } from './s3-conformance-cases.ts';
import type { RawAnswer, S3World } from './s3-conformance-world.ts';
import { expectRefusal } from './s3-world.ts';

const ENABLED = { Status: 'Enabled' as const };

async function withRules({ s3 }: S3World, Bucket: string, ...CORSRules: CORSRule[]): Promise<void> {
  await s3.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules } }));
}

/** What browsers read of an answer. */
function allowed({ status, headers }: RawAnswer) {
  return [status, headers['access-control-allow-origin'], headers['access-control-allow-methods']];
}

const CORS: readonly ConformanceCase[] = [
  {
    name: 'test_set_cors',
    says: 'CORS rules are set, read and deleted as a whole; without any: NoSuchCORSConfiguration',
    async run(world) {
      const { s3 } = world;
      const Bucket = await world.bucket();
      const read = () => s3.send(new GetBucketCorsCommand({ Bucket }));
      await expectRefusal(read(), 'NoSuchCORSConfiguration', 404);
      const rules: CORSRule[] = [
        { AllowedMethods: ['GET', 'PUT'], AllowedOrigins: ['*.get', '*.put'] },
        {
          ...{ ID: 'all', AllowedMethods: ['HEAD'], AllowedOrigins: ['*'], AllowedHeaders: ['x-*'] },
          ...{ ExposeHeaders: ['etag'], MaxAgeSeconds: 60 },
        },
      ];
      await withRules(world, Bucket, ...rules);
      expect((await read()).CORSRules).toEqual(rules);
      const one = (more: object) => withRules(world, Bucket, { ...rules[0], ...more } as CORSRule);
      await expectRefusal(one({ AllowedMethods: ['PATCH'] }), 'InvalidRequest', 400);
      await expectRefusal(one({ AllowedOrigins: ['a*b*c'] }), 'InvalidRequest', 400);
      await expectRefusal(one({ ExposeHeaders: ['a\nb'] }), 'InvalidRequest', 400);
      await expectRefusal(withRules(world, 'uploads', ...rules), 'AccessDenied', 403);
      await s3.send(new DeleteBucketCorsCommand({ Bucket }));
      await expectRefusal(read(), 'NoSuchCORSConfiguration', 404);
    },
  },
  {
    name: 'test_cors_origin_response',
    says: 'Pages of the origins of a rule may read answers, refusals too, and are told so beforehand',
    async run(world) {
      const Bucket = await world.bucket(['bar']);
      const AllowedMethods = ['GET'];
      await withRules(
        world,
        Bucket,
        { AllowedMethods, AllowedOrigins: ['*suffix'] },
        { AllowedMethods, AllowedOrigins: ['start*end'] },
        { AllowedMethods: ['PUT'], AllowedOrigins: ['*.put'], AllowedHeaders: ['x-amz-*'] },
      );
      const get = async (origin: string) =>
        allowed(await world.signed({ path: `/${Bucket}/bar`, headers: { origin } }));
      expect(await get('foo.suffix')).toEqual([200, 'foo.suffix', 'GET']);
      expect(await get('start1end')).toEqual([200, 'start1end', 'GET']);
      for (const origin of ['foo.bar', 'foo.suffix.get', '0start1end', 'startend0', 'foo.put']) {
        expect(await get(origin)).toEqual([200, undefined, undefined]);
      }
      const host = `${Bucket}.s3.localhost`;
      const refused = await world.raw({ path: '/bar', headers: { host, origin: 'foo.suffix' } });
      expect(allowed(refused)).toEqual([403, 'foo.suffix', 'GET']);
      const ask = async (origin: string, method: string, names?: string) => {
        const headers: Record<string, string> = { host, origin, 'access-control-request-method': method };
        if (names !== undefined) headers['access-control-request-headers'] = names;
        return allowed(await world.raw({ method: 'OPTIONS', path: '/bar', headers }));
      };
      expect(await ask('foo.suffix', 'GET')).toEqual([200, 'foo.suffix', 'GET']);
      expect(await ask('foo.suffix', 'PUT')).toEqual([403, undefined, undefined]);
      expect(await ask('foo.put', 'PUT', 'X-Amz-Date, x-amz-acl')).toEqual([200, 'foo.put', 'PUT']);
      expect(await ask('foo.put', 'PUT', 'x-amz-date, content-type')).toEqual([403, undefined, undefined]);
      const bare = await world.raw({ method: 'OPTIONS', path: '/bar', headers: { host } });
      expect(bare).toMatchObject({ status: 400, text: expect.stringContaining('<Code>BadRequest</Code>') });
    },
  },
  {
    name: 'test_cors_presigned_put_object',
    says: 'A page that was given a signed address is told whether it may use that, at the console’s host as well',
    async run(world) {
      const Bucket = await world.bucket();
      await withRules(world, Bucket, {
        AllowedMethods: ['PUT'],
        AllowedOrigins: ['*'],
        ExposeHeaders: ['etag'],
      });
      const path = await world.presigned({ method: 'PUT', path: `/${Bucket}/foo` });
      const headers = { origin: 'https://example.com', 'access-control-request-method': 'PUT' };
      expect(allowed(await world.raw({ method: 'OPTIONS', path, headers }))).toEqual([200, '*', 'PUT']);
      const put = await world.raw({
        method: 'PUT',
        path,
        headers: { origin: 'https://example.com' },
        body: 'x',
      });
      expect(allowed(put)).toEqual([200, '*', 'PUT']);
      expect(put.headers).toMatchObject({
        'access-control-expose-headers': 'etag',
        vary: expect.stringContaining('Origin'),
      });
    },
  },
];

function policyOf(Bucket: string, statement: object = {}): string {
  const Statement = [
    { Sid: 'Read', Effect: 'Allow', Principal: '*', Action: ['s3:GetObject'], ...statement },
  ].map((one) => ({ Resource: [`arn:aws:s3:::${Bucket}/*`], ...one }));
  return JSON.stringify({ Version: '2012-10-17', Statement });
}

const POLICIES: readonly ConformanceCase[] = [
  {
    name: 'test_set_get_del_bucket_policy',
    says: 'A policy lets anybody read a bucket; deleted, the bucket is private again: NoSuchBucketPolicy',
    async run({ s3, bucket, raw }) {
      const Bucket = await bucket(['foo']);
      const read = () => s3.send(new GetBucketPolicyCommand({ Bucket }));
      const isPublic = async () =>
        (await s3.send(new GetBucketPolicyStatusCommand({ Bucket }))).PolicyStatus?.IsPublic;
      const anybody = async () =>
        (await raw({ path: '/foo', headers: { host: `${Bucket}.s3.localhost` } })).status;
      await expectRefusal(read(), 'NoSuchBucketPolicy', 404);
      expect([await isPublic(), await anybody()]).toEqual([false, 403]);
      await s3.send(new PutBucketPolicyCommand({ Bucket, Policy: policyOf(Bucket) }));
      expect([await isPublic(), await anybody()]).toEqual([true, 200]);
      const { Policy = '' } = await read();
      expect(JSON.parse(Policy)).toMatchObject({ Statement: [{ Effect: 'Allow', Action: 's3:GetObject' }] });
      // What was read can be written back.
      await s3.send(new PutBucketPolicyCommand({ Bucket, Policy }));
      await s3.send(new DeleteBucketPolicyCommand({ Bucket }));
      expect([await isPublic(), await anybody()]).toEqual([false, 403]);
    },
  },
  {
    name: 'test_bucket_policy',
    says: 'Any other policy: NotImplemented, and nothing changes; what is none: MalformedPolicy',
    async run({ s3, reader, bob, bucket }) {
      const Bucket = await bucket();
      const put = (Policy: string) => s3.send(new PutBucketPolicyCommand({ Bucket, Policy }));
      for (const statement of [
        { Action: 's3:*' },
        { Action: ['s3:GetObject', 's3:PutObject'] },
        { Effect: 'Deny' },
        { Principal: { AWS: 'arn:aws:iam::1:root' } },
        { Resource: 'arn:aws:s3:::other/*' },
        { Condition: { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } } },
      ]) {
        await expectRefusal(put(policyOf(Bucket, statement)), 'NotImplemented', 501);
      }
      await expectRefusal(put('{'), 'MalformedPolicy', 400);
      await expectRefusal(put('[]'), 'MalformedPolicy', 400);
      const fine = new PutBucketPolicyCommand({ Bucket, Policy: policyOf(Bucket) });
      await expectRefusal(reader.send(fine), 'AccessDenied', 403);
      await expectRefusal(bob.send(fine), 'AccessDenied', 403);
      const own = new PutBucketPolicyCommand({ Bucket: 'uploads', Policy: policyOf('uploads') });
      await expectRefusal(s3.send(own), 'AccessDenied', 403);
      await expectRefusal(s3.send(new GetBucketPolicyCommand({ Bucket })), 'NoSuchBucketPolicy', 404);
    },
  },
];

async function keep({ s3 }: S3World, Bucket: string, ...Rules: LifecycleRule[]): Promise<void> {
  const LifecycleConfiguration = { Rules };
  await s3.send(new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration }));
}

/** Makes all that is in a bucket so many days older. */
async function age({ world }: S3World, name: string, days: number): Promise<void> {
  const { db } = world.deps;
  const before = sql`make_interval(days => ${days})`;
  const ofBucket = sql`bucket_id = (select id from buckets where name = ${name})`;
  await sql`update stored_files set uploaded_at = uploaded_at - ${before} where ${ofBucket}`.execute(db);
  await sql`
    update file_versions set uploaded_at = uploaded_at - ${before}, replaced_at = replaced_at - ${before}
    where ${ofBucket}`.execute(db);
  await sql`update multipart_uploads set created_at = created_at - ${before} where ${ofBucket}`.execute(db);
}

async function sweep({ world }: S3World): Promise<void> {
  for (const { sweeps } of world.deps.parts) await sweeps?.lifecycles?.();
}

async function keysOf({ s3 }: S3World, Bucket: string) {
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
  return Contents.map(({ Key }) => Key);
}

async function versionsOf({ s3 }: S3World, Bucket: string): Promise<string[]> {
  const { Versions = [], DeleteMarkers = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket }));
  return [
    ...Versions.map(({ Key, VersionId }) => `${Key} ${VersionId}`),
    ...DeleteMarkers.map(({ Key }) => `${Key} !`),
  ];
}

const LIFECYCLES: readonly ConformanceCase[] = [
  {
    name: 'test_lifecycle_get',
    says: 'Lifecycle rules are set, read and deleted as a whole; without any: NoSuchLifecycleConfiguration',
    async run(world) {
      const { s3 } = world;
      const Bucket = await world.bucket();
      const read = async () => (await s3.send(new GetBucketLifecycleConfigurationCommand({ Bucket }))).Rules;
      await expectRefusal(read(), 'NoSuchLifecycleConfiguration', 404);
      const rules = [
        { ID: 'plain', Prefix: 'test1/', Expiration: { Days: 31 }, ...ENABLED },
        {
          ID: 'all',
          Filter: { Prefix: '' },
          Expiration: { Date: new Date('2030-01-01') },
          Status: 'Disabled',
        },
        { ID: 'tag', Filter: { Tag: { Key: 'a', Value: 'b' } }, Expiration: { Days: 1 }, ...ENABLED },
        {
          ...{ ID: 'both', Expiration: { Days: 2 }, ...ENABLED },
          Filter: {
            And: {
              ...{ Prefix: 'x/', ObjectSizeGreaterThan: 10, ObjectSizeLessThan: 20 },
              Tags: [
                { Key: 'a', Value: 'b' },
                { Key: 'c', Value: '' },
              ],
            },
          },
        },
        {
          ...{
            ID: 'rest',
            Filter: { Prefix: 'y' },
            Expiration: { ExpiredObjectDeleteMarker: true },
            ...ENABLED,
          },
          NoncurrentVersionExpiration: { NoncurrentDays: 3, NewerNoncurrentVersions: 5 },
          AbortIncompleteMultipartUpload: { DaysAfterInitiation: 4 },
        },
      ] as LifecycleRule[];
      await keep(world, Bucket, ...rules);
      expect(await read()).toEqual(rules);
      // Who changes a rule in the console leaves the others, and the form that it came in.
      const { id = '' } =
        (await world.ada.rpc.buckets.list.query()).find(({ name }) => name === Bucket) ?? {};
      const [plain, ...others] = (await world.ada.rpc.buckets.rules.query({ id })).lifecycle;
      const changed = { ...plain, expiry: { days: 40 } };
      await world.ada.rpc.buckets.setLifecycle.mutate({ id, rules: [changed, ...others] });
      expect(await read()).toEqual([{ ...rules[0], Expiration: { Days: 40 } }, ...rules.slice(1)]);
      await s3.send(new DeleteBucketLifecycleCommand({ Bucket }));
      await expectRefusal(read(), 'NoSuchLifecycleConfiguration', 404);
      await s3.send(new DeleteBucketLifecycleCommand({ Bucket }));
      await keep(world, Bucket, { Filter: {}, Expiration: { Days: 1 }, ...ENABLED } as LifecycleRule);
      expect(await read()).toMatchObject([{ ID: expect.any(String), Filter: { Prefix: '' } }]);
    },
  },
  {
    name: 'test_lifecycle_invalid_status',
    says: 'What is no rule is refused, and so is what this server could not keep to: MalformedXML, InvalidArgument, NotImplemented',
    async run(world) {
      const Bucket = await world.bucket();
      const rule = { ID: 'a', Filter: { Prefix: 'a/' }, Expiration: { Days: 1 }, ...ENABLED };
      const refused = async (code: string, ...rules: object[]) =>
        expectRefusal(
          keep(world, Bucket, ...rules.map((change) => ({ ...rule, ...change }) as LifecycleRule)),
          code,
          code === 'NotImplemented' ? 501 : 400,
        );
      await refused('MalformedXML', { Status: 'enabled' });
      await refused('MalformedXML', { Prefix: 'a/' });
      await refused('MalformedXML', { Filter: undefined });
      await refused('MalformedXML', { Expiration: { Days: 1, Date: new Date('2030-01-01') } });
      await refused('InvalidArgument', { Expiration: { Days: 0 } });
      await refused('InvalidArgument', { Expiration: { Date: new Date('2030-01-01T01:00:00Z') } });
      await refused('InvalidArgument', { ID: 'a'.repeat(256) });
      await refused('InvalidArgument', {}, {});
      await refused('InvalidRequest', { Expiration: undefined });
      await refused('InvalidRequest', {
        Filter: { Tag: { Key: 'a', Value: 'b' } },
        AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
      });
      await refused('NotImplemented', { Transitions: [{ Days: 1, StorageClass: 'GLACIER' }] });
      const body =
        '<LifecycleConfiguration><Rule><Filter><Sealed>1</Sealed></Filter><Status>Enabled</Status>' +
        '<Expiration><Days>1</Days></Expiration></Rule></LifecycleConfiguration>';
      const unknown = await world.signed({
        method: 'PUT',
        path: `/${Bucket}`,
        query: { lifecycle: '' },
        body,
      });
      expect(unknown).toMatchObject({ status: 400, text: expect.stringContaining('MalformedXML') });
    },
  },
  {
    name: 'test_lifecycle_expiration',
    says: 'Objects go at the midnight after their days, by prefix, tags and size; a day before they are there',
    async run(world) {
      const { s3, bucket } = world;
      const Bucket = await bucket(['expire1/foo', 'expire1/bar', 'keep2/foo', 'expire3/foo', 'tagged/not']);
      await s3.send(new PutObjectCommand({ Bucket, Key: 'tagged/so', Body: '', Tagging: 'a=b&c=d' }));
      await keep(
        world,
        Bucket,
        { ID: '1', Prefix: 'expire1/', Expiration: { Days: 2 }, ...ENABLED } as LifecycleRule,
        { ID: '2', Filter: { Prefix: 'keep2/' }, Expiration: { Days: 1 }, Status: 'Disabled' },
        {
          ...{ ID: '3', Expiration: { Days: 1 }, ...ENABLED },
          Filter: { And: { Prefix: 'tagged/', Tags: [{ Key: 'a', Value: 'b' }] } },
        },
        { ID: '4', Filter: { ObjectSizeGreaterThan: 11 }, Expiration: { Days: 2 }, ...ENABLED },
        { ID: '5', Filter: { Prefix: 'expire3/' }, Expiration: { Date: new Date('2030-01-01') }, ...ENABLED },
      );
      const midnight = (days: number) =>
        new Date((Math.floor(Date.now() / 86_400_000) + 1 + days) * 86_400_000).toUTCString();
      const expiry = async (Key: string) =>
        (await s3.send(new HeadObjectCommand({ Bucket, Key }))).Expiration;
      expect(await expiry('expire1/foo')).toBe(`expiry-date="${midnight(2)}", rule-id="1"`);
      expect(await expiry('tagged/so')).toBe(`expiry-date="${midnight(1)}", rule-id="3"`);
      expect(await expiry('expire3/foo')).toBe('expiry-date="Tue, 01 Jan 2030 00:00:00 GMT", rule-id="5"');
      for (const Key of ['keep2/foo', 'tagged/not']) expect(await expiry(Key)).toBeUndefined();
      const put = new PutObjectCommand({ Bucket, Key: 'expire1/foo', Body: 'expire1/foo' });
      expect((await s3.send(put)).Expiration).toBe(await expiry('expire1/foo'));
      await age(world, Bucket, 1);
      await sweep(world);
      expect(await keysOf(world, Bucket)).toHaveLength(6);
      await age(world, Bucket, 1);
      await sweep(world);
      expect(await keysOf(world, Bucket)).not.toContain('tagged/so');
      expect(await keysOf(world, Bucket)).toHaveLength(5);
      await age(world, Bucket, 1);
      await sweep(world);
      // Its key is its bytes: `expire3/foo` has eleven.
      expect(await keysOf(world, Bucket)).toEqual(['expire3/foo', 'keep2/foo', 'tagged/not']);
      await keep(world, Bucket, {
        ...{
          ID: '1',
          Filter: { Prefix: 'expire3/' },
          Expiration: { Date: new Date('2020-01-01') },
          ...ENABLED,
        },
      });
      await sweep(world);
      expect(await keysOf(world, Bucket)).toEqual(['keep2/foo', 'tagged/not']);
    },
  },
  {
    name: 'test_lifecycle_delete_rule',
    says: 'A rule that is taken away deletes nothing any more, though its hour had begun',
    async run(world) {
      const { deps } = world.world;
      const Bucket = await world.bucket(['foo']);
      await keep(world, Bucket, { Filter: {}, Expiration: { Days: 1 }, ...ENABLED } as LifecycleRule);
      await age(world, Bucket, 3);
      const { swept } = await deps.db.transaction().execute(async (trx) => {
        await lockAccount(trx, world.ada.user.id);
        const swept = sweep(world);
        const waiting = async () => {
          const { rows } = await sql`
            select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(
            deps.db,
          );
          return rows.length;
        };
        await expect.poll(waiting).toBeGreaterThan(0);
        await trx.updateTable('buckets').set({ lifecycle: null }).where('name', '=', Bucket).execute();
        return { swept };
      });
      await swept;
      expect(await keysOf(world, Bucket)).toEqual(['foo']);
    },
  },
  {
    name: 'test_lifecycle_noncur_expiration',
    says: 'Former versions go after their days, but for the newest ones; an expired object leaves a marker, which goes when it is alone',
    async run(world) {
      const { s3 } = world;
      const Bucket = await world.bucket();
      await s3.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: ENABLED }));
      const ids: (string | undefined)[] = [];
      for (const Body of ['1', '2', '3', '4']) {
        ids.push((await s3.send(new PutObjectCommand({ Bucket, Key: 'a', Body }))).VersionId);
      }
      await s3.send(new PutObjectCommand({ Bucket, Key: 'b', Body: '' }));
      await s3.send(new DeleteObjectCommand({ Bucket, Key: 'b' }));
      await keep(world, Bucket, {
        ...{ ID: '1', Filter: {}, ...ENABLED },
        NoncurrentVersionExpiration: { NoncurrentDays: 1, NewerNoncurrentVersions: 1 },
      } as LifecycleRule);
      await age(world, Bucket, 3);
      await sweep(world);
      // Of `b`, the marker is what is current, and the one version before it the newest.
      expect(await versionsOf(world, Bucket)).toEqual([
        ...[`a ${ids[3]}`, `a ${ids[2]}`, expect.stringMatching(/^b .{36}$/), 'b !'],
      ]);
      await keep(world, Bucket, {
        ...{ ID: '1', Filter: {}, Expiration: { Days: 1 }, ...ENABLED },
        NoncurrentVersionExpiration: { NoncurrentDays: 1 },
      } as LifecycleRule);
      await sweep(world);
      expect(await keysOf(world, Bucket)).toEqual([]);
      expect(await versionsOf(world, Bucket)).toEqual([`a ${ids[3]}`, 'a !', 'b !']);
      await age(world, Bucket, 2);
      await sweep(world);
      await sweep(world);
      expect(await versionsOf(world, Bucket)).toEqual([]);
    },
  },
  {
    name: 'test_lifecycle_multipart_expiration',
    says: 'Uploads that are not finished are given up after their days',
    async run(world) {
      const { s3 } = world;
      const Bucket = await world.bucket();
      const begin = (Key: string) => s3.send(new CreateMultipartUploadCommand({ Bucket, Key }));
      await begin('test1/a');
      await begin('test2/b');
      await keep(world, Bucket, {
        ...{ ID: '1', Filter: { Prefix: 'test1/' }, ...ENABLED },
        AbortIncompleteMultipartUpload: { DaysAfterInitiation: 2 },
      });
      await age(world, Bucket, 3);
      await sweep(world);
      const { Uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket }));
      expect(Uploads.map(({ Key }) => Key)).toEqual(['test2/b']);
      await s3.send(
        new AbortMultipartUploadCommand({ Bucket, Key: 'test2/b', UploadId: Uploads[0]?.UploadId }),
      );
    },
  },
];

/** What the calls about a bucket's settings have to do. */
export const SETTINGS: readonly ConformanceCase[] = [...CORS, ...POLICIES, ...LIFECYCLES];
