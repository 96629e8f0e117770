import { RunSettings } from '@nephos/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { mockProject } from '../../test/mock-world.ts';
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
  const project = mockProject({ detected });
  const { user, world } = renderPage(PATH, { projects: [project] });
  const build = within(await screen.findByRole('region', { name: 'Build & run' }));
  expect(build.getByText('Last deployment: Next.js, Node.js 22.11.0, pnpm.')).toBeDefined();
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
