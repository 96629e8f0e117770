import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { FakeEventSource } from '../../test/fake-event-source.ts';
import { mockAssistantMessage, mockAssistantSession, mockAssistantWorld } from '../../test/mock-assistant.ts';
import { idOf, type MockWorld, mockDatabase, mockProject, UNAUTHORIZED } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';

mockApi();

const SESSION = mockAssistantSession({ title: 'What failed?', resourceScope: 'container' });

const panel = () => screen.findByRole('complementary', { name: 'AI Assistant' });
const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
const callsOf = (world: MockWorld, path: string) => world.calls.filter((call) => call.path === path);

/** A past conversation of one question and its answer. */
function withSession(...messages: Parameters<typeof mockAssistantMessage>[0][]) {
  return {
    ...mockAssistantWorld(),
    sessions: [SESSION],
    messages: {
      [SESSION.id]: messages.map((message, index) =>
        mockAssistantMessage({ id: idOf(2000 + index), ...message }),
      ),
    },
  };
}

async function openPanel(path = '/dns', state: Partial<MockWorld> = {}, button = 'Ask the assistant') {
  const page = renderPage(path, state);
  await page.user.click(await screen.findByRole('button', { name: button }));
  await panel();
  await waitFor(() => expect(callsOf(page.world, 'assistant.createSession')).toHaveLength(1));
  await endProbe();
  return page;
}

/** The server says that nothing is being written. */
async function endProbe() {
  const probe = await vi.waitUntil(() => FakeEventSource.of('assistant.reply'));
  act(() => {
    probe.connect();
    probe.end();
  });
  await waitFor(() => expect(probe.readyState).toBe(FakeEventSource.CLOSED));
}

async function ask(user: Awaited<ReturnType<typeof openPanel>>['user'], text = 'What do I have?') {
  await user.type(field(), `${text}{Enter}`);
  const stream = await vi.waitUntil(() => FakeEventSource.of('assistant.reply'));
  act(() => stream.connect());
  return stream;
}

const text = (piece: string) => ({ type: 'text', text: piece });
const done = (changes = {}) => ({ type: 'done', truncated: false, error: '', ...changes });

/** The server stores the answer before it says that it is done. */
function store(world: MockWorld, ...messages: Parameters<typeof mockAssistantMessage>[0][]) {
  const [session] = world.assistant.sessions;
  if (!session) throw new Error('There is no session yet');
  const stored = messages.map((message) => mockAssistantMessage({ id: crypto.randomUUID(), ...message }));
  world.assistant.messages[session.id] = [...(world.assistant.messages[session.id] ?? []), ...stored];
}

