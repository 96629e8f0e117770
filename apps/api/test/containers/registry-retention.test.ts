import { randomUUID } from 'node:crypto';
import type { RetentionPreview } from '@nephos/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { matchesPattern } from '../../src/domains/containers/retention/judge-tags.ts';
import { sweepRetention } from '../../src/domains/containers/retention/sweep.ts';
import { makeIndex } from './registry-space-world.ts';
import {
  createUntaggedWorld,
  newImage,
  newName,
  sizeOf,
  type UntaggedWorld,
  whole,
} from './registry-untagged-world.ts';

const ABSENT = '01890000-0000-7000-8000-000000000000';
const RULE = { matching: '*', keepMatching: '', keepLast: 1, olderThanDays: 0, untagged: false };

let registry: UntaggedWorld;

beforeAll(async () => {
  registry = await createUntaggedWorld();
});
afterAll(() => registry.close());

/** Pushes images by these tags, each a day younger than the one before; the last one today. */
async function pushDaily(name: string, tags: readonly string[]) {
  const images = tags.map((tag) => ({ tag, made: newImage() }));
  for (const { tag, made } of images) await registry.push(name, made, tag);
  for (const [at, tag] of tags.entries()) {
    await registry.world.deps.db
      .updateTable('containerImages')
      .set({ pushedAt: sql<string>`now() - make_interval(days => ${tags.length - 1 - at}, secs => 1)` })
      .where('tag', '=', tag)
      .where('repositoryId', '=', await idOf(name))
      .execute();
  }
  return images.map(({ made }) => made);
}

const idOf = async (name: string) => (await registry.repositoryOf(name)).id;
const keptOf = ({ tags }: RetentionPreview) =>
  Object.fromEntries(tags.map(({ tag, keptBecause }) => [tag, keptBecause]));
const tagsOf = async (name: string) => {
  const images = await registry.containers.list.query({ search: name });
  return images.map(({ tag }) => tag).toSorted();
};

/** Has the night come. */
async function nextNight(): Promise<void> {
  const { db, settings } = registry.world.deps;
  // Not this very moment, which the column would round to a later one.
  const nextRunAt = sql<string>`now() - interval '1 second'`;
  await db.updateTable('containerRetention').set({ nextRunAt }).execute();
  await sweepRetention(db, settings);
}

describe('a rule', () => {
  test('is previewed with its reasons, and does at night what its preview says', async () => {
    const name = newName();
    const images = await pushDaily(name, ['ci-1', 'ci-2', 'ci-3', 'v1', 'ci-4']);
    const id = await idOf(name);
    const rule = { ...RULE, keepMatching: 'v*', keepLast: 1, olderThanDays: 2 };
    const preview = await registry.containers.previewRetention.mutate({ id, ...rule });
    expect(keptOf(preview)).toEqual({
      'ci-1': '',
      'ci-2': '',
      'ci-3': '',
      v1: 'Kept because it matches "v*".',
      'ci-4': 'Kept as the newest.',
    });
    const matching = await registry.containers.previewRetention.mutate({
      ...{ id, ...RULE, matching: 'ci-*', keepLast: 2, olderThanDays: 3 },
    });
    expect(keptOf(matching)).toEqual({
      'ci-1': '',
      'ci-2': '',
      'ci-3': 'Kept as one of the newest 2.',
      v1: 'Kept because it doesn\'t match "ci-*".',
      'ci-4': 'Kept as one of the newest 2.',
    });
    const young = await registry.containers.previewRetention.mutate({ id, ...RULE, olderThanDays: 4 });
    expect(keptOf(young)).toMatchObject({ 'ci-2': 'Kept because it was pushed within 4 days.', 'ci-1': '' });
    expect(matching.deletion).toEqual({ manifests: 2, blobs: 4, size: whole(...images.slice(0, 2)) });

    const before = await registry.used();
    await registry.containers.setRetention.mutate({ id, ...rule, matching: 'ci-*', keepLast: 2 });
    await nextNight();
    expect(await tagsOf(name)).toEqual(['ci-3', 'ci-4', 'v1']);
    expect(before - (await registry.used())).toBe(matching.deletion.size);
    for (const tag of ['ci-3', 'ci-4', 'v1']) expect(await registry.faults(name, tag)).toEqual([]);
    const { lastRun } = await registry.containers.retention.query({ id });
    expect(lastRun).toEqual({ at: expect.any(String), tags: 2, size: matching.deletion.size });
    const records = await registry.ada.rpc.audit.list.query({ subjectId: id });
    const ofRule = records.filter(({ procedure }) => procedure === 'containers.applyRetention');
    expect(ofRule).toMatchObject([{ via: 'system', subject: { kind: 'image', name } }]);
    // A night in which nothing goes tells nothing.
    await nextNight();
    expect(await registry.ada.rpc.audit.list.query({ subjectId: id })).toHaveLength(records.length);
    expect((await registry.containers.retention.query({ id })).lastRun).toMatchObject({ tags: 0, size: 0 });
  });

  test('keeps what a project needs, an index that stays, and the signatures of what stays', async () => {
    const name = newName();
    const host = registry.world.deps.settings.publicUrl.host;
    const [, needed] = await pushDaily(name, ['old', 'deployed', 'child', 'now']);
    const id = await idOf(name);
    const child = newImage();
    const index = makeIndex([child]);
    await registry.push(name, child, 'child');
    await registry.push(name, index, 'now');
    const signatureTag = `${needed?.digest.replace(':', '-')}.sig`;
    await registry.push(name, newImage(), signatureTag);
    await registry.push(name, newImage(), `sha256-${'0'.repeat(64)}.sig`);
    await registry.push(name, index, 'now');
    // This world runs no containers, so that no project can be made of an image.
    await registry.world.deps.db
      .insertInto('projects')
      .values({
        ...{ ownerId: registry.ada.user.id, name: 'Shop', slug: 'shop', description: '', repositoryUrl: '' },
        ...{ branch: '', framework: 'nodejs', template: null, image: `${host}/${name}:deployed` },
      })
      .execute();
    const preview = await registry.containers.previewRetention.mutate({ id, ...RULE });
    expect(keptOf(preview)).toEqual({
      old: '',
      deployed: 'Kept because the project Shop is deployed from this image.',
      child: '',
      now: 'Kept as the newest.',
      [signatureTag]: 'Kept because it belongs to another image of the repository.',
      [`sha256-${'0'.repeat(64)}.sig`]: '',
    });
    await registry.containers.setRetention.mutate({ id, ...RULE });
    await nextNight();
    expect(await tagsOf(name)).toEqual(['deployed', 'now', signatureTag].toSorted());
    for (const tag of ['deployed', 'now', signatureTag]) expect(await registry.faults(name, tag)).toEqual([]);
  });

  test('takes what is untagged along where it says so', async () => {
    const name = newName();
    const [former, now] = [newImage(), newImage()];
    await registry.push(name, former, 'latest');
    await registry.push(name, now, 'latest');
    const id = await idOf(name);
    const without = await registry.containers.previewRetention.mutate({ id, ...RULE });
    expect(without.deletion).toEqual({ manifests: 0, blobs: 0, size: 0 });
    const rule = { ...RULE, untagged: true };
    const preview = await registry.containers.previewRetention.mutate({ id, ...rule });
    expect(preview.deletion).toEqual({ manifests: 1, blobs: 2, size: sizeOf(former, ...former.blobs) });
    await registry.containers.setRetention.mutate({ id, ...rule });
    await nextNight();
    expect(await registry.untaggedOf(name)).toEqual([]);
    expect(await registry.faults(name, 'latest')).toEqual([]);
  });
});

