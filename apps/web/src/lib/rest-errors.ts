import type { AppRouter, FieldError } from '@nephos/contracts';
import { TRPCClientError } from '@trpc/client';
import type { CallError } from './errors.ts';

/** The REST door's one shape of errors. */
interface RestRefusal {
  message: string;
  code: string;
  requestId: string;
  fields?: FieldError[];
}

/** JSON-RPC's number for an error of the server's own. */
const SERVER_ERROR = -32000;

/**
 * An answer that is not a success, as the error that the same refusal is through tRPC. One that is not ours, such as a
 * proxy's page, keeps its status alone.
 */
export function refusalOf(status: number, body: string): CallError {
  // `message` first: only our own server begins so.
  if (body.startsWith('{"message":')) {
    const refusal: RestRefusal = JSON.parse(body);
    return refused(status, refusal);
  }
  // The answer to HEAD has no body to say it.
  const words = status === 401 ? 'Unauthorized' : body;
  const response = new Response(null, { status });
  return TRPCClientError.from<AppRouter>(new Error(words), { meta: { response } });
}

export function refused(
  status: number,
  { message, code: reason, requestId, fields }: RestRefusal,
): CallError {
  const data = { code: 'BAD_REQUEST', httpStatus: status, reason, requestId, fields } as const;
  return TRPCClientError.from<AppRouter>({ error: { message, code: SERVER_ERROR, data } });
}

/** No answer came. */
export function unanswered(): CallError {
  return TRPCClientError.from<AppRouter>(new TypeError("Can't reach the server."));
}

/** The person ended the call. */
export function cancelled(): CallError {
  return TRPCClientError.from<AppRouter>(new DOMException('Cancelled', 'AbortError'));
}
