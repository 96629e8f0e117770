import { join } from 'node:path';
import type { Settings } from '../core/env.ts';
import type { Probation } from './releases.ts';

/** Crashes in a row wait for a second each, so three of them are soon over; one that comes after hours has other causes. */
const RESTARTS = 3;
const MINUTES = 60;

export const TERMS = `Should it end by itself ${RESTARTS} times in the next ${MINUTES} minutes`;

export interface Change {
  before: string;
  version: string;
  /** Just before anything was changed. */
  beganAt: Date;
}

/** What leads back from a version that serves. The version before is told what to do where the database cannot go back with it. */
export function probationOf(
  { before, version, beganAt }: Change,
  { dataDir, databaseUrl, backups }: Pick<Settings, 'dataDir' | 'databaseUrl' | 'backups'>,
  /** Of the version before. */
  folder: string,
): Probation {
  const reason = `Version ${version} ended by itself ${RESTARTS} times within ${MINUTES} minutes of the upgrade, so ${before} serves again. \`journalctl -u nephos\` says why.`;
  const empty = databaseUrl ? 'empty the database of DATABASE_URL; ' : '';
  const steps = [
    "systemctl stop 'nephos*'",
    `mv ${dataDir} ${dataDir}.kept`,
    `${empty}nephos restore --at ${beganAt.toISOString()}`,
    `sh ${join(folder, 'install.sh')}`,
  ];
  const remedy = `Should ${before} not get on with what ${version} has written, this brings back how it was: ${steps.join('; ')}`;
  const said = backups.target ? `${reason} ${remedy}` : reason;
  return { before, seconds: MINUTES * 60, restarts: RESTARTS, said };
}
