import type { Platform } from '../../../platform/platform.ts';
import { RegistryError } from '../registry/registry-error.ts';
import { evict, sweepMirrored } from './mirror-store.ts';
import { MIRROR_HANDLE } from './mirrored-name.ts';
import { type AskUpstream, createUpstream, type UpstreamAway } from './upstream.ts';

/** Another registry that is pulled from through this one, which keeps what was pulled. */
export interface Mirror extends Pick<Platform, 'db' | 'objects' | 'log'> {
  ask: AskUpstream;
  /** Bytes that are kept at most. */
  limit: number;
}

/** Undefined where none is set. Throws where a workspace has the name that its images would have. */
export async function createMirror({
  settings: { registryMirror, allowPrivateRepositories: allowPrivate },
  db,
  objects,
  log,
}: Pick<Platform, 'settings' | 'db' | 'objects' | 'log'>): Promise<Mirror | undefined> {
  if (!registryMirror) return undefined;
  const taken = await db
    .selectFrom('workspaces')
    .select('id')
    .where('handle', '=', MIRROR_HANDLE)
    .executeTakeFirst();
  if (taken) throw new Error(`REGISTRY_MIRROR can't be used: a workspace has the handle ${MIRROR_HANDLE}.`);
  return {
    db,
    objects,
    log,
    ask: createUpstream(registryMirror, { allowPrivate }),
    limit: registryMirror.size,
  };
}

/** What clients are told where the other registry fails. */
export function refusalOf(error: UpstreamAway): RegistryError {
  return new RegistryError({
    ...{ status: 503, code: 'UNSUPPORTED', headers: { 'retry-after': '30' } },
    message: `The registry that this one mirrors can't be pulled from right now: ${error.message}.`,
  });
}

/** As each hour. */
export async function sweepMirror(mirror: Mirror): Promise<void> {
  await evict(mirror, mirror.limit);
  await sweepMirrored(mirror);
}
