import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ThemeToggle } from './theme.tsx';

/** Runs what index.html runs before the first paint. */
const applyStoredTheme = new Function(
  readFileSync(join(import.meta.dirname, '../../public/theme.js'), 'utf8'),
);

beforeEach(() => {
  localStorage.clear();
  document.documentElement.className = '';
});
afterEach(cleanup);

test('dark is the default', () => {
  applyStoredTheme();
  expect(document.documentElement.className).toBe('dark');
});

test.each(['', 'blue', '"light"'])('an unknown stored value (%j) counts as dark', (value) => {
  localStorage.setItem('theme', value);
  applyStoredTheme();
  expect(document.documentElement.className).toBe('dark');
});

test('the toggle switches, stores under the key theme, and the next load begins with it', async () => {
  applyStoredTheme();
  render(<ThemeToggle />);
  await userEvent.click(screen.getByRole('button', { name: 'Switch to light theme' }));
  expect(document.documentElement.className).toBe('light');
  expect(localStorage.getItem('theme')).toBe('light');

  document.documentElement.className = '';
  applyStoredTheme();
  expect(document.documentElement.className).toBe('light');

  await userEvent.click(screen.getByRole('button', { name: 'Switch to dark theme' }));
  expect(localStorage.getItem('theme')).toBe('dark');
});

test('a change in another tab is followed', async () => {
  applyStoredTheme();
  render(<ThemeToggle />);
  window.dispatchEvent(new StorageEvent('storage', { key: 'theme', newValue: 'light' }));
  expect(await screen.findByRole('button', { name: 'Switch to dark theme' })).toBeDefined();
});
