import type { Dispatcher } from 'undici';
import { z } from 'zod';
import type { MirrorSettings } from '../../../core/settings.ts';
import {
  AddressRefused,
  MAX_REDIRECTS,
  pinnedClient,
  redirectOf,
} from '../../../platform/pinned-connection.ts';

/** The other registry cannot be asked, or answers what no registry answers. */
export class UpstreamAway extends Error {
  override readonly name = 'UpstreamAway';
}

/** Whoever asked reads the body or dumps it. */
export type UpstreamAnswer = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'>;

export interface Question {
  method: 'GET' | 'HEAD';
  /** Of the repository there. */
  name: string;
  /** Below the repository, for example `manifests/latest`. */
  path: string;
  accept?: string;
}

/** Asks the registry that is mirrored, and logs in to it as it demands. Rejects with `UpstreamAway`. */
export type AskUpstream = (question: Question) => Promise<UpstreamAnswer>;

/** Milliseconds until an answer begins, and between two pieces of it. */
const PATIENCE = 20_000;
const TOKEN_ANSWER_MAX = 64 * 1024;
/** A token is used for less long than it is good for. */
const TOKEN_MARGIN_MS = 20_000;
const TOKENS_MAX = 500;

const Token = z
  .object({
    token: z.string().optional(),
    access_token: z.string().optional(),
    expires_in: z.number().optional(),
  })
  .transform(({ token, access_token, expires_in = 60 }) => ({
    token: token ?? access_token,
    seconds: expires_in,
  }));

interface Kept {
  authorization: string;
  until: number;
}

/**
 * Clients name repositories alone: hosts are the configured one, and those that it leads to for tokens and for bytes,
 * which have to be public and https, unless `allowPrivate` says otherwise. The password is shown to the configured host, and
 * to where that asks for log-ins.
 */
export function createUpstream(
  { url, username, password }: MirrorSettings,
  { allowPrivate }: { allowPrivate: boolean },
): AskUpstream {
  const tokens = new Map<string, Kept>();
  const basic =
    username === undefined
      ? undefined
      : `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}`;

  async function send(
    target: URL,
    { method, headers }: { method: Question['method']; headers: Record<string, string> },
  ): Promise<UpstreamAnswer> {
    const signal = AbortSignal.timeout(PATIENCE);
    const client = await pinnedClient(
      target,
      { signal, allowPrivate, trustedOrigin: url.origin },
      { headersTimeout: PATIENCE, bodyTimeout: PATIENCE, connectTimeout: PATIENCE },
    );
    try {
      const asked = { ...headers, 'accept-encoding': 'identity', 'user-agent': 'Nephos' };
      const path = target.pathname + target.search;
      const answer = await client.request({ method, path, headers: asked });
      answer.body.once('close', () => void client.destroy());
      return answer;
    } catch (error) {
      await client.destroy();
      throw error;
    }
  }

  /** Answers a challenge; undefined where it is none that we have an answer to. */
  async function logIn(challenge: string, name: string): Promise<Kept | undefined> {
    const scheme = challenge.split(' ')[0]?.toLowerCase();
    if (scheme === 'basic')
      return basic ? { authorization: basic, until: Number.POSITIVE_INFINITY } : undefined;
    const { realm, service } = Object.fromEntries(
      [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]),
    );
    if (scheme !== 'bearer' || realm === undefined || !URL.canParse(realm)) return undefined;
    const target = new URL(realm);
    if (service !== undefined) target.searchParams.set('service', service);
    target.searchParams.set('scope', `repository:${name}:pull`);
    const { statusCode, body } = await send(target, {
      method: 'GET',
      headers: basic === undefined ? {} : { authorization: basic },
    });
    const text = await readAll(body, TOKEN_ANSWER_MAX);
    if (statusCode !== 200) return undefined;
    const { token, seconds } = Token.parse(JSON.parse(text.toString('utf8')));
    if (token === undefined) return undefined;
    return { authorization: `Bearer ${token}`, until: Date.now() + seconds * 1000 - TOKEN_MARGIN_MS };
  }

  async function follow(question: Question, authorization: string | undefined): Promise<UpstreamAnswer> {
    const { method, name, path, accept } = question;
    let target = new URL(`${url.pathname.replace(/\/$/, '')}/v2/${name}/${path}`, url);
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      const isConfigured = target.origin === url.origin;
      const answer = await send(target, {
        method,
        headers: {
          ...(accept !== undefined && { accept }),
          ...(isConfigured && authorization !== undefined && { authorization }),
        },
      });
      const elsewhere = redirectOf(answer, target);
      if (!elsewhere && (isConfigured || answer.statusCode !== 401)) return answer;
      await answer.body.dump();
      // Whoever only has the bytes asks for no log-in of ours.
      if (!elsewhere) throw new UpstreamAway('it does not let us in where it leads to');
      target = elsewhere;
    }
    throw new UpstreamAway('it redirects too often');
  }

  async function ask(question: Question): Promise<UpstreamAnswer> {
    const { name } = question;
    const kept = tokens.get(name);
    const first = await follow(question, kept && kept.until > Date.now() ? kept.authorization : undefined);
    const challenge = first.headers['www-authenticate'];
    if (first.statusCode !== 401 || typeof challenge !== 'string') return first;
    await first.body.dump();
    const login = await logIn(challenge, name);
    if (!login) throw new UpstreamAway('it does not let us in');
    if (tokens.size >= TOKENS_MAX) tokens.clear();
    tokens.set(name, login);
    return follow(question, login.authorization);
  }

  return async (question) => {
    try {
      return await ask(question);
    } catch (error) {
      if (error instanceof UpstreamAway) throw error;
      if (error instanceof AddressRefused) throw new UpstreamAway(error.message, { cause: error });
      throw new UpstreamAway('it does not answer', { cause: error });
    }
  };
}

/** A whole body. Rejects with `UpstreamAway` past `limit` bytes. */
export async function readAll(body: AsyncIterable<Buffer>, limit: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > limit) throw new UpstreamAway('its answer is too long');
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
