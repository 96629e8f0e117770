import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { DeploymentEngine } from '../domains/deployments/engine/engine.ts';
import { answerMalformed, namesOneHost } from './malformed-requests.ts';

const HEADERS_TIMEOUT_MS = 10_000;

/** The one server: by host name it answers for the console, through `answer`, or for the apps that are deployed. */
export function createConsoleServer(engine: DeploymentEngine, answer: RequestListener): Server {
  const isForApp = ({ headers }: IncomingMessage) => engine.ownsHost(headers.host);
  const server = createServer(
    // The console has nothing to upgrade to: a client that offers it (h2c) is answered all the same.
    { connectionsCheckingInterval: 1000, shouldUpgradeCallback: isForApp },
    (request, response) => {
      if (!namesOneHost(request)) answerMalformed(request.socket);
      else if (isForApp(request)) engine.serve(request, response);
      else answer(request, response);
    },
  );
  // Uploads and apps' own requests may take long; slow headers and slow small bodies are cut instead.
  server.requestTimeout = 0;
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.on('upgrade', (request, socket, head) => {
    if (namesOneHost(request)) engine.upgrade(request, socket, head);
    else answerMalformed(socket);
  });
  return server;
}
