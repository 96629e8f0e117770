import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { FakeEventSource } from '../../test/fake-event-source.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';
import { until } from '../../test/until.ts';
import { ask, callsOf, done, field, openPanel, panel, store, text } from './panel-fixtures.ts';

mockApi();

describe('an answer', () => {
  it('is thought about, written, and fetched when it is done', async () => {
    const { world, user } = await openPanel();
    const stream = await ask(user);
    expect(callsOf(world, 'assistant.send')[0]?.input).toMatchObject({
      message: 'What do I have?',
      resourceScope: 'general',
      resourceId: null,
    });
    expect(decodeURIComponent(stream.url)).toContain('"replyId"');
    expect(field().value).toBe('');
    expect(await screen.findByText('Thinking...')).toBeDefined();
    act(() => stream.send('0', { type: 'tool', toolName: 'projects.list' }));
    expect((await screen.findByRole('list', { name: 'Tools' })).textContent).toBe('projects.list');
    expect(screen.getByText('Thinking...')).toBeDefined();
    act(() => stream.send('1', text('You have **one')));
    await screen.findByText('You have **one');
    expect(screen.queryByText('Thinking...')).toBeNull();
    act(() => stream.send('2', text(' project**.')));
    expect((await screen.findByText('one project')).tagName).toBe('STRONG');
    expect(within(screen.getByRole('log')).queryByText('one project')).toBeNull();

    store(
      world,
      { sender: 'tool', content: '[{"name":"shop"}]', metadata: { toolName: 'projects.list' } },
      { content: 'You have **one project**.' },
    );
    act(() => stream.send('3', done()));
    const log = within(screen.getByRole('log'));
    expect(await log.findByText('one project')).toBeDefined();
    expect(screen.getAllByText('one project')).toHaveLength(1);
    expect(stream.readyState).toBe(FakeEventSource.CLOSED);
    const details = log.getByText('projects.list').closest('details');
    expect(details?.open).toBe(false);
    await user.click(log.getByText('projects.list'));
    expect(details?.open).toBe(true);
    expect(log.getByText('[{"name":"shop"}]')).toBeDefined();
  });

  it('blocks sending while it is written', async () => {
    const { world, user } = await openPanel();
    const stream = await ask(user);
    act(() => stream.send('0', text('Well')));
    await screen.findByText('Well');
    await user.type(field(), 'And now?{Enter}');
    expect(screen.queryByRole('button', { name: 'Send' })).toBeNull();
    expect(callsOf(world, 'assistant.send')).toHaveLength(1);
    expect(field().value).toBe('And now?');
  });

  it('comes once and whole, though its connection is lost in between', async () => {
    const { user } = await openPanel();
    const stream = await ask(user);
    act(() => stream.send('0', text('one ')));
    expect(screen.queryByText(/^The connection was lost/)).toBeNull();
    act(() => stream.lose({ forGood: false }));
    expect((await screen.findByText(/^The connection was lost/)).getAttribute('role')).toBe('status');
    act(() => {
      stream.connect();
      stream.send('0', text('one '));
      stream.send('1', text('two'));
    });
    expect(await screen.findByText('one two')).toBeDefined();
    await waitFor(() => expect(screen.queryByText(/^The connection was lost/)).toBeNull());
  });

  it('goes on in a closed panel, and after a reload', async () => {
    const { world, user } = await openPanel();
    const stream = await ask(user);
    await user.click(screen.getByRole('button', { name: 'Close' }));
    act(() => stream.send('0', text('Half')));
    expect(stream.readyState).toBe(FakeEventSource.OPEN);
    await user.click(screen.getByRole('button', { name: 'Ask the assistant' }));
    await screen.findByText('Half');

    cleanup();
    renderPage('/dns', { assistant: world.assistant });
    await panel();
    const again = await until(() => FakeEventSource.of('assistant.reply'));
    expect(decodeURIComponent(again.url)).toContain(world.assistant.sessions[0]?.id);
    act(() => {
      again.connect();
      again.send('0', text('Half'));
      again.send('1', text(' and half'));
    });
    expect(await screen.findByText('Half and half')).toBeDefined();
    expect(await screen.findByText('What do I have?')).toBeDefined();
  });

  it('is stopped', async () => {
    const { world, user } = await openPanel();
    const stream = await ask(user);
    act(() => stream.send('0', text('Long')));
    await screen.findByText('Long');
    await user.click(screen.getByRole('button', { name: 'Stop' }));
    await waitFor(() =>
      expect(callsOf(world, 'assistant.stop')[0]?.input).toEqual({ id: world.assistant.sessions[0]?.id }),
    );
    store(world, { content: 'Long', metadata: { truncated: true } });
    act(() => stream.send('1', done({ truncated: true })));
    expect(await screen.findByText('This answer was cut off.')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Send' })).toBeDefined();
    expect(document.activeElement).toBe(field());
  });

  it.each([
    ['breaks off', (stream: FakeEventSource) => stream.send('1', done({ error: 'The model failed.' }))],
    ['loses its stream for good', (stream: FakeEventSource) => stream.lose({ forGood: true })],
  ])('that %s is logged alone, cleared, and asked for again', async (_, fail) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    const toastBefore = shownToast();
    const { world, user } = await openPanel();
    const stream = await ask(user);
    act(() => stream.send('0', text('Half an ans')));
    await screen.findByText('Half an ans');
    act(() => fail(stream));
    await waitFor(() => expect(screen.queryByText('Half an ans')).toBeNull());
    expect(logged).toHaveBeenCalledOnce();
    expect(shownToast()).toEqual(toastBefore);
    expect(field().getAttribute('aria-invalid')).toBeNull();
    expect(screen.getByText('What do I have?')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(callsOf(world, 'assistant.send')).toHaveLength(2));
    expect(callsOf(world, 'assistant.send')[1]?.input).toMatchObject({ message: 'What do I have?' });
  });
});
