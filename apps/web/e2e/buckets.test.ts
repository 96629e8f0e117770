import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { headOf } from '../../api/test/storage/s3-world.ts';
import type { Person } from '../../api/test/world.ts';
import { createStage, expectSound, NARROW, picture, type Stage } from './stage.ts';

const MB = 1024 * 1024;

let stage: Stage;
let ada: Person;

beforeAll(async () => {
  stage = await createStage();
  ada = await stage.world.as('Ada');
});

afterAll(() => stage.close());

test('a bucket and its key are made, and what is dropped there in parts is found by an S3 client', async () => {
  const page = await stage.open('/storage/buckets', { as: ada });
  await page.getByRole('link', { name: 'uploads' }).waitFor();
  await page.getByRole('button', { name: 'New Bucket' }).click();
  await page.getByLabel('Name').fill('films');
  await page.getByRole('button', { name: 'Create bucket' }).click();
  await page.getByRole('heading', { name: 'films', level: 1 }).waitFor();
  await picture(page, 'bucket-dark');
  await expectSound(page);

  await page.goto(`${stage.origin}/storage/keys`);
  await page.getByRole('button', { name: 'Create your first access key' }).click();
  await page.getByLabel('Name').fill('editing');
  await page.getByRole('button', { name: 'Create access key' }).click();
  const said = page.getByRole('dialog').locator('dd code');
  await said.nth(1).waitFor();
  const [accessKeyId = '', secretAccessKey = ''] = await said.allInnerTexts();
  await picture(page, 'storage-key-dark');
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('never used').waitFor();
  await expectSound(page);

  await page.goto(`${stage.origin}/storage/buckets`);
  await page.getByRole('link', { name: 'films' }).click();
  await page.getByRole('link', { name: 'Browse files' }).click();
  await page.getByText('No files here').waitFor();
  const buffer = randomBytes(9 * MB);
  await page
    .locator('input[type=file][multiple]')
    .setInputFiles({ name: 'rushes.mp4', mimeType: 'video/mp4', buffer });
  await page.getByText('All files uploaded').waitFor();
  await page.getByRole('heading', { name: 'rushes.mp4' }).waitFor();
  await picture(page, 'storage-bulk-dark');
  await expectSound(page);
  const head = await headOf(stage.world, { accessKeyId, secretAccessKey }, 'films/rushes.mp4');
  expect(head).toMatchObject({ ContentLength: 9 * MB, ContentType: 'video/mp4' });
});

test('a deleted file comes back from the trash, on a phone and by day', async () => {
  const body = { fileName: 'diary.txt', fileSize: 2, fileData: 'data:text/plain;base64,SGk=' };
  const { body: file } = await ada.rest('POST /api/storage', { body });
  await ada.rest(`DELETE /api/storage/${(file as { id: string }).id}`);
  const page = await stage.open('/storage/trash', { as: ada, viewport: NARROW, theme: 'light' });
  await page.getByText('diary.txt').first().waitFor();
  await picture(page, 'storage-trash-narrow-light');
  await expectSound(page);
  await page.getByRole('button', { name: 'Restore diary.txt' }).click();
  await page.getByText('The trash is empty').waitFor();
  await page.getByRole('link', { name: 'Files', exact: true }).click();
  await page.getByRole('heading', { name: 'diary.txt' }).waitFor();
  await picture(page, 'storage-narrow-light');
  await expectSound(page);
});
