export { atomically, isRetryable } from './atomically.ts';
export { createDb, createPool, type DbLimits, type DbOptions } from './client.ts';
export { copyOnce } from './copy-once.ts';
export { endServerIn, isServerIn } from './embedded-leftover.ts';
export { type HeldFolder, holdFolder, NotTaken, openPlainFile, readPlainFile } from './held-folder.ts';
export { assertLoadable, type KeptSnapshot, loadSnapshot, NotEmpty } from './load-snapshot.ts';
export { isMigrated, knowsMigration, migrate } from './migrate.ts';
export { allowSeconds } from './patience.ts';
export { type Parameter, prepare } from './prepared.ts';
export { isReachable, reachableFolder } from './reachable-folder.ts';
export { removeTree } from './remove-tree.ts';
export { openRotatingLog } from './rotating-log.ts';
export type { Database } from './schema/database.ts';
export type { CorsRule, LifecycleRule, Pieces, StoredChecksum } from './schema/storage.ts';
export {
  BACKUP_RUNS,
  BackupRuns,
  holdProofs,
  openSnapshot,
  PROOF_RUNS,
  type SequenceState,
  type Snapshot,
  type TableShape,
} from './snapshot.ts';
export { type Account, runsAsRoot, unprivilegedAccount } from './unprivileged-account.ts';
export { writePrivately } from './write-privately.ts';
