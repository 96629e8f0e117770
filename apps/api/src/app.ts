import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { contract } from '@nephos/contracts';
import { DEFAULT_BODY_LIMIT } from '@nephos/contracts/kit';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Deps } from './context.ts';
import { addChatRoute } from './domains/assistant/chat.route.ts';
import { addLoginRoutes } from './domains/auth/login.route.ts';
import { addStripeWebhook } from './domains/billing/webhook.route.ts';
import { addRegistry } from './domains/containers/registry/registry.route.ts';
import { isRegistryPath, sendRegistryError } from './domains/containers/registry/send-error.ts';
import { addLogRoute } from './domains/deployments/log.route.ts';
import { addZipRoute } from './domains/mobile-apps/zip.route.ts';
import { addStatementRoute } from './domains/payment-gateway/statement.route.ts';
import { addDownloadRoutes } from './domains/storage/download.route.ts';
import { addFileListRoute } from './domains/storage/list.route.ts';
import { addUploadRoute } from './domains/storage/upload.route.ts';
import { addCompression } from './http/compression.ts';
import { createConsoleServer } from './http/console-server.ts';
import { addDocs } from './http/docs.ts';
import { answerErrors, sendError } from './http/error-answers.ts';
import { addHealthRoutes } from './http/health.ts';
import { acceptJsonBodies } from './http/json-body.ts';
import { queueLargeBodies } from './http/large-bodies.ts';
import { answerMalformed } from './http/malformed-requests.ts';
import { addMetrics } from './http/metrics.ts';
import { checkOrigin } from './http/origin-check.ts';
import { addRestRoutes } from './http/rest.ts';
import { addSecurityHeaders } from './http/security-headers.ts';
import { addTrpcDoor } from './http/trpc-door.ts';
import { trustOf } from './http/trusted-proxy.ts';
import { limitVisits } from './http/visit-limit.ts';
import { serveWebApp } from './http/web-app.ts';
import { appRouter } from './router.ts';

const WEB_APP = resolve(import.meta.dirname, '../../web/dist');
/** Path segment of a batch of tRPC calls. */
const MAX_PARAM_LENGTH = 5000;

/** Registers everything; does not listen. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const { settings } = deps;
  const loggerInstance: FastifyBaseLogger = deps.log;
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: settings.logLevel !== 'debug' }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: trustOf(settings.trustProxy),
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    forceCloseConnections: 'idle',
    bodyLimit: DEFAULT_BODY_LIMIT,
    serverFactory: (answer) => createConsoleServer(deps.engine, answer, deps.patiences),
    // Errors from before there is a route.
    frameworkErrors: (error, request, reply) =>
      isRegistryPath(request.url)
        ? sendRegistryError(request, reply, error)
        : sendError(request, reply, error),
    clientErrorHandler: (error, socket) => answerMalformed(socket, error),
  });

  answerErrors(app);
  app.addHook('preClose', async () => deps.streams.endAll());
  await addSecurityHeaders(app, {
    https: settings.publicUrl.protocol === 'https:',
    stripe: settings.stripe !== undefined,
  });
  await addCompression(app);
  addMetrics(app, deps);
  checkOrigin(app, settings.publicUrl.origin);
  acceptJsonBodies(app);
  queueLargeBodies(app, deps);

  await app.register(async (scope) => {
    limitVisits(scope, settings, 'health');
    addHealthRoutes(scope, deps);
  });
  await app.register(async (scope) => addLoginRoutes(scope, deps));
  const { stripe } = settings;
  if (stripe) await app.register((scope) => addStripeWebhook(scope, deps, stripe.webhookSecret));
  await app.register(async (scope) => addLogRoute(scope, deps));
  await app.register(async (scope) => addUploadRoute(scope, deps));
  addDownloadRoutes(app, deps);
  addZipRoute(app, deps);
  addStatementRoute(app, deps);
  addFileListRoute(app, deps, appRouter);
  addChatRoute(app, deps, appRouter);
  await app.register(async (scope) => addRegistry(scope, deps));
  addRestRoutes(app, deps, contract, appRouter);
  await addTrpcDoor(app, deps, appRouter);
  await app.register(async (scope) => {
    limitVisits(scope, settings, 'pages');
    addDocs(scope, deps);
    await serveWebApp(scope, WEB_APP);
  });
  return app;
}
