import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statfsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { CommandError } from '../commands/command.ts';
import { compareVersions } from '../core/program-version.ts';
import type { Settings } from '../core/settings.ts';
import { byteSize } from '../platform/byte-size.ts';
import { type Change, probationOf, TERMS } from './probation.ts';
import type { Releases } from './releases.ts';
import { forgetRestarts, lastingReadiness, readiness, reasonOf, restartService } from './service.ts';

/** The version before was ready once; a machine that is busy may take long to bring its apps back. */
const RETURN_SECONDS = 300;
/** Bytes that have to be free for a start: a database has its log to write. */
const ROOM = 256 * 1024 ** 2;

export interface UpgradeOptions {
  /** A version, or the folder or https address of a release. */
  to: string | undefined;
  /** Where newer versions are looked for. */
  from: string | undefined;
  /** Seconds that the new version has to become ready. */
  timeout: number;
  withBackup: boolean;
}

export interface UpgradeParts {
  settings: Settings;
  releases: Releases;
  /** Aborted where the version before is to stay, or to come back. */
  cancelled: AbortSignal;
  say(line: string): void;
}

/**
 * Brings another version up in the place of the one that serves, which comes back where that does not become ready in
 * time. A kill at any moment leaves one whole version to the next start of the service. Throws `CommandError`.
 */
export async function upgrade(options: UpgradeOptions, parts: UpgradeParts): Promise<void> {
  const { releases, say } = parts;
  const before = releases.current();
  await returnFromBrokenOff(parts);
  const version = layRelease(options, parts);
  if (version === before) return say(`Version ${version} serves already.`);
  assertFollows(before, { version, folder: releases.folderOf(version) });
  const change = prepare({ before, version }, options, parts);
  assertRoom(parts);

  say(`Version ${version} starts.`);
  const reason = await tryOut(change, options.timeout, parts).catch(reasonOf);
  if (reason !== null) {
    say(`Version ${version} did not become ready: ${reason}`);
    await goBack(parts);
    throw new CommandError(
      `version ${version} did not become ready (${reason}); ${before} serves. \`journalctl -u nephos\` says more.`,
    );
  }
  say(`Version ${version} serves. ${TERMS}, ${before} comes back by itself.`);
  releases.keepOnly([version, before]);
  run(
    'sh',
    [join(releases.folderOf(version), 'install.sh')],
    `${version} serves, with the units of ${before}`,
  );
}

/** The backup and the database. After it, either version can serve: `assertFollows` has seen to that. */
function prepare(
  { before, version }: { before: string; version: string },
  { withBackup }: UpgradeOptions,
  { releases, cancelled, say }: UpgradeParts,
): Change {
  const unchanged = `nothing was changed, and ${before} serves`;
  if (withBackup) {
    runCommand(releases.folderOf(before), ['backup'], `the backup could not be made: ${unchanged}`);
  } else say('No backup is made.');
  const backedUpAt = withBackup ? new Date() : undefined;
  if (cancelled.aborted) throw new CommandError(`it was cancelled: ${unchanged}`);
  // What would come back otherwise need not know what the new version makes of the database.
  releases.endProbation();
  if (releases.current() !== before) {
    throw new CommandError(`${before} gave way to ${releases.current()} meanwhile: nothing was changed`);
  }
  say(`Version ${version} brings the database up to date, while ${before} serves.`);
  const halfway = `${before} serves, to which it makes no difference what was done of that`;
  runCommand(
    releases.folderOf(version),
    ['migrate'],
    `the database could not be brought up to date: ${halfway}`,
  );
  if (cancelled.aborted) throw new CommandError(`it was cancelled: ${before} serves`);
  return { before, version, backedUpAt };
}

/**
 * Why that version cannot serve; null where it does, and does from now on. Where anything of this fails, the version before
 * has to come back.
 */
