import { Resolver } from 'node:dns/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../tools/server-process.mjs';
import type { Person } from '../../api/test/world.ts';
import { createStage, expectSound, NARROW, picture, type Stage, WIDE } from './stage.ts';

const NAME_SERVERS = ['ns1.nephos.test', 'ns2.nephos.test'];

let stage: Stage;
let port: number;
let ada: Person;
/** What the TXT records of the internet say, as far as the proof of a domain asks for them. */
let internet: string[] = [];
/** What resolvers see of DS records. */
let delegation: string[] = [];

beforeAll(async () => {
  port = await freePort();
  stage = await createStage({
    settings: { dnsPort: port, dnsNameservers: NAME_SERVERS, allowPrivateSecondaries: true },
    overrides: { lookUpTxt: async () => internet, lookUpDs: async () => delegation },
  });
  ada = await stage.world.as('Ada');
});

afterAll(() => stage.close());

/** As any program on this machine would ask: over UDP, our name server alone. */
async function resolveA(name: string): Promise<{ address: string; ttl: number }[] | string> {
  const resolver = new Resolver({ timeout: 2000, tries: 1 });
  resolver.setServers([`127.0.0.1:${port}`]);
  return resolver.resolve4(name, { ttl: true }).catch((error: { code: string }) => error.code);
}

async function openAdd(page: Page) {
  await page.getByRole('button', { name: 'Add Record' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Record' });
  await dialog.waitFor();
  return dialog;
}

async function choose(page: Page, type: string) {
  await page.getByRole('dialog').getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: type, exact: true }).click();
}

function answerFor(page: Page, title: string) {
  return page.getByRole('status', { name: `Answer for ${title}`, exact: true });
}

async function isFocused(page: Page, label: string): Promise<boolean> {
  return page.getByLabel(label, { exact: true }).evaluate((control) => control === document.activeElement);
}

test('an empty account is shown the first step, in both themes and on a phone', async () => {
  for (const visit of [
    { name: 'dns-empty-dark' },
    { name: 'dns-empty-light', theme: 'light' as const },
    { name: 'dns-empty-narrow', viewport: NARROW },
  ]) {
    const page = await stage.open('/dns', { as: ada, ...visit });
    await page.getByText('No DNS records yet').waitFor();
    await page.getByText(`127.0.0.1:${port}`).waitFor();
    for (const host of NAME_SERVERS) await page.getByText(host).waitFor();
    await page.getByText(`dig @127.0.0.1 -p ${port} example.com A`).waitFor();
    await picture(page, visit.name);
    await expectSound(page);
  }
});

test('by keyboard: from the palette to a record that is served', async () => {
  const page = await stage.open('/dns', { as: ada });
  await page.getByText('No DNS records yet').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder(/^Type a page/).waitFor();
  await page.keyboard.type('Add Record');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add Record' });
  await dialog.waitFor();
  await expect.poll(() => isFocused(page, 'Domain')).toBe(true);
  await picture(page, 'dns-add');
  await page.keyboard.type('example.test');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  expect(await isFocused(page, 'Name')).toBe(true);
  await page.keyboard.type('www');
  await dialog.getByText('www.example.test').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.type('203.0.113.10');
  await page.keyboard.press('Enter');

  await page.getByText('DNS record created successfully').first().waitFor();
  const answer = answerFor(page, 'A www.example.test');
  await answer.getByText(/^Served in \d+(\.\d)? ms$/).waitFor();
  expect(await answer.locator('pre').textContent()).toMatch(
    /^www\.example\.test\.\s+3600\s+IN\s+A\s+203\.0\.113\.10$/,
  );
  await picture(page, 'dns-served');
  await expectSound(page);
  expect(await resolveA('www.example.test')).toEqual([{ address: '203.0.113.10', ttl: 3600 }]);
});

