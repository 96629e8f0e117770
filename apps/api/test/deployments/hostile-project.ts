import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { chmod, lchown, lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DETECTED_SETTINGS } from '@nephos/contracts';
import {
  makePassage,
  makePrivate,
  type ReleaseFolders,
  releaseFolders,
} from '../../src/domains/deployments/engine/folders.ts';
import { reachableCopy } from '../../src/domains/deployments/engine/process/reachable-copy.ts';
import type { BuildOptions } from '../../src/domains/deployments/engine/runtime.ts';

/** The account of the project under test: nobody else on this machine has it. */
export const ACCOUNT = { uid: 19_901, gid: 19_901 };

/** The folders of one project whose own processes are hostile, beside a folder that only root may read. */
export interface HostileProject {
  /** Root's folder, closed to everybody else. */
  keys: string;
  /** What the folder of keys is like: modes, owners and texts of all that is in it. */
  stateOfKeys(): Promise<unknown>;
  /** A new release as the build finds it, with these files of the project's in `app`. */
  newRelease(files?: Readonly<Record<string, string>>): Promise<BuildOptions & { folders: ReleaseFolders }>;
  /** Runs JavaScript as the project's account, and resolves when it printed its first line. */
  run(code: string, ...args: string[]): Promise<ChildProcess>;
  /** Ends what `run` began. */
  end(): Promise<void>;
  close(): Promise<void>;
}

export async function createHostileProject(): Promise<HostileProject> {
  const root = await mkdtemp(join(tmpdir(), 'nephos-hostile-'));
  await chmod(root, 0o711);
  const node = reachableCopy(realpathSync(process.execPath), join(root, 'node'));
  const keys = join(root, 'keys');
  await mkdir(keys, { mode: 0o700 });
  // Names that templates and sites have, so that a swapped folder is met with its own files.
  for (const name of ['index.html', 'style.css', 'app.js']) {
    await writeFile(join(keys, name), 'only root may read this', { mode: 0o600 });
  }
  const running: ChildProcess[] = [];
  const end = async () => {
    const children = running.splice(0);
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(children.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')));
  };

  return {
    keys,
    async stateOfKeys() {
      const paths = [keys, ...(await readdir(keys)).sort().map((name) => join(keys, name))];
      return Promise.all(
        paths.map(async (path) => {
          const { mode, uid, gid } = await lstat(path);
          return { path, mode, uid, gid, text: path === keys ? '' : await readFile(path, 'utf8') };
        }),
      );
    },
    async newRelease(files = {}) {
      const options = optionsFor(releaseFolders(root, 'project', randomUUID()));
      await makePassage(options.folders.release);
      await makePrivate(options.folders.app, ACCOUNT);
      for (const [name, text] of Object.entries(files)) await writeOwn(options.folders.app, name, text);
      return options;
    },
    async run(code, ...args) {
      const child = spawn(node, ['-e', code, ...args], {
        ...ACCOUNT,
        cwd: '/',
        env: {},
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      running.push(child);
      await once(child.stdout, 'data');
      return child;
    },
    end,
    async close() {
      await end();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** Writes a file, with the folders above it, that belongs to the project. */
export async function writeOwn(folder: string, name: string, text: string): Promise<void> {
  const parts = name.split('/');
  for (let depth = 1; depth < parts.length; depth++) {
    const made = join(folder, ...parts.slice(0, depth));
    await mkdir(made, { recursive: true });
    await lchown(made, ACCOUNT.uid, ACCOUNT.gid);
  }
  await writeFile(join(folder, name), text);
  await lchown(join(folder, name), ACCOUNT.uid, ACCOUNT.gid);
}

function optionsFor(folders: ReleaseFolders): BuildOptions {
  return {
    folders,
    account: ACCOUNT,
    signal: new AbortController().signal,
    log: { write() {}, system() {}, close: async () => {} },
    job: {
      deploymentId: randomUUID(),
      projectId: randomUUID(),
      slug: 'hostile',
      account: 0,
      healthPath: '',
      settings: DETECTED_SETTINGS,
      disks: [],
      variables: {},
      clearCache: false,
      savesDisks: false,
      buildsApart: false,
      buildVariables: {},
      rollbackOf: null,
      framework: 'static',
      repositoryCredentials: null,
      deployKey: null,
      repositoryUrl: '',
      pushed: null,
      template: null,
      recipe: null,
      image: null,
      branch: 'main',
      imageTarget: () => Promise.reject(new Error('Nothing is pushed here.')),
      onProgress: async () => {},
      onSwitch: async () => {},
    },
  };
}