async function tryOut(
  change: Change,
  seconds: number,
  { settings, releases, cancelled, say }: UpgradeParts,
): Promise<string | null> {
  const { version } = change;
  const givesUp = () => {
    if (cancelled.aborted) return 'it was cancelled';
    return releases.isTrialOver(version) ? 'its process ended' : null;
  };
  releases.putOnTrial(version);
  await restartService();
  const reason = await readiness(settings, { seconds, givesUp });
  if (reason !== null) return reason;
  say(`Version ${version} is ready. Some seconds show whether it stays so.`);
  const later = await lastingReadiness(settings, { seconds, givesUp });
  if (later !== null) return later;
  forgetRestarts();
  releases.makeCurrent(version, probationOf(change, settings, releases.folderOf(change.before)));
  return null;
}

/** The version before is what every start after the one on trial is of. */
async function goBack({ settings, releases }: UpgradeParts): Promise<void> {
  // In this order: a start may be under way.
  releases.endTrial();
  if (releases.tried() !== undefined) await restartService();
  const reason = await readiness(settings, { seconds: RETURN_SECONDS });
  if (reason !== null) {
    throw new CommandError(`version ${releases.current()} does not become ready again: ${reason}`);
  }
}

/** An upgrade that was killed may have left a version on trial that nobody watches. */
async function returnFromBrokenOff(parts: UpgradeParts): Promise<void> {
  const tried = parts.releases.tried();
  if (tried === undefined) return parts.releases.endTrial();
  const current = parts.releases.current();
  parts.say(`An upgrade to ${tried} was broken off: ${current} comes back first.`);
  await goBack(parts);
}

/** Fetches the release and verifies it, unless it is there; its version. */
function layRelease({ to, from }: UpgradeOptions, { releases }: UpgradeParts): string {
  if (to !== undefined && releases.has(to)) return to;
  const isPlace = to !== undefined && /^https:|\//.test(to);
  const place = isPlace ? to : from;
  if (!place) {
    throw new CommandError(
      'name a release by --to <folder or https address>, or set RELEASES to where they are',
    );
  }
  const source = place.startsWith('https:') ? place : resolve(place);
  const wanted = to !== undefined && !isPlace ? ['--version', to] : [];
  const current = releases.current();
  const installer = join(releases.folderOf(current), 'install.sh');
  const command = [installer, '--release-only', '--from', source, ...wanted];
  const failure = `the release could not be had: nothing was changed, and ${current} serves`;
  const folder = run('sh', command, failure, 'pipe');
  return basename(folder.trim());
}

/**
 * What a version stopped to use, the next one takes away. So one that takes something away can only follow the one before,
 * which its package.json names as `upgradesFrom`.
 */
function assertFollows(before: string, { version, folder }: { version: string; folder: string }): void {
  const { upgradesFrom } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (typeof upgradesFrom === 'string' && compareVersions(before, upgradesFrom) < 0) {
    throw new CommandError(
      `version ${version} can follow ${upgradesFrom}, and ${before} serves: upgrade by --to ${upgradesFrom} first`,
    );
  }
}

/** Where the disk is full no server starts again, not even the one that serves: so that is not restarted then. */
export function assertRoom({ settings, releases }: Pick<UpgradeParts, 'settings' | 'releases'>): void {
  const before = releases.current();
  for (const folder of [settings.dataDir, releases.folderOf(before)]) {
    const { bavail, bsize } = statfsSync(folder);
    const left = bavail * bsize;
    if (left >= ROOM) continue;
    throw new CommandError(
      `the disk of ${folder} has ${byteSize(left)} left, and ${byteSize(ROOM)} are needed: make room and try again; ${before} serves`,
    );
  }
}

/** Runs a command of the release in `folder` on its own Node. */
function runCommand(folder: string, args: readonly string[], failure: string): void {
  run(nodeOf(folder), [join(folder, 'apps/api/src/cli.ts'), ...args], failure);
}

function nodeOf(folder: string): string {
  const packages = join(folder, 'node_modules');
  const name = readdirSync(packages).find((entry) => entry.startsWith('node-linux-'));
  return name ? join(packages, name, 'bin/node') : process.execPath;
}

/** Shows what it says, or with `pipe` gives back its standard output. `failure` says what holds where it fails. */
function run(
  file: string,
  args: readonly string[],
  failure: string,
  output: 'inherit' | 'pipe' = 'inherit',
): string {
  try {
    return execFileSync(file, args, { encoding: 'utf8', stdio: ['ignore', output, 'inherit'] });
  } catch {
    throw new CommandError(failure);
  }
}
