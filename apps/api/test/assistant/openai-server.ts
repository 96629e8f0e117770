import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A request as a model server gets it. */
export interface CompletionRequest {
  authorization: string;
  body: {
    model: string;
    stream: boolean;
    messages: { role: string; content: string; tool_calls?: unknown[]; tool_call_id?: string }[];
    tools?: { type: string; function: { name: string; description: string; parameters: object } }[];
    tool_choice?: string;
  };
}

export interface ScriptedToolCall {
  name: string;
  /** Text is sent as it is, however malformed. */
  args: object | string;
}

/** The answer to one request, written step by step. */
export interface Completion {
  /** How many requests came before this one. */
  readonly round: number;
  /** Aborts when the client has gone. */
  readonly gone: AbortSignal;
  text(words: string): Promise<void>;
  /** All in one message, each call's arguments in two pieces. */
  toolCalls(...calls: ScriptedToolCall[]): Promise<void>;
  /** Ends the message; with counts of tokens where they are given. */
  finish(usage?: { promptTokens: number; completionTokens: number }): Promise<void>;
  /** Bytes as they are. */
  raw(bytes: string | Buffer): Promise<void>;
  /** Answers with a status and a JSON body, in the place of a stream. */
  refuse(status: number, body: object): void;
  /** Closes the connection in the middle. */
  hangUp(): void;
  /** Waits, or until the client has gone. */
  wait(ms: number): Promise<void>;
}

export type Script = (completion: Completion, request: CompletionRequest) => Promise<void> | void;

/** A model server on loopback: chat completions with streaming and tools, as a test's script has it. */
export interface OpenAiServer {
  /** For `OPENAI_BASE_URL`. */
  url: string;
  /** What was asked so far. */
  requests: CompletionRequest[];
  /** Answers that are being written now. */
  readonly open: number;
  /** Instants (`performance.now()`) at which clients left before their answer's end. */
  leftAt: number[];
  /** Answers each request from now on; begins `requests` and `leftAt` anew. */
  follow(script: Script): void;
  close(): Promise<void>;
}

/** Says some words, one piece each, and ends. */
export function says(...words: string[]): Script {
  return async (completion) => {
    for (const word of words) await completion.text(word);
    await completion.finish({ promptTokens: 10, completionTokens: words.length });
  };
}

/** Asks for tools round by round, then says some words. */
export function callsThenSays(rounds: ScriptedToolCall[][], ...words: string[]): Script {
  return async (completion, request) => {
    const calls = rounds[completion.round];
    if (!calls) return says(...words)(completion, request);
    await completion.toolCalls(...calls);
    await completion.finish({ promptTokens: 10, completionTokens: 5 });
  };
}

async function bodyOf(request: IncomingMessage): Promise<CompletionRequest['body']> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as CompletionRequest['body'];
}

function chunkOf(delta: object, finishReason: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finishReason }];
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm', choices })}\n\n`;
}

function usageChunk({ promptTokens, completionTokens }: { promptTokens: number; completionTokens: number }) {
  const usage = {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm', choices: [], usage })}\n\n`;
}

function completionOn(response: ServerResponse, round: number, left: () => void): Completion {
  const gone = new AbortController();
  let calledTools = false;
  let hungUp = false;
  response.on('close', () => {
    gone.abort();
    if (!response.writableFinished && !hungUp) left();
  });

  async function raw(bytes: string | Buffer): Promise<void> {
    if (gone.signal.aborted) return;
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (response.write(bytes)) return;
    // Either may be first; the other's listener must not outlive it.
    const settled = new AbortController();
    const signal = AbortSignal.any([gone.signal, settled.signal]);
    await once(response, 'drain', { signal }).catch(() => {});
    settled.abort();
  }

  return {
    round,
    gone: gone.signal,
    text: (content) => raw(chunkOf({ content })),
    async toolCalls(...calls) {
      calledTools = true;
      for (const [index, { name, args }] of calls.entries()) {
        const text = typeof args === 'string' ? args : JSON.stringify(args);
        const half = Math.ceil(text.length / 2);
        const id = `call-${round}-${index}`;
        const opening = { index, id, type: 'function', function: { name, arguments: text.slice(0, half) } };
        await raw(chunkOf({ tool_calls: [opening] }));
        await raw(chunkOf({ tool_calls: [{ index, function: { arguments: text.slice(half) } }] }));
      }
    },
    async finish(usage) {
      await raw(chunkOf({}, calledTools ? 'tool_calls' : 'stop'));
      if (usage) await raw(usageChunk(usage));
      await raw('data: [DONE]\n\n');
      response.end();
    },
    raw,
    refuse(status, body) {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    },
    hangUp() {
      hungUp = true;
      response.destroy();
    },
    wait: (ms) => sleep(ms, undefined, { signal: gone.signal }).catch(() => {}),
  };
}

/** Starts one on a free port. */
export async function startOpenAiServer(script: Script = says('Hello.')): Promise<OpenAiServer> {
  let follows = script;
  const server = createServer(async (request, response) => {
    const asked = {
      authorization: request.headers.authorization ?? '',
      body: await bodyOf(request),
    };
    const round = served.requests.push(asked) - 1;
    const { leftAt } = served;
    open.add(response);
    response.on('close', () => open.delete(response));
    await follows(
      completionOn(response, round, () => leftAt.push(performance.now())),
      asked,
    );
  });
  const open = new Set<ServerResponse>();
  const served: OpenAiServer = {
    url: '',
    requests: [],
    leftAt: [],
    get open() {
      return open.size;
    },
    follow(next) {
      follows = next;
      served.requests = [];
      served.leftAt = [];
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  served.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return served;
}

/** An answer that a test writes step by step while it is read. */
export interface Dictation extends Pick<Completion, 'text' | 'finish' | 'gone'> {}

/** Makes the next request's answer the test's to write; resolves once the server was asked. */
export function dictate(server: OpenAiServer): Promise<Dictation> {
  const { promise, resolve } = Promise.withResolvers<Dictation>();
  server.follow((completion) => resolve(completion));
  return promise;
}
