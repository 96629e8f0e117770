import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ageProofs, codeOf } from '../../api/test/auth/two-step.ts';
import { PASSWORD } from '../../api/test/world.ts';
import { createStage, expectSound, NARROW, picture, type Stage } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await createStage();
});

afterAll(() => stage.close());

async function setUp(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Set up authenticator app' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up authenticator app' });
  await dialog.getByRole('img', { name: /QR code/ }).waitFor();
  await picture(page, name);
  await expectSound(page);
  return (await dialog.getByRole('region', { name: 'key to type instead' }).textContent()) ?? '';
}

test('an authenticator app is set up, asked for at log-in, and removed', async () => {
  const ada = await stage.world.as('Ada');
  const page = await stage.open('/account', { as: ada });
  const secret = await setUp(page, 'totp-dialog');
  await page.getByLabel('Code', { exact: true }).fill('000000');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByText('This code is wrong').first().waitFor();
  await page.getByLabel('Code', { exact: true }).fill(codeOf(secret, -1));
  await page.getByRole('button', { name: 'Turn on' }).click();
  const codes = await page.getByRole('region', { name: 'recovery codes' }).textContent();
  expect(codes?.split('\n')).toHaveLength(10);
  await picture(page, 'recovery-codes');
  await expectSound(page);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('10 recovery codes left').waitFor();
  await picture(page, 'account-totp', true);

  await page.goto(`${stage.origin}/api/logout`);
  await page.goto(`${stage.origin}/api/login?returnTo=/account`);
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
  await picture(page, 'second-factor');
  await expectSound(page);
  await page.getByLabel('Code').fill(codeOf(secret));
  await page.keyboard.press('Enter');
  await page.getByText('10 recovery codes left').waitFor();

  await page.getByRole('button', { name: 'Remove authenticator app' }).click();
  await page.getByRole('button', { name: 'Remove app' }).click();
  await page.getByRole('button', { name: 'Set up authenticator app' }).waitFor();
});

test('on a phone, an old session is asked for a proof once, and what was wanted happens by itself', async () => {
  const bob = await stage.world.as('Bob');
  const page = await stage.open('/account', { as: bob, viewport: NARROW, theme: 'light' });
  await ageProofs(stage.world, bob);
  await page.getByRole('button', { name: 'Set up authenticator app' }).click();
  const proof = page.getByRole('dialog', { name: "Confirm it's you" });
  await proof.getByLabel('Password').fill('wrong');
  await picture(page, 'prove-narrow');
  await expectSound(page);
  await page.keyboard.press('Enter');
  await proof.getByText('Password is incorrect.').waitFor();
  await proof.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  const setup = page.getByRole('dialog', { name: 'Set up authenticator app' });
  await setup.getByRole('img', { name: /QR code/ }).waitFor();
  await picture(page, 'totp-dialog-narrow');
  await expectSound(page);
});

test('who does not want to prove anything stays where they are, and nothing happens', async () => {
  const cay = await stage.world.as('Cay');
  const made = await cay.rest('POST /api/projects', { body: { name: 'keep-me' } });
  const { id } = made.body as { id: string };
  const page = await stage.open(`/projects/${id}`, { as: cay });
  await ageProofs(stage.world, cay);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const deleting = page.getByRole('alertdialog');
  await deleting.getByRole('textbox').fill('keep-me');
  await deleting.getByRole('button', { name: 'Delete project' }).click();
  const proof = page.getByRole('dialog', { name: "Confirm it's you" });
  await proof.getByLabel('Password').waitFor();
  await proof.getByRole('button', { name: 'Cancel' }).click();
  await deleting.getByRole('button', { name: 'Delete project' }).waitFor();
  expect((await cay.rest(`GET /api/projects/${id}`)).status).toBe(200);
  await deleting.getByRole('button', { name: 'Delete project' }).click();
  await proof.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => !url.pathname.includes(id));
  expect((await cay.rest(`GET /api/projects/${id}`)).status).toBe(404);
});

