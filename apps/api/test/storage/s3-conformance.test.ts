import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONFORMANCE } from './s3-conformance-cases.ts';
import { createS3World, type S3World } from './s3-conformance-world.ts';

const DOCUMENT = join(import.meta.dirname, '../../../../docs/s3-conformance.md');

let world: S3World;

beforeAll(async () => {
  world = await createS3World();
});

afterAll(() => world.close());

describe.each(Object.entries(CONFORMANCE))('%s', (_about, cases) => {
  test.each(cases)('$name', ({ run }) => run(world));
});

/** The table as people read it. */
function documented(): string {
  const sections = Object.entries(CONFORMANCE).map(([about, cases]) => {
    const rows = cases.map(
      ({ name, says, isRefused }) => `| \`${name}\` | ${isRefused ? 'refused' : 'passes'} | ${says} |`,
    );
    return [
      `## ${about}`,
      '',
      '| Case | Result | What a client can count on |',
      '| --- | --- | --- |',
      ...rows,
    ].join('\n');
  });
  return [
    '# What S3 clients can count on',
    'In the manner of [s3-tests](https://github.com/ceph/s3-tests), by whose names most cases are called. Each is run by ' +
      '`apps/api/test/storage/s3-conformance.test.ts`, from whose table this page is made (`npm test -- <that file> -u`).',
    ...sections,
  ]
    .join('\n\n')
    .concat('\n');
}

test('the document says what is run', async () => {
  await expect(documented()).toMatchFileSnapshot(DOCUMENT);
});
