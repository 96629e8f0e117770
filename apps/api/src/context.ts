import type { TokenScope, User } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Assistant } from './domains/assistant/assistant.ts';
import type { Sessions } from './domains/auth/sessions.ts';
import type { Billing } from './domains/billing/billing.ts';
import type { DatabaseEngines } from './domains/databases/engines/create-engines.ts';
import type { DatabaseWork } from './domains/databases/work.ts';
import type { DeploymentEngine } from './domains/deployments/engine/engine.ts';
import type { DeploymentQueue } from './domains/deployments/queue.ts';
import type { NameServer } from './domains/dns/server/name-server.ts';
import type { LookUpTxtFor } from './domains/dns/txt-lookup.ts';
import type { InstallationQueue } from './domains/marketplace/queue.ts';
import type { Gateway } from './domains/payment-gateway/gateway.ts';
import type { FileDeletion } from './domains/storage/file-deletion.ts';
import type { Settings } from './env.ts';
import type { Patiences } from './http/patience.ts';
import type { Streams } from './http/streams.ts';
import type { Jobs } from './platform/jobs.ts';
import type { Notifications } from './platform/notifications.ts';
import type { ObjectStore } from './platform/object-store/object-store.ts';
import type { Readiness } from './platform/readiness.ts';
import type { SecretsBox } from './platform/secrets-box.ts';

/** What lives as long as the process. */
export interface Deps {
  settings: Settings;
  log: Logger;
  db: Kysely<Database>;
  notifications: Notifications;
  readiness: Readiness;
  jobs: Jobs;
  secrets: SecretsBox;
  objects: ObjectStore;
  sessions: Sessions;
  streams: Streams;
  patiences: Patiences;
  engine: DeploymentEngine;
  deployments: DeploymentQueue;
  fileDeletion: FileDeletion;
  nameServer: NameServer;
  lookUpTxt: LookUpTxtFor;
  databaseEngines: DatabaseEngines;
  databases: DatabaseWork;
  installations: InstallationQueue;
  gateway: Gateway;
  assistant: Assistant;
  billing: Billing;
}

/** What one request adds. */
export interface Caller {
  /** Read anew for each request; null when signed out. */
  user: User | null;
  /** Public id of the session in use. */
  sessionId: string | null;
  /** What the access token in use may do; null for a session. */
  tokenScope: TokenScope | null;
  ip: string;
  userAgent: string;
  requestId: string;
  idempotencyKey: string | undefined;
  /** Adds a header to the answer. */
  setHeader(name: string, value: string): void;
  /** Says that the answer is a row that was there already: through REST 200, in the place of the row's 201. */
  foundExisting(): void;
  /** Ends the connection. */
  hangUp(): void;
}

/** Given to every handler and service; inside an idempotent write `db` is that write's transaction. */
export type Context = Deps & Caller;

/** The context of someone signed in. */
export type UserContext = Context & { user: User };
