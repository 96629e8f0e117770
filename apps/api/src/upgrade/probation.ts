import { join } from 'node:path';
import type { Settings } from '../core/settings.ts';
import type { Probation } from './releases.ts';

/** Crashes in a row wait for a second each, so three of them are soon over; one that comes after hours has other causes. */
const RESTARTS = 3;
const MINUTES = 60;

export const TERMS = `Should it end by itself or hang ${RESTARTS} times in the next ${MINUTES} minutes`;

export interface Change {
  before: string;
  version: string;
  /** When the backup had been made, before anything was changed; undefined without one. */
  backedUpAt: Date | undefined;
}

/** What leads back from a version that serves. The version before is told what to do where the database cannot go back with it. */
export function probationOf(
  { before, version, backedUpAt }: Change,
  { dataDir, databaseUrl }: Pick<Settings, 'dataDir' | 'databaseUrl'>,
  /** Of the version before. */
  folder: string,
): Probation {
  const install = `sh ${join(folder, 'install.sh')}`;
  const reason = `Version ${version} ended by itself or hung ${RESTARTS} times within ${MINUTES} minutes of the upgrade, so ${before} serves again. \`journalctl -u nephos\` says why; \`${install}\` brings the units of ${before} back.`;
  const probation = { before, seconds: MINUTES * 60, restarts: RESTARTS };
  if (!backedUpAt) return { ...probation, said: reason };
  const empty = databaseUrl ? 'empty the database of DATABASE_URL; ' : '';
  const steps = [
    "systemctl stop 'nephos*'",
    `mv ${dataDir} ${dataDir}.kept`,
    `${empty}nephos restore --at ${backedUpAt.toISOString()}`,
    install,
  ];
  const remedy = `Should ${before} not get on with what ${version} has written, this brings back how it was: ${steps.join('; ')}. It asks for the recovery key. Where ${dataDir} is a mount point, move what is in it instead.`;
  return { ...probation, said: `${reason} ${remedy}` };
}
