import { readFile } from 'node:fs/promises';
import type { Download, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '../../api/test/world.ts';
import { createStage, expectSound, NARROW, picture, type Stage } from './stage.ts';

const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };
const MANIFEST = 'app/src/main/AndroidManifest.xml';
const INFO_PLIST = 'ios/Config/Info.plist';
/** Everything that a format could take for its own. */
const HOSTILE = `<Sun> & "rain" \${HOME} *wind* 'n' frost`;

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

async function openNew(page: Page) {
  await page.getByRole('button', { name: 'New Mobile App' }).click();
  const dialog = page.getByRole('dialog', { name: 'New Mobile App' });
  await dialog.waitFor();
  return dialog;
}

async function openConfig(page: Page, name: string) {
  await page.getByRole('button', { name: `View Config of ${name}`, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Build configuration' });
  await dialog.waitFor();
  return dialog;
}

async function choose(page: Page, label: string, option: string) {
  await page.getByRole('dialog').getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

async function isFocused(page: Page, label: string): Promise<boolean> {
  return page.getByLabel(label, { exact: true }).evaluate((control) => control === document.activeElement);
}

async function downloaded(page: Page, button: string): Promise<{ download: Download; bytes: Buffer }> {
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: button, exact: true }).click();
  const download = await saving;
  return { download, bytes: await readFile(await download.path()) };
}

/** Paths in a zip archive without encryption or comments: those of its central directory (APPNOTE 4.3.12). */
function pathsInZip(zip: Buffer): string[] {
  const paths: string[] = [];
  let at = zip.readUInt32LE(zip.length - 22 + 16);
  while (zip.readUInt32LE(at) === 0x02014b50) {
    const [name, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    paths.push(zip.toString('utf8', at + 46, at + 46 + (name ?? 0)));
    at += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return paths.sort();
}

test('an empty account is shown the first step, in both themes and on a phone', async () => {
  for (const visit of [
    { name: 'mobile-apps-empty-dark' },
    { name: 'mobile-apps-empty-light', theme: 'light' as const },
    { name: 'mobile-apps-empty-narrow', viewport: NARROW },
  ]) {
    const page = await stage.open('/mobile-apps', { as: ada, ...visit });
    await page.getByText('No mobile apps yet').waitFor();
    await picture(page, visit.name);
    await expectSound(page);
  }
});

test('by keyboard: from the palette to a file of a generated configuration', async () => {
  const page = await stage.open('/mobile-apps', { as: ada, context: CLIPBOARD });
  await page.getByText('No mobile apps yet').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder(/^Type a page/).waitFor();
  await page.keyboard.type('New Mobile App');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New Mobile App' });
  await expect.poll(() => isFocused(page, 'Name')).toBe(true);
  expect(await dialog.getByRole('button', { name: 'Create', exact: true }).isDisabled()).toBe(true);
  const defaults = { 'Build number': '1', 'Android minimum SDK': '21', 'Android target SDK': '34' };
  for (const [label, value] of Object.entries(defaults))
    expect(await dialog.getByLabel(label).inputValue()).toBe(value);
  await page.keyboard.type('Pocket weather');
  for (const key of ['Tab', 'Tab']) await page.keyboard.press(key);
  await page.keyboard.type('com.example.weather');
  await picture(page, 'mobile-apps-new');
  await expectSound(page);
  await page.keyboard.press('Enter');
  await page.getByText('Mobile app created successfully').first().waitFor();
  for (const fact of ['com.example.weather', 'Draft', '1.0.0 (1)', 'Android and iOS'])
    await card(page, 'Pocket weather').getByText(fact, { exact: true }).waitFor();

  await page.getByRole('button', { name: 'View Config of Pocket weather' }).focus();
  await page.keyboard.press('Enter');
  const generate = page.getByRole('button', { name: 'Generate Build Config' });
  await expect.poll(() => generate.evaluate((button) => button === document.activeElement)).toBe(true);
  await picture(page, 'mobile-apps-draft');
  await expectSound(page);
  await page.keyboard.press('Enter');
  await page.getByText('Build configuration generated successfully').first().waitFor();
  await page
    .getByRole('region', { name: 'app/build.gradle.kts' })
    .getByText('"com.example.weather"')
    .first()
    .waitFor();
  await page.getByRole('tab', { name: 'build.gradle.kts' }).focus();
  await page.keyboard.press('ArrowDown');
  const manifest = page.getByRole('region', { name: MANIFEST });
  await manifest.getByText('android:label="Pocket weather"').waitFor();
  await page.getByRole('button', { name: `Copy ${MANIFEST}` }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Copied').waitFor({ state: 'attached' });
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    await manifest.locator('pre').textContent(),
  );
  // Not by Escape, which closes what came last: the toast.
  await page.getByRole('button', { name: 'Close', exact: true }).focus();
  await page.keyboard.press('Enter');
  await card(page, 'Pocket weather').getByText('Configured').waitFor();
});

test('an app is edited, and its files follow', async () => {
  const page = await stage.open('/mobile-apps', { as: ada });
  const config = await openConfig(page, 'Pocket weather');
  await config.getByText('google-play-target-sdk').waitFor();
  await picture(page, 'mobile-apps-warning');
  await config.getByRole('button', { name: 'Use 36' }).click();
  await config.getByText('google-play-target-sdk').waitFor({ state: 'detached' });
  await config.getByText('targetSdk = 36').first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Edit Pocket weather' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit mobile app' });
  await dialog.getByLabel('Name').fill('Weather');
  await dialog.getByLabel('Android target SDK').fill('35');
  await picture(page, 'mobile-apps-edit');
  await expectSound(page);
  await dialog.getByRole('button', { name: 'Use 2' }).click();
  await dialog.getByRole('button', { name: 'Use 36' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await card(page, 'Weather').getByText('1.0.0 (2)').waitFor();
  await card(page, 'Weather').getByText('Configured').waitFor();
  const changed = await openConfig(page, 'Weather');
  await changed.getByText('versionCode = 2').first().waitFor();
});

test('what the server refuses is said at its field', async () => {
  const page = await stage.open('/mobile-apps?new=1', { as: ada });
  const dialog = page.getByRole('dialog', { name: 'New Mobile App' });
  await dialog.getByLabel('Name').fill('Robot');
  await dialog.getByLabel('Bundle ID').fill('robot');
  await dialog.getByLabel('Version', { exact: true }).fill('1.0');
  await dialog.getByLabel('Android target SDK').fill('20');
  await choose(page, 'Deployment method', 'GitHub');
  await dialog.getByLabel('Repository URL').fill('git@github.com:ada/robot.git');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByText('Failed to create mobile app').first().waitFor();
  await dialog.getByText('Version must be three numbers, like 1.0.0.').waitFor();
  for (const label of ['Version', 'Repository URL'])
    expect(await dialog.getByLabel(label, { exact: true }).getAttribute('aria-invalid')).toBe('true');
  await picture(page, 'mobile-apps-new-refused');
  await expectSound(page);
  await dialog.getByLabel('Version', { exact: true }).fill('1.0.0');
  await dialog.getByLabel('Repository URL').fill('https://github.com/ada/robot.git');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await dialog.getByText('Use at least two parts separated by dots, like com.example.app.').first().waitFor();
  await dialog.getByText("Target SDK can't be lower than the minimum SDK.").waitFor();
});

test('the files of a hostile name are read, and downloaded as they are', async () => {
  const page = await stage.open('/mobile-apps', { as: ada });
  const dialog = await openNew(page);
  await dialog.getByLabel('Name').fill(HOSTILE);
  await dialog.getByLabel('Bundle ID').fill('com.example.hostile');
  await dialog.getByLabel('iOS team ID').fill('ab12cd34ef');
  await choose(page, 'Deployment method', 'GitHub');
  await dialog.getByLabel('Repository URL').fill('https://github.com/ada/weather.git');
  await picture(page, 'mobile-apps-new-github');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await card(page, HOSTILE).getByText('GitHub', { exact: true }).waitFor();
  const config = await openConfig(page, HOSTILE);
  await config.getByRole('button', { name: 'Generate Build Config' }).click();
  await config.getByText('google-play-target-sdk').waitFor();
  await config.getByText('2026-08-31').first().waitFor();
  await picture(page, 'mobile-apps-gradle');
  await expectSound(page);

  await config.getByRole('tab', { name: 'AndroidManifest.xml' }).click();
  const manifest = await downloaded(page, `Download ${MANIFEST}`);
  expect(manifest.download.suggestedFilename()).toBe('AndroidManifest.xml');
  await config.getByRole('tab', { name: 'Build instructions' }).click();
  await config.getByRole('heading', { name: `Build ${HOSTILE} for Android` }).waitFor();
  await picture(page, 'mobile-apps-instructions');
  await expectSound(page);

  await config.getByRole('tab', { name: 'iOS' }).click();
  const plist = await downloaded(page, `Download ${INFO_PLIST}`);
  for (const name of ['App.xcconfig', 'ExportOptions.plist', 'Fastfile', 'build.yml'])
    await config.getByRole('tab', { name }).waitFor();
  await config.getByRole('tab', { name: 'build.yml' }).click();
  await picture(page, 'mobile-apps-workflow');
  await expectSound(page);

  const archive = await downloaded(page, 'Download all files as a zip archive');
  expect(archive.download.suggestedFilename()).toMatch(/\.zip$/);
  const [app] = await ada.rpc.mobileApps.list.query();
  const { files } = await ada.rpc.mobileApps.files.query({ id: app?.id ?? '' });
  expect(pathsInZip(archive.bytes)).toEqual(files.map(({ path }) => path).sort());
  for (const { path, bytes } of [
    { path: MANIFEST, bytes: manifest.bytes },
    { path: INFO_PLIST, bytes: plist.bytes },
  ])
    expect(bytes.toString()).toBe(files.find((file) => file.path === path)?.contents);
});

test('cards, dialog and files on a phone and in the light', async () => {
  await ada.rpc.mobileApps.create.mutate({
    name: 'Field notes',
    platform: 'ios',
    bundleId: 'com.example.notes',
    deploymentMethod: 'local',
    version: '2.4.1',
    buildNumber: 132,
  });
  const robot = { name: 'Robot', platform: 'android', bundleId: 'com.example.robot' } as const;
  await ada.rpc.mobileApps.create.mutate({ ...robot, androidTargetSdk: 36 });
  for (const { name, ...visit } of [
    { name: 'wide-light', theme: 'light' as const },
    { name: 'narrow-dark', viewport: NARROW },
  ]) {
    const page = await stage.open('/mobile-apps', { as: ada, ...visit });
    await card(page, 'Field notes').getByText('2.4.1 (132)').waitFor();
    await picture(page, `mobile-apps-cards-${name}`, true);
    await expectSound(page);
    const config = await openConfig(page, 'Weather');
    await config.getByText('jetpack-min-sdk').waitFor();
    await config.getByRole('tab', { name: 'Build instructions' }).click();
    await picture(page, `mobile-apps-config-${name}`);
    await config.getByRole('tab', { name: 'Fastfile' }).click();
    await config.getByRole('region', { name: 'fastlane/Fastfile' }).scrollIntoViewIfNeeded();
    await picture(page, `mobile-apps-file-${name}`);
    await expectSound(page);
    await page.keyboard.press('Escape');
    await openNew(page);
    await picture(page, `mobile-apps-new-${name}`);
    await expectSound(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Edit Weather' }).click();
    await page.getByRole('dialog', { name: 'Edit mobile app' }).waitFor();
    await picture(page, `mobile-apps-edit-${name}`);
    await expectSound(page);
  }
});

test('deleting names the app and asks for its name, and then it is gone', async () => {
  const page = await stage.open('/mobile-apps', { as: ada });
  await page.getByRole('button', { name: 'Delete Robot' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Delete Mobile App?' });
  const confirm = dialog.getByRole('button', { name: 'Delete mobile app' });
  expect(await confirm.isDisabled()).toBe(true);
  await dialog.getByRole('textbox').fill('Robot');
  await picture(page, 'mobile-apps-delete');
  await expectSound(page);
  await confirm.click();
  await page.getByText('Mobile app deleted successfully').first().waitFor();
  await expect.poll(() => card(page, 'Robot').count()).toBe(0);
  const names = (await ada.rpc.mobileApps.list.query()).map(({ name }) => name);
  expect(names).toEqual(['Field notes', HOSTILE, 'Weather']);
});
