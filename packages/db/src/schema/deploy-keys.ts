import type { Generated } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

/** The key by which a project reads its repository over SSH. */
export interface DeployKeysTable {
  projectId: string;
  ownerId: string;
  /** As `authorized_keys` has it. */
  publicKey: string;
  /** In OpenSSH's format, sealed by the secrets box. */
  privateKey: Buffer;
  /** Host and port whose keys are known; '' for none. */
  host: Generated<string>;
  /** Type and key of each, as `known_hosts` has them. */
  hostKeys: Generated<string[]>;
  createdAt: GeneratedInstant;
}
