import { contract, Login, Signup, User } from '@nephos/contracts';
import {
  type OpenApiDocument,
  openApiDocument,
  type PlainOperation,
  refused,
} from '@nephos/contracts/openapi';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Deps } from '../context.ts';
import { zipOperation } from '../domains/mobile-apps/zip.route.ts';
import { statementOperation } from '../domains/payment-gateway/statement.route.ts';
import { storageOperations } from '../domains/storage/operations.ts';
import { docsPage } from './docs-page.ts';

const json = (schema: z.ZodType, io: 'input' | 'output') => ({
  content: { 'application/json': { schema: z.toJSONSchema(schema, { io, unrepresentable: 'any' }) } },
});

/** The routes that are not procedures: navigations and text. */
const plain: PlainOperation[] = [
  {
    route: 'GET /api/login',
    tag: 'auth',
    operation: {
      operationId: 'auth.loginPage',
      summary: 'The page to sign in or sign up',
      parameters: [{ name: 'returnTo', in: 'query', required: false, schema: { type: 'string' } }],
      responses: { 200: { description: 'The page', content: { 'text/html': {} } } },
    },
  },
  {
    route: 'POST /api/login',
    tag: 'auth',
    operation: {
      operationId: 'auth.login',
      summary: 'Sign in; sets the session cookie',
      requestBody: { required: true, ...json(Login, 'input') },
      responses: {
        200: { description: 'Signed in', ...json(User, 'output') },
        ...refused(400, 'Malformed'),
        ...refused(403, 'Wrong e-mail address or password'),
        ...refused(429, 'Too many attempts'),
      },
    },
  },
  {
    route: 'POST /api/signup',
    tag: 'auth',
    operation: {
      operationId: 'auth.signup',
      summary: 'Create an account; sets the session cookie and starts the 14-day trial',
      requestBody: { required: true, ...json(Signup, 'input') },
      responses: {
        201: { description: 'Created', ...json(User, 'output') },
        ...refused(400, 'Malformed'),
        ...refused(403, 'Sign-ups are closed, and there is no invitation for this address'),
        ...refused(409, 'The e-mail address has an account'),
        ...refused(429, 'Too many attempts'),
      },
    },
  },
  {
    route: 'GET /api/logout',
    tag: 'auth',
    operation: {
      operationId: 'auth.logout',
      summary: 'End the session and go to the landing page',
      responses: { 302: { description: 'To /' }, ...refused(403, 'Asked for by another site') },
    },
  },
  {
    route: 'GET /api/deployments/{id}/log',
    tag: 'deployments',
    operation: {
      operationId: 'deployments.logText',
      summary: "A deployment's log as text",
      parameters: [
        { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
        { name: 'download', in: 'query', required: false, schema: { type: 'string', enum: ['1'] } },
      ],
      responses: {
        200: { description: 'The log', content: { 'text/plain': {} } },
        ...refused(401, 'No live session'),
        ...refused(404, 'No such deployment, or not yours'),
      },
    },
  },
  zipOperation,
  statementOperation,
  ...storageOperations,
];

/** `/api/openapi.json` and its readable page `/api/docs`, both derived from the contract. */
export function addDocs(app: FastifyInstance, { settings }: Deps): void {
  const document: OpenApiDocument = openApiDocument(contract, {
    version: '0.1.0',
    serverUrl: settings.publicUrl.origin,
    plain,
  });
  const page = docsPage(document);
  app.get('/api/openapi.json', async () => document);
  app.get('/api/docs', async (_request, reply) => reply.type('text/html; charset=utf-8').send(page));
}
