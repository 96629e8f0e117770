import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { contract } from '@nephos/contracts';
import { DEFAULT_BODY_LIMIT } from '@nephos/contracts/kit';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { isRegistryPath, sendRegistryError } from './domains/containers/registry/registry-error.ts';
import { isS3Request } from './domains/storage/s3/address.ts';
import { s3Door } from './domains/storage/s3/s3-door.ts';
import { S3Error, sendS3Error } from './domains/storage/s3/s3-error.ts';
import { addCompression } from './http/compression.ts';
import { createConsoleServer } from './http/console-server.ts';
import { addDocs } from './http/docs.ts';
import { answerErrors, sendError } from './http/error-answers.ts';
import { addHealthRoutes } from './http/health.ts';
import { createHttpsRedirect } from './http/https-redirect.ts';
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
import type { Server } from './server.ts';

const WEB_APP = resolve(import.meta.dirname, '../../web/dist');
/** Path segment of a batch of tRPC calls. */
const MAX_PARAM_LENGTH = 5000;
/** No route has a schema of Fastify's, so its compilers of schemas, 3 MB of memory, need not be loaded. */
const NO_SCHEMAS = { buildValidator: refuseSchema, buildSerializer: refuseSchema };

/** Registers everything; does not listen. */
export async function buildApp(server: Server): Promise<FastifyInstance> {
  const { settings, identify, parts } = server;
  const app = createFastify(server);
  answerErrors(app);
  app.addHook('preClose', async () => server.streams.endAll());
  await addSecurityHeaders(app, {
    settings,
    stripe: settings.stripe !== undefined,
  });
  await addCompression(app);
  addMetrics(
    app,
    settings,
    parts.flatMap(({ metrics }) => metrics ?? []),
  );
  checkOrigin(app, settings);
  acceptJsonBodies(app);
  queueLargeBodies(app, identify);

  await app.register(async (scope) => {
    limitVisits(scope, settings, 'health');
    addHealthRoutes(scope, server);
  });
  for (const { routes } of parts) {
    if (routes) await app.register(async (scope) => routes(scope));
  }
  addRestRoutes(app, server, contract);
  await addTrpcDoor(app, server);
  await app.register(async (scope) => {
    limitVisits(scope, settings, 'pages');
    addDocs(scope, settings);
    await serveWebApp(scope, WEB_APP);
  });
  return app;
}

function createFastify(server: Server): FastifyInstance {
  const { settings, log, apps, sockets, certificates, patiences } = server;
  const { challenges, own } = certificates;
  const elsewhere = createHttpsRedirect(settings, own.validUntil);
  const loggerInstance: FastifyBaseLogger = log;
  return Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: settings.logLevel !== 'debug' }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: trustOf(settings.trustProxy),
    schemaController: { compilersFactory: NO_SCHEMAS },
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH, constraints: s3Door(settings) },
    forceCloseConnections: 'idle',
    bodyLimit: DEFAULT_BODY_LIMIT,
    serverFactory: (answer) =>
      createConsoleServer(apps, answer, { sockets, challenges, elsewhere, patiences }),
    // Errors from before there is a route: of addresses.
    frameworkErrors(error, request, reply) {
      if (isS3Request(settings, request.raw)) return sendS3Error(request, reply, new S3Error('InvalidURI'));
      const send = isRegistryPath(request.url) ? sendRegistryError : sendError;
      return send(request, reply, error);
    },
    clientErrorHandler: (error, socket) => answerMalformed(socket, error),
  });
}

function refuseSchema(): never {
  throw new Error("A route has a schema of Fastify's, which nothing compiles: check its input with zod.");
}
