import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '../../api/test/world.ts';
import { createStage, expectSound, NARROW, picture, type Stage } from './stage.ts';

const MB = 1024 * 1024;
const NOTES = 'Remember the barometer.\nIt fell.\n';

let stage: Stage;
let ada: Person;

beforeAll(async () => {
  stage = await createStage();
  ada = await stage.world.as('Ada');
});

afterAll(() => stage.close());

function card(page: Page, name: string) {
  return page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });
}

async function openUpload(page: Page) {
  await page.getByRole('button', { name: 'Upload File' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Upload File' });
  await dialog.waitFor();
  return dialog;
}

async function idOf(name: string): Promise<string | undefined> {
  return (await ada.rpc.storage.list.query()).find(({ fileName }) => fileName === name)?.id;
}

async function listNames(): Promise<string[]> {
  const files = await ada.rpc.storage.list.query();
  return files.map(({ fileName }) => fileName);
}

test('an empty account is shown the first step, in both themes and on a phone', async () => {
  for (const visit of [
    { name: 'storage-empty-dark' },
    { name: 'storage-empty-light', theme: 'light' as const },
    { name: 'storage-empty-narrow', viewport: NARROW },
  ]) {
    const page = await stage.open('/storage', { as: ada, ...visit });
    await page.getByText('No files yet').waitFor();
    await picture(page, visit.name);
    await expectSound(page);
  }
});

test('a file over 10 MB is not taken', async () => {
  const page = await stage.open('/storage', { as: ada });
  const dialog = await openUpload(page);
  const buffer = Buffer.alloc(10 * MB + 1);
  await dialog.getByLabel('File').setInputFiles({ name: 'huge.bin', mimeType: 'application/x-huge', buffer });
  await page.getByText('File too large').first().waitFor();
  await page.getByText('Please select a file smaller than 10MB').first().waitFor();
  expect(await dialog.getByRole('button', { name: 'Upload', exact: true }).isDisabled()).toBe(true);
  await picture(page, 'storage-too-large');
});

test('an upload shows how far it is, and cancelling it leaves nothing', async () => {
  const page = await stage.open('/storage', { as: ada, context: {} });
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: MB };
  await network.send('Network.emulateNetworkConditions', slow);
  const dialog = await openUpload(page);
  await dialog
    .getByLabel('File')
    .setInputFiles({ name: 'slow.bin', mimeType: 'application/x-slow', buffer: randomBytes(8 * MB) });
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
  const bar = dialog.getByRole('progressbar', { name: 'Upload' });
  await expect.poll(async () => Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThan(10);
  await dialog.getByText(/\d+% · \d\.\d\d MB of 8\.00 MB/).waitFor();
  await picture(page, 'storage-uploading');
  await expectSound(page);
  await dialog.getByRole('button', { name: 'Cancel upload' }).click();
  await expect.poll(() => bar.count()).toBe(0);
  expect(await listNames()).toEqual([]);
});

test('by keyboard: from a file on the disk to a card', async () => {
  const page = await stage.open('/storage', { as: ada });
  await page.getByRole('button', { name: 'Upload your first file' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Upload File' });
  const chooser = page.waitForEvent('filechooser');
  await expect
    .poll(() => dialog.getByLabel('File').evaluate((input) => input === document.activeElement))
    .toBe(true);
  await page.keyboard.press('Enter');
  await (await chooser).setFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from(NOTES) });
  await page.keyboard.press('Tab');
  await page.keyboard.press('End');
  await page.keyboard.type('2026/');
  await picture(page, 'storage-upload');
  await expectSound(page);
  await page.keyboard.press('Enter');
  await page.getByText('File uploaded successfully').first().waitFor();
  const notes = card(page, 'notes.txt');
  await notes.getByText('/uploads/2026/').waitFor();
  await notes.getByText('Private').waitFor();
  await notes.getByText(`${NOTES.length} B`, { exact: true }).waitFor();
  await notes.getByText('text/plain').waitFor();
});

test('a text and an image are previewed, and downloaded byte by byte', async () => {
  const page = await stage.open('/storage', { as: ada });
  await card(page, 'notes.txt').waitFor();
  const image = await page.screenshot();
  const dialog = await openUpload(page);
  await dialog.getByLabel('File').setInputFiles({ name: 'shot.png', mimeType: 'image/png', buffer: image });
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
  await card(page, 'shot.png').waitFor();
  // Escape closes what came last: the toast, where it came over the dialog.
  await page.getByText('File uploaded successfully').first().waitFor();

  await page.getByRole('button', { name: 'Preview notes.txt' }).click();
  const text = page.getByRole('dialog', { name: 'notes.txt' });
  await text.getByText('Remember the barometer.').waitFor();
  await picture(page, 'storage-preview-text');
  await expectSound(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Preview shot.png' }).click();
  const shown = page.getByRole('dialog', { name: 'shot.png' }).getByRole('img', { name: 'shot.png' });
  await expect.poll(() => shown.evaluate((node: HTMLImageElement) => node.naturalWidth)).toBe(1440);
  await picture(page, 'storage-preview-image');
  await expectSound(page);
  await page.keyboard.press('Escape');

  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download shot.png' }).click();
  const download = await saving;
  expect(download.suggestedFilename()).toBe('shot.png');
  expect(Buffer.compare(await readFile(await download.path()), image)).toBe(0);
});

test('a public file is anyone’s by its address, until it is private again', async () => {
  const page = await stage.open('/storage', {
    as: ada,
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
  });
  const notes = card(page, 'notes.txt');
  await notes.getByRole('button', { name: 'More actions for notes.txt' }).click();
  await picture(page, 'storage-menu');
  await expectSound(page);
  await page.getByRole('menuitem', { name: 'Make public' }).click();
  await notes.getByText('Public').waitFor();
  await notes.getByRole('button', { name: 'Copy the public URL of notes.txt' }).click();
  await notes.getByText('Copied').waitFor({ state: 'attached' });
  const url = await page.evaluate(() => navigator.clipboard.readText());
  const [listed] = (await ada.rpc.storage.list.query()).filter(({ isPublic }) => isPublic);
  expect(url).toBe(listed?.publicUrl);

  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  expect(await answer.text()).toBe(NOTES);
  await picture(page, 'storage-cards', true);
  await expectSound(page);

  await notes.getByRole('button', { name: 'More actions for notes.txt' }).click();
  await page.getByRole('menuitem', { name: 'Make private' }).click();
  await notes.getByText('Private').waitFor();
  expect((await fetch(url)).status).toBe(404);
});

test('a taken path is asked about, before its bytes are sent, and a file is moved by its card', async () => {
  const page = await stage.open('/storage', { as: ada });
  const before = (await ada.rpc.storage.list.query()).find(({ fileName }) => fileName === 'shot.png');
  const dialog = await openUpload(page);
  await dialog.getByText(/ of 10\.00 GB storage left on the Starter plan \(trial\)$/).waitFor();
  // More than the network holds, so an answer before its end is one to a body that nobody reads.
  await dialog
    .getByLabel('File')
    .setInputFiles({ name: 'shot.png', mimeType: 'text/plain', buffer: Buffer.alloc(9 * MB, 'x') });
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
  await dialog.getByText('shot.png already exists in /uploads/').waitFor();
  expect(new URL(page.url()).search).toBe('');
  await picture(page, 'storage-taken');
  await expectSound(page);
  await page.mouse.click(5, 5);
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog', { name: 'Discard changes?' }).waitFor();
  await picture(page, 'storage-discard');
  await expectSound(page);
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Keep both' }).click();
  await card(page, 'shot (2).png').getByText('9.00 MB').waitFor();

  const again = await openUpload(page);
  await again
    .getByLabel('File')
    .setInputFiles({ name: 'shot (2).png', mimeType: 'text/plain', buffer: Buffer.from('small') });
  await again.getByRole('button', { name: 'Upload', exact: true }).click();
  await again.getByRole('button', { name: 'Replace' }).click();
  await card(page, 'shot (2).png').getByText('5 B', { exact: true }).waitFor();
  expect((await listNames()).sort()).toEqual(['notes.txt', 'shot (2).png', 'shot.png']);

  const menu = page.getByRole('button', { name: 'More actions for shot (2).png' });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Rename or move' }).click();
  const move = page.getByRole('dialog', { name: 'Rename or move' });
  await move.getByLabel('File name').fill('shot.png');
  await move.getByRole('button', { name: 'Save' }).click();
  await move.getByText('shot.png already exists in /uploads/').waitFor();
  await picture(page, 'storage-move-taken');
  await expectSound(page);
  await move.getByLabel('File name').fill('barometer.txt');
  await move.getByLabel('Path').fill('readings');
  await page.keyboard.press('Enter');
  await card(page, 'barometer.txt').getByText('/readings/').waitFor();
  expect((await ada.rpc.storage.list.query()).find(({ id }) => id === before?.id)).toEqual(before);

  const narrow = await stage.open('/storage', { as: ada, viewport: NARROW, theme: 'light' });
  await narrow.getByRole('button', { name: 'More actions for barometer.txt' }).click();
  await narrow.getByRole('menuitem', { name: 'Rename or move' }).click();
  const narrowMove = narrow.getByRole('dialog', { name: 'Rename or move' });
  await narrowMove.getByLabel('File name').fill('shot.png');
  await narrowMove.getByLabel('Path').fill('/uploads/');
  await picture(narrow, 'storage-move-narrow-light');
  await narrowMove.getByRole('button', { name: 'Save' }).click();
  await narrowMove.getByRole('button', { name: 'Keep both' }).waitFor();
  await picture(narrow, 'storage-move-taken-narrow-light');
  await expectSound(narrow);
  await narrowMove.getByRole('button', { name: 'Cancel' }).click();
  await narrow.getByRole('alertdialog', { name: 'Discard changes?' }).waitFor();
  await picture(narrow, 'storage-discard-narrow-light');
  await expectSound(narrow);
  await narrow.getByRole('button', { name: 'Discard' }).click();
  await ada.rpc.storage.remove.mutate({ id: (await idOf('barometer.txt')) ?? '' });
});

test('a long list is a table of what is in sight: one scrolls, searches and sorts it', async () => {
  const many = await stage.world.as('Many');
  const rows = Array.from({ length: 300 }, (_, index) => ({
    ownerId: many.user.id,
    fileName: `measurement-${String(index).padStart(3, '0')}.csv`,
    filePath: '/uploads/',
    fileSize: 1000 - index,
    mimeType: 'text/csv',
    isPublic: false,
    objectKey: `files/none-${index}`,
    sha256: '',
  }));
  await stage.world.deps.db.insertInto('storedFiles').values(rows).execute();
  const page = await stage.open('/storage', { as: many });
  const table = page.getByRole('table', { name: 'Files' });
  const row = (name: string) => table.getByRole('row').filter({ hasText: name });
  await row('measurement-299').waitFor();
  await picture(page, 'storage-table-dark');
  await expectSound(page);

  // The bar of a selection does not come over the row that Tab leads to. The table's frame does not scroll, and is no stop.
  await page.getByRole('combobox', { name: 'Sort by' }).focus();
  const first = row('measurement-299');
  const topOf = async (box: Locator) => (await box.boundingBox())?.y ?? 0;
  await page.evaluate((top) => window.scrollTo(0, top - 70), await topOf(first));
  await page.keyboard.press('Tab');
  const tick = page.getByLabel('Select measurement-299.csv');
  expect(await tick.evaluate((box) => box === document.activeElement)).toBe(true);
  await page.keyboard.press('Space');
  await page.getByText('1 selected').waitFor();
  const bar = await page.getByRole('region', { name: 'Selection' }).boundingBox();
  expect(await topOf(first)).toBeGreaterThanOrEqual((bar?.y ?? 0) + (bar?.height ?? 0));
  await page.keyboard.press('Escape');

  // Whoever is in a row stays there while it is out of sight. Not the first, whose place no scrolling changes.
  const download = page.getByRole('button', { name: 'Download measurement-290.csv' });
  await download.focus();
  const end = row('measurement-000');
  await expect
    .poll(async () => {
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
      return end.count();
    })
    .toBe(1);
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('301');
  expect(await end.getAttribute('aria-rowindex')).toBe('301');
  expect(await table.getByRole('row').count()).toBeLessThan(60);
  expect(await download.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.getByText('300 files').waitFor();

  await page.keyboard.press('/');
  await page.keyboard.type('MENT-07');
  await page.getByText('10 files').waitFor();
  await page.waitForURL('**/storage?q=MENT-07');
  const box = page.getByRole('searchbox', { name: 'Search files' });
  expect(await box.evaluate((input) => input === document.activeElement)).toBe(true);
  await page.getByRole('combobox', { name: 'Sort by' }).click();
  await page.getByRole('option', { name: 'Largest first' }).click();
  await expect.poll(() => table.getByRole('row').nth(1).textContent()).toContain('measurement-070.csv');
  await page.reload();
  await expect.poll(() => table.getByRole('row').nth(1).textContent()).toContain('measurement-070.csv');

  await page.getByRole('button', { name: 'More actions for measurement-070.csv' }).click();
  await page.getByRole('menuitem', { name: 'Make public' }).click();
  await row('measurement-070').getByText('Public').waitFor();

  await box.fill('no such file');
  await page.getByText('No files found').waitFor();
  await picture(page, 'storage-no-matches');
  await expectSound(page);
  await page.getByRole('button', { name: 'Clear search' }).click();
  await row('measurement-000').waitFor();
  expect(await box.evaluate((input) => input === document.activeElement)).toBe(true);

  const narrow = await stage.open('/storage', { as: many, viewport: NARROW, theme: 'light' });
  await narrow.getByRole('list', { name: 'Files' }).getByText('measurement-299.csv').waitFor();
  expect(await narrow.getByRole('listitem').count()).toBeLessThan(40);
  await picture(narrow, 'storage-narrow-light');
  await expectSound(narrow);
});

test('deleting a file asks once, and then it is gone', async () => {
  const page = await stage.open('/storage', { as: ada });
  const menu = page.getByRole('button', { name: 'More actions for shot.png' });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Delete shot.png?' });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => menu.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await dialog.waitFor();
  await picture(page, 'storage-delete');
  await expectSound(page);
  await dialog.getByRole('button', { name: 'Delete file' }).click();
  await page.getByText('File deleted').first().waitFor();
  await expect.poll(() => card(page, 'shot.png').count()).toBe(0);
  expect(await listNames()).toEqual(['notes.txt']);
});
