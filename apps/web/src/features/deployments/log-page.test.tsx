import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeEventSource } from '../../test/fake-event-source.ts';
import { idOf, mockDeployment, mockProject } from '../../test/mock-world.ts';
import { mockApi, renderPage } from '../../test/render-page.tsx';
import { until } from '../../test/until.ts';

mockApi();
// Nothing is laid out here, and a frame without a height shows no lines.
beforeEach(() => void vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400));

const PATH = `/projects/${mockProject().id}/log`;
const AT = '2026-11-20T10:00:01.000Z';
const deployment = mockDeployment({ status: 'building' });

async function openLog(path = PATH) {
  const page = renderPage(path, {
    projects: [mockProject()],
    deployments: [mockDeployment({ id: idOf(2), commitMessage: 'Newer' }), deployment],
  });
  const stream = await until(() => FakeEventSource.of('deployments.log'));
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
    expect(screen.getByText('Streaming')).toBeDefined();
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

  it('is followed again once its end is in sight, also without a scroll', async () => {
    const { stream } = await openLog();
    act(() => {
      stream.connect();
      stream.send('0', chunk(0, 'first\n'));
    });
    await screen.findByText('first');
    const log = screen.getByRole('log');
    vi.spyOn(log, 'scrollHeight', 'get').mockReturnValue(1000);
    fireEvent.scroll(log);
    await screen.findByRole('button', { name: 'Jump to latest' });
    vi.spyOn(log, 'clientHeight', 'get').mockReturnValue(1000);
    act(() => stream.send('1', chunk(1, 'second\n')));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Jump to latest' })).toBeNull());
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
    const again = await until(() => FakeEventSource.of('deployments.log'));
    act(() => {
      again.connect();
      again.send('0', chunk(0, 'before\n'));
      again.send('1', chunk(1, 'after\n'));
    });
    await screen.findByText('after');
    await waitFor(() => expect(screen.getAllByText('before')).toHaveLength(1));
    expect(screen.getByText('Streaming')).toBeDefined();
  });
});
