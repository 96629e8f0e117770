import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MailServer, startMailServer } from '../../api/test/mail/mail-server.ts';
import { createStage, expectSound, NARROW, picture, type Stage } from './stage.ts';

const NEW_PASSWORD = 'another horse battery';

let mail: MailServer;
let stage: Stage;

beforeAll(async () => {
  mail = await startMailServer();
  const from = { name: 'Nephos', address: 'nephos@example.com' };
  stage = await createStage({ settings: { mail: { smtpUrl: mail.url, from } } });
});

afterAll(async () => {
  await stage.close();
  await mail.close();
});

test('a forgotten password is replaced by the link of a mail, without JavaScript, on a phone', async () => {
  await stage.world.as('Ada');
  const page = await stage.open('/api/login', {
    ...{ viewport: NARROW, theme: 'light', context: { javaScriptEnabled: false } },
  });
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await page.getByLabel('Email').fill('ada@example.com');
  await picture(page, 'password-forgotten');
  await page.getByRole('button', { name: 'Send link' }).click();
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor();
  const { text } = await mail.mailTo('ada@example.com');
  const link = /http\S+\/api\/login\/reset\?token=\S+/.exec(text)?.[0] ?? '';
  await page.goto(link);
  await page.getByLabel('New password').fill('short');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByText('Password must be at least 8 characters.').waitFor();
  await picture(page, 'password-reset');
  await page.getByLabel('New password').fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByText('Your new password is set.').waitFor();
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.waitForURL(`${stage.origin}/`);
});

test('its pages, and that of the account with its address, are sound', async () => {
  const grace = await stage.world.as('Grace');
  for (const viewport of [NARROW, undefined]) {
    for (const path of ['/api/login/forgot', '/api/login/reset?token=old']) {
      const page = await stage.open(path, viewport ? { viewport } : {});
      await expectSound(page);
    }
  }
  const page = await stage.open('/account', { as: grace, viewport: NARROW });
  await page.getByLabel('New email').fill('hopper@example.com');
  await page.getByLabel('Your password').fill('correct horse battery');
  await page.getByRole('button', { name: 'Change email' }).click();
  await page.getByText('Open the link in the mail to').waitFor();
  await picture(page, 'account-address', true);
  await expectSound(page);
  const { text } = await mail.mailTo('hopper@example.com');
  const confirm = await stage.open(/\/api\/login\/email\?token=\S+/.exec(text)?.[0] ?? '', {
    viewport: NARROW,
  });
  await expectSound(confirm);
  await confirm.getByRole('button', { name: 'Use this address' }).click();
  await confirm.getByText('You log in with hopper@example.com').waitFor();
  expect(await grace.rpc.auth.user.query()).toMatchObject({ email: 'hopper@example.com' });
});
