import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
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

test('an upload that is paused sends nothing, and after a reload goes on with what has arrived', async () => {
  const { id } = await ada.rpc.buckets.create.mutate({ name: 'rushes' });
  const page = await stage.open(`/storage?bucket=${id}`, { as: ada });
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 8 * MB };
  await network.send('Network.emulateNetworkConditions', slow);
  const folder = await mkdtemp(join(tmpdir(), 'nephos-upload-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'long “take” ü.mp4');
  const bytes = randomBytes(50 * MB);
  await writeFile(path, bytes);
  await page.locator('input[type=file][multiple]').setInputFiles(path);
  const arrived = async () => (await ada.rpc.storageUploads.list.query())[0]?.size ?? 0;
  await expect.poll(arrived).toBeGreaterThan(0);
  const tray = page.getByRole('region', { name: 'Uploads' });
  await tray.getByRole('button', { name: /^Pause long/ }).click();
  await tray.getByText(/^Paused/).waitFor();
  await picture(page, 'storage-paused-dark');
  await expectSound(page);
  const inFlight: string[] = [];
  page.on('request', (request) => request.method() === 'PUT' && inFlight.push(request.url()));

  await page.reload();
  const rows = page.getByRole('list', { name: 'Unfinished uploads' });
  await rows.getByText('long “take” ü.mp4').waitFor();
  expect(inFlight).toEqual([]);
  const kept = await arrived();
  expect(kept).toBeLessThan(bytes.length);
  await picture(page, 'storage-unfinished-dark');
  await expectSound(page);
  await rows.locator('input[type=file]').setInputFiles(path);
  await page.getByText('All files uploaded').waitFor();
  expect(inFlight).toHaveLength(Math.ceil((bytes.length - kept) / (8 * MB)));
  const [file] = await ada.rpc.storage.list.query({ bucketId: id });
  const answer = await fetch(`${stage.origin}/api/storage/${file?.id}/download`, {
    headers: { cookie: ada.cookie },
  });
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
});

/** A page that says `text`, as few bytes as PDF allows. */
function pdfThatSays(text: string): Buffer {
  const content = `BT /F1 32 Tf 40 140 Td (${text}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert(1)) >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = body.length;
    body += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const table = `xref\n0 6\n0000000000 65535 f \n${rows}`;
  return Buffer.from(`${body}${table}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`);
}

test('a PDF is shown in a frame that has no part in the console’s origin', async () => {
  const bytes = pdfThatSays('Barometer');
  for (const [fileName, data] of [
    ['paper.pdf', bytes],
    ['broken.pdf', Buffer.from('%PDF-1.4 and nothing more')],
  ] as const) {
    const fileData = `data:application/pdf;base64,${data.toString('base64')}`;
    await ada.rpc.storage.create.mutate({ fileName, fileSize: data.length, fileData });
  }
  const page = await stage.open('/storage', { as: ada });
  await page.getByRole('button', { name: 'Preview paper.pdf' }).click();
  const dialog = page.getByRole('dialog', { name: 'paper.pdf' });
  await dialog.getByText('1 page', { exact: true }).waitFor();
  const frame = page.frameLocator('iframe[title="paper.pdf"]');
  await frame.getByText('Barometer').waitFor({ state: 'attached' });
  const drawn = () =>
    frame.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
      const { data: pixels } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {};
      return pixels?.some((value, at) => at % 4 === 0 && value < 128) ?? false;
    });
  await expect.poll(drawn).toBe(true);
  await picture(page, 'storage-preview-pdf');
  await expectSound(page);
  const inside = page.frames().find((one) => one !== page.mainFrame());
  expect(await inside?.evaluate(() => window.origin)).toBe('null');
  // Neither the console's page, nor its session, nor what runs there is within reach.
  expect(
    await inside?.evaluate(() =>
      fetch('/api/auth/user').then(
        () => 'read',
        () => 'refused',
      ),
    ),
  ).toBe('refused');
  expect(
    await inside?.evaluate(() => {
      try {
        return window.parent.document.title;
      } catch (error) {
        return (error as Error).name;
      }
    }),
  ).toBe('SecurityError');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Preview broken.pdf' }).click();
  await page.getByText('This PDF could not be displayed').waitFor();
});

test('a public bucket is made a web site by keyboard, at a domain of one’s own', async () => {
  const { id } = await ada.rpc.buckets.create.mutate({ name: 'pages', isPublic: true });
  const page = await stage.open(`/storage/buckets/${id}`, { as: ada, viewport: NARROW, theme: 'light' });
  await page.getByRole('button', { name: 'Turn on' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Web site' }).getByLabel('Index page').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Add domain' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Add domain' }).getByLabel('Domain').fill('www.example.com');
  await page.keyboard.press('Enter');
  await page.getByText('Verify that you own it').waitFor();
  await picture(page, 'bucket-site-narrow-light', true);
  await expectSound(page);
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
