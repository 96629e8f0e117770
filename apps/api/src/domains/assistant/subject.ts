import type { AssistantScope } from '@nephos/contracts';
import type { Database } from '@nephos/db';
import type { Kysely } from 'kysely';
import { notFound } from '../../core/errors.ts';
import { findImage } from '../containers/read.ts';
import { findDatabase } from '../databases/read.ts';
import { assertProject } from '../projects/read.ts';

/** What is asked about. */
export interface Subject {
  resourceScope: AssistantScope;
  resourceId: string | null;
}

/** Throws 404 unless the resource is the person's own and of the kind that the scope is about, if any is named. */
export async function assertSubject(
  db: Kysely<Database>,
  ownerId: string,
  { resourceScope, resourceId }: Subject,
): Promise<void> {
  if (resourceId === null) return;
  switch (resourceScope) {
    case 'database':
      await findDatabase(db, ownerId, resourceId);
      return;
    case 'container':
      if (!(await findImage(db, ownerId, resourceId))) throw notFound();
      return;
    case 'kubernetes':
    case 'general':
      await assertProject(db, ownerId, resourceId);
  }
}
