export { atomically } from './atomically.ts';
export { createDb, createPool, type DbOptions } from './client.ts';
export { copyOnce } from './copy-once.ts';
export { isMigrated, migrate } from './migrate.ts';
export { type Parameter, prepare } from './prepared.ts';
export { isReachable, reachableFolder } from './reachable-folder.ts';
export type { Database } from './schema/database.ts';
