import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Call,
  makeToken,
  pushImage,
  registryClient,
} from '../../api/test/containers/registry-client.ts';
import type { Person } from '../../api/test/world.ts';
import { overlaps } from './billing-actions.ts';
import { pushEverywhere } from './container-images.ts';
import { createStage, expectSound, NARROW, picture, type Stage } from './stage.ts';

let stage: Stage;
let ada: Person;
let call: Call;

beforeAll(async () => {
  stage = await createStage();
  ada = await stage.world.as('Ada');
  call = registryClient({
    url: stage.world.url,
    username: ada.user.email,
    password: (await makeToken(ada)).token,
  });
});

afterAll(() => stage.close());

function card(page: Page, name: string, tag: string) {
  return page
    .getByRole('list', { name: 'Container images' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name, exact: true }) })
    .filter({ has: page.getByText(tag, { exact: true }) });
}

test('an empty account is shown the first step, in both themes and on a phone', async () => {
  for (const visit of [
    { name: 'containers-empty-dark' },
    { name: 'containers-empty-light', theme: 'light' as const },
    { name: 'containers-empty-narrow', viewport: NARROW },
  ]) {
    const page = await stage.open('/containers', { as: ada, ...visit });
    await page.getByText('No container images yet').waitFor();
    await picture(page, visit.name);
    await expectSound(page);
  }
});

