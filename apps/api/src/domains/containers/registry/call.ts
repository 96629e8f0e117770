import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Owner } from '../../../core/context.ts';
import { judge } from '../../../http/preconditions.ts';
import type { Doer } from '../../../platform/audit.ts';
import type { RegistryCaller, RegistryParts } from './access.ts';
import { nameUnknown, uploadUnknown } from './registry-error.ts';
import type { Repository } from './repositories.ts';

/** One authorised request to a repository. */
export interface RegistryCall extends RegistryParts {
  request: FastifyRequest;
  reply: FastifyReply;
  caller: RegistryCaller;
  name: string;
  query: URLSearchParams;
  /** Undefined for one of the caller's own that does not exist yet. */
  repository: Repository | undefined;
}

/** The call's repository. Throws NAME_UNKNOWN where there is none yet. */
export function existing({ repository, name }: RegistryCall): Repository {
  if (!repository) throw nameUnknown(name);
  return repository;
}

/** Whose repository is written to, in whose name alone that is done. */
export function writer({ caller }: RegistryCall): Owner {
  if (!caller.bearer) throw uploadUnknown();
  return caller.bearer.workspace;
}

/** By whom a repository is changed, for the record of that. */
export function doerOf({ caller: { bearer }, request: { ip, id: requestId } }: RegistryCall): Doer {
  const tokenName = bearer?.token.name ?? null;
  return {
    ...{ actor: bearer?.person ?? null, via: bearer?.person ? 'token' : 'system' },
    ...{ tokenName, ip, requestId },
  };
}

/** What is known by a digest never changes. */
export function etagOf(digest: string): string {
  return `"${digest}"`;
}

/** Whether the client says that it has what this digest names, so that 304 will do. */
export function isKnown({ request }: RegistryCall, digest: string): boolean {
  return judge(request.headers, { etag: etagOf(digest) }) === 304;
}
