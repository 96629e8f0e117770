import type { contract } from '@nephos/contracts';
import type { Settings } from '../../core/settings.ts';
import { type EngineCheck, type Finding, healthy, unhealthy } from '../../platform/engine-check.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Domain } from '../domain.ts';
import { ask } from './ask.ts';
import { chat } from './chat.ts';
import { findResources } from './find-resources.ts';
import { followReply } from './follow-reply.ts';
import { makeManifest } from './kubernetes/manifest.ts';
import { type AssistantTimes, createReplyWriter, type ReplyWriter } from './reply-writer.ts';
import type { Responder } from './responder/responder.ts';
import { createSession, listMessages, listSessions, removeSession } from './sessions.ts';
import { stopReply } from './stop-reply.ts';
import { type CallProcedure, openToolbox } from './tools-box.ts';

type Platformed = Pick<Platform, 'settings' | 'db' | 'notifications' | 'log'>;

/** What the domain was made with, and what writes its replies. */
export interface AssistantParts extends Pick<Platform, 'settings' | 'db' | 'notifications'> {
  writer: ReplyWriter;
}

export interface AssistantOptions {
  /** Calls the procedures that are its tools. */
  call: CallProcedure;
  times?: Partial<AssistantTimes> | undefined;
  /** Milliseconds between two pieces of an answer by rules. */
  pace?: number | undefined;
}

/** Questions about what somebody has, and the replies to them, by a model or by rules. */
export async function createAssistant(
  { settings, db, notifications, log }: Platformed,
  { call, times, pace }: AssistantOptions,
): Promise<Domain<typeof contract.assistant> & { writer: ReplyWriter }> {
  const responder = await createResponder({ settings, log }, pace);
  const openTools: Parameters<typeof createReplyWriter>[0]['openTools'] = (asking) =>
    openToolbox({ log, call, ...asking });
  const writer = createReplyWriter({ db, notifications, log, responder, openTools, times });
  const parts: AssistantParts = { settings, db, notifications, writer };
  return {
    writer,
    handlers: {
      createSession: ({ ctx, input }) => createSession(ctx, input),
      sessions: ({ ctx, input }) => listSessions(ctx, input),
      removeSession: ({ ctx, input }) => removeSession(ctx, writer, input.id),
      messages: ({ ctx, input }) => listMessages(ctx, input.sessionId),
      send: ({ ctx, input }) => ask(ctx, writer, input),
      chat: ({ ctx, input, once }) => chat(ctx, parts, input, once),
      reply: ({ ctx, input }) => followReply(ctx, parts, input),
      stop: ({ ctx, input, once }) => stopReply(ctx, parts, input.id, once),
      model: () => responder.model,
      find: ({ ctx, input }) => findResources(ctx, input.text),
      manifest: ({ ctx, input }) => makeManifest(ctx, settings, input),
    },
    sweeps: { assistant: () => writer.sweep() },
    engines: () => [modelCheck(settings, responder)],
    start: () => writer.start(),
    stop: () => writer.stop(),
  };
}

/** The model server of the settings, or our own rules where there is none. */
async function createResponder(
  { settings, log }: Pick<Platform, 'settings' | 'log'>,
  pace: number | undefined,
): Promise<Responder> {
  // Each loaded where it is used: the console starts sooner.
  if (!settings.openai) return (await import('./local/local-responder.ts')).createLocalResponder({ pace });
  const { createOpenAiResponder } = await import('./openai/openai-responder.ts');
  return createOpenAiResponder(settings.openai, log);
}

/** Who writes the assistant's answers. */
function modelCheck({ openai }: Pick<Settings, 'openai'>, { model }: Pick<Responder, 'model'>): EngineCheck {
  const settings = ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL'];
  const about = { id: 'model', name: 'Assistant', running: model.name, settings };
  if (!openai) return { ...about, look: () => healthy('Rule-based answers, without a model.') };
  return { ...about, look: () => askModelServer(openai) };
}

async function askModelServer({ baseUrl, apiKey }: NonNullable<Settings['openai']>): Promise<Finding> {
  const { host } = new URL(baseUrl);
  const response = await fetch(`${baseUrl.replace(/\/$/, '')}/models`, {
    headers: { authorization: `Bearer ${apiKey}` },
    redirect: 'manual',
    signal: AbortSignal.timeout(2000),
  });
  await response.body?.cancel();
  if (response.status === 401 || response.status === 403) return unhealthy(`${host} rejected the API key.`);
  if (response.status >= 500) return unhealthy(`${host} returned an error.`);
  return healthy(`${host} answers.`);
}
