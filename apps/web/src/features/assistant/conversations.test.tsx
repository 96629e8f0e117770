import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { FakeEventSource } from '../../test/fake-event-source.ts';
import { idOf } from '../../test/mock-world.ts';
import { mockApi, renderPage } from '../../test/render-page.tsx';
import { until } from '../../test/until.ts';
import {
  ask,
  callsOf,
  done,
  endProbe,
  openPanel,
  panel,
  SESSION,
  store,
  text,
  withSession,
} from './panel-fixtures.ts';

mockApi();

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

  it('are deleted once, also where the dialog was left and opened again meanwhile', async () => {
    const { world, user } = await openPanel('/dns', { assistant: structuredClone(PAST) });
    const deleting = Promise.withResolvers<void>();
    world.delays['assistant.removeSession'] = deleting.promise;
    await user.click(screen.getByRole('button', { name: 'Past conversations' }));
    const open = await screen.findByRole('button', { name: 'Delete What failed?' });
    await user.click(open);
    await user.click(await screen.findByRole('button', { name: 'Delete conversation' }));
    await user.keyboard('{Escape}');
    await user.click(open);
    await user.click(await screen.findByRole('button', { name: 'Delete conversation' }));
    deleting.resolve();
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Delete conversation?' })).toBeNull());
    expect(callsOf(world, 'assistant.removeSession')).toHaveLength(1);
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
    const stream = await until(() => FakeEventSource.of('assistant.reply'));
    act(() => {
      stream.connect();
      stream.send('0', text('It was'));
    });
    expect(await screen.findByText('It was')).toBeDefined();
  });

  it('that are gone after a reload make way for a new one', async () => {
    sessionStorage.setItem(
      'assistant:',
      JSON.stringify({ open: true, scope: 'general', subject: null, sessionId: idOf(5) }),
    );
    const { world } = renderPage('/dns');
    await panel();
    await waitFor(() => expect(callsOf(world, 'assistant.createSession')).toHaveLength(1));
    expect(await screen.findByRole('list', { name: 'Suggested questions' })).toBeDefined();
  });
});
