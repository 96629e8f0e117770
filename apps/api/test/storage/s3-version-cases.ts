import {
  type BucketVersioningStatus,
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  DeleteObjectTaggingCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
} from '@aws-sdk/client-s3';
import { expect } from 'vitest';
import type { ConformanceCase } from './s3-conformance-cases.ts';
import type { S3World } from './s3-conformance-world.ts';
import { expectRefusal } from './s3-world.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';

async function setVersioning({ s3 }: S3World, Bucket: string, Status: BucketVersioningStatus) {
  await s3.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status } }));
}

async function versioned(world: S3World): Promise<string> {
  const Bucket = await world.bucket();
  await setVersioning(world, Bucket, 'Enabled');
  return Bucket;
}

async function put({ s3 }: S3World, Bucket: string, Body: string, Key = 'a'): Promise<string> {
  const { VersionId = '' } = await s3.send(new PutObjectCommand({ Bucket, Key, Body }));
  return VersionId;
}

async function textOf({ s3 }: S3World, Bucket: string, VersionId?: string): Promise<string | undefined> {
  const named = VersionId === undefined ? {} : { VersionId };
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: 'a', ...named }));
  return Body?.transformToString();
}

function remove({ s3 }: S3World, Bucket: string, VersionId?: string) {
  const named = VersionId === undefined ? {} : { VersionId };
  return s3.send(new DeleteObjectCommand({ Bucket, Key: 'a', ...named }));
}

/** Versions and markers of a bucket, each as `<id><!: a marker><*: the latest>`. */
async function all({ s3 }: S3World, Bucket: string): Promise<string[]> {
  const { Versions = [], DeleteMarkers = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket }));
  const latest = (isLatest: boolean | undefined) => (isLatest ? '*' : '');
  return [
    ...Versions.map(({ VersionId, IsLatest }) => `${VersionId}${latest(IsLatest)}`),
    ...DeleteMarkers.map(({ VersionId, IsLatest }) => `${VersionId}!${latest(IsLatest)}`),
  ];
}

