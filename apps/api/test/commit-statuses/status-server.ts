import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A commit status as a Git host understood it. */
export interface Taken {
  host: 'GitHub' | 'GitLab' | 'Gitea' | 'Bitbucket';
  repository: string;
  commit: string;
  state: string;
  name: string;
  description: string;
  page: string;
}

/** Answers as a Git host would that is asked for something else than a status. */
export type Refusing = { status: number; headers?: Record<string, string>; body?: string };

export interface StatusServer {
  origin: string;
  /** What each request brought, refused ones included. */
  asked: string[];
  taken: Taken[];
  /** What the next requests are answered with, before they are looked at. */
  refuse: Refusing[];
  close(): Promise<void>;
}

const COMMIT = /^[0-9a-f]{40}$/;

/** Reads each protocol by the paths, headers and fields that its documentation asks for; anything else is refused. */
const READERS: ((path: string, authorization: string, body: Record<string, string>) => Taken | undefined)[] =
  [
    (path, authorization, { state = '', context = '', description = '', target_url = '' }) => {
      const [, repository, commit] = /^\/api\/v3\/repos\/([^/]+\/[^/]+)\/statuses\/(\w+)$/.exec(path) ?? [];
      if (!repository || !commit || authorization !== 'Bearer right') return undefined;
      if (!['error', 'failure', 'pending', 'success'].includes(state)) return undefined;
      return { host: 'GitHub', repository, commit, state, name: context, description, page: target_url };
    },
    (path, authorization, { state = '', context = '', description = '', target_url = '' }) => {
      const [, repository, commit] = /^\/api\/v1\/repos\/([^/]+\/[^/]+)\/statuses\/(\w+)$/.exec(path) ?? [];
      if (!repository || !commit || authorization !== 'token right') return undefined;
      if (!['pending', 'success', 'error', 'failure', 'warning'].includes(state)) return undefined;
      return { host: 'Gitea', repository, commit, state, name: context, description, page: target_url };
    },
    (path, authorization, { state = '', context = '', description = '', target_url = '' }) => {
      const [, project, commit] = /^\/api\/v4\/projects\/([^/]+)\/statuses\/(\w+)$/.exec(path) ?? [];
      if (!project || !commit || authorization !== 'Bearer right') return undefined;
      if (!['pending', 'running', 'success', 'failed', 'canceled'].includes(state)) return undefined;
      const repository = decodeURIComponent(project);
      return { host: 'GitLab', repository, commit, state, name: context, description, page: target_url };
    },
    (path, authorization, { state = '', key = '', name = '', description = '', url = '' }) => {
      const [, commit] = /^\/rest\/build-status\/1\.0\/commits\/(\w+)$/.exec(path) ?? [];
      if (!commit || key.length > 40 || authorization !== `Basic ${btoa('ada:right')}`) return undefined;
      if (!['SUCCESSFUL', 'FAILED', 'INPROGRESS'].includes(state)) return undefined;
      return { host: 'Bitbucket', repository: '', commit, state, name, description, page: url };
    },
  ];

/** A loopback server that speaks as much of the APIs of Git hosts as commit statuses take. */
export async function startStatusServer(): Promise<StatusServer> {
  const told: Pick<StatusServer, 'asked' | 'taken' | 'refuse'> = { asked: [], taken: [], refuse: [] };
  const server = createServer((request, response) => void answer(told, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    ...told,
    origin: `http://127.0.0.1:${port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function answer(
  { asked, taken, refuse }: Pick<StatusServer, 'asked' | 'taken' | 'refuse'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const { method, url = '', headers } = request;
  asked.push(`${method} ${url} ${headers.authorization}`);
  const refused = refuse.shift();
  if (refused) {
    response.writeHead(refused.status, refused.headers).end(refused.body);
    return;
  }
  const body = JSON.parse(Buffer.concat(pieces).toString('utf8')) as Record<string, string>;
  const read = READERS.map((reader) => reader(url, headers.authorization ?? '', body)).find(Boolean);
  const isStatus = method === 'POST' && headers['user-agent'] && read && COMMIT.test(read.commit);
  if (isStatus) taken.push(read);
  response.writeHead(isStatus ? 201 : 401, { 'content-type': 'application/json' }).end('{}');
}
