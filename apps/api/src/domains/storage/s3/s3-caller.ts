import { may } from '@nephos/contracts/constants';
import { type Database, type Parameter, prepare } from '@nephos/db';
import { type Kysely, sql } from 'kysely';
import type { CallerWorkspace } from '../../../core/context.ts';
import { factorRefusal } from '../../../http/factor-guard.ts';
import { FACTOR_DEMANDED_BY } from '../../../platform/factor-demands.ts';
import type { SecretsBox } from '../../../platform/secrets-box.ts';
import { IS_BACKED } from '../../auth/access-tokens.ts';
import { contextOfKey } from '../../buckets/storage-keys.ts';
import { WORKSPACE_COLUMNS, workspaceOf } from '../../workspaces/workspace-columns.ts';
import type { Address } from './address.ts';
import { S3Error } from './s3-error.ts';
import { assertPayload, assertTimely, type Claim, type Signer, verifySignature } from './signature.ts';

/** Who signed a request, and what their key may do. */
export interface S3Caller {
  key: { id: string; name: string; bucketId: string | null };
  person: { id: string; email: string };
  workspace: CallerWorkspace;
  /** Whether both the key and the person's role write. */
  mayWrite: boolean;
}

const findKey = prepare((db, parameter: Parameter<{ id: string }>) =>
  db
    .selectFrom('storageKeys')
    .innerJoin('users', 'users.id', 'storageKeys.userId')
    .innerJoin('workspaces', 'workspaces.id', 'storageKeys.ownerId')
    .innerJoin('workspaceMembers', (join) =>
      join
        .onRef('workspaceMembers.userId', '=', 'storageKeys.userId')
        .onRef('workspaceMembers.workspaceId', '=', 'storageKeys.ownerId'),
    )
    .select(['storageKeys.id as keyId', 'storageKeys.name as keyName', 'storageKeys.bucketId'])
    .select(['storageKeys.access', 'storageKeys.sealedKey', 'users.id as userId', 'users.email'])
    .select(WORKSPACE_COLUMNS)
    .select([
      FACTOR_DEMANDED_BY.as('factorDemandedBy'),
      sql<string>`now()`.as('now'),
      sql<boolean>`coalesce(storage_keys.last_used_at > now() - interval '1 minute', false)`.as('isUseNoted'),
    ])
    .where('storageKeys.id', '=', parameter('id'))
    .where('users.disabledAt', 'is', null)
    .where(IS_BACKED)
    .compile(),
);

async function noteUse(db: Kysely<Database>, id: string): Promise<void> {
  await db.updateTable('storageKeys').set({ lastUsedAt: sql`now()` }).where('id', '=', id).execute();
}

/**
 * Whose signature a request bears. Throws InvalidAccessKeyId, SignatureDoesNotMatch, RequestTimeTooSkewed, and AccessDenied
 * for an address that has expired and where a second factor is demanded of a person who has none.
 */
export async function identifyCaller(
  { db, secrets }: { db: Kysely<Database>; secrets: SecretsBox },
  message: Parameters<typeof verifySignature>[0],
  address: Address,
  claim: Claim,
): Promise<{ caller: S3Caller; signer: Signer }> {
  assertPayload(claim.payload);
  const [row] = await findKey(db, { id: claim.keyId });
  if (!row) throw new S3Error('InvalidAccessKeyId');
  const { keyId, keyName, bucketId, access, sealedKey, userId, email, factorDemandedBy, ...more } = row;
  const { workspace, now, isUseNoted } = workspaceOf(more);
  // Its member is joined.
  if (!workspace) throw new Error('An access key has no workspace.');
  assertTimely(claim, new Date(now));
  const signer = verifySignature(message, address, claim, secrets.open(sealedKey, contextOfKey(keyId)));
  if (factorDemandedBy !== null) {
    throw new S3Error('AccessDenied', { message: factorRefusal(factorDemandedBy) });
  }
  if (!may(workspace.role, 'view')) throw new S3Error('AccessDenied');
  if (!isUseNoted) await noteUse(db, keyId);
  const mayWrite = access === 'write' && may(workspace.role, 'build');
  return {
    caller: {
      key: { id: keyId, name: keyName, bucketId },
      person: { id: userId, email },
      workspace,
      mayWrite,
    },
    signer,
  };
}
