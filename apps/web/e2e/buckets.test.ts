import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
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

/** Whoever works by keyboard goes on from there, once what had the focus is gone. */
async function expectFocusInContent(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
}

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

test('an upload that is paused says what has arrived, and goes on with that after a reload', async () => {
  const { id } = await ada.rpc.buckets.create.mutate({ name: 'rushes' });
  const page = await stage.open(`/storage?bucket=${id}`, { as: ada, context: {} });
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 8 * MB };
  await network.send('Network.emulateNetworkConditions', slow);
  const folder = await mkdtemp(join(tmpdir(), 'nephos-upload-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'long “take” ü.mp4');
  const bytes = randomBytes(50 * MB);
  await writeFile(path, bytes);
  const parts: string[] = [];
  page.on('request', (request) => request.method() === 'PUT' && parts.push(request.url()));
  await page.locator('input[type=file][multiple]').setInputFiles(path);
  const arrived = async () => (await ada.rpc.storageUploads.list.query())[0]?.size ?? 0;
  await expect.poll(arrived).toBeGreaterThan(0);
  const tray = page.getByRole('region', { name: 'Uploads' });
  await tray.getByRole('button', { name: /^Pause long/ }).click();
  const said = await tray.getByText(/^Paused/).textContent();
  await picture(page, 'storage-paused-dark');
  await expectSound(page);
  const sent = parts.length;

  await page.reload();
  const rows = page.getByRole('list', { name: 'Unfinished uploads' });
  await rows.getByText('long “take” ü.mp4').waitFor();
  expect(parts).toHaveLength(sent);
  const kept = await arrived();
  expect(kept).toBeLessThan(bytes.length);
  expect(said).toBe(`Paused · ${(kept / MB).toFixed(2)} MB of 50.00 MB`);
  await picture(page, 'storage-unfinished-dark');
  await expectSound(page);
  await rows.locator('input[type=file]').setInputFiles(path);
  await page.getByText('All files uploaded').waitFor();
  // Neither the pause nor the reload lost a part.
  expect(parts).toHaveLength(Math.ceil(bytes.length / (8 * MB)));
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

test('a video plays in a frame that runs no script', async () => {
  const page = await stage.open('/storage', { as: ada });
  // Frames of a canvas, which the browser itself makes a film of.
  const film = await page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('2d');
    const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: 'video/webm' });
    const parts: Blob[] = [];
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
    const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve));
    recorder.start(10);
    // On a busy machine the recorder takes its first frame late.
    const isEmpty = () => parts.every(({ size }) => size === 0);
    for (let frame = 0; frame < 6 || isEmpty(); frame += 1) {
      if (context) context.fillStyle = ['red', 'green', 'blue'][frame % 3] ?? '';
      context?.fillRect(0, 0, canvas.width, canvas.height);
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    recorder.stop();
    await stopped;
    return [...new Uint8Array(await new Blob(parts).arrayBuffer())];
  });
  for (const [fileName, bytes] of [
    ['film.webm', Buffer.from(film)],
    ['broken.webm', Buffer.from('no film')],
  ] as const) {
    const fileData = `data:video/webm;base64,${bytes.toString('base64')}`;
    await ada.rpc.storage.create.mutate({ fileName, fileSize: bytes.length, fileData });
  }
  await page.reload();
  await page.getByRole('button', { name: 'Preview film.webm' }).click();
  const frame = page.frameLocator('iframe[title="film.webm"]');
  const isDrawn = () =>
    frame
      .locator('video')
      .evaluate((video: HTMLVideoElement) => video.readyState > 0 && video.videoWidth > 0);
  await expect.poll(isDrawn).toBe(true);
  expect(await page.locator('iframe').getAttribute('sandbox')).toBe('allow-same-origin');
  await picture(page, 'storage-preview-video');
  await expectSound(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Preview broken.webm' }).click();
  await page.getByText('This browser could not play the file').waitFor();
});

test('a bucket’s rules are set by keyboard, by day and on a phone', async () => {
  const { id } = await ada.rpc.buckets.create.mutate({ name: 'logs', versioning: true });
  const page = await stage.open(`/storage/buckets/${id}`, { as: ada, theme: 'light' });
  const press = async (name: string) => {
    await page.getByRole('button', { name, exact: true }).focus();
    await page.keyboard.press('Enter');
  };
  await press('Add lifecycle rule');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('old logs');
  await dialog.getByLabel('Path begins with').fill('daily/');
  await dialog.getByLabel('Delete files after days').fill('30');
  await dialog.getByLabel('Delete former versions after days').fill('7');
  await dialog.getByLabel('But keep the newest').fill('3');
  await picture(page, 'bucket-lifecycle-light');
  await expectSound(page);
  await page.keyboard.press('Enter');
  await page.getByText(/^Files whose path begins with daily\/ are deleted after 30 days\./).waitFor();
  await press('Add CORS rule');
  await dialog.getByLabel('Origins').fill('https://*.example.com');
  await picture(page, 'bucket-cors-light');
  await expectSound(page);
  await press('Add rule');
  await page.getByText('Pages of https://*.example.com may send GET and HEAD.').waitFor();
  expect(await ada.rpc.buckets.rules.query({ id })).toMatchObject({
    lifecycle: [{ id: 'old logs', prefix: 'daily/', expiry: { days: 30 }, former: { days: 7, kept: 3 } }],
    cors: [{ origins: ['https://*.example.com'], methods: ['GET', 'HEAD'] }],
  });
  await page.getByRole('button', { name: 'Edit old logs' }).waitFor();
  await picture(page, 'bucket-rules-light', true);
  await expectSound(page);
  const phone = await stage.open(`/storage/buckets/${id}`, { as: ada, viewport: NARROW });
  await phone.getByRole('button', { name: 'Edit old logs' }).waitFor();
  await picture(phone, 'bucket-rules-narrow-dark', true);
  await expectSound(phone);
  await phone.getByRole('button', { name: 'Add lifecycle rule' }).click();
  await phone.getByRole('dialog').getByLabel('Name').waitFor();
  await picture(phone, 'bucket-lifecycle-narrow-dark');
  await expectSound(phone);
});

