import { assistant } from '@nephos/contracts';
import { unavailable } from '../../errors.ts';
import { implement } from '../../trpc.ts';

function notYet(): never {
  throw unavailable();
}

export const assistantRouter = implement(assistant, {
  createSession: notYet,
  sessions: notYet,
  removeSession: notYet,
  messages: notYet,
  send: notYet,
  reply: notYet,
  stop: notYet,
  model: notYet,
  manifest: notYet,
});
