import { RunSettings } from '@nephos/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { mockCommitStatus } from '../../test/mock-commit-statuses.ts';
import { mockDeployKey } from '../../test/mock-deploy-keys.ts';
import { mockPreviewSettings } from '../../test/mock-previews.ts';
import { mockDelivery } from '../../test/mock-push-hooks.ts';
import { mockVariableGroup } from '../../test/mock-variable-groups.ts';
import { idOf, mockDatabase, mockProject } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

mockApi();

const PATH = `/projects/${mockProject().id}/settings`;

it('shows what was found beside what is set, and sends what was typed as settings', async () => {
  const detected = {
    ...{ framework: 'Next.js', runtime: 'Node.js 22.11.0', packageManager: 'pnpm', outputDirectory: '' },
    ...{ installCommand: 'pnpm install --frozen-lockfile', buildCommand: 'next build', port: 8080 },
    releaseCommand: 'npm run migrate',
    processes: [{ name: 'web', command: 'next start' }],
  };
  const project = mockProject({ detected, hasDockerfile: true });
  const { user, world } = renderPage(PATH, { projects: [project] });
  const build = within(await screen.findByRole('region', { name: 'Build & run' }));
  expect(build.getByText('Last deployment: Next.js, Node.js 22.11.0, pnpm.')).toBeDefined();
  const dockerfile = build.getByRole('link', { name: 'Download Dockerfile' });
  expect(dockerfile.getAttribute('href')).toBe(`/api/projects/${project.id}/dockerfile`);
  const command = build.getByRole<HTMLInputElement>('textbox', { name: 'Build command' });
  expect(command.placeholder).toBe('next build');
  expect(command).toHaveProperty('value', '');
  expect(build.getByRole('textbox', { name: 'Node.js version' })).toHaveProperty('placeholder', '22.11.0');
  expect(build.getByRole('textbox', { name: 'Release command' })).toHaveProperty(
    'placeholder',
    'npm run migrate',
  );
  expect(build.getByRole('textbox', { name: 'Port' })).toHaveProperty('placeholder', '8080');
  const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
  expect(save.disabled).toBe(true);
  await user.type(command, 'pnpm build:web');
  await user.type(build.getByRole('textbox', { name: 'Port' }), '9090');
  await user.type(screen.getByRole('textbox', { name: 'Folder' }), 'apps/web');
  await user.click(save);
  await waitFor(() => expect(shownToast()).toMatchObject({ title: 'Project saved' }));
  const sent = world.calls.find((call) => call.path === 'projects.update')?.input;
  expect(sent).toMatchObject({
    branch: 'main',
    settings: {
      rootDirectory: 'apps/web',
      buildCommand: 'pnpm build:web',
      installCommand: '',
      port: 9090,
      stopTimeout: null,
    },
  });
});

it('leaves what is no number to the server, which says so at the field', async () => {
  const { user, world } = renderPage(PATH, { projects: [mockProject()] });
  const build = within(await screen.findByRole('region', { name: 'Build & run' }));
  expect(build.queryByRole('link', { name: 'Download Dockerfile' })).toBe(null);
  const save = screen.getByRole('button', { name: 'Save' });
  await user.type(build.getByRole('textbox', { name: 'Port' }), 'abc');
  await user.click(save);
  const sent = () => world.calls.find(({ path }) => path === 'projects.update')?.input;
  await waitFor(() => expect(sent()).toMatchObject({ settings: { port: -1 } }));
  const message = 'Port must be a whole number from 1 to 65535.';
  expect(RunSettings.shape.port.safeParse(-1).error?.issues).toMatchObject([{ message }]);
  world.refusals['projects.update'] = {
    ...{ code: 'BAD_REQUEST', reason: 'VALIDATION', message: 'Check the fields.' },
    fields: [{ path: 'settings.port', message }],
  };
  await user.click(save);
  expect(await build.findByText(message)).toBeDefined();
});

it('asks for no start command of a site', async () => {
  renderPage(PATH, { projects: [mockProject({ framework: 'static' })] });
  const build = within(await screen.findByRole('region', { name: 'Build & run' }));
  expect(build.getByRole('textbox', { name: 'Output folder' })).toBeDefined();
  expect(build.queryByRole('textbox', { name: 'Start command' })).toBeNull();
});

const CONTAINERS = { available: true, reason: '' };

