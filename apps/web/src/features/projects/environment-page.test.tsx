import { fireEvent, screen, waitFor } from '@testing-library/react';
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

async function open(names: string[] = [], state: Parameters<typeof renderPage>[1] = {}) {
  const page = renderPage(PATH, {
    projects: [mockProject()],
    variables: names.map((name) => mockVariable({ name })),
    ...state,
  });
  return { ...page, name: await screen.findByLabelText<HTMLInputElement>(/^Name/) };
}

function paste(input: HTMLElement, text: string) {
  return fireEvent.paste(input, { clipboardData: { getData: () => text } });
}

function filled(): string[] {
  const values = screen.getAllByLabelText<HTMLTextAreaElement>('Value');
  return screen
    .getAllByLabelText<HTMLInputElement>('Name')
    .map(({ value }, index) => `${value}=${values[index]?.value}`);
}

function save(): HTMLButtonElement {
  return screen.getByRole<HTMLButtonElement>('button', { name: /^Save/ });
}

describe('environment variables', () => {
  it('fill rows from what is pasted or dropped, and are saved together', async () => {
    const { world, user, name } = await open(['API_KEY']);
    expect(save().disabled).toBe(true);
    paste(name, ENV);
    expect(filled()).toEqual(['SMTP_HOST=mail.example.com', 'API_KEY=two\nlines']);
    expect(screen.getByText('Replaces the saved value.')).toBeDefined();
    const file = new File(['SMTP_HOST=other\nLATE=1'], '.env');
    fireEvent.drop(name, { dataTransfer: { files: [file], types: ['Files'] } });
    await waitFor(() => expect(filled()).toEqual(['SMTP_HOST=other', 'API_KEY=two\nlines', 'LATE=1']));
    await user.click(screen.getByRole('button', { name: 'Remove LATE' }));
    await user.click(screen.getByRole('button', { name: 'Save 2 variables' }));
    await waitFor(() => expect(filled()).toEqual(['=']));
    expect(world.calls.filter(({ path }) => path === 'projects.setVariables')).toMatchObject([
      {
        input: {
          variables: [
            { name: 'SMTP_HOST', value: 'other' },
            { name: 'API_KEY', value: 'two\nlines' },
          ],
        },
      },
    ]);
    expect(shownToast()).toMatchObject({ title: 'Saved. Values are never shown again.' });
  });

  it('are not sent while one is wrong, which says so beside itself', async () => {
    const { user, name } = await open();
    paste(name, 'A=1\nno sense\n1B=2\nC=pa#ss');
    const wrong = screen.getByDisplayValue('no sense');
    expect(wrong.getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByText('Expected NAME=value.')).toBeDefined();
    expect(screen.getAllByText(/^Use letters, digits and underscores only/)).toHaveLength(2);
    expect(screen.getByText(/^Text after # is treated as a comment/)).toBeDefined();
    expect(save().disabled).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Remove no sense' }));
    fireEvent.change(screen.getByDisplayValue('1B'), { target: { value: 'A' } });
    expect(screen.getByText('This name is set above.')).toBeDefined();
    fireEvent.change(screen.getAllByDisplayValue('A')[1] ?? name, { target: { value: 'B' } });
    expect(save().disabled).toBe(false);
  });

  it('are hidden until they are asked for, but for what only refers to something', async () => {
    const { user, name } = await open();
    paste(name, `A=hush\nURL=\${{databases.shop.url}}`);
    const [secret, reference] = screen.getAllByLabelText('Value');
    expect(secret?.className).toContain('text-security');
    expect(reference?.className).not.toContain('text-security');
    await user.click(screen.getByRole('button', { name: 'Show value of A' }));
    expect(secret?.className).not.toContain('text-security');
  });

  it('keep what the server refuses with the row that it is said of', async () => {
    const message = 'You have no database named x.';
    const { user, name } = await open([], {
      refusals: {
        'projects.setVariables': {
          ...{ code: 'BAD_REQUEST', reason: 'VALIDATION', message },
          fields: [{ path: 'variables.1.value', message }],
        },
      },
    });
    paste(name, `A=1\nURL=\${{databases.x.url}}`);
    await user.click(save());
    expect((await screen.findByRole('alert')).textContent).toBe(message);
    await user.click(screen.getByRole('button', { name: 'Remove A' }));
    expect(screen.getByLabelText('Value').getAttribute('aria-invalid')).toBe('true');
    fireEvent.change(screen.getByLabelText('Value'), { target: { value: '2' } });
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('leave to the browser what is pasted and no assignment', async () => {
    const { name } = await open();
    expect(paste(name, 'JUST_A_NAME')).toBe(true);
  });

  it('say what gives them to the app, and offer a restart of one that runs', async () => {
    await open([], { projects: [mockProject({ liveDeploymentId: mockProject().id })] });
    expect(screen.getByText('Changes take effect on the next restart or deployment')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Restart' })).toBeDefined();
  });
});
