import { open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readSshAddress } from '@nephos/contracts';
import { findPrograms } from '../process/find-program.ts';
import { runCommand } from '../process/run-command.ts';
import type { RunningBuild } from '../process/running-build.ts';
import type { BuildParts } from './clone.ts';
import { cloneFailure, MAX_SAID } from './git.ts';

/** What ssh calls the host, whatever its address: its keys are looked up under this name. */
const ALIAS = 'repository';
const CONNECT_SECONDS = 15;
const HOST_KEY = /^(?:ssh-ed25519|ecdsa-sha2-nistp(?:256|384|521)|ssh-rsa) [A-Za-z0-9+/]+={0,2}$/;
const MAX_HOST_KEYS = 8;

/** How git reaches a repository by SSH. */
export interface SshAccess {
  env: Record<string, string>;
  /** Files that it reads. */
  readable: string[];
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Lets git use the project's deploy key at the one address that was checked, where the host has the keys that it had at
 * first. The key lies in a file of ours that this run alone can read, for as long as the clone takes. Throws
 * `StepFailure`.
 */
export async function openSshAccess(
  parts: BuildParts,
  options: RunningBuild,
  address: string,
): Promise<SshAccess> {
  const { job, folders } = options;
  const [ssh] = findPrograms('ssh', parts.toolchain.path);
  const [scan] = findPrograms('ssh-keyscan', parts.toolchain.path);
  if (!ssh || !scan)
    throw cloneFailure('this server has no ssh. Install it, or use an HTTPS URL with a token');
  if (options.run.account && !parts.sandbox.bubblewrap)
    throw cloneFailure('ssh needs bubblewrap on this server. Install it, or use an HTTPS URL with a token');
  if (!job.deployKey) throw cloneFailure("it has no deploy key. Create one in the project's settings");
  const { privateKey } = job.deployKey;
  const hostKeys = await knownKeys(parts, options, { scan, address });
  const at = (name: string) => join(folders.release, name);
  const [key, hosts, config] = [at('deploy-key'), at('known-hosts'), at('ssh-config')];
  const readable = [key, hosts, config];
  const remove = async () => {
    for (const file of readable) await rm(file, { force: true });
  };
  try {
    await writeForRun(options, key, privateKey);
    await writeForRun(options, hosts, hostKeys.map((line) => `${ALIAS} ${line}\n`).join(''));
    await writeForRun(options, config, settings({ address, key, hosts }));
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    // git has a shell read this: all words are ours.
    env: { GIT_SSH_COMMAND: `${quoted(ssh)} -F ${quoted(config)}`, GIT_SSH_VARIANT: 'ssh' },
    readable,
    [Symbol.asyncDispose]: remove,
  };
}

/** ssh_config(5). What is not set here ssh has from nowhere else. */
function settings({ address, key, hosts }: { address: string; key: string; hosts: string }): string {
  return [
    `HostName ${address}`,
    `HostKeyAlias ${ALIAS}`,
    `IdentityFile "${key}"`,
    ...['IdentitiesOnly yes', 'IdentityAgent none', 'BatchMode yes', 'PreferredAuthentications publickey'],
    ...['StrictHostKeyChecking yes', `UserKnownHostsFile "${hosts}"`, 'GlobalKnownHostsFile /dev/null'],
    ...['UpdateHostKeys no', 'CheckHostIP no', 'VerifyHostKeyDNS no', 'ForwardAgent no', 'ForwardX11 no'],
    ...['PermitLocalCommand no', 'ControlMaster no', 'ControlPath none', 'ProxyCommand none'],
    ...[`ConnectTimeout ${CONNECT_SECONDS}`, 'ServerAliveInterval 15', 'LogLevel ERROR'],
    '',
  ].join('\n');
}

/** Those that the host had when it was first used, or that it has now, which are kept. */
async function knownKeys(
  parts: BuildParts,
  options: RunningBuild,
  { scan, address }: { scan: string; address: string },
): Promise<readonly string[]> {
  const { deployKey, repositoryUrl } = options.job;
  const { host = '', port = 22 } = readSshAddress(repositoryUrl) ?? {};
  const name = `${host}:${port}`;
  if (deployKey?.host === name && deployKey.hostKeys.length > 0) return deployKey.hostKeys;
  let said = '';
  const argv = [
    scan,
    '-T',
    String(CONNECT_SECONDS),
    '-p',
    String(port),
    '-t',
    'ed25519,ecdsa,rsa',
    '--',
    address,
  ];
  await runCommand(
    parts,
    {
      ...{ argv, folder: options.folders.home, run: options.run, maxFileBytes: 0, sharesNetwork: true },
      env: { PATH: parts.toolchain.path, LC_ALL: 'C', HOME: options.folders.home },
    },
    {
      log: {
        write(stream, text) {
          if (stream === 'stdout') said = (said + text).slice(0, MAX_SAID);
        },
      },
      signal: options.signal,
    },
  );
  const hostKeys = said
    .split('\n')
    .map((line) => line.split(' ').slice(1).join(' '))
    .filter((line) => HOST_KEY.test(line))
    .slice(0, MAX_HOST_KEYS);
  if (hostKeys.length === 0) throw cloneFailure('the Git server is unreachable');
  options.log.system(`First connection to ${name}: its host keys are kept.`);
  await deployKey?.onHostKeys({ host: name, hostKeys });
  return hostKeys;
}

/** Writes what nobody but this run and we can read, in a folder that only we can write. */
async function writeForRun({ run: { account } }: RunningBuild, path: string, text: string): Promise<void> {
  await rm(path, { force: true });
  await writeFile(path, text, { mode: 0o600, flag: 'wx' });
  if (!account) return;
  await using file = await open(path, 'r');
  await file.chown(0, account.gid);
  await file.chmod(0o440);
}

/** A word for a shell that is read as it is. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
