import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { FakeEventSource } from '../../test/fake-event-source.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';
import { until } from '../../test/until.ts';
import { ask, callsOf, done, endProbe, field, openPanel, text } from './panel-fixtures.ts';

mockApi();

describe('typing', () => {
  it('sends by Enter, makes lines by Shift+Enter, and never sends what is blank', async () => {
    const { world, user } = await openPanel();
    await user.type(field(), '  {Shift>}{Enter}{/Shift}{Enter}');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true);
    expect(callsOf(world, 'assistant.send')).toHaveLength(0);
    await ask(user, 'one{Shift>}{Enter}{/Shift}two');
    expect(callsOf(world, 'assistant.send')[0]?.input).toMatchObject({ message: 'one\ntwo' });
  });

  it('leaves Enter to an input method that composes a word', async () => {
    const { world, user } = await openPanel();
    await user.type(field(), 'にほん');
    fireEvent.keyDown(field(), { key: 'Enter', isComposing: true });
    fireEvent.keyDown(field(), { key: 'Enter', keyCode: 229 });
    expect(field().value).toBe('にほん');
    expect(callsOf(world, 'assistant.send')).toHaveLength(0);
  });

  it('says that a message is too long', async () => {
    const { world, user } = await openPanel();
    fireEvent.change(field(), { target: { value: 'a'.repeat(8001) } });
    expect(screen.getByText('Message is too long: 8,001 of 8,000 characters.')).toBeDefined();
    await user.type(field(), '{Enter}');
    expect(callsOf(world, 'assistant.send')).toHaveLength(0);
  });

  it('begins anew where the conversation was deleted in another window', async () => {
    const { world, user } = await openPanel();
    world.assistant.sessions = [];
    await user.type(field(), 'Still there?{Enter}');
    await waitFor(() => expect(callsOf(world, 'assistant.createSession')).toHaveLength(2));
    expect(shownToast()).toMatchObject({ title: 'No longer available' });
    expect(field().value).toBe('Still there?');
    expect(field().getAttribute('aria-invalid')).toBeNull();
    await endProbe();
    await user.type(field(), '{Enter}');
    expect(await screen.findByText('Thinking...')).toBeDefined();
  });

  it.each([
    ['CONFLICT', 'STREAM_IN_PROGRESS', 'An answer is being written already.'],
    ['TOO_MANY_REQUESTS', 'RATE_LIMITED', 'Too many requests.'],
    ['SERVICE_UNAVAILABLE', 'UNAVAILABLE', 'The assistant is not available.'],
  ] as const)('is kept when it is refused by %s, which is said beside it', async (code, reason, message) => {
    const { world, user } = await openPanel();
    world.refusals = { 'assistant.send': { code, reason, message } };
    await user.type(field(), 'Again?{Enter}');
    expect((await screen.findByText(message)).getAttribute('role')).toBe('alert');
    expect(field().value).toBe('Again?');
    expect(field().getAttribute('aria-invalid')).toBe('true');
    if (code === 'CONFLICT') {
      const other = await until(() => FakeEventSource.of('assistant.reply'));
      act(() => {
        other.connect();
        other.send('0', text('Meanwhile'));
        other.send('1', done());
      });
    } else await user.type(field(), '?');
    await waitFor(() => expect(screen.queryByText(message)).toBeNull());
    world.refusals = {};
    await user.type(field(), '{Enter}');
    expect(await screen.findByText('Thinking...')).toBeDefined();
    expect(screen.queryByText(message)).toBeNull();
  });

  it('has the focus once a suggested question is pressed, and not by a reload alone', async () => {
    const { user } = await openPanel('/containers', {}, 'AI Assistant');
    screen.getByRole('button', { name: 'How do I pull my image?' }).focus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Suggested questions' })).toBeNull());
    expect(document.activeElement).toBe(field());
    const stored = sessionStorage.getItem('assistant:') ?? '';
    cleanup();
    sessionStorage.setItem('assistant:', stored);
    renderPage('/containers');
    await screen.findByRole('textbox', { name: 'Message' });
    expect(document.activeElement).toBe(document.body);
  });

  it('stays closed after a reload where it would hide the page, and goes on once it is opened', async () => {
    const before = await openPanel('/containers');
    const id = await until(() => before.world.assistant.sessions[0]?.id);
    const stored = await until(
      () => sessionStorage.getItem('assistant:')?.includes(id) && sessionStorage.getItem('assistant:'),
    );
    cleanup();
    sessionStorage.setItem('assistant:', stored);
    const matchMedia = window.matchMedia.bind(window);
    vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
      Object.defineProperty(matchMedia(query), 'matches', { value: query.startsWith('(max-width') }),
    );
    const { user, world } = renderPage('/containers', { assistant: before.world.assistant });
    await user.click(await screen.findByRole('button', { name: 'Ask the assistant' }));
    expect(await screen.findByRole('textbox', { name: 'Message' })).toBeDefined();
    expect(callsOf(world, 'assistant.createSession')).toHaveLength(0);
  });

  it('offers questions of the scope, which a tab changes without another session', async () => {
    const { world, user } = await openPanel();
    expect(screen.getByRole('button', { name: 'What failed in my last deployment?' })).toBeDefined();
    await user.click(screen.getByRole('tab', { name: 'Kubernetes' }));
    await user.click(
      screen.getByRole('button', {
        name: 'Write a Kubernetes manifest for nginxinc/nginx-unprivileged:1.29',
      }),
    );
    await screen.findByText('Thinking...');
    expect(callsOf(world, 'assistant.send')[0]?.input).toMatchObject({ resourceScope: 'kubernetes' });
    expect(callsOf(world, 'assistant.createSession')).toHaveLength(1);
    expect(screen.queryByRole('list', { name: 'Suggested questions' })).toBeNull();
  });
});
