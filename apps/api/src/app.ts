import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { resolve } from 'node:path';
import { contract } from '@nephos/contracts';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Deps } from './context.ts';
import { addLoginRoutes } from './domains/auth/login.route.ts';
import { addLogRoute } from './domains/deployments/log.route.ts';
import { addDocs } from './http/docs.ts';
import { answerErrors } from './http/error-answers.ts';
import { addHealthRoutes } from './http/health.ts';
import { acceptJsonBodies } from './http/json-body.ts';
import { addMetrics } from './http/metrics.ts';
import { checkOrigin } from './http/origin-check.ts';
import { addRestRoutes } from './http/rest.ts';
import { addSecurityHeaders } from './http/security-headers.ts';
import { endStreamsOnClose } from './http/streams.ts';
import { addTrpcDoor } from './http/trpc-door.ts';
import { serveWebApp } from './http/web-app.ts';
import { appRouter } from './router.ts';

const WEB_APP = resolve(import.meta.dirname, '../../web/dist');
const HEADERS_TIMEOUT_MS = 10_000;
/** Path segment of a batch of tRPC calls. */
const MAX_PARAM_LENGTH = 5000;

/** The console's server: its own pages and API, and by host name the apps that are deployed. */
function createConsoleServer(deps: Deps, answer: RequestListener) {
  const { engine } = deps;
  const server = createServer({ connectionsCheckingInterval: 1000 }, (request, response) => {
    if (engine.ownsHost(request.headers.host)) engine.serve(request, response);
    else answer(request, response);
  });
  // Uploads and apps' own requests may take long; slow headers and slow small bodies are cut instead.
  server.requestTimeout = 0;
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.on('upgrade', (request, socket, head) => {
    if (engine.ownsHost(request.headers.host)) engine.upgrade(request, socket, head);
    else socket.destroy();
  });
  return server;
}

/** Registers everything; does not listen. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const { settings } = deps;
  const loggerInstance: FastifyBaseLogger = deps.log;
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: settings.logLevel !== 'debug' }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: settings.trustProxy ?? false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    forceCloseConnections: 'idle',
    serverFactory: (answer) => createConsoleServer(deps, answer),
  });

  answerErrors(app);
  endStreamsOnClose(app);
  await addSecurityHeaders(app, settings.publicUrl.protocol === 'https:');
  addMetrics(app, settings.metricsToken);
  checkOrigin(app, settings.publicUrl.origin);
  acceptJsonBodies(app);

  addHealthRoutes(app, deps);
  await app.register(async (scope) => addLoginRoutes(scope, deps));
  await app.register(async (scope) => addLogRoute(scope, deps));
  addRestRoutes(app, deps, contract, appRouter);
  await addTrpcDoor(app, deps, appRouter);
  addDocs(app, deps);
  await serveWebApp(app, WEB_APP);
  return app;
}
