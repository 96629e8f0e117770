import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { mockProject } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

mockApi();

const PATH = `/projects/${mockProject().id}/settings`;

it('shows what was found beside what is set, and sends what was typed as settings', async () => {
  const detected = {
    ...{ framework: 'Next.js', runtime: 'Node.js 22.11.0', packageManager: 'pnpm', outputDirectory: '' },
    ...{ installCommand: 'pnpm install --frozen-lockfile', buildCommand: 'next build', port: null },
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
  const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
  expect(save.disabled).toBe(true);
  await user.type(command, 'pnpm build:web');
  await user.type(build.getByRole('textbox', { name: 'Port' }), '8080');
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
      port: 8080,
      stopTimeout: null,
    },
  });
});

it('asks for no start command of a site', async () => {
  renderPage(PATH, { projects: [mockProject({ framework: 'static' })] });
  const build = within(await screen.findByRole('region', { name: 'Build & run' }));
  expect(build.getByRole('textbox', { name: 'Output folder' })).toBeDefined();
  expect(build.queryByRole('textbox', { name: 'Start command' })).toBeNull();
});
