import type { AppRouter } from '@nephos/contracts';
import { TRPCClientError, type TRPCClientErrorLike } from '@trpc/client';

/** A refused or broken call, as mutations and queries hand it to us. */
export type CallError = TRPCClientErrorLike<AppRouter>;

/** What is wrong with each faulty field of an input, by its dotted path. */
export type FieldErrors = Readonly<Record<string, string>>;

const UNAUTHORIZED = /^401: .*Unauthorized/;

/** Whether the person ended the call. */
export function isCancelled(error: CallError): boolean {
  return error instanceof TRPCClientError && error.cause?.name === 'AbortError';
}

/** HTTP status of the answer; undefined where there was none. */
export function statusOf(error: CallError): number | undefined {
  if (error.data) return error.data.httpStatus;
  const response = error instanceof TRPCClientError ? error.meta?.response : undefined;
  return response instanceof Response ? response.status : undefined;
}

/** The error as toasts and pages word it: status code, colon, space, body; the bare message without an answer. */
export function wireText(error: CallError): string {
  const status = statusOf(error);
  return status === undefined ? error.message : `${status}: ${error.message}`;
}

/** Whether the session is over. */
export function isUnauthorized(error: CallError): boolean {
  return UNAUTHORIZED.test(wireText(error));
}

/** Whether the person's role does not allow it. */
export function isForbidden(error: CallError): boolean {
  return error.data?.reason === 'FORBIDDEN';
}

/** Whether nobody was there to answer, somebody else did in the server's place, or it said that it cannot at the moment. */
export function isServerAway(error: CallError): boolean {
  if (isCancelled(error)) return false;
  const status = statusOf(error);
  return status === undefined || status === 502 || status === 503 || status === 504;
}

/** Why nothing came of a write, or may not have, where the server was away; its own sentence where it said one. */
export function absenceOf(error: CallError): string | undefined {
  if (!isServerAway(error)) return undefined;
  if (error.data?.reason) return error.message;
  return navigator.onLine
    ? "Can't reach the server, so this may not have gone through."
    : "You're offline, so this may not have been saved.";
}

/** The server's sentence for a person, or `fallback` where it did not get to say one. */
export function sentenceOf(error: CallError, fallback: string): string {
  return error.data?.reason ? error.message : fallback;
}

export function fieldErrorsOf(error: CallError | null): FieldErrors {
  const fields = error?.data?.fields ?? [];
  return Object.fromEntries(fields.map(({ path, message }) => [path, message]));
}