test('by keyboard: from a name to a card', async () => {
  const page = await stage.open('/containers', { as: ada });
  await page.getByRole('button', { name: 'Register your first image' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Register Image' });
  const register = dialog.getByRole('button', { name: 'Register', exact: true });
  await register.waitFor();
  expect(await register.isDisabled()).toBe(true);
  await expect
    .poll(() => dialog.getByLabel('Name').evaluate((field) => field === document.activeElement))
    .toBe(true);
  await page.keyboard.type('weather');
  await dialog.getByText('ada/weather').waitFor();
  await picture(page, 'containers-register');
  await expectSound(page);
  await page.keyboard.press('Enter');
  await page.getByText('Container image registered successfully').first().waitFor();
  const weather = card(page, 'ada/weather', 'latest');
  await weather.getByText('Awaiting push').waitFor();
  await weather.getByText('Private').waitFor();
  await weather.getByText('0 B').waitFor();

  await page.getByRole('button', { name: 'Register Image' }).click();
  expect(await dialog.getByLabel('Name').inputValue()).toBe('');
  await dialog.getByLabel('Name').fill('weather');
  await register.click();
  await dialog.getByRole('alert').waitFor();
  await page.getByText('Failed to register container image').first().waitFor();
  await picture(page, 'containers-register-refused');
});

test('the page of an image shows what it is made of', async () => {
  const name = 'ada/everywhere';
  await pushEverywhere(call, name);

  const page = await stage.open('/containers', { as: ada });
  await card(page, name, 'latest').waitFor();
  await picture(page, 'containers-cards', true);
  await expectSound(page);
  await card(page, name, 'latest').getByRole('link', { name }).click();
  await page.getByRole('heading', { level: 1, name: `${name}:latest` }).waitFor();
  const tags = page.getByRole('table', { name: 'Tags' });
  for (const tag of ['latest', 'amd64', 'arm64', 'signature'])
    await tags.getByText(tag, { exact: true }).waitFor();
  await page.getByRole('table', { name: 'Layers of linux/amd64' }).waitFor();
  const layers = page.getByRole('table', { name: 'Layers of linux/arm64/v8' });
  await layers.getByText('292.97 KB').waitFor();
  await page
    .getByRole('table', { name: 'Referrers' })
    .getByText('application/vnd.example.signature')
    .waitFor();
  await picture(page, 'image-page', true);
  await expectSound(page);

  const narrow = await stage.open(new URL(page.url()).pathname, {
    as: ada,
    viewport: NARROW,
    theme: 'light',
  });
  await narrow.getByRole('table', { name: 'Referrers' }).waitFor();
  await narrow.getByRole('list', { name: 'Tags' }).getByText('signature', { exact: true }).waitFor();
  await picture(narrow, 'image-page-narrow-light', true);
  await expectSound(narrow);

  const anonymous = registryClient({ url: stage.world.url });
  const pulled = async () => (await anonymous('GET', `/v2/${name}/manifests/latest`)).status;
  expect(await pulled()).not.toBe(200);
  await page.getByRole('switch', { name: 'Public' }).click();
  await page.getByText('Image made public').first().waitFor();
  await expect
    .poll(() => page.getByRole('switch', { name: 'Public' }).getAttribute('aria-checked'))
    .toBe('true');
  expect(await pulled()).toBe(200);
});

test('what pushes of the same tag have left behind is seen as it comes, and deleted by keyboard', async () => {
  const name = 'ada/nightly';
  const former = await pushImage(call, name);
  const page = await stage.open('/containers', { as: ada });
  await card(page, name, 'latest').getByRole('link').click();
  await page.getByRole('table', { name: 'Tags' }).waitFor();
  expect(await page.getByRole('heading', { name: 'Untagged images' }).count()).toBe(0);
  await pushImage(call, name);
  await pushImage(call, name);
  const untagged = page.getByRole('table', { name: `Untagged images of ${name}` });
  await expect.poll(() => untagged.getByRole('button', { name: /^Delete/ }).count()).toBe(2);
  await picture(page, 'image-untagged', true);
  await expectSound(page);

  const narrow = await stage.open('/containers', { as: ada, viewport: NARROW, theme: 'light' });
  const line = narrow.getByText(/^Images use /);
  expect(await overlaps(line, narrow.getByRole('paragraph').filter({ has: line }).locator('svg'))).toBe(true);
  await narrow.getByRole('link', { name: 'Storage by repository' }).click();
  const repository = narrow
    .getByRole('list', { name: 'Repositories' })
    .getByRole('listitem')
    .filter({ has: narrow.getByText(name, { exact: true }) });
  await repository.getByRole('button', { name: 'Show untagged images' }).click();
  const cards = repository.getByRole('list', { name: `Untagged images of ${name}` });
  await cards
    .getByRole('button', { name: /^Delete/ })
    .first()
    .waitFor();
  await picture(narrow, 'containers-storage-narrow-light', true);
  await expectSound(narrow);

  await page.getByRole('button', { name: 'Delete untagged images' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('alertdialog', { name: 'Delete untagged images?' });
  await dialog.getByText(/Deletes 2 untagged images: 2 manifests and 2 layers .* Frees .* KB\./).waitFor();
  const cancel = dialog.getByRole('button', { name: 'Cancel' });
  await expect.poll(() => cancel.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.type(name);
  await picture(page, 'image-delete-untagged');
  await page.keyboard.press('Enter');
  await page
    .getByText(/^Freed .* KB of storage\./)
    .first()
    .waitFor();
  await untagged.waitFor({ state: 'detached' });
  await cards.waitFor({ state: 'detached' });
  expect((await call('GET', `/v2/${name}/manifests/latest`)).status).toBe(200);
  expect((await call('GET', `/v2/${name}/manifests/${former.digest}`)).status).toBe(404);
});

test('deleting a tag asks for its name, and it is gone', async () => {
  const page = await stage.open('/containers', { as: ada });
  await card(page, 'ada/everywhere', 'latest').getByText('Public').waitFor();
  await card(page, 'ada/everywhere', 'amd64').getByRole('link').click();
  await page.getByRole('button', { name: 'Delete tag' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Delete tag?' });
  const confirm = dialog.getByRole('button', { name: 'Delete tag' });
  expect(await confirm.isDisabled()).toBe(true);
  await dialog.getByText(/Only this tag is removed: the image stays because something else/).waitFor();
  await dialog.getByRole('textbox').fill('ada/everywhere:amd64');
  await picture(page, 'image-delete-tag');
  await expectSound(page);
  await confirm.click();
  await page.waitForURL('**/containers');
  await card(page, 'ada/everywhere', 'latest').waitFor();
  await expect.poll(() => card(page, 'ada/everywhere', 'amd64').count()).toBe(0);
});

test('a revoked token opens nothing any more', async () => {
  const { token } = await ada.rpc.auth.createToken.mutate({ name: 'robot', scope: 'read' });
  const ask = async () => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${stage.world.url}/api/containers`, { headers })).status;
  };
  expect(await ask()).toBe(200);
  const page = await stage.open('/account', { as: ada, viewport: NARROW });
  const purpose = page.getByText(/^Use one as the password in docker/);
  expect(await purpose.evaluate((text) => text.scrollHeight - text.clientHeight), 'nothing is cut off').toBe(
    0,
  );
  await page.getByRole('button', { name: 'Revoke robot' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Revoke access token?' });
  await dialog.getByRole('textbox').fill('robot');
  await picture(page, 'account-revoke-token-narrow');
  await expectSound(page);
  await dialog.getByRole('button', { name: 'Revoke token' }).click();
  await expect.poll(() => page.getByRole('button', { name: 'Revoke robot' }).count()).toBe(0);
  await picture(page, 'account-tokens-narrow');
  await expectSound(page);
  expect(await ask()).toBe(401);
});
