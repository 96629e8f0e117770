import { createReadStream, readdirSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import sirv from 'sirv';
import { answerBegan } from '../../../observability/app-figures.ts';
import type { DeployedApp, LogWriter } from '../engine.ts';
import { refuseUpgrade, sendPage } from './app-pages.ts';
import type { LiveApp } from './live-app.ts';
import { countRequests } from './requests-under-way.ts';

export interface StaticAppOptions {
  app: DeployedApp;
  /** The sealed folder. */
  site: string;
  /** Navigations to unknown paths get index.html. */
  singlePage: boolean;
  log: LogWriter;
}

/** A site served from its sealed folder, in this process. */
export function createStaticApp({ app, site, singlePage, log }: StaticAppOptions): LiveApp {
  const requests = countRequests();
  const entries = readdirSync(site, { recursive: true, encoding: 'utf8' });
  const folders = new Set(
    entries.filter((name) => name.endsWith('/index.html')).map((name) => `/${dirname(name)}`),
  );
  const has404 = entries.includes('404.html');
  // The name that sites give a page for their unknown paths which is not an error.
  const fallback = entries.includes('200.html') ? '200.html' : singlePage ? 'index.html' : undefined;
  const notFound = (request: IncomingMessage, response: ServerResponse) => {
    const isNavigation = request.headers.accept?.includes('text/html') ?? false;
    if (fallback && isNavigation) sendFile(request, response, { file: join(site, fallback), status: 200 });
    else if (has404) sendFile(request, response, { file: join(site, '404.html'), status: 404 });
    else sendPage(request, response, 'missing');
  };
  const files = sirv(site, { etag: true, maxAge: 0, onNoMatch: notFound });
  return {
    deploymentId: app.deploymentId,
    release: app.rollbackOf ?? app.deploymentId,
    projectId: app.projectId,
    slug: app.slug,
    processes: () => [],
    serve(request, response) {
      requests.begin(response);
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        if (request.httpVersionMajor === 1) response.setHeader('connection', 'close');
        response.writeHead(405, { allow: 'GET, HEAD' }).end();
        return;
      }
      closeWithResponse(response);
      dropOddRange(request);
      response.setHeader('x-content-type-options', 'nosniff');
      const [path = '/', query] = (request.url ?? '/').split('?', 2);
      // Relative links of a folder's page need the slash at the end of its address.
      const location = `${path}/${query === undefined ? '' : `?${query}`}`;
      if (folders.has(path)) response.writeHead(301, { location }).end();
      else files(request, response);
    },
    upgrade: (_request, socket) => refuseUpgrade(socket, 404),
    async stop({ drain, keepLog = false }) {
      await requests.ended(drain);
      if (!keepLog) await log.close();
    },
    leave: () => log.close(),
    ownPort: () => null,
    whyAlone: () => undefined,
    suspend: async () => {},
    resume: async () => {},
  };
}

/** sirv does not look after the streams by which it reads: their errors would end us, and left ones stay open. */
function closeWithResponse(response: ServerResponse): void {
  response.once('pipe', (source: Readable) => {
    answerBegan(response);
    source.once('error', () => response.destroy());
    response.once('close', () => source.destroy());
  });
}

/** Leaves only ranges that sirv reads as they are meant; the others may be ignored (RFC 9110 §14.2). */
function dropOddRange({ headers }: IncomingMessage): void {
  const [, first, last] = /^bytes=(\d{1,15})-(\d{1,15})?$/.exec(headers.range ?? '') ?? [];
  const isPlain = first !== undefined && (last === undefined || Number(last) >= Math.max(Number(first), 1));
  if (!isPlain) delete headers.range;
}

function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  { file, status }: { file: string; status: number },
): void {
  response.writeHead(status, {
    'content-type': 'text/html;charset=utf-8',
    'content-length': statSync(file).size,
    'cache-control': 'no-cache',
  });
  if (request.method === 'HEAD') response.end();
  else createReadStream(file).pipe(response);
}
