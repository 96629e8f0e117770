import type { FieldError } from '@nephos/contracts/kit';
import { TRPCError } from '@trpc/server';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';
import { ZodError, type z } from 'zod';
import {
  conflict,
  invalid,
  notFound,
  Refusal,
  tooLarge,
  unavailableSince,
  unprocessable,
  unsupportedMediaType,
} from '../core/errors.ts';

/** An error as either door answers it. */
export interface ErrorDescription {
  status: number;
  message: string;
  reason: string;
  fields?: FieldError[] | undefined;
  existingId?: string | undefined;
  retryAfter?: number | undefined;
}

const INTERNAL: ErrorDescription = { status: 500, message: 'Something went wrong.', reason: 'INTERNAL' };

const NO_DATABASE = /^(08...|57P0.|55P03|57014|53...|40001|40P01|25P03)$/;
const NO_CONNECTION = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND']);
const CONNECTION_LOST =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|not queryable|Cannot use a pool after/;

function refusalOfDatabase(error: Error & { code?: unknown }): Refusal | undefined {
  const code = String(error.code ?? '');
  if (code === '22P02' || code === '22003' || code === '22021') return invalid('Invalid input.');
  if (code === '23505') return conflict('CONFLICT', 'That already exists.');
  if (code === '23503') return notFound();
  if (code === '23514') return unprocessable('UNPROCESSABLE', 'The change violates a data constraint.');
  if (NO_DATABASE.test(code) || NO_CONNECTION.has(code) || CONNECTION_LOST.test(error.message)) {
    return unavailableSince(error);
  }
  return undefined;
}

export function bodyTooLarge(): Refusal {
  return tooLarge('BODY_TOO_LARGE', 'The request body is too large.');
}

function refusalOfFastify(error: Error & { code?: unknown; statusCode?: unknown }): Refusal | undefined {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return bodyTooLarge();
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return unsupportedMediaType();
    case 'FST_ERR_NOT_FOUND':
      return notFound();
  }
  const status = Number(error.statusCode);
  return status >= 400 && status < 500 ? invalid('The request is malformed.') : undefined;
}

/** How zod's own messages begin, which the contract left as they are: they do not say what they are about. */
const ZODS_OWN = /^(Invalid|Unrecognized|Too) /;

function fieldError({ path, message }: z.core.$ZodIssue): FieldError {
  const field = path.join('.');
  if (!ZODS_OWN.test(message)) return { path: field, message };
  const subject = field || 'The input';
  const isMissing = message.endsWith('received undefined');
  return { path: field, message: isMissing ? `${subject} is required.` : `${subject}: ${message}.` };
}

/** The sentence and the faulty fields of failed validation. */
export function refusalOfZod(error: ZodError): Refusal {
  const fields = error.issues.map(fieldError);
  return invalid(fields[0]?.message ?? 'Invalid input.', fields);
}

/** Finds the refusal in whatever was thrown; undefined means a fault of ours. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (error instanceof ZodError) return refusalOfZod(error);
  if (!(error instanceof Error)) return undefined;
  const cause = error instanceof TRPCError ? error.cause : undefined;
  if (cause) return refusalOf(cause);
  return refusalOfDatabase(error) ?? refusalOfFastify(error);
}

/** What the caller is told; the details of a fault of ours stay in the log. */
export function describeError(error: unknown): ErrorDescription {
  const refusal = refusalOf(error);
  if (refusal) {
    return {
      status: getHTTPStatusCodeFromError(refusal),
      message: refusal.message,
      reason: refusal.reason,
      fields: refusal.fields,
      existingId: refusal.existingId,
      retryAfter: refusal.retryAfter,
    };
  }
  // tRPC's own refusals: an unknown procedure, a body it cannot read, a batch that is too large.
  if (error instanceof TRPCError && error.code !== 'INTERNAL_SERVER_ERROR') {
    const status = getHTTPStatusCodeFromError(error);
    if (status === 404) return describeError(notFound());
    return {
      status,
      message: 'The request is malformed.',
      reason: status === 405 ? 'METHOD_NOT_ALLOWED' : 'VALIDATION',
    };
  }
  return INTERNAL;
}
