import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { mockApi, renderPage } from '../test/render-page.tsx';

mockApi();

/** The queries here ask for a least or a greatest width in pixels. */
function windowOf(width: number) {
  const matchMedia = window.matchMedia.bind(window);
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => {
    const [, bound = '', pixels = ''] = /\((min|max)-width: (\d+)px\)/.exec(query) ?? [];
    const matches = bound === 'min' ? width >= Number(pixels) : width <= Number(pixels);
    return Object.defineProperty(matchMedia(query), 'matches', { value: bound !== '' && matches });
  });
}

const sidebar = () => screen.getByRole('complementary', { name: 'Sidebar' }).style.width;
const panel = () => screen.getByRole('complementary', { name: 'AI Assistant' });
const beside = () => !panel().className.includes('shadow-overlay');

async function openPanel(width: number) {
  windowOf(width);
  const setCookie = vi.spyOn(document, 'cookie', 'set');
  const { user } = renderPage('/dns');
  const toggle = await screen.findByRole('button', { name: 'Toggle sidebar' }, { timeout: 15_000 });
  expect(sidebar()).toBe('16rem');
  await user.click(screen.getByRole('button', { name: 'Ask the assistant' }));
  await screen.findByRole('complementary', { name: 'AI Assistant' }, { timeout: 15_000 });
  expect(panel().style.width).toBe('500px');
  return { user, toggle, setCookie };
}

test.each([
  { width: 1267, sidebar: '16rem', beside: false },
  { width: 1268, sidebar: '3rem', beside: true },
  { width: 1475, sidebar: '3rem', beside: true },
  { width: 1476, sidebar: '16rem', beside: true },
])(
  'at $width px, where a page keeps 720: the sidebar has $sidebar, beside the page: $beside',
  async (expected) => {
    const { setCookie } = await openPanel(expected.width);
    expect({ width: expected.width, sidebar: sidebar(), beside: beside() }).toEqual(expected);
    expect(setCookie).not.toHaveBeenCalled();
  },
);

test('whoever expands the sidebar has it, the panel over the page; closed, all is as before', async () => {
  const { user, toggle, setCookie } = await openPanel(1280);
  await user.click(toggle);
  expect([sidebar(), beside()]).toEqual(['16rem', false]);
  await user.click(toggle);
  expect([sidebar(), beside()]).toEqual(['3rem', true]);
  await user.click(within(panel()).getByRole('button', { name: 'Close' }));
  expect(sidebar()).toBe('16rem');
  expect(setCookie).not.toHaveBeenCalled();
});

test('one that was collapsed before is expanded for good', async () => {
  // biome-ignore lint/suspicious/noDocumentCookie: what the sidebar wrote
  document.cookie = 'sidebar_state=false; path=/';
  windowOf(1280);
  const { user } = renderPage('/dns');
  await user.click(await screen.findByRole('button', { name: 'Ask the assistant' }, { timeout: 15_000 }));
  await screen.findByRole('complementary', { name: 'AI Assistant' }, { timeout: 15_000 });
  expect([sidebar(), beside()]).toEqual(['3rem', true]);
  await user.click(screen.getByRole('button', { name: 'Toggle sidebar' }));
  expect([sidebar(), beside()]).toEqual(['16rem', false]);
  expect(document.cookie).toContain('sidebar_state=true');
});
