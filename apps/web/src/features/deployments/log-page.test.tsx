import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { FakeEventSource } from '../../test/fake-event-source.ts';
import { idOf, mockDeployment, mockProject } from '../../test/mock-world.ts';
import { mockApi, renderPage } from '../../test/render-page.tsx';

mockApi();

const PATH = `/projects/${mockProject().id}/log`;
const AT = '2026-11-20T10:00:01.000Z';
const deployment = mockDeployment({ status: 'building' });

async function openLog(path = PATH) {
  const page = renderPage(path, {
    projects: [mockProject()],
    deployments: [mockDeployment({ id: idOf(2), commitMessage: 'Newer' }), deployment],
  });
  const stream = await vi.waitUntil(() => FakeEventSource.of('deployments.log'));
  return { ...page, stream };
}

function chunk(seq: number, text: string, stream = 'stdout') {
  return { seq, stream, text, at: AT };
}

describe('the log of a deployment', () => {
  it('says what it will show while nothing was deployed', async () => {
    renderPage(PATH, { projects: [mockProject()] });
    expect(await screen.findByText('No log yet')).toBeDefined();
  });

  it('is replayed and followed, with colours, streams apart, and no markup from the program', async () => {
    const { stream } = await openLog();
    expect(screen.getByText('Connecting…')).toBeDefined();
    act(() => {
      stream.connect();
      stream.send('0', chunk(0, 'Cloning\n', 'system'));
      stream.send('1', chunk(1, '\u001b[32mdone\u001b[0m <b>bold</b>\n'));
      stream.send('2', chunk(2, 'oh no\n', 'stderr'));
    });
    expect((await screen.findByText('done')).className).toContain('ansi-green-fg');
    expect(screen.getByText('Cloning').closest('[data-stream]')?.getAttribute('data-stream')).toBe('system');
    expect(screen.getByText('oh no').closest('[data-stream]')?.getAttribute('data-stream')).toBe('stderr');
    expect(screen.getByText(/<b>bold<\/b>/)).toBeDefined();
    expect(screen.getByText('Live')).toBeDefined();
    act(() => stream.end());
    expect(await screen.findByText('Complete')).toBeDefined();
  });

  it('shows the deployment that the address names', async () => {
    const { stream } = await openLog(`${PATH}?deployment=${deployment.id}`);
    expect(decodeURIComponent(stream.url)).toContain(deployment.id);
    expect(screen.getByRole('link', { name: 'Download' }).getAttribute('href')).toBe(
      `/api/deployments/${deployment.id}/log?download=1`,
    );
  });

  it('keeps following in a hidden tab', async () => {
    const { stream } = await openLog();
    act(() => stream.connect());
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    act(() => stream.send('0', chunk(0, 'unseen\n')));
    expect(await screen.findByText('unseen')).toBeDefined();
  });

  it('finds lines', async () => {
    const { stream, user } = await openLog();
    act(() => {
      stream.connect();
      stream.send('0', chunk(0, 'alpha\nbeta\n\u001b[1mal\u001b[0mphabet\n'));
    });
    await screen.findByText('beta');
    await user.type(screen.getByRole('searchbox', { name: 'Search the log' }), 'ALPHA');
    expect(await screen.findByText('2 of 3 lines')).toBeDefined();
    expect(screen.queryByText('beta')).toBeNull();
  });

  it('draws only what is in sight of a long log', async () => {
    const { stream } = await openLog();
    act(() => {
      stream.connect();
      stream.send('0', chunk(0, Array.from({ length: 50_000 }, (_, line) => `line ${line}\n`).join('')));
    });
    await screen.findByText('line 0');
    expect(screen.getByRole('log').querySelectorAll('[data-stream]').length).toBeLessThan(200);
  });

  it('opens again by itself after the server ended it for good, and repeats nothing', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const { stream } = await openLog();
    act(() => {
      stream.connect();
      stream.send('0', chunk(0, 'before\n'));
    });
    await screen.findByText('before');
    act(() => stream.lose({ forGood: true }));
    expect(await screen.findByText('Reconnecting…')).toBeDefined();
    await act(() => vi.advanceTimersByTimeAsync(1000));
    const again = await vi.waitUntil(() => FakeEventSource.of('deployments.log'));
    act(() => {
      again.connect();
      again.send('0', chunk(0, 'before\n'));
      again.send('1', chunk(1, 'after\n'));
    });
    await screen.findByText('after');
    await waitFor(() => expect(screen.getAllByText('before')).toHaveLength(1));
    expect(screen.getByText('Live')).toBeDefined();
  });
});
