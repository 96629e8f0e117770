import type { TokenResource, TokenScope, User } from '@nephos/contracts';
import type { Origin } from '@nephos/contracts/implement';
import type { TakenBody } from '@nephos/contracts/kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallerWorkspace, Impersonator } from '../core/context.ts';
import type { FactorDemander } from '../platform/factor-demands.ts';
import { bodyOf } from './bytes.ts';

/** Who somebody is by what their request carries; nobody, where all are null. */
export interface Identity {
  user: User | null;
  /** Public id of the session in use. */
  sessionId: string | null;
  /** What the access token in use may do; null for a session. */
  tokenScope: TokenScope | null;
  /** What that access token is called; null for a session. */
  tokenName: string | null;
  /** The one thing that the access token in use opens; absent or null for all of the workspace. */
  tokenResource?: TokenResource | null;
  /** The workspace that is asked for, or the usual one; null where they are no member, or the token is of another. */
  workspace: CallerWorkspace | null;
  /** The administrator who is signed in as `user`; absent or null for themself. */
  impersonator?: Impersonator | null;
  /** Whether the session was begun, or its person proved who they are, within the last hour. */
  isProven: boolean;
  /** Who demands a second factor that they lack: the installation, or the call's workspace; null for nobody. */
  factorDemandedBy: FactorDemander | null;
}

/** Says who it is by an access token or a session cookie; a session that was prolonged has a new cookie. */
export type Identify = (credentials: {
  authorization: string | undefined;
  cookie: string | undefined;
  /** Id of the workspace that is asked for; absent: the token's, else the session's, else the person's own. */
  workspace?: string | undefined;
}) => Promise<Identity & { setCookie?: string | undefined }>;

/** Who calls a procedure. */
export interface Caller extends Identity {
  requestId: string;
  /** Absent where no request is behind the call: the assistant asks in somebody's name. */
  request?: {
    ip: string;
    /** The header `Idempotency-Key`. */
    key: string | undefined;
    body: TakenBody;
    /** Says where an answer comes from that this call did not make. */
    tell(origin: Origin): void;
    /** Ends the connection. */
    hangUp(): void;
  };
}

/** Names the workspace that a call is made in, by its id. */
export const WORKSPACE_HEADER = 'x-workspace';

function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/** Says of anybody that they are nobody. */
export const nobody: Identify = async () => ({
  user: null,
  sessionId: null,
  tokenScope: null,
  tokenName: null,
  isProven: false,
  factorDemandedBy: null,
  workspace: null,
});

/** Reads who sends a request; the session's new cookie goes with the answer. */
export async function readCaller(
  identify: Identify,
  request: FastifyRequest,
  reply: FastifyReply,
  workspace = firstOf(request.headers[WORKSPACE_HEADER]),
): Promise<Caller> {
  const { authorization, cookie } = request.headers;
  const { setCookie, ...identity } = await identify({ authorization, cookie, workspace });
  if (setCookie) reply.header('set-cookie', setCookie);
  return {
    ...identity,
    requestId: request.id,
    request: {
      ip: request.ip,
      key: firstOf(request.headers['idempotency-key']),
      body: bodyOf(request),
      tell({ found, replayed }) {
        if (found) reply.code(200);
        if (replayed) reply.header('idempotency-replayed', 'true');
      },
      hangUp: () => {
        request.raw.destroy();
      },
    },
  };
}