test('what the rules refuse is said at its field, and changes nothing', async () => {
  const page = await stage.open('/dns', { as: ada });
  const dialog = await openAdd(page);
  await dialog.getByLabel('Domain').fill('example.test');
  await dialog.getByLabel('Value').fill('203.0.113.256');
  await dialog.getByLabel('TTL').fill('1e3');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByText(/^Enter an IPv4 address/).waitFor();
  await dialog.getByText('TTL must be a whole number of seconds.').waitFor();
  await picture(page, 'dns-add-refused');

  await choose(page, 'CNAME');
  await dialog.getByLabel('Value').fill('www.example.test');
  await dialog.getByLabel('TTL').fill('3600');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('Failed to create DNS record').first().waitFor();
  const name = dialog.getByLabel('Name');
  expect(await name.getAttribute('aria-invalid')).toBe('true');
  const note = page.locator(`[id="${await name.getAttribute('aria-describedby')}"]`);
  expect(await note.textContent()).toMatch(/^example\.test itself can't have a CNAME record/);
  await picture(page, 'dns-add-cname-refused');
  await expectSound(page);
  expect(await ada.rpc.dns.list.query()).toHaveLength(1);
});

test('a second account sees nothing of it, and cannot take the domain', async () => {
  const grace = await stage.world.as('Grace');
  const page = await stage.open('/dns', { as: grace });
  await page.getByText('No DNS records yet').waitFor();
  await page.getByRole('button', { name: 'Add your first record' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Record' });
  await dialog.getByLabel('Domain').fill('sub.example.test');
  await dialog.getByLabel('Value').fill('203.0.113.66');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect.poll(() => dialog.getByLabel('Domain').getAttribute('aria-invalid')).toBe('true');
  await picture(page, 'dns-domain-taken');
  expect(await grace.rpc.dns.list.query()).toEqual([]);
});

test('an edited record is served as it is now', async () => {
  const page = await stage.open('/dns', { as: ada });
  await page.getByRole('button', { name: 'Edit A www.example.test' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit record' });
  await dialog.getByLabel('Value').fill('203.0.113.20');
  await dialog.getByLabel('TTL').fill('60');
  await picture(page, 'dns-edit');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const answer = answerFor(page, 'A www.example.test');
  await answer.getByText(/^Served in/).waitFor();
  expect(await answer.locator('pre').textContent()).toMatch(/\s60\s+IN\s+A\s+203\.0\.113\.20$/);
  expect(await resolveA('www.example.test')).toEqual([{ address: '203.0.113.20', ttl: 60 }]);
});

const RECORDS = [
  { domain: 'weather.test', name: 'eu', recordType: 'NS', value: 'ns1.eu.weather.test', ttl: 86_400 },
  { domain: 'example.test', name: '*.preview', recordType: 'CNAME', value: 'www.example.test', ttl: 60 },
  {
    domain: 'example.test',
    name: 'mail2026._domainkey',
    recordType: 'TXT',
    value: `v=DKIM1; k=rsa; p=${'MIIBIjANBgkqhkiG9w0BAQEF'.repeat(14)}`,
  },
  { domain: 'example.test', recordType: 'TXT', value: 'v=spf1 mx ip4:203.0.113.0/24 -all' },
  { domain: 'example.test', recordType: 'MX', value: '10 mail.example.test' },
  { domain: 'example.test', recordType: 'AAAA', value: '2001:db8::10' },
  { domain: 'example.test', recordType: 'A', value: '203.0.113.10' },
] as const;

test('records of every type stand in a table, or in cards on a phone, and each can be checked', async () => {
  await ada.rpc.dns.create.mutate({ domain: 'weather.test', name: 'ns1.eu', value: '203.0.113.53' });
  for (const record of RECORDS) await ada.rpc.dns.create.mutate(record);
  const page = await stage.open('/dns', { as: ada });
  const table = page.getByRole('table', { name: 'DNS records' });
  await table.getByText('86400s').waitFor();
  await page.getByText('9 records').waitFor();
  for (const title of [
    'A example.test',
    'TXT mail2026._domainkey.example.test',
    'CNAME *.preview.example.test',
  ]) {
    await page.getByRole('button', { name: `Check ${title}`, exact: true }).click();
    await answerFor(page, title)
      .getByText(/^Served in/)
      .waitFor();
  }
  await page.mouse.move(0, 0);
  await picture(page, 'dns-table-dark', true);
  await expectSound(page);
  await page.getByRole('button', { name: 'Switch to light theme' }).click();
  await picture(page, 'dns-table-light', true);
  await expectSound(page);

  const narrow = await stage.open('/dns', { as: ada, viewport: NARROW });
  await narrow.getByRole('list', { name: 'DNS records' }).waitFor();
  await narrow.getByRole('button', { name: 'Check MX example.test', exact: true }).click();
  await answerFor(narrow, 'MX example.test')
    .getByText(/^Served in/)
    .waitFor();
  await picture(narrow, 'dns-cards-narrow', true);
  await expectSound(narrow);
  const dialog = await openAdd(narrow);
  await choose(narrow, 'MX');
  expect(await dialog.getByLabel('Value').getAttribute('placeholder')).toBe('10 mail.example.com');
  await picture(narrow, 'dns-add-narrow');
  await expectSound(narrow);
});

test('the filter shows one domain and lives in the address', async () => {
  const page = await stage.open('/dns', { as: ada });
  await page.getByRole('combobox', { name: 'Domain' }).click();
  await page.getByRole('option', { name: 'weather.test' }).click();
  await page.waitForURL('**/dns?domain=weather.test');
  await page.getByText('2 records').waitFor();
  await expect.poll(() => page.getByRole('button', { name: /^Check / }).count()).toBe(2);
  await page.reload();
  await page.getByText('2 records').waitFor();
  expect(await page.getByRole('button', { name: /^Check / }).count()).toBe(2);
  await page.getByRole('combobox', { name: 'Domain' }).click();
  expect(await page.getByRole('option').allTextContents()).toEqual([
    'All domains',
    'example.test',
    'weather.test',
  ]);
  await page.getByRole('option', { name: 'All domains' }).click();
  await page.waitForURL('**/dns');
  await page.getByText('9 records').waitFor();
});

test('a name server that copies a domain is added with a key, and shown up to date', async () => {
  const page = await stage.open('/dns?domain=weather.test', { as: ada });
  const card = page.getByRole('region', { name: 'Secondaries' });
  await card.getByRole('button', { name: 'Add secondary' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add secondary' });
  await dialog.getByLabel('IP address').fill('ns1.example.com');
  await dialog.getByRole('button', { name: 'Add secondary' }).click();
  await dialog.getByText('Enter an IP address, like 203.0.113.53 or 2001:db8::53.').waitFor();
  // Our own, which always has the zone.
  await dialog.getByLabel('IP address').fill('127.0.0.1');
  await dialog.getByLabel('Port').fill(String(port));
  await expectSound(page);
  await dialog.getByRole('button', { name: 'Add secondary' }).click();
  await card.getByText('Needs the transfer key').waitFor();
  await card.getByRole('button', { name: 'Create key' }).click();
  await card.getByRole('button', { name: "Copy the key's secret" }).waitFor();
  await card.getByText('Up to date').waitFor();
  await picture(page, 'dns-secondaries');
  await expectSound(page);
});

test('a zone file is looked at, imported, served and taken back, and the domain is exported', async () => {
  const page = await stage.open('/dns?domain=weather.test', { as: ada });
  await page.getByRole('button', { name: 'Import' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import a zone file' });
  await dialog
    .getByLabel('Zone file')
    .fill('$TTL 300\nnow A 203.0.113.77\n@ ALIAS now\n@ CAA 0 issue "letsencrypt.org"\n$INCLUDE more.zone\n');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByText('3 added, 0 changed, 0 removed, 2 unchanged. 1 line is left out.').waitFor();
  await picture(page, 'dns-import');
  await expectSound(page);
  await dialog.getByRole('button', { name: 'Import 3 changes' }).click();
  await page.getByText('Zone file imported').first().waitFor();
  await page.getByText('5 records').waitFor();
  await expect.poll(() => resolveA('weather.test')).toEqual([{ address: '203.0.113.77', ttl: 300 }]);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('weather.test.zone');

  await page.getByRole('button', { name: 'History' }).click();
  const history = page.getByRole('dialog', { name: 'History' });
  await history.getByText('+ now 300 A 203.0.113.77').waitFor();
  await picture(page, 'dns-history');
  await expectSound(page);
  await history.getByRole('button', { name: 'Revert' }).first().click();
  await page.getByRole('button', { name: 'Revert change' }).click();
  await page.getByText('Change reverted').first().waitFor();
  await expect.poll(async () => (await ada.rpc.dns.list.query({ domain: 'weather.test' })).length).toBe(2);
});

test('a domain is signed, delegated, given another key, and left unsigned again', async () => {
  const domain = 'weather.test';
  const page = await stage.open(`/dns?domain=${domain}`, { as: ada, viewport: NARROW });
  await page.getByRole('button', { name: 'DNSSEC' }).click();
  const dialog = page.getByRole('dialog', { name: 'DNSSEC' });
  await dialog.getByRole('button', { name: 'Sign this domain' }).click();
  await dialog.getByText('Add this DS record at your registrar').waitFor();
  const [key] = (await ada.rpc.dns.signing.query({ domain })).keys;
  await dialog.getByText(key?.ds ?? '').waitFor();
  await picture(page, 'dns-signed-narrow');
  await expectSound(page);

  delegation = [key?.ds ?? ''];
  await dialog.getByRole('button', { name: 'Check again' }).click();
  await dialog.getByText('DS record seen').waitFor();
  await dialog.getByRole('button', { name: 'Roll key' }).click();
  await dialog.getByText('Add the DS record of the new key at your registrar').waitFor();
  await page.setViewportSize(WIDE);
  await picture(page, 'dns-key-roll');
  await expectSound(page);
  await dialog.getByRole('button', { name: 'Use new key' }).click();
  await page
    .getByText(/^Resolvers may not know the new key yet/)
    .first()
    .waitFor();

  await dialog.getByRole('button', { name: 'Turn off' }).click();
  const asking = page.getByRole('alertdialog', { name: 'Turn DNSSEC off?' });
  await asking.getByRole('button', { name: 'Turn off' }).click();
  await asking.getByText(/^The domain above still has a DS record/).waitFor();
  await picture(page, 'dns-unsign-refused');
  await expectSound(page);
  await asking.getByRole('button', { name: 'Turn off anyway' }).click();
  await dialog.getByRole('button', { name: 'Sign this domain' }).waitFor();
  await picture(page, 'dns-unsigned');
  delegation = [];
});

test('several edits are looked at and saved as one change, and are not lost by leaving', async () => {
  const page = await stage.open('/dns?domain=example.test', { as: ada });
  await page.getByRole('button', { name: 'Bulk edit' }).click();
  const editor = page.getByRole('region', { name: 'Records of example.test' });
  await editor.getByRole('button', { name: 'Delete CNAME *.preview.example.test' }).click();
  await editor.getByRole('button', { name: 'Add record' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add record' });
  await dialog.getByLabel('Name').fill('*.preview');
  await dialog.getByLabel('Value').fill('203.0.113.30');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await editor.getByText('1 added, 1 deleted').waitFor();
  await picture(page, 'dns-edit-several', true);
  await expectSound(page);
  await page.getByRole('link', { name: 'Storage', exact: true }).click();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await editor.getByRole('button', { name: 'Review', exact: true }).click();
  const review = page.getByRole('dialog', { name: 'Review changes' });
  await review.getByText('− *.preview 60 CNAME www.example.test').waitFor();
  await picture(page, 'dns-review');
  await expectSound(page);
  await review.getByRole('button', { name: 'Save' }).click();
  await page.getByText('DNS records saved').first().waitFor();
  await expect
    .poll(() => resolveA('x.preview.example.test'))
    .toEqual([{ address: '203.0.113.30', ttl: 3600 }]);
  const [change] = await ada.rpc.dns.changes.query({ domain: 'example.test', limit: 1 });
  expect(change).toMatchObject({ addedCount: 1, removedCount: 1 });
});

test('a server that fails is said so, and tried again', async () => {
  const page = await stage.open('/storage', { as: ada });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.route('**/trpc/dns.**', (route) => route.abort());
  await page.getByRole('link', { name: 'DNS' }).click();
  await page.getByText("Couldn't load this page").waitFor();
  await picture(page, 'dns-failing');
  await page.unroute('**/trpc/dns.**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('table', { name: 'DNS records' }).waitFor();
});

test('where ownership has to be proved, nothing is served before', async () => {
  stage.world.deps.settings.dnsVerifyOwnership = true;
  const page = await stage.open('/dns', { as: ada });
  const dialog = await openAdd(page);
  await dialog.getByLabel('Domain').fill('proved.test');
  await dialog.getByLabel('Value').fill('203.0.113.99');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await answerFor(page, 'A proved.test').getByText('Not served').waitFor();
  await page.getByText('_cloud-verify.proved.test').waitFor();
  await page.getByRole('button', { name: 'Verify proved.test' }).click();
  await page.getByText(/^TXT record not found yet/).waitFor();
  await picture(page, 'dns-pending');
  await expectSound(page);
  expect(await resolveA('proved.test')).toBe('EREFUSED');

  const zones = await ada.rpc.dns.zones.query();
  internet = zones.flatMap(({ verification }) => verification?.value ?? []);
  await page.getByRole('button', { name: 'Verify proved.test' }).click();
  await page.getByText('Domain verified').first().waitFor();
  await page.getByRole('button', { name: 'Check A proved.test' }).click();
  await answerFor(page, 'A proved.test')
    .getByText(/^Served in/)
    .waitFor();
  expect(await resolveA('proved.test')).toEqual([{ address: '203.0.113.99', ttl: 3600 }]);
  stage.world.deps.settings.dnsVerifyOwnership = false;
});

test('deleting a record asks first, and it is gone', async () => {
  const page = await stage.open('/dns', { as: ada });
  const button = page.getByRole('button', { name: 'Delete A www.example.test' });
  await button.click();
  const dialog = page.getByRole('alertdialog', { name: 'Delete DNS record?' });
  await picture(page, 'dns-delete');
  await dialog.getByRole('button', { name: 'Delete record' }).click();
  await page.getByText('DNS record deleted').first().waitFor();
  await expect.poll(() => button.count()).toBe(0);
  await expect.poll(() => resolveA('www.example.test')).toBe('ENOTFOUND');
});

test('a name server that is off names its setting', async () => {
  await stage.world.deps.domains.dns.nameServer.stop();
  const page = await stage.open('/dns', { as: ada });
  await page
    .getByRole('note')
    .getByText(/DNS_PORT/)
    .waitFor();
  expect(await page.getByText(/^dig /).count()).toBe(0);
  await page.getByRole('button', { name: 'Check A example.test', exact: true }).click();
  await answerFor(page, 'A example.test')
    .getByText(/DNS_PORT/)
    .waitFor();
  await picture(page, 'dns-off');
  await expectSound(page);
});
