import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import type { ChallengeServer } from './challenge-server.ts';
import type { FindRedirect } from './https-redirect.ts';
import { answerMalformed } from './malformed-requests.ts';
import { PATIENCE, type Patiences } from './patience.ts';
import { readTarget } from './request-target.ts';
import { sendElsewhere } from './send-elsewhere.ts';
import { boundClient } from './slow-clients.ts';

const HEADERS_TIMEOUT_MS = 10_000;

/** Answers for the apps that are deployed. */
export interface AppServer {
  /** Whether a `Host` header is of an app, or of none that is there. */
  ownsHost(host: string | undefined): boolean;
  serve(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** Answers the WebSockets of the console's own pages. */
export interface SocketServer {
  /** Whether a path is one that it answers. */
  ownsPath(path: string): boolean;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

interface ConsoleServerOptions {
  sockets?: SocketServer;
  challenges?: ChallengeServer;
  /** Where requests for the console are sent on to. */
  elsewhere?: FindRedirect;
  patiences?: Patiences;
}

function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

/**
 * The one server: it answers certificate authorities first, and then by host name for the console, through `answer`, or
 * for the apps that are deployed. The console's clients are given up where they are slower than `patiences` have it; an
 * app's are its own affair.
 */
export function createConsoleServer(
  engine: AppServer,
  answer: RequestListener,
  { sockets, challenges, elsewhere, patiences = PATIENCE }: ConsoleServerOptions = {},
): Server {
  const isForSockets = ({ url = '' }: IncomingMessage) => sockets?.ownsPath(url.split('?')[0] ?? '') ?? false;
  const isForApp = ({ headers }: IncomingMessage) => engine.ownsHost(headers.host);
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    if (isForApp(request)) return engine.serve(request, response);
    const location = elsewhere?.(request);
    if (location !== undefined) return sendElsewhere(request, response, location);
    boundClient(request, response, patiences);
    answer(request, response);
  };
  const server = createServer(
    {
      connectionsCheckingInterval: 1000,
      // Whoever only offers another protocol, as some clients do h2c, is answered in this one, body and all.
      shouldUpgradeCallback: (request) =>
        readTarget(request) && isWebSocket(request) && (isForApp(request) || isForSockets(request)),
    },
    (request, response) => {
      if (!readTarget(request)) return answerMalformed(request.socket);
      if (!challenges?.isAsked(request)) return serve(request, response);
      void challenges.answer(request, response).then((isAnswered) => {
        // Nothing tells any more that who has gone meanwhile has gone.
        if (!isAnswered && !response.destroyed) serve(request, response);
      });
    },
  );
  // Uploads and apps' own requests may take long; slow headers and slow clients of the console are cut instead.
  server.requestTimeout = 0;
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.on('upgrade', (request, socket, head) => {
    const owner = isForApp(request) ? engine : sockets;
    owner?.upgrade(request, socket, head);
  });
  return server;
}
