import { execFile, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** By path: a text, bytes, a link's target, the commit of a submodule, or null to delete the file. */
export type Files = Record<string, string | Buffer | { link: string } | { submodule: string } | null>;

export interface GitServer {
  url(repository: string): string;
  /** The bare repository's folder, for an address with `file:`. */
  folder(repository: string): string;
  /** Makes a repository with one commit on `main`; resolves to the commit's id. */
  createRepository(name: string, files: Files): Promise<string>;
  commit(name: string, files: Files, message: string, branch?: string): Promise<string>;
  /** Makes another branch the repository's default. */
  setDefault(name: string, branch: string): Promise<void>;
  /** Paths asked for so far. */
  requests: string[];
  /** `Authorization` of these requests that had one. */
  authorizations: string[];
  /** Makes a repository private: it is there for `username:password` alone, and what was sent instead is said back. */
  protect(repository: string, credentials: string): void;
  close(): Promise<void>;
}

/** Serves Git repositories over HTTP on loopback, by git's own `http-backend`. */
export async function startGitServer(): Promise<GitServer> {
  const root = await mkdtemp(join(tmpdir(), 'nephos-git-'));
  await chmod(root, 0o755);
  const requests: string[] = [];
  const authorizations: string[] = [];
  const wanted = new Map<string, string>();
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const { authorization } = request.headers;
    if (authorization) authorizations.push(authorization);
    const credentials = wanted.get(/^\/(.+?)\.git\//.exec(request.url ?? '')?.[1] ?? '');
    if (credentials && authorization !== credentials) return askForLogin(response, authorization);
    serveByCgi(join(root, 'bare'), request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const work = (name: string) => join(root, 'work', name);

  const commit = async (name: string, files: Files, message: string, branch = 'main') => {
    const folder = work(name);
    await git(folder, 'checkout', '-q', '-B', branch);
    await writeFiles(folder, files);
    await git(folder, 'add', '-A', '-f');
    for (const [path, content] of Object.entries(files)) {
      if (content === null || typeof content === 'string' || !('submodule' in content)) continue;
      await git(folder, 'update-index', '--add', '--cacheinfo', `160000,${content.submodule},${path}`);
    }
    await git(folder, 'commit', '-q', '--allow-empty', '-m', message);
    await git(folder, 'push', '-q', '-f', join(root, 'bare', `${name}.git`), branch);
    return (await git(folder, 'rev-parse', 'HEAD')).trim();
  };
  return {
    requests,
    authorizations,
    protect: (name, credentials) =>
      void wanted.set(name, `Basic ${Buffer.from(credentials).toString('base64')}`),
    url: (name) => `${origin}/${name}.git`,
    folder: (name) => join(root, 'bare', `${name}.git`),
    async createRepository(name, files) {
      await mkdir(work(name), { recursive: true });
      await git(work(name), 'init', '-q', '-b', 'main');
      await git(root, 'init', '-q', '--bare', '-b', 'main', join(root, 'bare', `${name}.git`));
      return commit(name, files, `Create ${name}`);
    },
    commit,
    async setDefault(name, branch) {
      await git(join(root, 'bare', `${name}.git`), 'symbolic-ref', 'HEAD', `refs/heads/${branch}`);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(root, { recursive: true, force: true });
    },
  };
}

async function git(cwd: string, ...args: string[]): Promise<string> {
  const identity = [
    '-c',
    'user.name=Tester',
    '-c',
    'user.email=tester@example.com',
    '-c',
    'commit.gpgsign=false',
  ];
  const { stdout } = await run('git', [...identity, ...args], { cwd });
  return stdout;
}

async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await rm(path, { recursive: true, force: true });
    if (content === null) continue;
    if (typeof content === 'string' || Buffer.isBuffer(content)) await writeFile(path, content);
    else if ('submodule' in content) await mkdir(path);
    else await symlink(content.link, path);
  }
}

function askForLogin(response: ServerResponse, authorization = ''): void {
  const said = `Wrong: ${authorization} ${Buffer.from(authorization.slice('Basic '.length), 'base64')}\n`;
  response
    .writeHead(authorization === '' ? 401 : 403, {
      'www-authenticate': 'Basic',
      'content-type': 'text/plain',
    })
    .end(said);
}

/** RFC 3875, as much of it as git needs. */
function serveByCgi(projects: string, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: projects,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: String(request.headers['content-encoding'] ?? ''),
      REMOTE_ADDR: '127.0.0.1',
    },
  });
  child.stdin.on('error', () => {});
  request.pipe(child.stdin);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.once('close', () => {
    const output = Buffer.concat(chunks);
    const end = output.indexOf('\r\n\r\n');
    const lines = output.subarray(0, end).toString('latin1').split('\r\n');
    for (const line of lines) {
      const [name = '', value = ''] = line.split(/:\s*(.*)/s);
      if (name.toLowerCase() === 'status') response.statusCode = Number.parseInt(value, 10);
      else if (name) response.setHeader(name, value);
    }
    response.end(output.subarray(end + 4));
  });
}
