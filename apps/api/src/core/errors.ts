import type { FieldError } from '@nephos/contracts/kit';
import { TRPCError } from '@trpc/server';

type TrpcCode = TRPCError['code'];

/** A refusal with our own code; everything else that is thrown is a fault of ours and answers 500 or 503. */
export class Refusal extends TRPCError {
  override readonly name = 'Refusal';
  /** Upper-case code of the error body. */
  readonly reason: string;
  readonly fields: FieldError[] | undefined;
  /** Id of the caller's own thing that is in the way. */
  readonly existingId: string | undefined;
  /** Seconds for `Retry-After`. */
  readonly retryAfter: number | undefined;
  /** Whether the same `Idempotency-Key` was refused before. */
  readonly replayed: boolean;

  constructor(options: {
    code: TrpcCode;
    reason: string;
    message: string;
    fields?: FieldError[];
    existingId?: string | undefined;
    retryAfter?: number;
    replayed?: boolean;
    /** Why, for the log alone. */
    cause?: unknown;
  }) {
    super({ code: options.code, message: options.message, cause: options.cause });
    this.reason = options.reason;
    this.fields = options.fields;
    this.existingId = options.existingId;
    this.retryAfter = options.retryAfter;
    this.replayed = options.replayed ?? false;
  }
}

/** The same refusal, given again to the same `Idempotency-Key`. */
export function refusedAgain({ code, reason, message }: Refusal): Refusal {
  return new Refusal({ code, reason, message, replayed: true });
}

/** 400: the input is malformed. */
export function invalid(message: string, fields: FieldError[] = []): Refusal {
  return new Refusal({ code: 'BAD_REQUEST', reason: 'VALIDATION', message, fields });
}

/** 400: it does not come from who it says, or not as it was sent. */
export function badSignature(): Refusal {
  const message = "The signature doesn't match the request.";
  return new Refusal({ code: 'BAD_REQUEST', reason: 'BAD_SIGNATURE', message });
}

/** 401: there is no live session. The one message that the console takes for that. */
export function unauthorized(): Refusal {
  return new Refusal({ code: 'UNAUTHORIZED', reason: 'UNAUTHORIZED', message: 'Unauthorized' });
}

/** 402: it has not been paid for. */
export function paymentRequired(reason: string, message: string): Refusal {
  return new Refusal({ code: 'PAYMENT_REQUIRED', reason, message });
}

/** 403: signed in (or not needed), but not allowed. */
export function forbidden(reason: string, message: string): Refusal {
  return new Refusal({ code: 'FORBIDDEN', reason, message });
}

/** 404: no such row, or somebody else's: the same answer. */
export function notFound(reason = 'NOT_FOUND', message = 'Not found.'): Refusal {
  return new Refusal({ code: 'NOT_FOUND', reason, message });
}

/** 409: it contradicts what is there; `existingId` says what that is, where it is the caller's own. */
export function conflict(reason: string, message: string, existingId?: string): Refusal {
  return new Refusal({ code: 'CONFLICT', reason, message, existingId });
}

/** 412: a condition of the request's headers does not hold. */
export function preconditionFailed(): Refusal {
  return new Refusal({
    code: 'PRECONDITION_FAILED',
    reason: 'PRECONDITION_FAILED',
    message: "The current version doesn't match the request's conditions.",
  });
}

/** 413. */
export function tooLarge(reason: 'FILE_TOO_LARGE' | 'BODY_TOO_LARGE', message: string): Refusal {
  return new Refusal({ code: 'PAYLOAD_TOO_LARGE', reason, message });
}

/** 415. */
export function unsupportedMediaType(message = 'Send the body as application/json.'): Refusal {
  return new Refusal({
    code: 'UNSUPPORTED_MEDIA_TYPE',
    reason: 'UNSUPPORTED_MEDIA_TYPE',
    message,
  });
}

/** 422: well-formed, but a rule of the domain forbids it. */
export function unprocessable(reason: string, message: string): Refusal {
  return new Refusal({ code: 'UNPROCESSABLE_CONTENT', reason, message });
}

/** 429, with the seconds after which a call is allowed again. */
export function rateLimited(retryAfter: number): Refusal {
  return new Refusal({
    code: 'TOO_MANY_REQUESTS',
    reason: 'RATE_LIMITED',
    message: `Too many requests. Try again in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}.`,
    retryAfter,
  });
}

const NOT_NOW = 'Service temporarily unavailable. Try again in a moment.';

/** 503: something this needs is not configured or not there now. */
export function unavailable(message = NOT_NOW): Refusal {
  return new Refusal({ code: 'SERVICE_UNAVAILABLE', reason: 'UNAVAILABLE', message, retryAfter: 2 });
}

/** The same where only the log is told why: by an error, or by a few words of ours. */
export function unavailableSince(cause: Error | string): Refusal {
  const why = typeof cause === 'string' ? new Error(cause) : cause;
  return new Refusal({
    code: 'SERVICE_UNAVAILABLE',
    reason: 'UNAVAILABLE',
    message: NOT_NOW,
    retryAfter: 2,
    cause: why,
  });
}

/** 503: the disk that holds people's objects is full. */
export function storageFull(): Refusal {
  return new Refusal({
    code: 'SERVICE_UNAVAILABLE',
    reason: 'STORAGE_FULL',
    message: 'Storage is full. Try again once space has been freed.',
    retryAfter: 60,
  });
}
