import { assistant } from '@nephos/contracts';
import { implement } from '../../trpc.ts';
import { ask } from './ask.ts';
import { findResources } from './find-resources.ts';
import { followReply } from './follow-reply.ts';
import { makeManifest } from './kubernetes/manifest.ts';
import { createSession, listMessages, listSessions, removeSession } from './sessions.ts';
import { stopReply } from './stop-reply.ts';

export const assistantRouter = implement(assistant, {
  createSession: ({ ctx, input }) => createSession(ctx, input),
  sessions: ({ ctx, input }) => listSessions(ctx, input),
  removeSession: ({ ctx, input }) => removeSession(ctx, input.id),
  messages: ({ ctx, input }) => listMessages(ctx, input.sessionId),
  send: ({ ctx, input }) => ask(ctx, input),
  reply: ({ ctx, input, signal }) => followReply(ctx, { ...input, signal }),
  stop: ({ ctx, input }) => stopReply(ctx, input.id),
  model: ({ ctx }) => ctx.assistant.model,
  find: ({ ctx, input }) => findResources(ctx, input.text),
  manifest: ({ ctx, input }) => makeManifest(ctx, input),
});
