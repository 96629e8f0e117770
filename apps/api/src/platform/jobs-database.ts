import { createPool, type DbLimits } from '@nephos/db';
import pg from 'pg';
import type { Db } from 'pg-boss';
import type { Logger } from 'pino';
import type { Notifications } from './notifications.ts';

/** Milliseconds. Sweeping a long history of jobs may take long, and another replica's migration is waited for. */
const LIMITS: DbLimits = { statement: 15_000, lock: 10_000, idleInTransaction: 30_000, connect: 5000 };

/** Apart from our own pool: a query of pg-boss never waits behind requests, nor they behind it. */
export function createBossPool(url: string, log: Logger): pg.Pool {
  return createPool({
    url,
    max: 3,
    name: 'nephos jobs',
    types: pg.types,
    limits: LIMITS,
    onError: (error) => log.warn({ err: error }, 'the job queue lost a connection'),
  });
}

/** How pg-boss reaches the database: by that pool, and by our one connection that listens. */
export function databaseOf(pool: pg.Pool, notifications: Notifications): Db {
  return {
    executeSql: (text, values) => pool.query(text, values),
    async listen(channel, onNotification, onReconnect) {
      const unsubscribe = notifications.subscribe(channel, onNotification, onReconnect);
      return {
        async close() {
          unsubscribe();
        },
      };
    },
  };
}
