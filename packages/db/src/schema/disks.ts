import type { Generated } from 'kysely';
import type { GeneratedInstant } from './auth.ts';

/** A folder of a project that outlives its releases; it lies under its id. */
export interface ProjectDisksTable {
  id: Generated<string>;
  ownerId: string;
  projectId: string;
  name: string;
  path: string;
  /** MB that it can hold. */
  size: number;
  /** Whether the kernel holds it to its size, when it was measured last; null before. */
  limited: boolean | null;
  /** What it held when it was measured last; a trigger counts it with the owner's storage. */
  bytes: Generated<number>;
  measuredAt: string | null;
  createdAt: GeneratedInstant;
}
