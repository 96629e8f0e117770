import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { mockEngine, mockInstallationBackup } from '../../test/mock-admin.ts';
import { BROKEN, idOf } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';
import { adminWorld } from './admin-fixtures.ts';

mockApi();

const USD = { currency: 'USD', accounts: 14, entries: 1204, sum: 0, owned: 125_050 };

function quiet() {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
}

describe('the engines', () => {
  const engines = [
    mockEngine(),
    mockEngine({
      id: 'name-server',
      name: 'Name server',
      running: 'Off',
      state: 'off',
      detail: 'DNS_PORT is 0.',
      settings: ['DNS_PORT'],
    }),
    mockEngine({
      id: 'object-store',
      name: 'Object store',
      running: 'S3',
      state: 'unhealthy',
      detail: 'The bucket does not answer.',
    }),
  ];

  async function engine(name: string) {
    const row = (await screen.findByRole('heading', { name })).closest('li');
    if (!row) throw new Error(`${name} is not in a list`);
    return within(row);
  }

  it('say what runs, how it is in words, and which settings change it', async () => {
    const { user } = renderPage('/admin?tab=engines', adminWorld({ engines }));
    const runtime = await engine('Deployment runtime');
    for (const words of ['Processes on this machine', 'Healthy', '3 apps are running.']) {
      expect(runtime.getByText(words)).toBeDefined();
    }
    const write = vi.spyOn(navigator.clipboard, 'writeText');
    await user.click(runtime.getByRole('button', { name: 'Copy DEPLOY_RUNTIME' }));
    expect(write).toHaveBeenCalledExactlyOnceWith('DEPLOY_RUNTIME');
    expect((await engine('Name server')).getAllByText('Off')).toHaveLength(2);
    expect((await engine('Object store')).getByText('Unhealthy')).toBeDefined();
    expect(screen.getByText(/^1 of 3 unhealthy\./)).toBeDefined();
  });

  it('sends a test mail where mail is on, and says what is against it', async () => {
    quiet();
    const engines = [mockEngine({ id: 'mail', name: 'Mail' })];
    const { user, world } = renderPage('/admin?tab=engines', adminWorld({ engines }));
    const send = await screen.findByRole('button', { name: 'Send a test mail' });
    await user.click(send);
    await waitFor(() => expect(shownToast()?.title).toBe('Test mail sent. Look into your inbox.'));
    const message = 'smtp.example.com:587 answered: 550 No relaying';
    world.refusals = {
      'admin.sendTestMail': { code: 'UNPROCESSABLE_CONTENT', reason: 'MAIL_NOT_SENT', message },
    };
    await user.click(send);
    expect(await screen.findByText(message)).toBeDefined();
  });

  it('name what is not as it was stored, and whose it is', async () => {
    const item = { what: 'File', owner: 'ada@example.com', foundAt: '2026-11-01T10:00:00.000Z' };
    const damaged = [
      { ...item, name: '/uploads/notes.txt', problem: 'missing' } as const,
      { ...item, what: 'Image layer', owner: '', name: 'web@sha256:ab', problem: 'damaged' } as const,
    ];
    renderPage(
      '/admin?tab=engines',
      adminWorld({ engines: [mockEngine({ name: 'Stored bytes', damaged })] }),
    );
    const rows = await (await engine('Stored bytes')).findByRole('list', { name: 'Damage of Stored bytes' });
    const [file, layer] = within(rows).getAllByRole('listitem');
    expect(file?.textContent).toMatch(/^Missing\/uploads\/notes\.txtFile of ada@example\.com, since /);
    expect(layer?.textContent).toMatch(/^Damagedweb@sha256:abImage layer, since /);
  });

  it('say what keeps projects apart, and what does not', async () => {
    const isolation = [
      { name: 'Files', holds: true, detail: 'A project sees its release.' },
      { name: 'Network', holds: false, detail: 'Projects share it.' },
    ];
    renderPage('/admin?tab=engines', adminWorld({ engines: [mockEngine({ isolation })] }));
    const facts = await (await engine('Deployment runtime')).findByRole('list', {
      name: 'Isolation of Deployment runtime',
    });
    expect(
      within(facts)
        .getAllByRole('listitem')
        .map((fact) => fact.textContent),
    ).toEqual(['Files: yesA project sees its release.', 'Network: noProjects share it.']);
  });

  it('list machines, and show the command by which another joins when it is asked for', async () => {
    const node = { role: 'worker', state: 'ready', availability: 'active', version: '28.2.2' } as const;
    const nodes = [
      { ...node, name: 'alpha', address: '192.0.2.1', role: 'manager' as const, isHere: true, instances: 1 },
      { ...node, name: 'beta', address: '192.0.2.2', state: 'down' as const, isHere: false, instances: 0 },
    ];
    const { user } = renderPage('/admin?tab=engines', adminWorld({ engines: [mockEngine({ nodes })] }));
    const list = await screen.findByRole('list', { name: 'Machines' });
    const rows = within(list).getAllByRole('listitem');
    expect(rows.map((row) => row.textContent)).toEqual([
      'alphaReadyThis machine · Manager · 192.0.2.1 · Docker 28.2.2 · 1 instance',
      'betaDownWorker · 192.0.2.2 · Docker 28.2.2 · 0 instances',
    ]);
    expect(screen.queryByText(/--token/)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Add a machine' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(await dialog.findByText(/--token old /)).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Replace token' }));
    expect(await dialog.findByText(/--token new /)).toBeDefined();
  });

  it('list the server’s certificates, and try again for one that was refused', async () => {
    const dueAt = '2026-12-24T12:00:00.000Z';
    const certificates = [
      { name: 'console.example.com', endsAt: '2999-01-05T00:00:00.000Z', error: '', dueAt },
      { name: '*.apps.example.com', endsAt: null, error: 'too many new orders', dueAt },
    ];
    const { user } = renderPage(
      '/admin?tab=engines',
      adminWorld({ engines: [mockEngine({ certificates })] }),
    );
    const list = await screen.findByRole('list', { name: 'Certificates' });
    const texts = () =>
      within(list)
        .getAllByRole('listitem')
        .map((row) => row.textContent);
    expect(texts()).toEqual([
      expect.stringMatching(/^console\.example\.comValid until .*2999$/),
      expect.stringMatching(/^\*\.apps\.example\.comNo certificatetoo many new ordersNext try: .*Try again$/),
    ]);
    await user.click(within(list).getByRole('button', { name: 'Try again: *.apps.example.com' }));
    await waitFor(() => expect(texts()[1]).toBe('*.apps.example.comGetting a certificate'));
  });

  it('list backups of the installation, begin one and cancel it, and say what is against it', async () => {
    quiet();
    const missing = ['Docker does not answer.'];
    const backups = [
      mockInstallationBackup({ id: idOf(2), missing }),
      mockInstallationBackup({ id: idOf(1), kind: 'proof', status: 'failed', bytes: null, error: 'Torn.' }),
    ];
    const { user, world } = renderPage(
      '/admin?tab=engines',
      adminWorld({ engines: [mockEngine({ id: 'backups', name: 'Backups' })], backups }),
    );
    const list = await screen.findByRole('list', { name: 'Backups and trial restores' });
    const rows = () => Array.from(list.children, ({ textContent }) => textContent);
    expect(rows()).toEqual([
      expect.stringMatching(/^DoneBackup.*5\.00 MB · 1\.00 KB new · 2m 05sDocker does not answer\.$/),
      expect.stringMatching(/^FailedTrial restore.*2m 05sTorn\.$/),
    ]);
    await user.click(screen.getByRole('button', { name: 'Back up now' }));
    await waitFor(() => expect(rows()).toHaveLength(3));
    expect(rows()[0]).toMatch(/^RunningBackup/);
    await user.click(within(list).getByRole('button', { name: 'Cancel: Backup' }));
    const asked = () => world.calls.filter(({ path }) => path === 'admin.engines').length;
    const before = asked();
    await waitFor(() => expect(rows()[0]).toMatch(/^CancelledBackup/));
    await waitFor(() => expect(asked()).toBe(before + 1));
    const message = 'There are no backups in BACKUP_URL yet: run nephos backup init.';
    world.refusals = { 'admin.startBackup': { code: 'CONFLICT', reason: 'BACKUP_NOT_BEGUN', message } };
    await user.click(screen.getByRole('button', { name: 'Restore on trial' }));
    await waitFor(() => expect(shownToast()?.description).toBe(message));
  });

  it('show on every tab that one is in trouble, without holding up the others', async () => {
    const check = Promise.withResolvers<void>();
    renderPage('/admin', adminWorld({ engines }, { delays: { 'admin.engines': check.promise } }));
    await screen.findByText('No users found');
    expect(screen.getByRole('tab', { name: 'Engines' })).toBeDefined();
    check.resolve();
    expect(await screen.findByRole('tab', { name: 'Engines 1 unhealthy' })).toBeDefined();
  });

  it('can be checked again', async () => {
    const { user, world } = renderPage('/admin?tab=engines', adminWorld({ engines }));
    await screen.findByText('Unhealthy');
    world.admin.engines = [mockEngine()];
    await user.click(await screen.findByRole('button', { name: 'Check again' }));
    expect(await screen.findByText(/^All active engines are healthy\./)).toBeDefined();
    await waitFor(() => expect(screen.getByRole('tab', { name: 'Engines' })).toBeDefined());
  });

  it('are not said to be healthy where that could not be found out again', async () => {
    quiet();
    const { user, world } = renderPage('/admin?tab=engines', adminWorld({ engines: [mockEngine()] }));
    await screen.findByText(/^All active engines are healthy\./);
    world.refusals = { 'admin.engines': BROKEN };
    await user.click(screen.getByRole('button', { name: 'Check again' }));
    await screen.findByText(BROKEN.message);
    expect(screen.queryByText(/^All active engines are healthy\./)).toBeNull();
    expect(screen.getByText(/^Showing the last known state\./)).toBeDefined();
  });

  it('say that they load, and why they cannot be', async () => {
    quiet();
    const check = Promise.withResolvers<void>();
    const { user, world } = renderPage(
      '/admin?tab=engines',
      adminWorld({ engines }, { delays: { 'admin.engines': check.promise } }),
    );
    expect(await screen.findByText('Checking engines…')).toBeDefined();
    world.refusals = { 'admin.engines': BROKEN };
    check.resolve();
    await screen.findByText(BROKEN.message);
    world.refusals = {};
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Unhealthy')).toBeDefined();
  });
});