describe('opening', () => {
  it('makes a session of the scope, once, and takes and gives back the focus', async () => {
    const { world, user } = await openPanel('/containers', {}, 'AI Assistant');
    expect(callsOf(world, 'assistant.createSession')[0]?.input).toEqual({
      resourceScope: 'container',
      resourceId: null,
    });
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
      'Database',
      'Container',
      'Kubernetes',
      'General',
    ]);
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Container');
    expect(document.activeElement).toBe(field());

    await user.keyboard('{Escape}');
    expect(screen.queryByRole('complementary', { name: 'AI Assistant' })).toBeNull();
    expect(document.activeElement?.textContent).toBe('AI Assistant');
    await user.click(screen.getByRole('button', { name: 'AI Assistant' }));
    await panel();
    expect(callsOf(world, 'assistant.createSession')).toHaveLength(1);
  });

  it('is about the database or the project of the page', async () => {
    const database = mockDatabase();
    const { world, user } = await openPanel(
      `/databases/${database.id}`,
      { databases: [database] },
      'AI Assistant',
    );
    expect(callsOf(world, 'assistant.createSession')[0]?.input).toEqual({
      resourceScope: 'database',
      resourceId: database.id,
    });
    expect((await panel()).textContent).toContain('About orders');
    await user.click(screen.getByRole('button', { name: 'Ask about everything' }));
    await ask(user);
    expect(callsOf(world, 'assistant.send')[0]?.input).toMatchObject({ resourceId: null });

    cleanup();
    sessionStorage.clear();
    const project = mockProject();
    const page = await openPanel(`/projects/${project.id}`, { projects: [project] });
    expect(callsOf(page.world, 'assistant.createSession')[0]?.input).toEqual({
      resourceScope: 'general',
      resourceId: project.id,
    });
    await page.user.click(screen.getByRole('tab', { name: 'Database' }));
    await ask(page.user);
    expect(callsOf(page.world, 'assistant.send')[0]?.input).toMatchObject({
      resourceScope: 'database',
      resourceId: null,
    });
  });

  it('is offered by the palette', async () => {
    const { user } = renderPage('/dns');
    await screen.findByRole('button', { name: 'Ask the assistant' });
    await user.keyboard('{Control>}k{/Control}');
    await user.type(await screen.findByPlaceholderText(/^Type a page/), 'Ask the ass{Enter}');
    await panel();
    await waitFor(() => expect(document.activeElement).toBe(field()));
  });

  it('says why no session could be made, and tries again', async () => {
    const message = 'The assistant is not available.';
    const refusal = { code: 'SERVICE_UNAVAILABLE', reason: 'UNAVAILABLE', message } as const;
    const { world, user } = renderPage('/dns', { refusals: { 'assistant.createSession': refusal } });
    await user.click(await screen.findByRole('button', { name: 'Ask the assistant' }));
    await screen.findByText(message);
    world.refusals = {};
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.queryByText(message)).toBeNull());
    expect(callsOf(world, 'assistant.createSession')).toHaveLength(1);
  });

  it('goes to the login page when the session is over', async () => {
    const left = Promise.withResolvers<string | URL>();
    vi.spyOn(window.location, 'assign').mockImplementation(left.resolve);
    const { user } = renderPage('/dns', { refusals: { 'assistant.createSession': UNAUTHORIZED } });
    await user.click(await screen.findByRole('button', { name: 'Ask the assistant' }));
    expect(await left.promise).toBe('/api/login?returnTo=%2Fdns');
    expect(shownToast()).toMatchObject({ title: 'Unauthorized' });
  });

  it('says who answers', async () => {
    await openPanel();
    expect((await screen.findByText('Local responder')).parentElement?.textContent).toContain(
      'OPENAI_API_KEY connects a model.',
    );
    cleanup();
    sessionStorage.clear();
    const model = { local: false, name: 'gpt-5' };
    await openPanel('/dns', { assistant: { ...mockAssistantWorld(), model } });
    expect((await screen.findByText('gpt-5')).parentElement?.textContent).not.toContain('OPENAI_API_KEY');
  });
});

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
    act(() => stream.lose({ forGood: false }));
    act(() => {
      stream.connect();
      stream.send('0', text('one '));
      stream.send('1', text('two'));
    });
    expect(await screen.findByText('one two')).toBeDefined();
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
    const again = await vi.waitUntil(() => FakeEventSource.of('assistant.reply'));
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
    expect(await screen.findByText('This answer ended before its end.')).toBeDefined();
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
    expect(screen.getByText('A message has at most 8,000 characters, and this one 8,001.')).toBeDefined();
    await user.type(field(), '{Enter}');
    expect(callsOf(world, 'assistant.send')).toHaveLength(0);
  });

  it('begins anew where the conversation was deleted in another window', async () => {
    const { world, user } = await openPanel();
    world.assistant.sessions = [];
    await user.type(field(), 'Still there?{Enter}');
    await waitFor(() => expect(callsOf(world, 'assistant.createSession')).toHaveLength(2));
    expect(shownToast()).toMatchObject({ title: 'That is gone' });
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
      const other = await vi.waitUntil(() => FakeEventSource.of('assistant.reply'));
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

describe('conversations', () => {
  const PAST = withSession({ sender: 'user', content: 'What failed?' }, { content: 'Nothing did.' });

  it('of before are listed, reopened and deleted', async () => {
    const { world, user } = await openPanel('/dns', { assistant: structuredClone(PAST) });
    await user.click(screen.getByRole('button', { name: 'Past conversations' }));
    const list = within(await screen.findByRole('list', { name: 'Conversations' }));
    await user.click(list.getByRole('button', { name: /^What failed\? Container/ }));
    expect(await screen.findByText('Nothing did.')).toBeDefined();
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Container');
    await endProbe();

    await user.click(screen.getByRole('button', { name: 'Past conversations' }));
    await user.click(await screen.findByRole('button', { name: 'Delete What failed?' }));
    await user.click(await screen.findByRole('button', { name: 'Delete conversation' }));
    await waitFor(() => expect(world.assistant.sessions.map(({ id }) => id)).not.toContain(SESSION.id));
    await waitFor(() => expect(callsOf(world, 'assistant.createSession')).toHaveLength(2));
  });

  it('begin anew by New chat, which makes none of an empty one', async () => {
    const { world, user } = await openPanel();
    await user.click(screen.getByRole('button', { name: 'New chat' }));
    expect(callsOf(world, 'assistant.createSession')).toHaveLength(1);
    const stream = await ask(user);
    store(world, { content: 'One.' });
    act(() => stream.send('0', done()));
    await screen.findByText('One.');
    await user.click(screen.getByRole('button', { name: 'New chat' }));
    await waitFor(() => expect(screen.queryByText('One.')).toBeNull());
    expect(callsOf(world, 'assistant.createSession')).toHaveLength(2);
    expect(await screen.findByRole('list', { name: 'Suggested questions' })).toBeDefined();
  });

  it('go on with what is being written there', async () => {
    const assistant = withSession({ sender: 'user', content: 'What failed?' });
    const { user } = await openPanel('/dns', { assistant });
    await user.click(screen.getByRole('button', { name: 'Past conversations' }));
    await user.click(await screen.findByRole('button', { name: /^What failed\? Container/ }));
    expect(await screen.findByText('Thinking...')).toBeDefined();
    const stream = await vi.waitUntil(() => FakeEventSource.of('assistant.reply'));
    act(() => {
      stream.connect();
      stream.send('0', text('It was'));
    });
    expect(await screen.findByText('It was')).toBeDefined();
  });

  it('that are gone after a reload make way for a new one', async () => {
    sessionStorage.setItem(
      'assistant',
      JSON.stringify({ open: true, scope: 'general', subject: null, sessionId: idOf(5) }),
    );
    const { world } = renderPage('/dns');
    await panel();
    await waitFor(() => expect(callsOf(world, 'assistant.createSession')).toHaveLength(1));
    expect(await screen.findByRole('list', { name: 'Suggested questions' })).toBeDefined();
  });
});