test('there is none at first; one is set, changed and removed by both doors, by its owner alone', async () => {
  const name = newName();
  await registry.push(name, newImage(), 'latest');
  const { ada, bob } = registry;
  const id = await idOf(name);
  const path = `/api/registry/repositories/${id}/retention`;
  const none = { rule: null, nextRunAt: null, lastRun: null };
  expect((await ada.rest(`GET ${path}`)).body).toEqual(none);
  const { keepMatching: _, ...asked } = RULE;
  expect(await ada.rest(`PUT ${path}`, { body: asked })).toMatchObject({
    ...{ status: 200, body: { rule: RULE, nextRunAt: expect.stringMatching(/T03:00:00/), lastRun: null } },
  });
  await nextNight();
  expect((await ada.rpc.containers.retention.query({ id })).lastRun).toMatchObject({ tags: 0 });
  const changed = await ada.rpc.containers.setRetention.mutate({ id, ...RULE, keepLast: 5 });
  expect(changed).toMatchObject({ rule: { keepLast: 5 }, lastRun: null });
  for (const [method, body] of [['GET'], ['PUT', asked], ['DELETE']] as const) {
    expect((await bob.rest(`${method} ${path}`, body && { body })).status).toBe(404);
  }
  expect((await bob.rest(`POST ${path}/preview`, { body: asked })).status).toBe(404);
  expect((await ada.rest(`DELETE ${path}`)).status).toBe(200);
  expect((await ada.rest(`DELETE ${path}`)).status).toBe(404);
  expect((await ada.rest(`GET ${path}`)).body).toEqual(none);
  const absent = `/api/registry/repositories/${ABSENT}/retention`;
  expect((await ada.rest(`GET ${absent}`)).status).toBe(404);
  for (const wrong of [
    { matching: '' },
    { matching: 'a?' },
    { matching: 'a'.repeat(129) },
    { keepLast: 0 },
    { keepLast: 1001 },
    { olderThanDays: -1 },
    { olderThanDays: 3651 },
  ]) {
    const answer = await ada.rest(`PUT ${path}`, { body: { ...asked, ...wrong } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION' } });
  }
});

test('patterns', () => {
  const matching = (pattern: string, ...texts: string[]) =>
    texts.filter((text) => matchesPattern(text, pattern));
  expect(matching('*', 'a', randomUUID())).toHaveLength(2);
  expect(matching('v1', 'v1', 'v12', 'xv1')).toEqual(['v1']);
  expect(matching('v*', 'v', 'v1', 'rv1')).toEqual(['v', 'v1']);
  expect(matching('*-rc', '-rc', '1-rc', '1-rc2')).toEqual(['-rc', '1-rc']);
  expect(matching('a*b*a', 'aba', 'ab', 'a-b-a', 'aa')).toEqual(['aba', 'a-b-a']);
  // A part is not counted twice.
  expect(matching('ab*ba', 'aba', 'abba', 'ab-ba')).toEqual(['abba', 'ab-ba']);
  expect(matching('v1.0', 'v1x0')).toEqual([]);
});
