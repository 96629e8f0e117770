import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { CommandError } from '../commands/command.ts';
import type { Settings } from '../core/env.ts';
import type { Releases } from './releases.ts';
import { readiness, restartService } from './service.ts';

/** The version before was ready once; a machine that is busy may take long to bring its apps back. */
const RETURN_SECONDS = 300;

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
  if (options.withBackup) runCommand(releases.folderOf(before), ['backup']);
  else say('No backup is made.');
  say(`Version ${version} brings the database up to date, while ${before} serves.`);
  runCommand(releases.folderOf(version), ['migrate']);

  say(`Version ${version} starts.`);
  const reason = await tryOut(version, options.timeout, parts);
  if (reason === null) {
    releases.confirm(version);
    return say(`Version ${version} serves.`);
  }
  say(`Version ${version} did not become ready: ${reason}`);
  await goBack(parts);
  throw new CommandError(
    `version ${version} did not become ready (${reason}); ${before} serves. \`journalctl -u nephos\` says more.`,
  );
}

/** Why that version cannot serve; null where it does. */
async function tryOut(
  version: string,
  seconds: number,
  { settings, releases }: UpgradeParts,
): Promise<string | null> {
  releases.putOnTrial(version);
  try {
    await restartService();
  } catch (error) {
    if (error instanceof CommandError) return error.message;
    throw error;
  }
  return readiness(settings, { seconds, givesUp: () => releases.isTrialOver(version) });
}

/** The version before is what every start after the one on trial is of. */
async function goBack({ settings, releases }: UpgradeParts): Promise<void> {
  const isTried = releases.tried() !== undefined;
  releases.endTrial();
  if (isTried) await restartService();
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
  const installer = join(releases.folderOf(releases.current()), 'install.sh');
  const folder = runQuietly('sh', [installer, '--release-only', '--from', source, ...wanted]);
  return basename(folder.trim());
}

/** Runs a command of the release in `folder` on its own Node. */
function runCommand(folder: string, args: readonly string[]): void {
  runQuietly(nodeOf(folder), [join(folder, 'apps/api/src/cli.ts'), ...args]);
}

function nodeOf(folder: string): string {
  const packages = join(folder, 'node_modules');
  const name = readdirSync(packages).find((entry) => entry.startsWith('node-linux-'));
  return name ? join(packages, name, 'bin/node') : process.execPath;
}

/** Its standard output; the rest is shown. */
function runQuietly(file: string, args: readonly string[]): string {
  try {
    return execFileSync(file, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  } catch {
    throw new CommandError(`nothing was changed, because this failed: ${[file, ...args].join(' ')}`);
  }
}
