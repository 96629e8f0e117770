import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { mockDomain, mockProject } from '../../test/mock-world.ts';
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

it('removes a domain after a question', async () => {
  const { user } = renderPage(PATH, { projects: [project], domains: [mockDomain()] });
  const domains = await section();
  await user.click(domains.getByRole('button', { name: 'Remove shop.example.com' }));
  const question = within(await screen.findByRole('alertdialog'));
  await user.click(question.getByRole('button', { name: 'Remove domain' }));
  expect(await domains.findByText('No domains')).toBeDefined();
});
