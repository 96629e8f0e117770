import type { DatabaseEngines } from './engines/engine.ts';

const STANDARD = { postgresql: 5432, mysql: 3306, mongodb: 27_017, redis: 6379 } as const;

/** Hosts and TCP ports at which apps reach the servers of people's databases, as far as there are any. */
export function databaseAddresses(servers: DatabaseEngines): { host: string; port: number }[] {
  return Object.values(servers).flatMap((server) => {
    try {
      const url = new URL(server.connectionString({ name: 'any', password: 'any' }));
      return { host: url.hostname, port: Number(url.port || STANDARD[server.type]) };
    } catch {
      // It was never needed, so it has no address yet.
      return [];
    }
  });
}
