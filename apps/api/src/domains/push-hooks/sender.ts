import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A request to a push hook, its body as it came. */
export interface HookCall {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** How a kind of sender writes its headers. */
export interface Sender {
  /** As people read it; '' for a program of one's own. */
  name: 'GitHub' | 'Gitea' | 'GitLab' | 'Bitbucket' | '';
  /** Lower-case header that proves that the sender has the secret. */
  proof: string;
  /** What stands before a hexadecimal HMAC-SHA-256 of the body, or before the secret itself. */
  prefix: string;
  /** Whether it is the secret itself. */
  showsSecret: boolean;
  /** Header that names what happened. */
  event: string;
  /** Headers of which the first that is there tells a repetition from something new. */
  ids: readonly string[];
}

/** Gitea's kin sends GitHub's headers as well, so it is asked for first. */
const SENDERS: readonly Sender[] = [
  {
    ...{ name: 'GitLab', proof: 'x-gitlab-token', prefix: '', showsSecret: true },
    ...{ event: 'x-gitlab-event', ids: ['idempotency-key', 'x-gitlab-event-uuid'] },
  },
  {
    ...{ name: 'Gitea', proof: 'x-gitea-signature', prefix: '', showsSecret: false },
    ...{ event: 'x-gitea-event', ids: ['x-gitea-delivery'] },
  },
  {
    ...{ name: 'GitHub', proof: 'x-hub-signature-256', prefix: 'sha256=', showsSecret: false },
    ...{ event: 'x-github-event', ids: ['x-github-delivery'] },
  },
  {
    ...{ name: 'Bitbucket', proof: 'x-hub-signature', prefix: 'sha256=', showsSecret: false },
    ...{ event: 'x-event-key', ids: ['x-request-uuid', 'x-request-id'] },
  },
  {
    ...{ name: '', proof: 'authorization', prefix: 'Bearer ', showsSecret: true },
    ...{ event: '', ids: ['idempotency-key'] },
  },
];

/** Who sent a request, if it proves that it has the secret. */
export function authenticSender({ headers, body }: HookCall, secret: string): Sender | undefined {
  const sender = SENDERS.find(({ proof }) => headers[proof] !== undefined);
  if (!sender) return undefined;
  const given = String(headers[sender.proof]);
  const proof = sender.showsSecret ? secret : createHmac('sha256', secret).update(body).digest('hex');
  return isSame(given, sender.prefix + proof) ? sender : undefined;
}

/** In a time that tells nothing of either. */
function isSame(given: string, wanted: string): boolean {
  const [one, other] = [given, wanted].map((text) => createHash('sha256').update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}

/** What happened in the sender's words; `push` where it has none. */
export function eventOf({ event }: Sender, headers: IncomingHttpHeaders): string {
  return shortened(headers[event]) ?? 'push';
}

/** The same for each repetition of one delivery; null where the sender does not say. */
export function deliveryIdOf({ ids }: Sender, headers: IncomingHttpHeaders): string | null {
  return ids.map((name) => shortened(headers[name])).find((id) => id !== undefined) ?? null;
}

function shortened(header: string | string[] | undefined): string | undefined {
  return header === undefined || header === '' ? undefined : String(header).slice(0, 200);
}
