import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Dispatcher, Pool } from 'undici';
import { hostName } from '../../../../http/request-target.ts';
import { hasBody } from '../../../../http/slow-clients.ts';
import { answerBegan } from '../../../observability/app-figures.ts';
import { sendPage } from './app-pages.ts';
import { type Forwarding, responseHeaders } from './proxy-headers.ts';

export interface ForwardTarget {
  pool: Pool;
  /** Where a request goes that the pool before could not take; `isUnsent`: it got no connection. */
  another: (isUnsent: boolean) => Pool | undefined;
  forwarding: Forwarding;
}

/** Sends a request on to an app and its answer back, both as they come. */
export function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  target: ForwardTarget,
): void {
  dispatch(request, response, target, RETRIES);
}

/** One for a request that was cut off, and one more where what it goes to instead takes no connection. */
const RETRIES = 2;

function dispatch(
  request: IncomingMessage,
  response: ServerResponse,
  target: ForwardTarget,
  left: number,
): void {
  const sendsBody = hasBody(request);
  const method = request.method ?? 'GET';
  const isSafe = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
  // What cut off two may be the request itself.
  const isFirst = left === RETRIES;
  const again = (isUnsent: boolean) =>
    dispatch(request, response, { ...target, pool: target.another(isUnsent) ?? target.pool }, left - 1);
  const retry = left > 0 && !sendsBody ? { again, maySendTwice: isSafe && isFirst } : undefined;
  target.pool.dispatch(
    {
      path: request.url ?? '/',
      method,
      headers: target.forwarding.requestHeaders(request),
      body: sendsBody ? request : null,
    },
    new Answer(request, response, retry),
  );
}

/** The connection broke, perhaps an idle one that the app had just closed: what changes nothing may be sent again. */
const BROKEN = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);
/** The request never left: there is no app at the other end any more, or we let go of it. */
const UNSENT = new Set(['ECONNREFUSED', 'UND_ERR_DESTROYED', 'UND_ERR_CLOSED', 'UND_ERR_CONNECT_TIMEOUT']);

interface Retry {
  again: (isUnsent: boolean) => void;
  /** Whether one that may have been sent can be sent again: it changes nothing (RFC 9110 §9.2.1). */
  maySendTwice: boolean;
}

/** Bytes of a body that are worth copying to save a write. */
const SMALL = 16_384;

/** Writes an app's answer straight into the client's response, no faster than the client reads. */
class Answer implements Dispatcher.DispatchHandler {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #retry: Retry | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  /** Bytes of the answer's body; -1 where the app does not say. */
  #length = -1;

  constructor(request: IncomingMessage, response: ServerResponse, retry: Retry | undefined) {
    this.#request = request;
    this.#response = response;
    this.#retry = retry;
    response.once('close', () => {
      if (!response.writableFinished) this.#controller?.abort(new Error('the client went away'));
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#response.destroyed) controller.abort(new Error('the client went away'));
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    parsed: IncomingHttpHeaders,
    statusMessage?: string,
  ): void {
    // An informational answer (RFC 9110 §15.2) is not the answer.
    if (status < 200) return;
    const raw = Array.isArray(controller.rawHeaders) ? controller.rawHeaders : [];
    const headers = responseHeaders(raw, hostName(this.#request));
    // HTTP/2 has no words for a status.
    if (statusMessage && this.#request.httpVersionMajor === 1)
      this.#response.writeHead(status, statusMessage, headers);
    else this.#response.writeHead(status, headers);
    answerBegan(this.#response);
    this.#length = Number(parsed['content-length'] ?? -1);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const response = this.#response;
    // One text goes out with the head in one write, which for small answers is most of what we cost.
    if (chunk.length === this.#length && chunk.length <= SMALL)
      response.end(chunk.toString('latin1'), 'latin1');
    else if (!response.write(chunk)) {
      controller.pause();
      response.once('drain', () => controller.resume());
    }
  }

  onResponseEnd(): void {
    if (!this.#response.writableEnded) this.#response.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: NodeJS.ErrnoException): void {
    if (this.#response.destroyed) return;
    if (this.#response.headersSent) this.#response.destroy();
    else if (this.#mayRetry(error)) this.#retry?.again(isUnsent(error));
    else
      sendPage(this.#request, this.#response, error.code === 'UND_ERR_HEADERS_TIMEOUT' ? 'slow' : 'broken');
  }

  #mayRetry(error: NodeJS.ErrnoException): boolean {
    if (!this.#retry) return false;
    return isUnsent(error) || (this.#retry.maySendTwice && BROKEN.has(error.code ?? ''));
  }
}

/** Other codes tell of a connection that was not made only where that is what failed: a lost one has them, too. */
function isUnsent({ code = '', syscall }: NodeJS.ErrnoException): boolean {
  return UNSENT.has(code) || syscall === 'connect';
}
