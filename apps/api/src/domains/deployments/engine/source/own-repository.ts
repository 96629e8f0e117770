import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { finished, type Readable, type Writable } from 'node:stream';
import { byteSize } from '../../../../platform/byte-size.ts';
import type { DeployedApp, GitAnswer, GitRequest, OpenRepository } from '../engine.ts';
import {
  makePassage,
  makePrivate,
  projectFolder,
  type ReleaseFolders,
  repositoryFolders,
} from '../folders.ts';
import { accountOf } from '../process/account.ts';
import { cloneEnvironment } from '../process/environment.ts';
import { folderSize } from '../process/folder-size.ts';
import { Breach, guard } from '../process/guard.ts';
import type { ProcessParts } from '../process/process-parts.ts';
import { runCommand, spawnCommand } from '../process/run-command.ts';
import type { Run } from '../process/runs.ts';
import { readCgiHead } from './cgi-head.ts';
import { pushSettings } from './push-settings.ts';

const MB = 1024 ** 2;
/** For what is asked of a repository beside a push. */
const ASK_MS = 30_000;
/** Characters of branches, or of files, that are read. */
const MAX_LISTED = 4 * MB;
const MAX_MESSAGE = 16 * 1024;
/** A branch as it is listed: whether it is the default, its commit, its name. */
const BRANCH = /^([* ])([0-9a-f]+) (.+)$/gm;
/** Between SIGTERM, at which git removes what it has of an unfinished push, and SIGKILL. */
const GRACE_MS = 1000;

interface Place {
  folders: ReleaseFolders;
  env: Record<string, string>;
  git: string;
  run: Run;
}

/** Whether a project's repository was made here. */
export function hasOwnRepository({ root }: Pick<ProcessParts, 'root'>, projectId: string): boolean {
  return existsSync(repositoryFolders(root, projectId).manifest);
}

/**
 * Opens the bare repository that a project is pushed to, which is made at first. All that is done in it is done by git,
 * as the project's account, in a run that sees this repository alone and no network.
 */
export async function openOwnRepository(
  parts: ProcessParts,
  { projectId, account: number }: Pick<DeployedApp, 'projectId' | 'account'>,
): Promise<OpenRepository> {
  const { git, gitReason } = parts.toolchain;
  if (!git) throw new Error(gitReason);
  const account = accountOf(number, parts.instance);
  const folders = repositoryFolders(parts.root, projectId);
  await makePassage(projectFolder(parts.root, projectId));
  await makePassage(folders.release);
  for (const folder of [folders.app, folders.home, folders.tmp]) await makePrivate(folder, account);
  const { buildMemory, threads: tasks } = parts.limits;
  const run = await parts.runs.open(account, {
    folders,
    limits: { memory: buildMemory / MB, cpu: null, tasks },
  });
  const env = {
    ...cloneEnvironment(parts, { folders, gitConfig: '/dev/null' }),
    ...pushSettings(parts.limits),
  };
  const place = { folders, env, git, run };
  let closing: Promise<void> | undefined;
  const ask = (args: string[], max?: number) => {
    if (closing) throw new Error('the repository is closed');
    return askRepository(parts, place, args, max);
  };
  const opened: OpenRepository = {
    async whyFull() {
      const { repositoryBytes } = parts.limits;
      if ((await folderSize([folders.app])) <= repositoryBytes) return '';
      return `This project's repository has more than ${byteSize(repositoryBytes)}, so nothing more can be pushed to it.`;
    },
    async answer(request) {
      if (closing) throw new Error('the repository is closed');
      return answerByCgi(parts, place, request);
    },
    async branches() {
      const listed = await ask(
        ['for-each-ref', '--format=%(HEAD)%(objectname) %(refname:strip=2)', 'refs/heads'],
        MAX_LISTED,
      );
      return [...listed.matchAll(BRANCH)].map(([, head, commit = '', name = '']) => ({
        ...{ name, commit },
        isDefault: head === '*',
      }));
    },
    messageOf: (commit) => ask(['log', '-1', '--format=%B', commit, '--'], MAX_MESSAGE),
    async changedFiles(from, to) {
      const diff = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', from, to, '--'];
      const listed = await ask(diff, MAX_LISTED).catch(() => undefined);
      return listed === undefined || listed.length === MAX_LISTED
        ? undefined
        : listed.split('\0').filter((file) => file !== '');
    },
    async setDefaultBranch(name) {
      await ask(['symbolic-ref', 'HEAD', `refs/heads/${name}`]);
    },
    [Symbol.asyncDispose]() {
      closing ??= run.end(GRACE_MS).then(() => run[Symbol.asyncDispose]());
      return closing;
    },
  };
  try {
    // Beside it, where only we can write: whether it was made whole.
    if (!existsSync(folders.manifest)) {
      await ask(['init', '--quiet', '--bare', '--template=', '--initial-branch=main']);
      await writeFile(folders.manifest, '{}\n');
    }
  } catch (error) {
    await opened[Symbol.asyncDispose]();
    throw error;
  }
  return opened;
}

