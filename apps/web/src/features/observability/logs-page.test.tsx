import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeEventSource } from '../../test/fake-event-source.ts';
import { BROKEN, mockLogLine, mockProject } from '../../test/mock-world.ts';
import { mockApi, renderPage } from '../../test/render-page.tsx';
import { until } from '../../test/until.ts';

mockApi();
// Nothing is laid out here, and a frame without a height shows no lines.
beforeEach(() => void vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400));

const PATH = `/projects/${mockProject().id}/logs`;
const LINES = [
  mockLogLine({ line: 1, text: 'listening' }),
  mockLogLine({ line: 2, text: 'sent 3 mails', process: 'mailer' }),
];

function open(search = '', state: Parameters<typeof renderPage>[1] = {}) {
  return renderPage(PATH + search, { projects: [mockProject()], ...state });
}

describe("an app's log", () => {
  it('says what will be there while there is nothing, and that it could not be had', async () => {
    const { world, user } = open('', { refusals: { 'observability.logs': BROKEN } });
    expect(await screen.findByText(BROKEN.message)).toBeDefined();
    world.refusals = {};
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('No logs yet')).toBeDefined();
  });

  it('grows by what comes, and tells what came too fast to show', async () => {
    open('', { logLines: LINES });
    expect(await screen.findByText('2 lines')).toBeDefined();
    expect(screen.getByText('mailer.1')).toBeDefined();
    const stream = await until(() => FakeEventSource.of('observability.newLogs'));
    act(() => {
      stream.connect();
      stream.send('3', { lines: [mockLogLine({ line: 3, text: 'oh no', stream: 'stderr' })], skipped: 7 });
    });
    expect((await screen.findByText('oh no')).closest('[data-stream]')?.getAttribute('data-stream')).toBe(
      'stderr',
    );
    expect(screen.getByText('3 lines')).toBeDefined();
    expect(screen.getByText(/^7 lines came too fast to show/)).toBeDefined();
  });

  it('is narrowed by its address, which the download follows, and by nothing again', async () => {
    const { world, user, router } = open('?q=MAILS&process=mailer&until=2026-11-20T10:00:00Z', {
      logLines: LINES,
    });
    expect(await screen.findByText('1 matching line')).toBeDefined();
    expect(screen.getByText('mails').tagName).toBe('MARK');
    // What ended is not followed.
    expect(FakeEventSource.of('observability.newLogs')).toBeUndefined();
    const filter = { search: 'MAILS', process: 'mailer', until: '2026-11-20T10:00:00.000Z' };
    expect(world.calls.find(({ path }) => path === 'observability.logs')?.input).toMatchObject(filter);
    const download = screen.getByRole('link', { name: 'Download' }).getAttribute('href') ?? '';
    expect(Object.fromEntries(new URLSearchParams(download.split('?')[1]))).toEqual(filter);
    expect(screen.getByLabelText('To')).toBeDefined();
    world.logLines = [];
    await user.click(screen.getByRole('combobox', { name: 'Output' }));
    await user.click(await screen.findByRole('option', { name: 'stderr' }));
    expect(await screen.findByText('No matching lines')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(await screen.findByText('No logs yet')).toBeDefined();
    await waitFor(() => expect(router.state.location.search).toEqual({}));
  });

  it('goes on with older lines, and says when they could not be had', async () => {
    const many = Array.from({ length: 501 }, (_, n) => mockLogLine({ line: n + 1, text: `line ${n + 1}` }));
    const { world, user } = open('?follow=off', { logLines: many });
    await screen.findByText('500 lines');
    world.refusals = { 'observability.logs': BROKEN };
    await user.click(screen.getByRole('button', { name: 'Load older lines' }));
    expect(await screen.findByText("The older lines couldn't be loaded.")).toBeDefined();
    world.refusals = {};
    await user.click(screen.getByRole('button', { name: 'Load older lines' }));
    expect(await screen.findByText('501 lines')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Load older lines' })).toBeNull();
  });
});
