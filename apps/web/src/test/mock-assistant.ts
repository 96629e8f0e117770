import {
  type AssistantMessage,
  type AssistantModel,
  type AssistantSession,
  assistant,
} from '@nephos/contracts';
import { found, implement, pageOf, silence, success } from './mock-implement.ts';
import { idOf } from './mock-world.ts';

export interface MockAssistant {
  sessions: AssistantSession[];
  /** By session, oldest first. */
  messages: Record<string, AssistantMessage[]>;
  model: AssistantModel;
}

export function mockAssistantSession(changes: Partial<AssistantSession> = {}): AssistantSession {
  return {
    id: idOf(961),
    resourceScope: 'general',
    resourceId: null,
    title: '',
    createdAt: '2026-11-21T10:00:00.000Z',
    updatedAt: '2026-11-21T10:00:00.000Z',
    ...changes,
  };
}

export function mockAssistantMessage(changes: Partial<AssistantMessage> = {}): AssistantMessage {
  return {
    id: idOf(981),
    sender: 'assistant',
    content: 'You have one project.',
    metadata: {},
    createdAt: '2026-11-21T10:00:00.000Z',
    ...changes,
  };
}

export function mockAssistantWorld(): MockAssistant {
  return { sessions: [], messages: {}, model: { local: true, name: 'Local responder' } };
}

export const assistantMock = implement(assistant, {
  createSession: ({ ctx: { world }, input }) => {
    const session = mockAssistantSession({ ...input, id: crypto.randomUUID() });
    world.assistant.sessions = [session, ...world.assistant.sessions];
    return session;
  },
  sessions: ({ ctx, input }) => pageOf(ctx.world.assistant.sessions, input),
  removeSession: ({ ctx: { world }, input }) => {
    world.assistant.sessions = world.assistant.sessions.filter(({ id }) => id !== input.id);
    return success;
  },
  messages: ({ ctx: { world }, input }) => {
    const { sessions, messages } = world.assistant;
    return messages[found(sessions, input.sessionId).id] ?? [];
  },
  send: ({ ctx: { world }, input }) => {
    const message = mockAssistantMessage({ id: crypto.randomUUID(), sender: 'user', content: input.message });
    const { sessions, messages } = world.assistant;
    const { id } = found(sessions, input.sessionId);
    messages[id] = [...(messages[id] ?? []), message];
    return { message, replyId: crypto.randomUUID() };
  },
  reply: silence,
  stop: () => success,
  model: ({ ctx }) => ctx.world.assistant.model,
  find: () => [],
  manifest: () => ({ fileName: 'shop.yaml', yaml: 'kind: Deployment\n' }),
});
