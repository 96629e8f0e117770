import pg from 'pg';
import type { Db } from 'pg-boss';
import type { Logger } from 'pino';
import type { Notifications } from './notifications.ts';

/** Apart from our own pool: a query of pg-boss never waits behind requests, nor they behind it. */
export function createBossPool(url: string, log: Logger): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 3,
    application_name: 'nephos jobs',
    connectionTimeoutMillis: 5000,
    options: '-c statement_timeout=30s -c lock_timeout=10s -c idle_in_transaction_session_timeout=30s',
  });
  const report = (error: Error) => log.warn({ err: error }, 'the job queue lost a connection');
  // Without these two, a server that ends a connection ends this process.
  pool.on('error', report);
  pool.on('connect', (client) => {
    client.on('error', report);
  });
  return pool;
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
