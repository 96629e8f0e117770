import type { Platform } from '../../platform/platform.ts';
import type { Turns } from '../../platform/turns.ts';
import type { DatabaseEngines } from '../databases/engines/engine.ts';
import type { ServersPast } from '../databases/engines/postgres/servers-past.ts';
import type { KeptObjects } from './kept-objects.ts';

/** What the past of databases is kept with. */
export interface PastParts extends Pick<Platform, 'db' | 'secrets' | 'log'> {
  servers: DatabaseEngines;
  /** Absent where PostgreSQL databases have no servers of their own here. */
  past: ServersPast | undefined;
  kept: KeptObjects;
  /** Of one database, by its server's name, one thing at a time is done with its archive. */
  turns: Turns;
}