describe('the ledger', () => {
  const CHAIN = { links: 3, waiting: 0, brokenAt: null };

  function openLedger(trialBalance = { currencies: [USD], discrepancies: [] as never[], chain: CHAIN }) {
    return renderPage('/admin?tab=ledger', adminWorld({}, { trialBalance }));
  }

  it('raises the alarm over accounts that differ', async () => {
    const discrepancies = [{ accountId: idOf(1), balance: 1999, entries: 2000 }];
    renderPage(
      '/admin?tab=ledger',
      adminWorld({}, { trialBalance: { currencies: [USD], discrepancies, chain: CHAIN } }),
    );
    expect((await screen.findByRole('alert')).textContent).toContain("1 account doesn't match its entries");
    expect(screen.queryByText('All accounts match their entries')).toBeNull();
    const differing = screen.getByRole('table', { name: "Accounts that don't match their entries" });
    const [, row] = within(differing).getAllByRole('row');
    expect(Array.from(row?.children ?? [], ({ textContent }) => textContent)).toEqual([
      idOf(1),
      '$19.99',
      '$20.00',
      '-$0.01',
    ]);
  });

  it('raises the alarm over a sum that is not zero', async () => {
    openLedger({ currencies: [{ ...USD, sum: 1 }], discrepancies: [], chain: CHAIN });
    expect((await screen.findByRole('alert')).textContent).toContain('do not add up to zero');
  });

  it('says that there is nothing in it, that it loads, and why it cannot be', async () => {
    quiet();
    const sum = Promise.withResolvers<void>();
    const { user, world } = renderPage(
      '/admin?tab=ledger',
      adminWorld({}, { delays: { 'paymentGateway.trialBalance': sum.promise } }),
    );
    expect(await screen.findByText('Loading the trial balance…')).toBeDefined();
    world.refusals = { 'paymentGateway.trialBalance': BROKEN };
    sum.resolve();
    await screen.findByText(BROKEN.message);
    world.refusals = {};
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Nothing in the ledger yet')).toBeDefined();
    world.trialBalance = { currencies: [USD], discrepancies: [], chain: CHAIN };
    await user.click(screen.getByRole('button', { name: 'Recalculate' }));
    expect(await screen.findByRole('table', { name: 'Trial balance' })).toBeDefined();
  });
});