/** What the calls about versions have to do. */
export const VERSIONS: readonly ConformanceCase[] = [
  {
    name: 'test_versioning_bucket_create_suspend',
    says: 'A bucket keeps versions once that is enabled, until it is suspended',
    async run(world) {
      const Bucket = await world.bucket();
      const status = async () => (await world.s3.send(new GetBucketVersioningCommand({ Bucket }))).Status;
      expect(await status()).toBeUndefined();
      for (const Status of ['Enabled', 'Suspended', 'Enabled'] satisfies BucketVersioningStatus[]) {
        await setVersioning(world, Bucket, Status);
        expect(await status()).toBe(Status);
      }
    },
  },
  {
    name: 'test_versioning_obj_create_read_remove',
    says: 'Each version is read by its id; without the latest one, the one before it is that',
    async run(world) {
      const Bucket = await world.bucket(['a']);
      await setVersioning(world, Bucket, 'Enabled');
      const [one, two] = [await put(world, Bucket, 'one'), await put(world, Bucket, 'two')];
      expect(await all(world, Bucket)).toEqual([`${two}*`, one, 'null']);
      expect(await textOf(world, Bucket)).toBe('two');
      expect(await textOf(world, Bucket, one)).toBe('one');
      expect(await textOf(world, Bucket, 'null')).toBe('a');
      const head = await world.s3.send(new HeadObjectCommand({ Bucket, Key: 'a', VersionId: one }));
      expect(head).toMatchObject({ VersionId: one, ContentLength: 3 });
      const CopySource = `${Bucket}/a?versionId=${one}`;
      const copy = await world.s3.send(new CopyObjectCommand({ Bucket, Key: 'copy', CopySource }));
      expect(copy).toMatchObject({ CopySourceVersionId: one, VersionId: expect.stringMatching(/^.{36}$/) });
      await remove(world, Bucket, two);
      expect(await textOf(world, Bucket)).toBe('one');
      await remove(world, Bucket, one);
      expect(await textOf(world, Bucket)).toBe('a');
      await remove(world, Bucket, 'null');
      await expectRefusal(textOf(world, Bucket), 'NoSuchKey', 404);
      await expectRefusal(textOf(world, Bucket, one), 'NoSuchVersion', 404);
      await expectRefusal(textOf(world, Bucket, NOWHERE), 'NoSuchVersion', 404);
      await expectRefusal(textOf(world, Bucket, 'x'), 'InvalidArgument', 400);
    },
  },
  {
    name: 'test_versioning_obj_create_versions_remove_special_names',
    says: 'A deletion leaves a marker; the object is back once that is deleted',
    async run(world) {
      const Bucket = await versioned(world);
      const one = await put(world, Bucket, 'one');
      const marker = await remove(world, Bucket);
      expect(marker).toMatchObject({ DeleteMarker: true, VersionId: expect.stringMatching(/^.{36}$/) });
      const id = marker.VersionId ?? '';
      await expectRefusal(textOf(world, Bucket), 'NoSuchKey', 404);
      await expectRefusal(textOf(world, Bucket, id), 'MethodNotAllowed', 405);
      const copy = { Bucket, Key: 'copy', CopySource: `${Bucket}/a?versionId=${id}` };
      await expectRefusal(world.s3.send(new CopyObjectCommand(copy)), 'InvalidRequest', 400);
      expect(await textOf(world, Bucket, one)).toBe('one');
      expect(await all(world, Bucket)).toEqual([one, `${id}!*`]);
      expect(await remove(world, Bucket, id)).toMatchObject({ DeleteMarker: true, VersionId: id });
      expect(await textOf(world, Bucket)).toBe('one');
      await remove(world, Bucket);
      const two = await put(world, Bucket, 'two');
      expect((await all(world, Bucket)).slice(0, 2)).toEqual([`${two}*`, one]);
    },
  },
  {
    name: 'test_versioning_obj_suspend_versions',
    says: 'Suspended, a bucket keeps the versions that it has, and one more, whose id is null',
    async run(world) {
      const Bucket = await versioned(world);
      const one = await put(world, Bucket, 'one');
      await setVersioning(world, Bucket, 'Suspended');
      expect(await put(world, Bucket, 'null one')).toBe('null');
      expect(await put(world, Bucket, 'null two')).toBe('null');
      expect(await all(world, Bucket)).toEqual(['null*', one]);
      expect(await textOf(world, Bucket, 'null')).toBe('null two');
      expect(await remove(world, Bucket)).toMatchObject({ DeleteMarker: true, VersionId: 'null' });
      expect(await all(world, Bucket)).toEqual([one, 'null!*']);
      await setVersioning(world, Bucket, 'Enabled');
      const two = await put(world, Bucket, 'two');
      expect(await all(world, Bucket)).toEqual([`${two}*`, one, 'null!']);
    },
  },
  {
    name: 'test_versioning_copy_obj_version',
    says: 'An older version is brought back by a copy of it onto its own key',
    async run(world) {
      const Bucket = await versioned(world);
      const one = await put(world, Bucket, 'one');
      const two = await put(world, Bucket, 'two');
      const copy = (versionId: string) =>
        world.s3.send(
          new CopyObjectCommand({ Bucket, Key: 'a', CopySource: `${Bucket}/a?versionId=${versionId}` }),
        );
      await expectRefusal(copy(two), 'InvalidRequest', 400);
      const { VersionId = '' } = await copy(one);
      expect(await textOf(world, Bucket)).toBe('one');
      expect(await all(world, Bucket)).toEqual([`${VersionId}*`, two, one]);
    },
  },
  {
    name: 'test_versioning_obj_tagging',
    says: 'Each version has tags of its own, which are set, read and deleted by its id',
    async run(world) {
      const { s3 } = world;
      const Bucket = await versioned(world);
      const [first, second] = [await put(world, Bucket, 'one'), await put(world, Bucket, 'two')];
      const tag = (VersionId: string, Value: string) =>
        s3.send(
          new PutObjectTaggingCommand({
            ...{ Bucket, Key: 'a', VersionId, Tagging: { TagSet: [{ Key: 'is', Value }] } },
          }),
        );
      const tags = async (VersionId?: string) => {
        const { TagSet = [] } = await s3.send(
          new GetObjectTaggingCommand({ Bucket, Key: 'a', ...(VersionId !== undefined && { VersionId }) }),
        );
        return TagSet.map(({ Value }) => Value);
      };
      expect(await tag(first, 'former')).toMatchObject({ VersionId: first });
      await tag(second, 'current');
      expect([await tags(first), await tags(second), await tags()]).toEqual([
        ['former'],
        ['current'],
        ['current'],
      ]);
      const gone = await s3.send(new DeleteObjectTaggingCommand({ Bucket, Key: 'a', VersionId: first }));
      expect(gone).toMatchObject({ VersionId: first });
      expect([await tags(first), await tags()]).toEqual([[], ['current']]);
      expect(await textOf(world, Bucket, first)).toBe('one');
      await expectRefusal(tag(NOWHERE, 'none'), 'NoSuchVersion', 404);
      const { VersionId: marker = '' } = await remove(world, Bucket);
      await expectRefusal(tag(marker, 'none'), 'MethodNotAllowed', 405);
    },
  },
  {
    name: 'test_versioned_concurrent_object_create_concurrent_remove',
    says: 'Versions that come and go at the same time are each there once, or gone',
    async run(world) {
      const Bucket = await versioned(world);
      const bodies = ['1', '2', '3', '4', '5', '6'];
      const ids = await Promise.all(bodies.map((body) => put(world, Bucket, body)));
      expect((await all(world, Bucket)).map((id) => id.replace('*', '')).sort()).toEqual(ids.toSorted());
      await Promise.all([...ids.slice(1), ...ids.slice(1)].map((id) => remove(world, Bucket, id)));
      expect(await all(world, Bucket)).toEqual([`${ids[0]}*`]);
      expect(await textOf(world, Bucket)).toBe('1');
      await remove(world, Bucket, ids[0]);
      expect(await all(world, Bucket)).toEqual([]);
    },
  },
  {
    name: 'test_versioning_multi_object_delete_with_marker_create',
    says: 'Many are deleted together, each with its marker or by its version',
    async run(world) {
      const Bucket = await versioned(world);
      const one = await put(world, Bucket, 'one');
      await put(world, Bucket, 'b', 'b');
      const Objects = [{ Key: 'a', VersionId: one }, { Key: 'b' }];
      const { Deleted } = await world.s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
      expect(Deleted).toMatchObject([
        { Key: 'a', VersionId: one },
        { Key: 'b', DeleteMarker: true },
      ]);
      expect((await all(world, Bucket)).at(-1)).toBe(`${Deleted?.[1]?.DeleteMarkerVersionId}!*`);
    },
  },
  {
    name: 'test_bucket_list_return_data_versioning',
    says: 'Versions are listed by pages, by prefix and delimiter, each once',
    async run(world) {
      const Bucket = await versioned(world);
      const expected: string[] = [];
      for (const Key of ['a/1', 'a/2', 'b']) {
        const ids = [await put(world, Bucket, '1', Key), await put(world, Bucket, '2', Key)];
        expected.push(...ids.reverse());
      }
      for (const MaxKeys of [1, 2, 5]) {
        const seen: (string | undefined)[] = [];
        let next: { KeyMarker?: string; VersionIdMarker?: string } | undefined = {};
        while (next) {
          const page: Awaited<ReturnType<typeof list>> = await list(next, MaxKeys);
          seen.push(...(page.Versions ?? []).map(({ VersionId }) => VersionId));
          const { NextKeyMarker: KeyMarker = '', NextVersionIdMarker: VersionIdMarker = '' } = page;
          next = page.IsTruncated ? { KeyMarker, VersionIdMarker } : undefined;
        }
        expect(seen).toEqual(expected);
      }
      function list(from: { KeyMarker?: string; VersionIdMarker?: string }, MaxKeys: number) {
        return world.s3.send(new ListObjectVersionsCommand({ Bucket, MaxKeys, ...from }));
      }
      const folders = await world.s3.send(new ListObjectVersionsCommand({ Bucket, Delimiter: '/' }));
      expect(folders.CommonPrefixes).toEqual([{ Prefix: 'a/' }]);
      expect(folders.Versions?.map(({ Key }) => Key)).toEqual(['b', 'b']);
      const below = await world.s3.send(new ListObjectVersionsCommand({ Bucket, Prefix: 'a/2' }));
      expect(below.Versions).toHaveLength(2);
    },
  },
  {
    name: 'test_versioning_deleted_by_pages',
    says: 'Whoever deletes a page of versions before asking for the next one gets them all',
    async run(world) {
      const { s3 } = world;
      const Bucket = await world.bucket(['a']);
      await setVersioning(world, Bucket, 'Enabled');
      for (const text of ['1', '2', '3', '4']) await put(world, Bucket, text);
      await remove(world, Bucket);
      await setVersioning(world, Bucket, 'Suspended');
      await put(world, Bucket, 'without an id');
      await setVersioning(world, Bucket, 'Enabled');
      for (const text of ['5', '6']) await put(world, Bucket, text);
      await put(world, Bucket, 'another', 'b');
      for (const MaxKeys of [1, 2, 3]) {
        const seen = new Set<string>();
        const there = (await all(world, Bucket)).length;
        let next: { KeyMarker?: string; VersionIdMarker?: string } | undefined = {};
        while (next) {
          const page: Awaited<ReturnType<typeof list>> = await list(next, MaxKeys);
          const Objects = [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])].map(
            ({ Key = '', VersionId = '' }) => ({ Key, VersionId }),
          );
          for (const { Key, VersionId } of Objects) seen.add(`${Key} ${VersionId}`);
          // The last of a page alone, and then all.
          if (MaxKeys === 3) await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
          else if (MaxKeys === 2)
            await s3.send(
              new DeleteObjectCommand({ Bucket, ...Objects.at(-1), Key: Objects.at(-1)?.Key ?? '' }),
            );
          const { NextKeyMarker: KeyMarker = '', NextVersionIdMarker: VersionIdMarker = '' } = page;
          next = page.IsTruncated ? { KeyMarker, VersionIdMarker } : undefined;
        }
        expect(seen.size).toBe(there);
      }
      expect(await all(world, Bucket)).toEqual([]);
      function list(from: { KeyMarker?: string; VersionIdMarker?: string }, MaxKeys: number) {
        return s3.send(new ListObjectVersionsCommand({ Bucket, MaxKeys, ...from }));
      }
    },
  },
];
