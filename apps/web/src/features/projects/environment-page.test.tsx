import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { mockVariable } from '../../test/mock-variable-groups.ts';
import { mockProject } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

mockApi();

const PATH = `/projects/${mockProject().id}/environment`;
const ENV = `# Mail
export SMTP_HOST=mail.example.com
API_KEY="two
lines" # secret`;

async function open(names: string[] = [], project: Parameters<typeof mockProject>[0] = {}) {
  const page = renderPage(PATH, {
    projects: [mockProject(project)],
    variables: names.map((name) => mockVariable({ name })),
  });
  return { ...page, name: await screen.findByLabelText<HTMLInputElement>(/^Name/) };
}

function paste(input: HTMLElement, text: string) {
  return fireEvent.paste(input, { clipboardData: { getData: () => text } });
}

async function importDialog() {
  return within(await screen.findByRole('dialog', { name: 'Import .env' }));
}

describe('environment variables', () => {
  it('are imported together from what is pasted, after a look at their names', async () => {
    const { world, user, name } = await open(['API_KEY']);
    paste(name, ENV);
    const dialog = await importDialog();
    const items = within(dialog.getByRole('list', { name: 'Variables to import' })).getAllByRole('listitem');
    expect(items.map(({ textContent }) => textContent)).toEqual(['SMTP_HOSTNew', 'API_KEYOverwrites']);
    await user.click(dialog.getByRole('button', { name: 'Import 2 variables' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(world.calls.filter(({ path }) => path === 'projects.setVariables')).toMatchObject([
      {
        input: {
          variables: [
            { name: 'SMTP_HOST', value: 'mail.example.com' },
            { name: 'API_KEY', value: 'two\nlines' },
          ],
        },
      },
    ]);
    expect(shownToast()).toMatchObject({ title: '2 variables saved' });
  });

  it('are not imported while a line cannot be read, which is named', async () => {
    const { user } = await open();
    await user.click(screen.getByRole('button', { name: 'Import .env' }));
    const dialog = await importDialog();
    const text = dialog.getByLabelText<HTMLTextAreaElement>('Contents');
    fireEvent.change(text, { target: { value: 'A=1\nnot a line\nB=2' } });
    expect(await dialog.findByText('Line 2: Expected NAME=value.')).toBeDefined();
    const save = dialog.getByRole<HTMLButtonElement>('button', { name: 'Import 2 variables' });
    expect(save.disabled).toBe(true);
    fireEvent.change(text, { target: { value: 'A=1\nB=2' } });
    await waitFor(() => expect(save.disabled).toBe(false));
  });

  it('say before they are sent that a project would have too many', async () => {
    const { name } = await open(Array.from({ length: 99 }, (_, n) => `V${n}`));
    paste(name, 'V1=x\nW1=x\nW2=x');
    const dialog = await importDialog();
    expect(await dialog.findByText(/up to 100 variables\. This would make 101\./)).toBeDefined();
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: /Import/ }).disabled).toBe(true);
  });

  it('fill the form from one pasted assignment, and are pasted as they are otherwise', async () => {
    const { name } = await open();
    paste(name, 'export API_KEY="a b"');
    expect(name.value).toBe('API_KEY');
    expect(screen.getByLabelText<HTMLTextAreaElement>('Value').value).toBe('a b');
    expect(screen.queryByRole('dialog')).toBeNull();
    // Left to the browser.
    expect(paste(name, 'JUST_A_NAME')).toBe(true);
  });

  it('say what gives them to the app, and offer it', async () => {
    const { user, name } = await open([], { liveDeploymentId: mockProject().id });
    expect(screen.getByText('Changes take effect on the next restart or deployment')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Restart' })).toBeDefined();
    await user.type(name, 'API_KEY');
    await user.type(screen.getByLabelText('Value'), 'x');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(
      (await screen.findByText(/Restart to use it in the app\. Deploy to use it in the build/)).textContent,
    ).toBe('API_KEY saved. Restart to use it in the app. Deploy to use it in the build, too.');
  });

  it('show what a single assignment loses at a #, and ask before the text is dropped', async () => {
    const { user, name } = await open();
    paste(name, 'PASSWORD=ab#cd');
    const dialog = await importDialog();
    expect(dialog.getByText('Check these lines')).toBeDefined();
    expect(name.value).toBe('');
    await user.keyboard('{Escape}');
    expect(await screen.findByRole('alertdialog', { name: 'Discard changes?' })).toBeDefined();
  });
});
