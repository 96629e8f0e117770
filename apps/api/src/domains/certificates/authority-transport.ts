import { getCACertificates } from 'node:tls';
import type { axios } from 'acme-client';
import { Agent, request } from 'undici';
import { secondsOfRetryAfter } from '../../platform/retry-after.ts';
import { AuthorityProblem } from './authority-problem.ts';

/** How the library has its requests sent. */
type Transport = Extract<(typeof axios)['defaults']['adapter'], (config: never) => unknown>;

/** Milliseconds. */
const PATIENCE = 20_000;
/** Bytes: a chain of certificates is the longest answer. */
const MOST = 256 * 1024;
const PROBLEM = 'urn:ietf:params:acme:error:';
/** Characters of an authority's words that are kept. */
const WORDS = 500;

/**
 * Sends requests to an authority. What it refuses, and that it cannot be reached, is thrown as `AuthorityProblem`: the
 * library would send such a request again for as long as it is told to wait, which may be hours. All that an authority
 * names is asked by https (RFC 8555 §6.1). `root` (PEM) vouches for it besides those that Node knows.
 */
export function createTransport(directory: string, root: string | undefined): Transport {
  const dispatcher = new Agent({
    connect: { ca: [...getCACertificates('default'), ...(root ? [root] : [])], timeout: PATIENCE },
    ...{ headersTimeout: PATIENCE, bodyTimeout: PATIENCE, maxResponseSize: MOST },
  });
  const { host } = new URL(directory);

  return async (config) => {
    const { url = '', method = 'GET', data } = config;
    if (URL.parse(url)?.protocol !== 'https:') {
      throw new AuthorityProblem(`The certificate authority at ${host} gave an address without https.`);
    }
    try {
      const { statusCode, headers, body } = await request(url, {
        dispatcher,
        method: method.toUpperCase() as 'GET' | 'HEAD' | 'POST',
        headers: config.headers.toJSON() as Record<string, string>,
        body: typeof data === 'string' ? data : null,
        signal: AbortSignal.timeout(PATIENCE),
      });
      const answer = await body.text();
      const problem = statusCode >= 400 ? problemOf(statusCode, answer, headers['retry-after']) : undefined;
      // The library repeats this one itself, with a nonce that is good.
      if (problem && problem.type !== 'badNonce') throw problem;
      return { status: statusCode, statusText: '', headers: flat(headers), config, data: answer };
    } catch (error) {
      if (error instanceof AuthorityProblem) throw error;
      throw new AuthorityProblem(`The certificate authority at ${host} can't be reached${codeOf(error)}.`);
    }
  };
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}

function problemOf(
  status: number,
  answer: string,
  retryAfter: string | string[] | undefined,
): AuthorityProblem {
  const { type, detail } = documentOf(answer);
  const words = detail === '' ? `The certificate authority answered ${status}.` : detail;
  return new AuthorityProblem(words.slice(0, WORDS), {
    type: type.startsWith(PROBLEM) ? type.slice(PROBLEM.length) : '',
    retryAfter: secondsOfRetryAfter(retryAfter),
    status,
  });
}

/** A problem document (RFC 9457), as far as the answer is one. */
function documentOf(answer: string): { type: string; detail: string } {
  try {
    const { type, detail } = Object(JSON.parse(answer));
    return { type: String(type ?? ''), detail: String(detail ?? '') };
  } catch {
    return { type: '', detail: '' };
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const code = 'code' in error ? String(error.code) : error.name;
  return ` (${code})`;
}