/** What git prints, at most `max` characters. */
async function askRepository(
  parts: ProcessParts,
  { folders, env, git, run }: Place,
  args: string[],
  max = MAX_MESSAGE,
): Promise<string> {
  let said = '';
  let complaint = '';
  const exit = await runCommand(
    parts,
    {
      ...{ argv: [git, ...args], folder: folders.app, env, run },
      maxFileBytes: parts.limits.repositoryBytes,
    },
    {
      log: {
        write(stream, text) {
          if (stream === 'stdout') {
            if (said.length < max) said = (said + text).slice(0, max);
          } else complaint = (complaint + text).slice(0, MAX_MESSAGE);
        },
      },
      signal: AbortSignal.timeout(ASK_MS),
    },
  );
  if (exit.code !== 0) throw new Error(`git ${args[0]} failed: ${complaint.trim()}`);
  return said;
}

/** Has git's own CGI program answer a request (git-http-backend(1)); the whole body is its input. */
async function answerByCgi(
  parts: ProcessParts,
  { folders, env, git, run }: Place,
  { service, advertises, protocol, contentEncoding, body }: GitRequest,
): Promise<GitAnswer> {
  const {
    pushTime: time,
    repositoryBytes,
    pushBytes,
    buildMemory: memory,
    processes,
    sampleTime,
  } = parts.limits;
  const disk = { folders: [folders.app], bytes: repositoryBytes + pushBytes, rest: 0 };
  const bounds = guard(run, { time, memory, processes, disk }, sampleTime);
  const child = spawnCommand(parts, {
    argv: [git, 'http-backend'],
    folder: folders.app,
    env: {
      ...env,
      GIT_PROJECT_ROOT: folders.release,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: `/app/${advertises ? 'info/refs' : service}`,
      QUERY_STRING: advertises ? `service=${service}` : '',
      REQUEST_METHOD: advertises ? 'GET' : 'POST',
      CONTENT_TYPE: advertises ? '' : `application/x-${service}-request`,
      ...(contentEncoding && { HTTP_CONTENT_ENCODING: contentEncoding }),
      ...(protocol && { GIT_PROTOCOL: protocol }),
      REMOTE_USER: 'owner',
      REMOTE_ADDR: 'localhost',
    },
    run,
    maxFileBytes: repositoryBytes,
    input: true,
  });
  let received = 0;
  body.on('data', (chunk: Buffer) => {
    received += chunk.length;
  });
  const ended = new Promise<void>((resolve) => finished(child.stdout, () => resolve()));
  bounds.signal.addEventListener('abort', () => void run.end(GRACE_MS));
  child.stderr.resume();
  if (child.stdin) feedBody(body, child.stdin);
  const output: AsyncIterator<Buffer> = child.stdout[Symbol.asyncIterator]();
  const done = async () => {
    bounds[Symbol.dispose]();
    await run.end(bounds.signal.aborted ? GRACE_MS : 0);
    // What was not read of it would keep it open.
    await output.return?.();
    await ended;
  };
  const head = await readCgiHead(output).catch(async (error: unknown) => {
    await done();
    throw error;
  });
  return {
    ...head,
    body: bodyOf(output, { first: head.rest, done }),
    fault() {
      const { reason } = bounds.signal;
      if (reason instanceof Breach) return `This was stopped: ${reason.message}.`;
      return received > pushBytes ? `A push can have up to ${byteSize(pushBytes)}.` : '';
    },
  };
}

/** git may stop reading before the end, and says why in its answer, which a broken connection would cost. */
function feedBody(body: Readable, input: Writable): void {
  const drop = () => {
    body.unpipe(input);
    body.resume();
  };
  input.once('error', drop).once('close', drop);
  body.once('close', () => input.end());
  if (body.destroyed) input.end();
  else body.pipe(input);
}

async function* bodyOf(
  output: AsyncIterator<Buffer>,
  { first, done }: { first: Buffer; done: () => Promise<void> },
): AsyncGenerator<Buffer> {
  try {
    if (first.length > 0) yield first;
    for (let next = await output.next(); !next.done; next = await output.next()) yield next.value;
  } finally {
    await done();
  }
}
