import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { FakeEventSource } from '../../test/fake-event-source.ts';
import { MOCK_PUSH_URL, mockUser, UNAUTHORIZED } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';
import { until } from '../../test/until.ts';
import { toastStore } from '../../ui/toast.ts';

mockApi();

describe('creating a project', () => {
  async function openDialog(state: Parameters<typeof renderPage>[1] = {}) {
    const page = renderPage('/deployments', state);
    await page.user.click(await screen.findByRole('button', { name: 'New Project' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New Project' }));
    await dialog.findByLabelText(/Name/);
    return { ...page, dialog, create: dialog.getByRole<HTMLButtonElement>('button', { name: 'Create' }) };
  }

  it('starts from the defaults again after it was closed', async () => {
    const { user, dialog } = await openDialog();
    await user.type(dialog.getByLabelText(/Name/), 'Half a thought');
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await user.click(await screen.findByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement?.textContent).toBe('New Project');
    await user.click(screen.getByRole('button', { name: 'New Project' }));
    const again = within(await screen.findByRole('dialog', { name: 'New Project' }));
    expect(again.getByLabelText<HTMLInputElement>(/Name/).value).toBe('');
  });

  it('cannot be sent twice', async () => {
    const answer = Promise.withResolvers<void>();
    const { user, dialog, create } = await openDialog({ delays: { 'projects.create': answer.promise } });
    await user.type(dialog.getByLabelText(/Name/), 'Barometer');
    await user.click(create);
    await waitFor(() => expect(create.disabled).toBe(true));
    answer.resolve();
    await screen.findByRole('heading', { name: 'Barometer' });
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('closes nothing and leads nowhere once it was left, and says what it made', async () => {
    const answer = Promise.withResolvers<void>();
    const { user, router, dialog, create } = await openDialog({
      delays: { 'projects.create': answer.promise },
    });
    await user.type(dialog.getByLabelText(/Name/), 'Barometer');
    await user.click(create);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(screen.getByRole('button', { name: 'New Project' }));
    await screen.findByRole('dialog', { name: 'New Project' });
    answer.resolve();
    await waitFor(() => expect(shownToast()).toMatchObject({ title: 'Project created successfully' }));
    expect(await screen.findByText('Barometer')).toBeDefined();
    expect(screen.getByRole('dialog', { name: 'New Project' })).toBeDefined();
    expect(router.state.location.pathname).toBe('/deployments');
  });

  it('opens a project without a repository at what to do next, and going back opens no dialog', async () => {
    const { user, router, dialog, create } = await openDialog();
    await user.type(dialog.getByLabelText(/Name/), 'Barometer');
    await user.click(create);
    expect(await screen.findByText('Deploy from your local computer')).toBeDefined();
    expect(screen.getByText('Not deployed')).toBeDefined();
    expect(screen.getByRole('link', { name: 'Add a repository' }).getAttribute('href')).toMatch(
      /\/settings$/,
    );
    expect(shownToast()).toMatchObject({ title: 'Project created successfully' });
    act(() => router.history.back());
    await screen.findByRole('button', { name: 'New Project' });
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('opens a project with a repository at the log of its first deployment', async () => {
    const { user, world, dialog, create } = await openDialog();
    await user.type(dialog.getByLabelText(/Name/), 'Barometer');
    await user.type(dialog.getByLabelText(/Repository/), 'https://git.example.com/ada/barometer.git');
    await user.click(create);
    expect(await screen.findByRole('log', { name: 'Deployment log' })).toBeDefined();
    const stream = await until(() => FakeEventSource.of('deployments.log'));
    expect(decodeURIComponent(stream.url)).toContain(world.projects[0]?.latestDeployment?.id);
    expect(shownToast()).toMatchObject({ title: 'Project created successfully' });
  });

  it('makes a project of an image, for which no framework is asked', async () => {
    const { user, world, dialog, create } = await openDialog({
      containerRuntime: { available: true, reason: '' },
    });
    await user.type(dialog.getByLabelText(/Name/), 'Shop');
    await user.click(dialog.getByLabelText('Source'));
    await user.click(await screen.findByRole('option', { name: 'Image' }));
    expect(create.disabled).toBe(true);
    expect(dialog.queryByLabelText('Framework')).toBeNull();
    await user.type(dialog.getByLabelText('Image'), 'ghcr.io/ada/shop:2');
    await user.type(dialog.getByLabelText('Registry username'), 'robot');
    await user.type(dialog.getByLabelText('Registry password'), 'secret');
    await user.click(create);
    await screen.findByRole('heading', { name: 'Shop' });
    const sent = world.calls.find(({ path }) => path === 'projects.create')?.input;
    expect(sent).toMatchObject({ repositoryUrl: '', image: 'ghcr.io/ada/shop:2' });
    expect(sent).toMatchObject({ imageUsername: 'robot', imagePassword: 'secret' });
    expect(sent).not.toHaveProperty('template');
  });

  it('makes a project to push to, and shows the commands', async () => {
    const { user, world, dialog, create } = await openDialog();
    await user.type(dialog.getByLabelText(/Name/), 'Barometer');
    await user.click(dialog.getByLabelText('Source'));
    await user.click(await screen.findByRole('option', { name: 'Git push' }));
    expect(dialog.queryByLabelText('Branch')).toBeNull();
    await user.type(dialog.getByLabelText('Folder'), 'apps/web');
    await user.click(create);
    const commands = await screen.findByRole('region', { name: 'Push commands' });
    expect(commands.textContent).toBe(`git remote add nephos ${MOCK_PUSH_URL}\ngit push nephos HEAD`);
    expect(screen.getByRole('link', { name: 'access token' }).getAttribute('href')).toBe('/account#tokens');
    const sent = world.calls.find(({ path }) => path === 'projects.create')?.input;
    expect(sent).toMatchObject({ repositoryUrl: '', branch: '', settings: { rootDirectory: 'apps/web' } });
  });

  it('makes a project of a template', async () => {
    const { user, world, dialog, create } = await openDialog();
    await user.type(dialog.getByLabelText(/Name/), 'Start');
    await user.click(dialog.getByLabelText('Source'));
    await user.click(await screen.findByRole('option', { name: 'Template' }));
    await user.click(dialog.getByLabelText('Template'));
    await user.click(await screen.findByRole('option', { name: 'Node.js API' }));
    await user.click(create);
    await screen.findByRole('heading', { name: 'Start' });
    const sent = world.calls.find(({ path }) => path === 'projects.create')?.input;
    expect(sent).toMatchObject({ template: 'node-api', repositoryUrl: '', image: '' });
  });

  it('offers no image where there is no container runtime', async () => {
    const { user, dialog } = await openDialog();
    expect(dialog.queryByText(/^Image is not available/)).toBeNull();
    await user.click(dialog.getByLabelText('Source'));
    expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual([
      'Repository',
      'Git push',
      'Template',
    ]);
  });

  it('tells admins what an image needs where there is no container runtime', async () => {
    const { user, dialog } = await openDialog({ user: { ...mockUser(), role: 'admin' } });
    expect(dialog.getByText(/^Image is not available: .*Set DEPLOY_RUNTIME=docker/)).toBeDefined();
    await user.click(dialog.getByLabelText('Source'));
    const image = await screen.findByRole('option', { name: 'Image (not available)' });
    expect(image.getAttribute('aria-disabled')).toBe('true');
  });

  it('makes none of a template that this server cannot run', async () => {
    const { user, dialog, create } = await openDialog();
    await user.type(dialog.getByLabelText(/Name/), 'Start');
    await user.click(dialog.getByLabelText('Source'));
    await user.click(await screen.findByRole('option', { name: 'Template' }));
    expect(create.disabled).toBe(false);
    await user.click(dialog.getByLabelText('Template'));
    await user.click(await screen.findByRole('option', { name: 'Python API' }));
    expect(create.disabled).toBe(true);
  });

  it('says why a framework cannot be chosen', async () => {
    const { user, dialog } = await openDialog();
    expect(
      dialog.getByText('Python is not available: python3 is not installed on this server.'),
    ).toBeDefined();
    await user.click(dialog.getByLabelText('Framework'));
    const python = await screen.findByRole('option', { name: 'Python (not available)' });
    expect(python.getAttribute('aria-disabled')).toBe('true');
  });

  it('says once why no code of theirs is run at all', async () => {
    const reason = 'Only admins can deploy on this server.';
    const frameworks = ['nodejs', 'static', 'python'] as const;
    const { user, dialog, create } = await openDialog({
      runtimes: frameworks.map((framework) => ({ framework, available: false, reason })),
    });
    expect(dialog.getAllByText(reason)).toHaveLength(1);
    await user.type(dialog.getByLabelText(/Name/), 'Barometer');
    expect(create.disabled).toBe(true);
    // And once on the page itself.
    expect(screen.getAllByText(reason)).toHaveLength(2);
  });

  it('fails with the specified toast, and says in the dialog what to do', async () => {
    const { user, dialog, create } = await openDialog({
      refusals: {
        'projects.create': {
          code: 'FORBIDDEN',
          reason: 'PLAN_LIMIT_REACHED',
          message: 'Your plan allows 5 projects.',
        },
      },
    });
    await user.type(dialog.getByLabelText(/Name/), 'Sixth');
    await user.click(create);
    expect((await dialog.findByRole('alert')).textContent).toBe('Your plan allows 5 projects.');
    expect(shownToast()).toEqual({
      title: 'Error',
      description: 'Failed to create project',
      variant: 'destructive',
    });
    expect(dialog.getByLabelText<HTMLInputElement>(/Name/).value).toBe('Sixth');
  });

  it('shows what is wrong beside the field', async () => {
    const { user, dialog, create } = await openDialog({
      refusals: {
        'projects.create': {
          code: 'BAD_REQUEST',
          reason: 'VALIDATION',
          message: 'Some fields are not valid.',
          fields: [{ path: 'branch', message: "Git doesn't accept this branch name." }],
        },
      },
    });
    await user.type(dialog.getByLabelText(/Name/), 'Barometer');
    await user.click(create);
    expect((await dialog.findByRole('alert')).textContent).toBe("Git doesn't accept this branch name.");
    expect(dialog.getByLabelText('Branch').getAttribute('aria-invalid')).toBe('true');
  });

  it('goes to the login page half a second after the session is found to be over', async () => {
    const { user, dialog, create } = await openDialog({ refusals: { 'projects.create': UNAUTHORIZED } });
    await user.type(dialog.getByLabelText(/Name/), 'Barometer');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const at = { toast: 0, left: 0 };
    const unsubscribe = toastStore.subscribe(() => {
      at.toast = Date.now();
    });
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {
      at.left = Date.now();
    });
    create.click();
    await vi.waitFor(() => expect(assign).toHaveBeenCalled(), { timeout: 15_000 });
    unsubscribe();
    expect(shownToast()).toEqual({
      title: 'Unauthorized',
      description: 'You are logged out. Logging in again...',
      variant: 'destructive',
    });
    // From when it can be seen, which is soon after it was asked for.
    expect(at.left - at.toast).toBeGreaterThanOrEqual(500);
    expect(assign).toHaveBeenCalledWith('/api/login?returnTo=%2Fdeployments');
  });
});
