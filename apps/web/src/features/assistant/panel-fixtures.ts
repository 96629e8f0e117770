import { act, screen, waitFor } from '@testing-library/react';
import { expect, vi } from 'vitest';
import { FakeEventSource } from '../../test/fake-event-source.ts';
import { mockAssistantMessage, mockAssistantSession, mockAssistantWorld } from '../../test/mock-assistant.ts';
import { idOf, type MockWorld } from '../../test/mock-world.ts';
import { renderPage } from '../../test/render-page.tsx';

export const SESSION = mockAssistantSession({ title: 'What failed?', resourceScope: 'container' });

export const panel = () => screen.findByRole('complementary', { name: 'AI Assistant' });
export const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
export const callsOf = (world: MockWorld, path: string) => world.calls.filter((call) => call.path === path);

/** A past conversation of one question and its answer. */
export function withSession(...messages: Parameters<typeof mockAssistantMessage>[0][]) {
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

/** Opens it with a session in which nothing was said. */
export async function openPanel(path = '/dns', state: Partial<MockWorld> = {}, button = 'Ask the assistant') {
  const page = renderPage(path, state);
  await page.user.click(await screen.findByRole('button', { name: button }));
  await panel();
  await waitFor(() => expect(callsOf(page.world, 'assistant.createSession')).toHaveLength(1));
  await endProbe();
  return page;
}

/** The server says that nothing is being written. */
export async function endProbe() {
  const probe = await vi.waitUntil(() => FakeEventSource.of('assistant.reply'));
  act(() => {
    probe.connect();
    probe.end();
  });
  await waitFor(() => expect(probe.readyState).toBe(FakeEventSource.CLOSED));
}

export async function ask(user: Awaited<ReturnType<typeof openPanel>>['user'], text = 'What do I have?') {
  await user.type(field(), `${text}{Enter}`);
  const stream = await vi.waitUntil(() => FakeEventSource.of('assistant.reply'));
  act(() => stream.connect());
  return stream;
}

export const text = (piece: string) => ({ type: 'text', text: piece });
export const done = (changes = {}) => ({ type: 'done', truncated: false, error: '', ...changes });

/** The server stores the answer before it says that it is done. */
export function store(world: MockWorld, ...messages: Parameters<typeof mockAssistantMessage>[0][]) {
  const [session] = world.assistant.sessions;
  if (!session) throw new Error('There is no session yet');
  const stored = messages.map((message) => mockAssistantMessage({ id: crypto.randomUUID(), ...message }));
  world.assistant.messages[session.id] = [...(world.assistant.messages[session.id] ?? []), ...stored];
}