test('an owner requires it of the members, and who lacks it is led to set it up', async () => {
  const [eve, fay] = [await stage.world.as('Eve'), await stage.world.as('Fay')];
  const { id } = await eve.rpc.workspaces.create.mutate({ name: 'Shop' });
  const { link } = await eve.rpc.workspaces.invite.mutate({ id, role: 'developer' });
  await fay.rpc.workspaces.accept.mutate({ token: link.split('/').at(-1) ?? '' });
  const begun = await eve.rpc.auth.beginTotp.mutate();
  await eve.rpc.auth.confirmTotp.mutate({ code: codeOf(begun.secret) });

  const owners = await stage.open(`/workspace?workspace=${id}`, { as: eve });
  const demand = owners.getByRole('switch', { name: 'Require two-step login' });
  await owners.getByText("1 person doesn't have it.").waitFor();
  await demand.click();
  await owners.getByText('Two-step login saved', { exact: true }).waitFor();
  await expect.poll(() => demand.getAttribute('aria-checked')).toBe('true');
  await picture(owners, 'workspace-two-step', true);
  await expectSound(owners);

  const page = await stage.open(`/storage?workspace=${id}`, { as: fay, viewport: NARROW });
  await page.waitForURL('**/account#two-step-login');
  const asked = page.getByText('Shop requires two-step login');
  await asked.waitFor();
  expect(await page.getByRole('heading', { name: 'Two-step login' }).isVisible()).toBe(true);
  await picture(page, 'account-two-step-required-narrow', true);
  await expectSound(page);
  const secret = await setUp(page, 'totp-dialog-required');
  await page.getByLabel('Code', { exact: true }).fill(codeOf(secret));
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await asked.waitFor({ state: 'detached' });
  await page.goto(`${stage.origin}/storage`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/storage');
});

/** A device that makes passkeys and always says that it is its person, as Chromium's virtual one does. */
async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

test('a passkey is added, logs in by itself and after the password, and confirms who it is', async () => {
  const dan = await stage.world.as('Dan');
  const page = await stage.open('/account', { as: dan, viewport: NARROW, context: {} });
  await addAuthenticator(page);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  const adding = page.getByRole('dialog', { name: 'Add passkey' });
  await adding.getByLabel('Name').fill('This phone');
  await picture(page, 'passkey-dialog-narrow');
  await adding.getByRole('button', { name: 'Add passkey' }).click();
  await adding.getByRole('region', { name: 'recovery codes' }).waitFor();
  await expectSound(page);
  await adding.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('list', { name: 'Passkeys' }).getByText('This phone').waitFor();
  await picture(page, 'account-passkeys-narrow', true);
  await expectSound(page);

  await page.goto(`${stage.origin}/api/logout`);
  await page.goto(`${stage.origin}/api/login?returnTo=/account`);
  await picture(page, 'login-passkey-narrow', true);
  await expectSound(page);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.waitForURL('**/account');
  await page.getByText('10 recovery codes left').waitFor();

  await page.goto(`${stage.origin}/api/logout`);
  await page.goto(`${stage.origin}/api/login?returnTo=/account`);
  await page.getByLabel('Email').fill('dan@example.com');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('heading', { name: 'Use your passkey' }).waitFor();
  await picture(page, 'second-factor-passkey-narrow');
  await expectSound(page);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.waitForURL('**/account');

  await ageProofs(stage.world, dan);
  await page.getByRole('button', { name: 'Remove This phone' }).click();
  await page.getByRole('button', { name: 'Remove passkey' }).click();
  const proof = page.getByRole('dialog', { name: "Confirm it's you" });
  await proof.getByRole('button', { name: 'Use a passkey' }).waitFor();
  await picture(page, 'prove-passkey-narrow');
  await expectSound(page);
  await proof.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('list', { name: 'Passkeys' }).waitFor({ state: 'detached' });
});
