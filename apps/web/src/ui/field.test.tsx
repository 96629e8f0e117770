import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { Field } from './field.tsx';
import { Input } from './input.tsx';

afterEach(cleanup);

test('label and hint belong to the control', () => {
  render(
    <Field label="Branch" hint="Deployed on every push." required>
      <Input />
    </Field>,
  );
  const input = screen.getByLabelText<HTMLInputElement>('Branch');
  expect(input.required).toBe(true);
  const hint = document.getElementById(input.getAttribute('aria-describedby') ?? '');
  expect(hint?.textContent).toBe('Deployed on every push.');
});

test('an error takes the place of the hint and is announced', () => {
  render(
    <Field label="Branch" hint="Deployed on every push." error="Git does not accept this branch name.">
      <Input />
    </Field>,
  );
  expect(screen.getByLabelText('Branch').getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByRole('alert').textContent).toBe('Git does not accept this branch name.');
  expect(screen.queryByText('Deployed on every push.')).toBeNull();
});