it('sends how a Dockerfile is built where there is a container runtime', async () => {
  const buildArgs = [{ name: 'OLD', value: '1' }];
  const project = mockProject({ settings: { ...mockProject().settings, buildArgs } });
  const { user, world } = renderPage(PATH, { projects: [project], containerRuntime: CONTAINERS });
  const build = within(await screen.findByRole('region', { name: 'Build & run' }));
  await user.type(build.getByRole('textbox', { name: 'Dockerfile' }), 'docker/Dockerfile');
  await user.type(build.getByRole('textbox', { name: 'Target stage' }), 'prod');
  await user.click(build.getByRole('button', { name: 'Add argument' }));
  await user.type(build.getAllByRole('textbox', { name: 'Name' })[1] as HTMLElement, 'VERSION');
  await user.type(build.getAllByRole('textbox', { name: 'Value' })[1] as HTMLElement, '1.2');
  await user.click(build.getByRole('button', { name: 'Remove OLD' }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  const sent = () => world.calls.find(({ path }) => path === 'projects.update')?.input;
  await waitFor(() =>
    expect(sent()).toMatchObject({
      settings: {
        ...{ builder: 'auto', dockerfile: 'docker/Dockerfile', dockerTarget: 'prod' },
        buildArgs: [{ name: 'VERSION', value: '1.2' }],
      },
    }),
  );
  world.refusals['projects.update'] = {
    ...{ code: 'BAD_REQUEST', reason: 'VALIDATION', message: 'Check the fields.' },
    fields: [{ path: 'settings.buildArgs.0.name', message: 'Use letters.' }],
  };
  await user.type(build.getByRole('textbox', { name: 'Target stage' }), '2');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await build.findByText('Use letters.')).toBeDefined();
  await user.click(build.getByLabelText('Build with'));
  await user.click(await screen.findByRole('option', { name: 'Framework' }));
  expect(build.queryByRole('textbox', { name: 'Dockerfile' })).toBeNull();
});

it('has nothing of Dockerfiles where there is no container runtime', async () => {
  renderPage(PATH, { projects: [mockProject()] });
  const build = within(await screen.findByRole('region', { name: 'Build & run' }));
  expect(screen.queryByText(/DEPLOY_RUNTIME|Dockerfile/)).toBeNull();
  expect(build.queryByLabelText('Build with')).toBeNull();
});

it('lets a Dockerfile be given up where there is no container runtime', async () => {
  const settings = { ...mockProject().settings, builder: 'dockerfile' as const };
  const { user } = renderPage(PATH, { projects: [mockProject({ settings })] });
  await user.click(await screen.findByLabelText('Build with'));
  await user.click(await screen.findByRole('option', { name: 'Dockerfile if there is one' }));
  expect(screen.getByLabelText('Build with')).toBeDefined();
  expect(screen.queryByRole('textbox', { name: 'Dockerfile' })).toBeNull();
});

it('keeps the credentials of an image unless they are typed anew or removed', async () => {
  const image = 'ghcr.io/ada/shop:latest';
  const project = mockProject({ repositoryUrl: '', image, hasImageCredentials: true });
  const { user, world } = renderPage(PATH, { projects: [project], containerRuntime: CONTAINERS });
  const run = within(await screen.findByRole('region', { name: 'Run' }));
  expect(run.queryByRole('textbox', { name: 'Build command' })).toBeNull();
  expect(run.getByRole('textbox', { name: 'Start command' })).toBeDefined();
  expect(screen.getAllByText('Saved. To replace it, enter both.')).toHaveLength(1);
  const sent = () => world.calls.filter(({ path }) => path === 'projects.update').at(-1)?.input;
  const save = screen.getByRole('button', { name: 'Save' });
  await user.type(screen.getByLabelText('Image'), '2');
  await user.click(save);
  await waitFor(() => expect(sent()).toMatchObject({ image: `${image}2`, repositoryUrl: '' }));
  expect(sent()).not.toHaveProperty('imageUsername');
  await user.clear(screen.getByLabelText('Image'));
  await user.type(screen.getByLabelText('Image'), 'quay.io/ada/shop');
  expect(screen.getByText("Saved for ghcr.io. It won't be used for another registry.")).toBeDefined();
  await user.clear(screen.getByLabelText('Image'));
  await user.type(screen.getByLabelText('Image'), `${image}3`);
  await user.click(screen.getByRole('switch', { name: /Remove the saved/ }));
  await user.click(save);
  await waitFor(() => expect(sent()).toMatchObject({ imageUsername: '', imagePassword: '' }));
  await user.click(screen.getByLabelText('Source'));
  await user.click(await screen.findByRole('option', { name: 'Repository' }));
  await user.type(screen.getByLabelText('Repository URL'), 'https://git.example.com/a.git');
  await user.click(save);
  await waitFor(() =>
    expect(sent()).toMatchObject({ image: '', repositoryUrl: 'https://git.example.com/a.git' }),
  );
});

it('turns the push hook on, shows its secret when asked, and lists what it was told of', async () => {
  const reason = 'The project deploys the branch main.';
  const ignored = mockDelivery({ sender: '', branch: 'next', result: 'ignored', reason, deploymentId: null });
  const deliveries = [mockDelivery(), ignored];
  const { user, world } = renderPage(PATH, { projects: [mockProject()], deliveries });
  const section = within(await screen.findByRole('region', { name: 'Push hook' }));
  expect(section.queryByRole('region', { name: 'URL' })).toBeNull();
  await user.click(section.getByRole('button', { name: 'Turn on' }));
  expect((await section.findByRole('region', { name: 'URL' })).textContent).toBe(world.pushHook.address);
  expect(section.queryByText('open-sesame')).toBeNull();
  await user.click(section.getByRole('button', { name: 'Show secret' }));
  expect(await section.findByText('open-sesame')).toBeDefined();
  await user.type(section.getByRole('textbox', { name: 'Watched paths' }), 'apps/web\n\npackages');
  await user.click(section.getByRole('button', { name: 'Save paths' }));
  await waitFor(() => expect(world.pushHook.paths).toEqual(['apps/web', 'packages']));
  const list = within(section.getByRole('table', { name: 'Deliveries' }));
  const [, first, second] = list.getAllByRole('row');
  expect(first?.textContent).toMatch(/GitHub: push.*main · 0123456.*Deployed/);
  expect(within(first as HTMLElement).getByRole('link', { name: 'Build log' })).toBeDefined();
  expect(second?.textContent).toMatch(/curl: push.*Ignored.*The project deploys the branch main\./);
  await user.click(section.getByRole('button', { name: 'Turn off' }));
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Turn off' }));
  expect(await section.findByRole('button', { name: 'Turn on' })).toBeDefined();
});

it('keeps the token of a repository unless another is typed or it is removed', async () => {
  const { user, world } = renderPage(PATH, { projects: [mockProject({ hasRepositoryToken: true })] });
  const token = await screen.findByLabelText<HTMLInputElement>('Access token');
  expect(token.type).toBe('password');
  expect(screen.getByText("Saved for this Git host. It won't be used for another one.")).toBeDefined();
  const sent = () => world.calls.filter(({ path }) => path === 'projects.update').at(-1)?.input;
  const save = screen.getByRole('button', { name: 'Save' });
  await user.type(screen.getByLabelText('Branch'), '2');
  await user.click(save);
  await waitFor(() => expect(sent()).toMatchObject({ branch: 'main2' }));
  expect(sent()).not.toHaveProperty('repositoryToken');
  await user.type(token, 'ghp_new');
  await user.click(save);
  await waitFor(() => expect(sent()).toMatchObject({ repositoryToken: 'ghp_new', repositoryUsername: '' }));
  await user.click(screen.getByRole('switch', { name: 'Remove the saved access token' }));
  await user.click(save);
  await waitFor(() => expect(sent()).toMatchObject({ repositoryToken: '', repositoryUsername: '' }));
});

it('shows what to push with before the first push, and which paths are watched without a hook', async () => {
  const pushUrl = 'http://localhost:3000/git/app.git';
  const project = mockProject({ repositoryUrl: '', pushUrl });
  const { user, world } = renderPage(PATH, { projects: [project] });
  expect((await screen.findByLabelText('Source')).textContent).toBe('Git push');
  expect(screen.getByText(`git remote add nephos ${pushUrl}`, { exact: false })).toBeDefined();
  const section = within(screen.getByRole('region', { name: 'Push hook' }));
  await user.type(section.getByLabelText('Watched paths'), 'apps/web');
  await user.click(section.getByRole('button', { name: 'Save paths' }));
  await waitFor(() => expect(world.pushHook.paths).toEqual(['apps/web']));
});

it('says why the Git host does not show what became of a commit', async () => {
  const problem = 'github.com refused the token.';
  renderPage(PATH, { projects: [mockProject()], commitStatus: mockCommitStatus({ problem }) });
  expect(await screen.findByText(`Commit status: ${problem}`)).toBeDefined();
});

it('has branches deployed as previews, with the variables of a group', async () => {
  const group = mockVariableGroup({ name: 'Staging' });
  const { user, world } = renderPage(PATH, { projects: [mockProject()], variableGroups: [group] });
  const section = within(await screen.findByRole('region', { name: 'Previews' }));
  expect(section.queryByLabelText('Branches')).toBeNull();
  await user.click(section.getByRole('switch', { name: 'Deploy previews' }));
  const branches = section.getByLabelText('Branches');
  await user.clear(branches);
  await user.type(branches, 'next\n\nfeature/*');
  const days = section.getByLabelText('Days without a push');
  await user.clear(days);
  await user.type(days, '30');
  await user.click(section.getByLabelText('Variables'));
  await user.click(await screen.findByRole('option', { name: 'Staging' }));
  await user.click(section.getByRole('button', { name: 'Save previews' }));
  const saved = { enabled: true, branches: ['next', 'feature/*'], limit: 5, days: 30, groupId: group.id };
  await waitFor(() => expect(world.previewSettings).toMatchObject(saved));
});

it('offers previews copies of databases with a server of their own, and lets go of another', async () => {
  const [own, shared, chosen] = [
    mockDatabase({ id: idOf(901), name: 'orders' }),
    mockDatabase({ id: idOf(902), name: 'shared', activity: null }),
    mockDatabase({ id: idOf(903), name: 'moved', activity: null }),
  ];
  const { user, world } = renderPage(PATH, {
    projects: [mockProject()],
    databases: [own, shared, chosen],
    previewSettings: mockPreviewSettings({ enabled: true, databaseIds: [chosen.id] }),
  });
  const section = within(await screen.findByRole('region', { name: 'Previews' }));
  await user.click(await section.findByRole('checkbox', { name: 'orders' }));
  expect(section.queryByRole('checkbox', { name: 'shared' })).toBeNull();
  await user.click(section.getByRole('checkbox', { name: 'moved' }));
  await user.click(section.getByRole('button', { name: 'Save previews' }));
  await waitFor(() => expect(world.previewSettings.databaseIds).toEqual([own.id]));
});

it('leads from a preview to the project whose settings say which there are', async () => {
  const previewOf = crypto.randomUUID();
  renderPage(PATH, { projects: [mockProject()], previewSettings: mockPreviewSettings({ previewOf }) });
  const section = within(await screen.findByRole('region', { name: 'Previews' }));
  expect(section.queryByRole('switch')).toBeNull();
  const link = section.getByRole('link', { name: 'another project' });
  expect(link.getAttribute('href')).toBe(`/projects/${previewOf}`);
});

it('shows the deploy key and the host keys of a repository over SSH, and forgets or renews them', async () => {
  const hostKeys = [{ type: 'ssh-ed25519', fingerprint: 'SHA256:abc' }];
  const deployKey = mockDeployKey({
    ...{ publicKey: 'ssh-ed25519 AAAA nephos-app', host: 'github.com:22', hostKeys },
  });
  const project = mockProject({ repositoryUrl: 'git@github.com:ada/app.git' });
  const { user } = renderPage(PATH, { projects: [project], deployKey });
  const section = within(await screen.findByRole('region', { name: 'Deploy key' }));
  expect(section.getByText('ssh-ed25519 AAAA nephos-app')).toBeDefined();
  expect(section.getByText('ssh-ed25519 SHA256:abc')).toBeDefined();
  // A token is for HTTPS.
  expect(screen.queryByLabelText('Access token')).toBeNull();
  const confirm = async (open: string, label: string) => {
    await user.click(section.getByRole('button', { name: open }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: label }));
  };
  await confirm('Forget host keys', 'Forget');
  await waitFor(() => expect(section.queryByRole('list', { name: 'Host keys' })).toBeNull());
  await confirm('Renew key', 'Renew key');
  expect(await section.findByText('ssh-ed25519 BBBB nephos-app')).toBeDefined();
});
