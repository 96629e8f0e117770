import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { plainPage } from '../../../../http/plain-page.ts';
import { closeIfUnread } from '../../../../http/send-elsewhere.ts';
import type { AbsentApp } from '../engine.ts';

/** Why a visitor of an app's address gets a page of ours. */
export type PageReason =
  | AbsentApp
  | 'starting'
  | 'broken'
  | 'slow'
  | 'missing'
  | 'crowded'
  | 'busy'
  | 'worker';

interface Page {
  status: number;
  title: string;
  text: string;
  /** Seconds after which it is worth asking again. */
  retry?: number;
}

const PAGES: Readonly<Record<PageReason, Page>> = {
  unknown: { status: 404, title: 'No app here', text: 'There is no app at this address.' },
  empty: { status: 404, title: 'Nothing deployed yet', text: 'This app has not been deployed yet.' },
  deploying: {
    status: 503,
    title: 'Deploying',
    text: 'This app is being deployed. This page refreshes automatically.',
    retry: 5,
  },
  stopped: { status: 503, title: 'Stopped', text: 'This app was stopped by its owner.' },
  failed: { status: 503, title: 'Not running', text: 'This app crashed or failed to deploy.' },
  starting: {
    status: 503,
    title: 'Starting',
    text: 'This app is starting. This page refreshes automatically.',
    retry: 2,
  },
  worker: {
    status: 404,
    title: 'No web process',
    text: 'This app runs in the background and has no web process.',
  },
  broken: { status: 502, title: 'No response', text: 'The app closed the connection without responding.' },
  missing: { status: 404, title: 'Not found', text: 'This page does not exist.' },
  crowded: {
    status: 429,
    title: 'Too many requests',
    text: 'Too many requests from your IP address for apps that do not exist. This page refreshes automatically.',
    retry: 60,
  },
  busy: {
    status: 429,
    title: 'Too many requests',
    text: 'Too many requests from your IP address. This page refreshes automatically.',
    retry: 60,
  },
  slow: { status: 504, title: 'Timed out', text: 'The app took too long to respond.' },
};

/** Answers with one of our pages; it says nothing about the project but what its visitor needs. */
export function sendPage(request: IncomingMessage, response: ServerResponse, reason: PageReason): void {
  const { status, ...page } = PAGES[reason];
  const body = plainPage(page);
  closeIfUnread(request, response);
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    ...(page.retry === undefined ? {} : { 'retry-after': String(page.retry) }),
  });
  response.end(body);
}

/** Answers an upgrade request that goes nowhere. */
export function refuseUpgrade(socket: Duplex, status: 404 | 502 | 503): void {
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
