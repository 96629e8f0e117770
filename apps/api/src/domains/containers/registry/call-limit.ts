import { clientAt } from '../../../http/client-address.ts';
import { countCall } from '../../../http/rate-limit.ts';
import type { TokenBearer } from '../../auth/access-tokens.ts';
import type { RegistryParts } from './access.ts';

const CALLS_PER_MINUTE = 600;

/** Counts a call of the registry, or for one of its tokens: of one person, or of one address without a person. */
export async function countRegistryCall(
  { deps }: RegistryParts,
  bearer: TokenBearer | null,
  { door, ip }: { door: 'registry' | 'registry-token'; ip: string },
): Promise<void> {
  const key = bearer ? `${door}:${bearer.user.id}` : `${door}-signed-out:${clientAt(ip)}`;
  await countCall(deps, { key, calls: CALLS_PER_MINUTE, seconds: 60 });
}
