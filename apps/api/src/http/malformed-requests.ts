import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import type { Duplex } from 'node:stream';

interface Malformed {
  status: number;
  code: string;
  message: string;
}

const MALFORMED: Malformed = { status: 400, code: 'VALIDATION', message: 'The request is malformed.' };

const JSON_TYPE = 'application/json; charset=utf-8';

/** By Node's code of the error. */
const OTHERS: Readonly<Record<string, Malformed>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'HEADERS_TOO_LARGE',
    message: 'The request headers are too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'REQUEST_TIMEOUT',
    message: 'The request timed out.',
  },
};

/** Answers bytes that are no request with the one JSON shape of errors, and hangs up. */
export function answerMalformed(socket: Duplex, error?: Error & { code?: string }): void {
  if (error?.code !== 'ECONNRESET') answerOnSocket(socket, OTHERS[error?.code ?? ''] ?? MALFORMED);
  socket.destroy(error);
}

/** The same for a request of HTTP/2, whose connection others share. */
export function refuseMalformed(response: Http2ServerResponse): void {
  const body = bodyOf(MALFORMED);
  response.writeHead(MALFORMED.status, {
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

/** Writes an answer in the one JSON shape of errors where nothing else answers. The caller hangs up. */
export function answerOnSocket(socket: Duplex, malformed: Malformed): void {
  if (!socket.writable) return;
  const { status } = malformed;
  const body = bodyOf(malformed);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${JSON_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function bodyOf({ code, message }: Malformed): string {
  return JSON.stringify({ message, code, requestId: randomUUID() });
}
