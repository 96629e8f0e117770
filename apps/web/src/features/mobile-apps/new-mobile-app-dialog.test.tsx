import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { idOf, mockMobileApp } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

mockApi();

async function openDialog(state: Parameters<typeof renderPage>[1] = {}) {
  const page = renderPage('/mobile-apps?new=1', state);
  const dialog = within(await screen.findByRole('dialog', { name: 'New Mobile App' }));
  const create = dialog.getByRole<HTMLButtonElement>('button', { name: 'Create' });

  async function choose(label: string, option: string) {
    await page.user.click(dialog.getByRole('combobox', { name: label }));
    await page.user.click(await screen.findByRole('option', { name: option }));
  }

  const field = (label: string) => dialog.getByLabelText<HTMLInputElement>(label);
  const sent = () => page.world.calls.find(({ path }) => path === 'mobileApps.create')?.input;
  return { ...page, dialog, create, choose, field, sent };
}

describe('creating a mobile app', () => {
  it('asks for what the platform needs, and sends nothing of another', async () => {
    const { user, dialog, create, choose, field, sent } = await openDialog();
    await user.type(field('Name'), 'Fruit');
    await user.type(field('Bundle ID'), 'com.example.fruit');
    await user.clear(field('Android target SDK'));
    await user.type(field('Android target SDK'), '999');

    await choose('Platform', 'Android');
    expect(dialog.queryByLabelText('iOS team ID')).toBeNull();
    expect(field('Android minimum SDK')).toBeDefined();
    expect(field('Android target SDK').value).toBe('999');
    expect(dialog.queryByRole('button', { name: /^Use/ })).toBeNull();
    await choose('Platform', 'iOS');
    expect(dialog.queryByLabelText('Android minimum SDK')).toBeNull();
    expect(dialog.queryByLabelText('Android target SDK')).toBeNull();
    await user.type(field('iOS team ID'), 'ab12cd34ef');
    await user.click(create);
    await screen.findByRole('heading', { name: 'Fruit' });
    expect(sent()).toEqual({
      name: 'Fruit',
      platform: 'ios',
      bundleId: 'com.example.fruit',
      version: '1.0.0',
      buildNumber: 1,
      iosTeamId: 'AB12CD34EF',
      deploymentMethod: 'manual',
    });
  });

  it('asks for repository and branch when GitHub builds, and only then', async () => {
    const { user, dialog, create, choose, field, sent } = await openDialog();
    await user.type(field('Name'), 'Robot');
    await user.type(field('Bundle ID'), 'com.example.robot');
    expect(dialog.queryByLabelText('Repository URL')).toBeNull();
    await choose('Deployment method', 'Local');
    expect(dialog.queryByLabelText('Repository URL')).toBeNull();
    expect(dialog.queryByLabelText('Branch')).toBeNull();
    await choose('Deployment method', 'GitHub');
    expect(field('Repository URL').required).toBe(true);
    expect(field('Branch')).toMatchObject({ required: true, value: 'main' });
    expect(create.disabled).toBe(true);
    await user.type(field('Repository URL'), 'https://github.com/ada/robot.git');
    expect(create.disabled).toBe(false);
    await user.clear(field('Branch'));
    expect(create.disabled).toBe(true);
    await user.type(field('Branch'), 'release');
    await user.click(create);
    await screen.findByRole('heading', { name: 'Robot' });
    expect(sent()).toMatchObject({
      deploymentMethod: 'github',
      repositoryUrl: 'https://github.com/ada/robot.git',
      branch: 'release',
    });
  });

  it('shows what the server refuses at its field, keeps what was typed, and fails with the specified toast', async () => {
    const { user, create, field } = await openDialog({
      refusals: {
        'mobileApps.create': {
          code: 'BAD_REQUEST',
          reason: 'VALIDATION',
          message: 'Some fields are not right.',
          fields: [{ path: 'bundleId', message: 'On iOS, use only letters, digits and hyphens.' }],
        },
      },
    });
    await user.type(field('Name'), 'Robot');
    await user.type(field('Bundle ID'), 'robot');
    await user.click(create);
    expect((await screen.findByRole('alert')).textContent).toMatch(/^On iOS/);
    expect(field('Bundle ID').getAttribute('aria-invalid')).toBe('true');
    expect(field('Bundle ID').value).toBe('robot');
    expect(shownToast()).toEqual({
      title: 'Error',
      description: 'Failed to create mobile app',
      variant: 'destructive',
    });
  });

  it('says in the dialog what no field explains', async () => {
    const { user, dialog, create, field } = await openDialog({
      refusals: {
        'mobileApps.create': { code: 'INTERNAL_SERVER_ERROR', reason: 'UNAVAILABLE', message: 'Try later.' },
      },
    });
    await user.type(field('Name'), 'Robot');
    await user.type(field('Bundle ID'), 'com.example.robot');
    await user.click(create);
    await waitFor(() => expect(dialog.getByRole('alert').textContent).toBe('Try later.'));
  });
});

