import type { FastifyReply, FastifyRequest } from 'fastify';
import { describeError } from '../../../http/describe-error.ts';
import { noteRefusal } from '../../../http/refusal-log.ts';

/** Error codes of the OCI distribution spec 1.1. */
export type RegistryCode =
  | 'BLOB_UNKNOWN'
  | 'BLOB_UPLOAD_INVALID'
  | 'BLOB_UPLOAD_UNKNOWN'
  | 'DIGEST_INVALID'
  | 'MANIFEST_BLOB_UNKNOWN'
  | 'MANIFEST_INVALID'
  | 'MANIFEST_UNKNOWN'
  | 'NAME_INVALID'
  | 'NAME_UNKNOWN'
  | 'SIZE_INVALID'
  | 'UNAUTHORIZED'
  | 'DENIED'
  | 'UNSUPPORTED'
  | 'TOOMANYREQUESTS';

interface Options {
  status: number;
  code: RegistryCode;
  message: string;
  detail?: unknown;
  headers?: Record<string, string>;
}

/** A refusal in the registry's own form. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError';
  readonly status: number;
  readonly code: RegistryCode;
  readonly detail: unknown;
  readonly headers: Record<string, string>;

  constructor({ status, code, message, detail, headers = {} }: Options) {
    super(message);
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.headers = headers;
  }
}

export function badRequest(code: RegistryCode, message: string, detail?: unknown): RegistryError {
  return new RegistryError({ status: 400, code, message, detail });
}

export function nameUnknown(name: string): RegistryError {
  return new RegistryError({
    status: 404,
    code: 'NAME_UNKNOWN',
    message: 'Repository not found.',
    detail: { name },
  });
}

export function blobUnknown(digest: string): RegistryError {
  return new RegistryError({
    status: 404,
    code: 'BLOB_UNKNOWN',
    message: 'Blob not found in this repository.',
    detail: { digest },
  });
}

export function manifestUnknown(reference: string): RegistryError {
  return new RegistryError({
    status: 404,
    code: 'MANIFEST_UNKNOWN',
    message: 'Manifest not found in this repository.',
    detail: { reference },
  });
}

export function uploadUnknown(): RegistryError {
  return new RegistryError({
    status: 404,
    code: 'BLOB_UPLOAD_UNKNOWN',
    message: 'Upload not found. Start it again.',
  });
}

export function digestInvalid(digest: string): RegistryError {
  return badRequest('DIGEST_INVALID', "The digest is invalid or doesn't match the content.", {
    digest,
  });
}

export function denied(message: string): RegistryError {
  return new RegistryError({ status: 403, code: 'DENIED', message });
}

export function methodUnsupported(): RegistryError {
  return new RegistryError({
    status: 405,
    code: 'UNSUPPORTED',
    message: "This method isn't supported here.",
  });
}

const CODES: Readonly<Record<number, RegistryCode>> = {
  400: 'NAME_INVALID',
  403: 'DENIED',
  404: 'NAME_UNKNOWN',
  413: 'SIZE_INVALID',
  429: 'TOOMANYREQUESTS',
};

/** Whatever was thrown, in the registry's form; a fault of ours keeps its status and tells nothing. */
function registryErrorOf(error: unknown): RegistryError {
  if (error instanceof RegistryError) return error;
  const { status, message, retryAfter } = describeError(error);
  return new RegistryError({
    status,
    code: CODES[status] ?? 'UNSUPPORTED',
    message,
    ...(retryAfter !== undefined && { headers: { 'retry-after': String(retryAfter) } }),
  });
}

/** Whether an address is the registry's, whose errors have their own form. */
export function isRegistryPath(url: string): boolean {
  return url.startsWith('/v2/');
}

/** Answers whatever was thrown as the OCI distribution spec 1.1 "Error Codes" has it. */
export function sendRegistryError(
  request: FastifyRequest,
  reply: FastifyReply,
  thrown: unknown,
): FastifyReply {
  const { status, code, message, detail, headers } = registryErrorOf(thrown);
  if (status === 500) request.log.error({ err: thrown }, 'request failed');
  noteRefusal(request, thrown);
  const error = { code, message, ...(detail !== undefined && { detail }) };
  return reply
    .code(status)
    .removeHeader('content-length')
    .headers(headers)
    .type('application/json')
    .send(JSON.stringify({ errors: [error] }));
}