test('several files are selected by keyboard and by mouse, moved, and what stayed is told', async () => {
  const bea = await stage.world.as('Bea');
  for (const fileName of ['one.txt', 'two.txt', 'three.txt', 'four.txt']) {
    await bea.rpc.storage.create.mutate({ fileName, fileSize: 2, fileData: 'data:text/plain;base64,SGk=' });
  }
  const there = { fileName: 'two.txt', filePath: '/kept/', fileSize: 2 };
  await bea.rpc.storage.create.mutate({ ...there, fileData: 'data:text/plain;base64,SGk=' });
  const page = await stage.open('/storage?folder=%2Fuploads%2F', { as: bea, viewport: NARROW });
  // Newest first: four, three, two, one.
  await page.getByLabel('Select four.txt').focus();
  await page.keyboard.press('Space');
  await page.getByText('1 selected').waitFor();
  await page.getByLabel('Select two.txt').focus();
  await page.keyboard.press('Shift+Space');
  await page.getByText('3 selected').waitFor();
  await picture(page, 'storage-selected-narrow-dark');
  await expectSound(page);
  await page.getByRole('button', { name: 'Move', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Move 3 files' }).getByLabel('Path').fill('/kept/');
  await page.keyboard.press('Enter');
  await page.getByText('1 file could not be moved to /kept/. 2 files were.').waitFor();
  await picture(page, 'storage-moved-narrow-dark');
  await expectSound(page);
  await page.getByRole('button', { name: 'Keep both' }).click();
  await page.getByText('two.txt').first().waitFor({ state: 'detached' });
  expect(
    (await bea.rpc.storage.list.query({ folder: '/kept/', sort: 'name' })).map(({ fileName }) => fileName),
  ).toEqual(['four.txt', 'three.txt', 'two (2).txt', 'two.txt']);

  await page.getByRole('button', { name: 'More actions for uploads' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Download as .zip' }).waitFor();
  await picture(page, 'storage-folder-menu-narrow-dark');
  await expectSound(page);

  const wide = await stage.open('/storage?folder=%2Fkept%2F', { as: bea, theme: 'light' });
  await wide.getByLabel('Select four.txt').focus();
  await wide.keyboard.press('Control+a');
  await wide.getByText('4 selected').waitFor();
  await wide.keyboard.press('Escape');
  await wide.getByText('4 selected').waitFor({ state: 'detached' });
  // Newest first: the other two.txt, four, three, and two (2).
  await wide.getByLabel('Select three.txt', { exact: true }).click();
  await wide.getByLabel('Select two (2).txt', { exact: true }).click({ modifiers: ['Shift'] });
  await wide.getByText('2 selected').waitFor();
  await picture(wide, 'storage-selected-light');
  await expectSound(wide);
  const save = async (button: Locator) => {
    const download = wide.waitForEvent('download');
    await button.click();
    const saved = await download;
    const archive = (await readFile(await saved.path())).toString('latin1');
    return [saved.suggestedFilename(), [...new Set(archive.match(/[\w ()]+\.txt/g))]];
  };
  expect(await save(wide.getByRole('button', { name: 'Download', exact: true }).first())).toEqual([
    'kept.zip',
    ['three.txt', 'two (2).txt'],
  ]);
  await wide.getByRole('button', { name: 'More actions for kept' }).click();
  const whole = wide.getByRole('menuitem', { name: 'Download as .zip' });
  await whole.waitFor();
  await picture(wide, 'storage-folder-menu-light');
  expect(await save(whole)).toEqual(['kept.zip', ['four.txt', 'three.txt', 'two (2).txt', 'two.txt']]);
  await wide.getByLabel('Select all').check();
  await wide.getByRole('button', { name: 'Delete', exact: true }).click();
  await wide.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await wide.getByText('No files here').waitFor();
  await expectFocusInContent(wide);
  await wide.getByRole('link', { name: 'Trash' }).click();
  await wide.getByLabel('Select all').check();
  await picture(wide, 'storage-trash-selected-light');
  await expectSound(wide);
  await wide.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Restore' }).click();
  await wide.getByText('The trash is empty').waitFor();
  await expectFocusInContent(wide);
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
  await page.getByText('Primary', { exact: true }).waitFor();
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