describe('editing a mobile app', () => {
  const APP = mockMobileApp({ buildStatus: 'configured', buildNumber: 7, iosTeamId: 'AB12CD34EF' });

  async function openEdit(state: Parameters<typeof renderPage>[1] = {}) {
    const page = renderPage('/mobile-apps', { mobileApps: [APP], ...state });
    await page.user.click(await screen.findByRole('button', { name: `Edit ${APP.name}` }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit mobile app' }));
    const save = dialog.getByRole<HTMLButtonElement>('button', { name: 'Save' });
    const field = (label: string) => dialog.getByLabelText<HTMLInputElement>(label);
    const sent = () => page.world.calls.find(({ path }) => path === 'mobileApps.update')?.input;
    return { ...page, dialog, save, field, sent };
  }

  it('starts from its settings, and saves what was changed', async () => {
    const { user, dialog, save, field, sent } = await openEdit();
    expect(dialog.getByText(/^Saving regenerates the build configuration/)).toBeDefined();
    expect(field('iOS team ID').value).toBe('AB12CD34EF');
    expect(save.disabled).toBe(true);
    await user.clear(field('Name'));
    expect(save.disabled).toBe(true);
    await user.type(field('Name'), 'Rain');
    await user.click(dialog.getByRole('button', { name: 'Use 8' }));
    await user.click(dialog.getByRole('button', { name: 'Use 36' }));
    expect(dialog.queryByRole('button', { name: /^Use/ })).toBeNull();
    await user.click(save);
    expect(await screen.findByRole('heading', { name: 'Rain' })).toBeDefined();
    expect(sent()).toMatchObject({ id: idOf(1), name: 'Rain', buildNumber: 8, androidTargetSdk: 36 });
    expect(shownToast()).toMatchObject({ title: 'Mobile app updated and build configuration regenerated' });
  });

  it('says nothing of files where a draft has none', async () => {
    const { user, dialog, save, field } = await openEdit({ mobileApps: [{ ...APP, buildStatus: 'draft' }] });
    expect(dialog.queryByText(/regenerates/)).toBeNull();
    await user.type(field('Name'), '!');
    await user.click(save);
    await waitFor(() => expect(shownToast()).toMatchObject({ title: 'Mobile app updated successfully' }));
  });

  it('shows what the server refuses at its field', async () => {
    const { user, save, field } = await openEdit({
      refusals: {
        'mobileApps.update': {
          code: 'BAD_REQUEST',
          reason: 'VALIDATION',
          message: 'Some fields are not right.',
          fields: [{ path: 'version', message: 'Version must be three numbers, like 1.0.0.' }],
        },
      },
    });
    await user.type(field('Version'), '.1');
    await user.click(save);
    expect((await screen.findByRole('alert')).textContent).toMatch(/^Version must/);
    expect(shownToast()).toMatchObject({ title: 'Error', description: 'Failed to update mobile app' });
  });
});
