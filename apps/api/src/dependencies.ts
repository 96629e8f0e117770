import type { Logger } from 'pino';
import type { Deps } from './context.ts';
import { createSessions } from './domains/auth/sessions.ts';
import { createEngine } from './domains/deployments/engine/engine.ts';
import { createDeploymentQueue } from './domains/deployments/queue.ts';
import type { Settings } from './env.ts';
import { sweepIdempotencyKeys } from './http/idempotency.ts';
import { sweepRateLimits } from './http/rate-limit.ts';
import { createJobs } from './platform/jobs.ts';
import { createNotifications } from './platform/notifications.ts';
import type { OwnDatabase } from './platform/own-database.ts';
import { createSecretsBox, loadSecretsKey } from './platform/secrets-box.ts';

const EVERY_HOUR = '0 * * * *';
