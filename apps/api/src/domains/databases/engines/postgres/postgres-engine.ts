import type { DatabaseEngine } from '../engine.ts';
import { givenEngine } from './given-engine.ts';
import { type OwnEngineParts, ownEngine } from './own-engine.ts';

/** PostgreSQL databases on the server of MANAGED_POSTGRES_URL, or else on servers of our own. */
export function createPostgresEngine(parts: OwnEngineParts): DatabaseEngine {
  const { settings, log } = parts;
  const { managedPostgresUrl: url } = settings;
  return url ? givenEngine({ url, ownUrl: settings.databaseUrl, log }, log) : ownEngine(parts);
}
