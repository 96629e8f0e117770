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

/** The server's sentence for a person, or `fallback` where it did not get to say one. */
export function sentenceOf(error: CallError, fallback: string): string {
  return error.data?.reason ? error.message : fallback;
}

export function fieldErrorsOf(error: CallError | null): FieldErrors {
  const fields = error?.data?.fields ?? [];
  return Object.fromEntries(fields.map(({ path, message }) => [path, message]));
}
