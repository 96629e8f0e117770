import { MAX_TOOL_CALLS } from '@nephos/contracts';
import OpenAI from 'openai';
import type { Logger } from 'pino';
import type { Settings } from '../../../core/settings.ts';
import { boundedFetch } from '../../../platform/bounded-fetch.ts';
import { type Responder, type ResponderEvent, ResponderFailure, type Turn } from '../responder/responder.ts';
import type { Toolbox } from '../responder/toolbox.ts';
import { type Message, readMessage, type ToolCall } from './completion.ts';
import { failureOf } from './failure.ts';
import { systemPrompt } from './prompt.ts';

/** Bytes of one streamed message, many times what a whole answer of small chunks is. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Tries after the first where a model server fails before it has said anything. */
const RETRIES = 1;

type Params = OpenAI.ChatCompletionCreateParamsStreaming;
type ModelSettings = NonNullable<Settings['openai']>;

function newClient({ apiKey, baseUrl }: ModelSettings): OpenAI {
  return new OpenAI({
    apiKey,
    baseURL: baseUrl,
    // Only what our own settings say: the package would read the environment.
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    logLevel: 'off',
    maxRetries: RETRIES,
    fetch: boundedFetch(MAX_BYTES),
    // Only the configured server gets the key and what people ask.
    fetchOptions: { redirect: 'error' },
  });
}

/** Answers by a server that speaks OpenAI's chat completions, with streaming and tools. */
export function createOpenAiResponder(settings: ModelSettings, log: Logger): Responder {
  const { model } = settings;
  const client = newClient(settings);

  /** One message; its words as they come. */
  async function* say(
    params: Omit<Params, 'model' | 'stream'>,
    signal: AbortSignal,
  ): AsyncGenerator<ResponderEvent, Message> {
    try {
      const usage = { stream_options: { include_usage: true } };
      const chunks = await client.chat.completions.create(
        { ...params, ...usage, model, stream: true },
        { signal },
      );
      return yield* readMessage(chunks);
    } catch (error) {
      if (!signal.aborted) {
        const reason = error instanceof Error ? error.name : undefined;
        const status = error instanceof OpenAI.APIError ? error.status : undefined;
        log.warn({ reason, status }, 'the model server failed');
      }
      throw failureOf(error);
    }
  }

  return {
    model: { local: false, name: model },
    async *answer(turn): AsyncGenerator<ResponderEvent> {
      const messages = conversationOf(turn);
      const tools = definitionsOf(turn.tools);
      const usage = { type: 'usage' as const, promptTokens: 0, completionTokens: 0 };
      let said = false;
      for (let calls = 0; ; ) {
        const mayCall = calls < MAX_TOOL_CALLS;
        const choice = tools.length > 0 && {
          tools,
          tool_choice: mayCall ? ('auto' as const) : ('none' as const),
        };
        const message = yield* say({ messages, ...choice }, turn.signal);
        usage.promptTokens += message.promptTokens;
        usage.completionTokens += message.completionTokens;
        if (usage.completionTokens > 0) yield { ...usage };
        said ||= message.text !== '';
        if (message.calls.length === 0) return assertEnded(message, said);
        if (!mayCall) throw new ResponderFailure('The model exceeded its limit of lookups.');
        calls += message.calls.length;
        messages.push(requestOf(message));
        for (const call of message.calls) {
          const content = await turn.tools.call(call.name, argumentsOf(call));
          messages.push({ role: 'tool', tool_call_id: call.id, content });
          yield { type: 'tool', toolName: call.name, content };
        }
        // What was said before a call is a paragraph of its own.
        if (message.text !== '') yield { type: 'text', text: '\n\n' };
      }
    },
  };
}

function assertEnded({ finishReason }: Message, said: boolean): void {
  if (finishReason === 'length') throw new ResponderFailure('The answer reached the model’s length limit.');
  if (!said) throw new ResponderFailure('The model didn’t answer.');
}

function conversationOf(turn: Turn): Params['messages'] {
  const past = turn.history.map(({ sender, content }) => ({ role: sender, content }));
  return [{ role: 'system', content: systemPrompt(turn) }, ...past, { role: 'user', content: turn.question }];
}

function definitionsOf(tools: Toolbox): NonNullable<Params['tools']> {
  return tools.list().map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters: { ...parameters } },
  }));
}

function requestOf({ text, calls }: Message): Params['messages'][number] {
  return {
    role: 'assistant',
    content: text || null,
    tool_calls: calls.map((call) => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
    })),
  };
}

/** No arguments at all are none; text that is no JSON is left for the toolbox to refuse. */
function argumentsOf({ arguments: text }: ToolCall): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
