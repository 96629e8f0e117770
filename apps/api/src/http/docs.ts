import * as exported from '@nephos/contracts';
import { type OpenApiDocument, openApiDocument } from '@nephos/contracts/openapi';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../context.ts';
import { authOperations } from '../domains/auth/operations.ts';
import { logOperation } from '../domains/deployments/log.route.ts';
import { zipOperation } from '../domains/mobile-apps/zip.route.ts';
import { statementOperation } from '../domains/payment-gateway/statement.route.ts';
import { storageOperations } from '../domains/storage/operations.ts';
import { docsPage } from './docs-page.ts';

/** What each domain is about, for people. */
const TAGS: Record<keyof typeof exported.contract, string> = {
  auth: 'Accounts, sessions and access tokens',
  projects: 'Projects, their variables and frameworks',
  deployments: 'Builds of projects, their logs, cancelling and rolling back',
  storage: 'Files',
  containers: 'Container images of the registry',
  databases: 'Managed databases',
  dns: 'DNS zones and records',
  mobileApps: 'Build configuration of mobile apps',
  marketplace: 'Starters that are installed with all that they need',
  paymentGateway: 'Virtual accounts and payments between them',
  billing: 'Plans, card payments and usage',
  admin: 'The whole installation, for its admins',
  assistant: 'Questions about what you have, and their answers',
};

/** The document of all that `/api` and `/files` answer at `serverUrl`, the origin of the console. */
export function apiDocument(serverUrl: string): OpenApiDocument {
  return openApiDocument(exported.contract, {
    version: '0.1.0',
    serverUrl,
    tags: TAGS,
    named: exported,
    // What is no procedure: navigations, text and bytes.
    plain: (shapes) => [
      ...authOperations(shapes),
      logOperation,
      zipOperation,
      statementOperation,
      ...storageOperations(shapes),
    ],
  });
}

/** `/api/openapi.json` and its readable page `/api/docs`, both derived from the contract. */
export function addDocs(app: FastifyInstance, { settings }: Deps): void {
  const document = apiDocument(settings.publicUrl.origin);
  const page = docsPage(document);
  app.get('/api/openapi.json', { compress: {} }, async () => document);
  app.get('/api/docs', { compress: {} }, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(page),
  );
}
