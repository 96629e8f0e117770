import { chatPath } from '@nephos/contracts';
import { expect } from 'vitest';
import { createWorld, type Person, type World, type WorldOptions } from '../world.ts';
import { type OpenAiServer, type Script, startOpenAiServer } from './openai-server.ts';

export const KEY = 'sk-test-0123456789';

export interface AssistantWorld extends World {
  model: OpenAiServer;
}

/** A world whose assistant asks a model server on loopback, which follows `script`. */
export async function createAssistantWorld(
  script?: Script,
  options: WorldOptions = {},
): Promise<AssistantWorld> {
  const model = await startOpenAiServer(script);
  const world = await createWorld({ ...options, settings: { ...settingsFor(model), ...options.settings } });
  return {
    ...world,
    model,
    close: async () => {
      await world.close();
      await model.close();
    },
  };
}

/** Those of a replica that asks this model server. */
export function settingsFor({ url }: OpenAiServer) {
  return { openai: { apiKey: KEY, baseUrl: url, model: 'test-model' } };
}

export interface Chat {
  status: number;
  headers: Headers;
  /** The body of an answer that is no stream. */
  body: unknown;
  /** The next `data:`, parsed; `[DONE]` as it is; undefined at the end of the connection. */
  next(): Promise<unknown>;
  /** All that comes. */
  rest(): Promise<unknown[]>;
  /** Drops the connection. */
  leave(): void;
}

/** Asks over REST. */
export async function chat(
  world: World,
  person: Pick<Person, 'cookie'>,
  sessionId: string,
  body: unknown,
): Promise<Chat> {
  const left = new AbortController();
  const response = await fetch(new URL(chatPath(sessionId), world.url), {
    method: 'POST',
    headers: { cookie: person.cookie, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: left.signal,
  });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const data = dataOf(response.body ?? new ReadableStream());
  const next = async () => (await data.next()).value;
  return {
    status: response.status,
    headers: response.headers,
    body: isStream ? undefined : await response.json(),
    next,
    rest: () => Array.fromAsync(data),
    leave: () => left.abort(),
  };
}

async function* dataOf(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  let text = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      if (!block.startsWith('data: ')) continue;
      const data = block.slice('data: '.length);
      yield data === '[DONE]' ? data : JSON.parse(data);
    }
  }
}

/** Milliseconds that a busy machine gets. */
export const PATIENCE = 10_000;

/** Asks again until what is expected holds. */
export function eventually<T>(ask: () => T) {
  return expect.poll(ask, { timeout: PATIENCE, interval: 10 });
}

/** A conversation of somebody's. */
export async function converse(person: Person): Promise<string> {
  return (await person.rpc.assistant.createSession.mutate({})).id;
}

/** The words of a chat's lines. */
export function wordsOf(lines: readonly unknown[]): string {
  return lines.map((line) => (line as { content?: string }).content ?? '').join('');
}

/** What of a conversation is kept: who said what, and whether it broke off. */
export async function keptOf({ rpc }: Pick<Person, 'rpc'>, sessionId: string): Promise<unknown[]> {
  const messages = await rpc.assistant.messages.query({ sessionId });
  return messages.map(({ sender, content, metadata }) => [sender, content, metadata.truncated ?? false]);
}
