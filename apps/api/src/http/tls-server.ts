import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import {
  createServer as createHttp2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type Http2Session,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer, type SecureContext, type TLSSocket } from 'node:tls';
import type { Logger } from 'pino';
import type { SecretsBox } from '../platform/secrets-box.ts';
import { readHttp2Request } from './http2-request.ts';
import { refuseMalformed } from './malformed-requests.ts';
import { ticketKeysAt, untilNextTicketKeys } from './ticket-keys.ts';

/** Finds the certificate, with its key, for the server name of a handshake; undefined where there is none. */
export type FindCertificate = (serverName: string) => SecureContext | undefined;

export interface TlsServerParts {
  /** Answers what comes through, as it does what comes to its own port. */
  server: HttpServer;
  certificateFor: FindCertificate;
  secrets: Pick<SecretsBox, 'deriveKey'>;
  log: Logger;
}

export interface TlsServer {
  /**
   * Rejects where the port cannot be had, as `net.Server` does; 0 takes a free one. `fd` is a socket that listens already
   * and takes the place of both. Resolves with the port.
   */
  listen(options: { host: string; port: number; fd?: number | undefined }): Promise<number>;
  address(): string | AddressInfo | null;
  /** Takes no more connections; those that are there go on. */
  stopListening(): void;
  /** Takes no more connections and ends those without a request. Resolves once the last request is answered. */
  close(): Promise<void>;
}

/** A connection by HTTP/2. */
interface Http2Line {
  session: Http2Session;
  socket: TLSSocket;
  /** Requests under way. */
  streams: number;
}

/** Milliseconds. */
const HANDSHAKE_TIMEOUT = 5000;
/** A connection over which nothing comes or goes. Requests that wait on it for an answer are answered still. */
const IDLE = 75_000;
/** Milliseconds that a client has to hang up, too. */
const LINGER = 1000;
const MAX_STREAMS = 100;

/**
 * The door to the same server by TLS 1.2 and 1.3: HTTP/2 for who offers it (ALPN), else HTTP/1.1 and WebSockets. A
 * client that asks for a name without a certificate is refused in the handshake.
 */
export function createTlsServer({ server, certificateFor, secrets, log }: TlsServerParts): TlsServer {
  const lines = new Map<Http2Session | undefined, Http2Line>();
  /** Connections by HTTP/1.1 that are yet to ask for something. */
  const quiet = new Set<Duplex>();
  let opening: TLSSocket | undefined;
  let isClosing = false;
  let keysTimer: NodeJS.Timeout | undefined;

  const http2 = createHttp2Server({ settings: { maxConcurrentStreams: MAX_STREAMS } });
  http2.on('session', (session) => {
    if (!opening) return;
    const line: Http2Line = { session, socket: opening, streams: 0 };
    lines.set(session, line);
    session.once('close', () => lines.delete(session));
    session.setTimeout(IDLE, () => endLine(line));
  });
  http2.on('stream', (stream) => {
    const line = lines.get(stream.session);
    if (!line) return;
    line.streams += 1;
    stream.once('close', () => {
      line.streams -= 1;
      if (line.session.closed) endLine(line);
    });
  });
  http2.on('sessionError', (error) => log.debug({ err: error }, 'an HTTP/2 connection failed'));
  http2.on('request', (request: Http2ServerRequest, response: Http2ServerResponse) => {
    const line = lines.get(request.stream.session);
    if (!line) return void request.stream.destroy();
    if (!readHttp2Request(request, response, line.socket)) return refuseMalformed(response);
    // What answers reads of both only what HTTP/1.1 has as well.
    server.emit('request', request as unknown as IncomingMessage, response as unknown as ServerResponse);
  });

  const tls = createServer({
    ...{ ALPNProtocols: ['h2', 'http/1.1'], minVersion: 'TLSv1.2', handshakeTimeout: HANDSHAKE_TIMEOUT },
    // The same for every replica: sessions are resumed with any of them.
    ...{ ticketKeys: ticketKeysAt(secrets, Date.now()), sessionIdContext: 'nephos' },
    SNICallback(name, done) {
      try {
        done(null, certificateFor(name.toLowerCase()));
      } catch (error) {
        log.error({ err: error, name }, 'a certificate could not be used');
        done(null, undefined);
      }
    },
  });
  tls.on('secureConnection', (socket) => {
    if (isClosing) return void socket.destroy();
    if (socket.alpnProtocol !== 'h2') {
      quiet.add(socket);
      socket.once('close', () => quiet.delete(socket));
      return void server.emit('connection', socket);
    }
    opening = socket;
    http2.emit('connection', socket);
    opening = undefined;
  });
  const speaks = ({ socket }: IncomingMessage) => void quiet.delete(socket);
  server.on('request', speaks).on('upgrade', speaks);
  tls.on('tlsClientError', (error) => log.debug({ err: error }, 'a TLS handshake failed'));

  function renewKeys(): void {
    tls.setTicketKeys(ticketKeysAt(secrets, Date.now()));
    keysTimer = setTimeout(renewKeys, untilNextTicketKeys(Date.now())).unref();
  }

  return {
    async listen(options) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      tls.once('error', reject).listen(options, resolve);
      await promise;
      tls.off('error', reject).on('error', (error) => log.error({ err: error }, 'the TLS server failed'));
      renewKeys();
      const address = tls.address();
      return typeof address === 'object' && address ? address.port : options.port;
    },
    address: () => tls.address(),
    stopListening: () => void tls.close(),
    async close() {
      isClosing = true;
      clearTimeout(keysTimer);
      const { promise, resolve } = Promise.withResolvers<void>();
      // Not listening is closed, too.
      tls.close(() => resolve());
      for (const line of lines.values()) endLine(line);
      for (const socket of quiet) socket.destroy();
      server.closeIdleConnections();
      await promise;
    },
  };
}

/** Takes no more requests, and hangs up once the last one is answered. */
function endLine({ session, socket, streams }: Http2Line): void {
  if (!session.closed) session.close();
  if (streams === 0) setTimeout(() => socket.destroy(), LINGER).unref();
}
