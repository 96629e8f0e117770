import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Settings } from '../core/settings.ts';
import { peerOf } from '../platform/client-address.ts';
import { hostName } from './request-target.ts';
import { trustOf } from './trusted-proxy.ts';
import { createVisitCounter } from './visit-limit.ts';

/** Finds what a host is to answer for a token; undefined where nobody waits for that. */
export type FindAnswer = (host: string, token: string) => Promise<string | undefined>;

/** Answers authorities that look whether a host is ours (RFC 8555 §8.3). */
export interface ChallengeServer {
  /** Whether a request may be one of theirs. */
  isAsked(request: IncomingMessage): boolean;
  /** Resolves to whether it was, and is answered. Never rejects. */
  answer(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
}

/** Of the path, the token: base64url of 128 bits at least. */
const PATH = /^\/\.well-known\/acme-challenge\/([\w-]{22,256})$/;
/** Of one address in a minute: each asks the database. */
const VISITS = 120;

/** Answers for tokens that somebody waits for; all else at that path is the app's. */
export function createChallengeServer({
  findAnswer,
  settings,
  log,
}: {
  findAnswer: FindAnswer;
  settings: Pick<Settings, 'rateLimits' | 'trustProxy'>;
  log: Logger;
}): ChallengeServer {
  const isTrusted = trustOf(settings.trustProxy);
  const countVisit = createVisitCounter(settings, VISITS);
  const tokenOf = ({ url = '' }: IncomingMessage) => PATH.exec(url)?.[1];

  async function find(request: IncomingMessage): Promise<string | undefined> {
    const host = hostName(request);
    if (countVisit(peerOf(request, isTrusted)) > 0) return undefined;
    try {
      return await findAnswer(host, tokenOf(request) ?? '');
    } catch (error) {
      log.warn({ err: error, host }, 'whether a certificate authority asks could not be read');
      return undefined;
    }
  }

  return {
    isAsked: (request) => request.method === 'GET' && tokenOf(request) !== undefined,
    async answer(request, response) {
      const answer = await find(request);
      if (answer === undefined) return false;
      response.writeHead(200, {
        'content-type': 'application/octet-stream',
        'content-length': Buffer.byteLength(answer),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
      response.end(answer);
      return true;
    },
  };
}
