import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { MOCK_CERTIFICATE, mockDomain, mockProject } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

mockApi();

const project = mockProject();
const PATH = `/projects/${project.id}/settings`;

function sentTo(world: ReturnType<typeof renderPage>['world'], path: string) {
  return world.calls.find((call) => call.path === path)?.input;
}

async function section() {
  return within(await screen.findByRole('region', { name: 'Domains' }));
}

it('adds a domain and shows what to write at the DNS provider', async () => {
  const { user, world } = renderPage(PATH, { projects: [project] });
  const domains = await section();
  await user.click(domains.getByRole('button', { name: 'Add domain' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add domain' }));
  await user.type(await dialog.findByRole('textbox', { name: 'Domain' }), 'www.example.com');
  await user.click(dialog.getByRole('button', { name: 'Add domain' }));
  await waitFor(() =>
    expect(shownToast()).toMatchObject({ title: 'Domain added. Set its DNS records next.' }),
  );
  expect(sentTo(world, 'customDomains.add')).toEqual({ id: project.id, domain: 'www.example.com' });
  expect(await domains.findByText('Pending')).toBeDefined();
  expect(domains.getByText('No TXT record was found.')).toBeDefined();
  for (const value of ['_nephos.www.example.com', '4f2a9c81d0', 'shop.apps.example.net', '192.0.2.1']) {
    expect(domains.getByText(value)).toBeDefined();
  }
  expect(domains.queryByRole('link', { name: 'www.example.com' })).toBeNull();
});

it('says at the field why a domain cannot be added', async () => {
  const { user, world } = renderPage(PATH, { projects: [project] });
  const domains = await section();
  await user.click(domains.getByRole('button', { name: 'Add domain' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add domain' }));
  const message = 'Enter the full name, like shop.example.com.';
  world.refusals['customDomains.add'] = {
    ...{ code: 'BAD_REQUEST', reason: 'VALIDATION', message: 'Check the fields.' },
    fields: [{ path: 'domain', message }],
  };
  await user.type(await dialog.findByRole('textbox', { name: 'Domain' }), 'shop');
  await user.click(dialog.getByRole('button', { name: 'Add domain' }));
  expect(await dialog.findByText(message)).toBeDefined();
});

it('checks a pending domain again', async () => {
  const pending = mockDomain({ status: 'pending', reason: 'No TXT record was found.', pointsHere: null });
  const { user, world } = renderPage(PATH, { projects: [project], domains: [pending] });
  const domains = await section();
  const again = domains.getByRole('button', { name: 'Check again: shop.example.com' });
  await user.click(again);
  await waitFor(() => expect(shownToast()).toMatchObject({ title: 'Not verified yet' }));
  world.domainProofSeen = true;
  await user.click(again);
  expect(await domains.findByText('Active')).toBeDefined();
  expect(domains.getByRole('link', { name: /^shop\.example\.com/ })).toBeDefined();
  expect(domains.queryByText('_nephos.shop.example.com')).toBeNull();
});

it('warns where an active domain lost its proof, or leads elsewhere', async () => {
  const lost = mockDomain({ reason: 'The TXT record is gone.' });
  const elsewhere = mockDomain({ domain: 'www.example.com', isPrimary: false, pointsHere: false });
  renderPage(PATH, { projects: [project], domains: [lost, elsewhere] });
  const domains = await section();
  expect(domains.getByText("Ownership can't be verified any more")).toBeDefined();
  expect(domains.getByText('Not pointing here yet')).toBeDefined();
  expect(domains.getAllByText('Active')).toHaveLength(2);
});

it('redirects to the primary domain, which can be another', async () => {
  const world = {
    projects: [project],
    domains: [mockDomain(), mockDomain({ domain: 'www.example.com', isPrimary: false })],
  };
  const { user, world: shown } = renderPage(PATH, world);
  const domains = await section();
  await user.click(domains.getByRole('switch', { name: 'Redirect to shop.example.com' }));
  await waitFor(() => expect(shownToast()).toMatchObject({ title: 'Redirect turned on' }));
  expect(sentTo(shown, 'customDomains.update')).toMatchObject({ domain: 'www.example.com', redirects: true });
  await user.click(domains.getByRole('button', { name: 'Make www.example.com primary' }));
  expect(await domains.findByRole('switch', { name: 'Redirect to www.example.com' })).toBeDefined();
});

it('says that a redirect waits for a primary domain that does not work yet', async () => {
  const pending = mockDomain({ status: 'pending', reason: 'There is no TXT record.' });
  const other = mockDomain({ domain: 'www.example.com', isPrimary: false });
  renderPage(PATH, { projects: [project], domains: [pending, other] });
  const domains = await section();
  expect(
    domains.getByRole('switch', { name: 'Redirect to shop.example.com once it is active' }),
  ).toBeDefined();
});

it('removes a domain after a question', async () => {
  const { user } = renderPage(PATH, { projects: [project], domains: [mockDomain()] });
  const domains = await section();
  await user.click(domains.getByRole('button', { name: 'Remove shop.example.com' }));
  const question = within(await screen.findByRole('alertdialog'));
  await user.click(question.getByRole('button', { name: 'Remove domain' }));
  expect(await domains.findByText('No domains')).toBeDefined();
});

it('takes a certificate, says until when it is valid, and lets go of it', async () => {
  const { user, world } = renderPage(PATH, {
    projects: [project],
    domains: [mockDomain()],
    servesHttps: true,
  });
  const domains = await section();
  expect(domains.getByText('No certificate: the app answers here by HTTP only.')).toBeDefined();
  await user.click(domains.getByRole('button', { name: 'Add certificate of shop.example.com' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Certificate of shop.example.com' }));
  const message = "The private key isn't the one of this certificate.";
  world.refusals['customDomains.setCertificate'] = {
    ...{ code: 'BAD_REQUEST', reason: 'VALIDATION', message: 'Check the fields.' },
    fields: [{ path: 'privateKey', message }],
  };
  await user.type(await dialog.findByRole('textbox', { name: 'Certificate' }), '-----BEGIN CERTIFICATE-----');
  await user.type(dialog.getByRole('textbox', { name: 'Private key' }), '-----BEGIN PRIVATE KEY-----');
  await user.click(dialog.getByRole('button', { name: 'Save certificate' }));
  expect(await dialog.findByText(message)).toBeDefined();
  delete world.refusals['customDomains.setCertificate'];
  await user.click(dialog.getByRole('button', { name: 'Save certificate' }));
  expect(await domains.findByText('Certificate by Example CA, valid until Nov 20, 2099.')).toBeDefined();
  await user.click(domains.getByRole('switch', { name: 'Redirect HTTP to HTTPS' }));
  await waitFor(() => expect(shownToast()).toMatchObject({ title: 'Redirect turned off' }));
  expect(sentTo(world, 'customDomains.updateCertificate')).toMatchObject({ httpsOnly: false });
  await user.click(domains.getByRole('button', { name: 'Remove certificate of shop.example.com' }));
  const question = within(await screen.findByRole('alertdialog'));
  await user.click(question.getByRole('button', { name: 'Remove certificate' }));
  expect(await domains.findByText('No certificate: the app answers here by HTTP only.')).toBeDefined();
});

it('tells of a certificate that ends soon, or has', async () => {
  const inAWeek = new Date(Date.now() + 7 * 24 * 60 * 60 * 1000).toISOString();
  const soon = mockDomain({ certificate: { ...MOCK_CERTIFICATE, endsAt: inAWeek } });
  const expired = { ...MOCK_CERTIFICATE, endsAt: '2026-11-20T12:00:00.000Z', isExpired: true };
  const past = mockDomain({ domain: 'www.example.com', isPrimary: false, certificate: expired });
  renderPage(PATH, { projects: [project], domains: [soon, past], servesHttps: true });
  const domains = await section();
  expect(domains.getByText('The certificate expires soon')).toBeDefined();
  expect(domains.getByText('The certificate has expired')).toBeDefined();
  expect(domains.getByText('Certificate by Example CA, expired Nov 20, 2026.')).toBeDefined();
});

it('tells in the words of the certificate authority why it issued nothing, and tries again', async () => {
  const error = 'DNS problem: NXDOMAIN looking up A for shop.example.com';
  const failed = mockDomain({ issuance: { error, dueAt: '2026-11-20T12:00:00.000Z' } });
  const waiting = mockDomain({
    ...{ domain: 'www.example.com', isPrimary: false },
    issuance: { error: '', dueAt: '2026-11-20T12:00:00.000Z' },
  });
  const { user, world } = renderPage(PATH, {
    ...{ projects: [project], domains: [failed, waiting], servesHttps: true },
  });
  const domains = await section();
  expect(domains.getByText("The certificate couldn't be issued")).toBeDefined();
  expect(domains.getByText(error)).toBeDefined();
  expect(domains.getByText(/^Getting a certificate\./)).toBeDefined();
  await user.click(domains.getByRole('button', { name: 'Try again: shop.example.com' }));
  expect(await domains.findByText(/valid until Nov 20, 2099\. Renewed automatically\.$/)).toBeDefined();
  expect(sentTo(world, 'customDomains.issueCertificate')).toMatchObject({ domain: 'shop.example.com' });
  expect(domains.queryByText(error)).toBeNull();
  expect(domains.queryByRole('button', { name: 'Remove certificate of shop.example.com' })).toBeNull();
});

it('offers no certificates where the server does not answer by https', async () => {
  renderPage(PATH, { projects: [project], domains: [mockDomain()] });
  const domains = await section();
  expect(domains.queryByText(/certificate/i)).toBeNull();
});

it('sets the records by itself where the domain is kept here', async () => {
  const elsewhere = mockDomain({ pointsHere: false });
  const servedDomains = ['shop.example.com'];
  const { user, world } = renderPage(PATH, { projects: [project], domains: [elsewhere], servedDomains });
  const domains = await section();
  expect(domains.queryByText('shop.apps.example.net')).toBeNull();
  await user.click(domains.getByRole('button', { name: 'Set DNS records of shop.example.com' }));
  await waitFor(() => expect(shownToast()).toMatchObject({ title: 'DNS records set' }));
  expect(sentTo(world, 'customDomains.point')).toEqual({ id: project.id, name: 'shop.example.com' });
});
