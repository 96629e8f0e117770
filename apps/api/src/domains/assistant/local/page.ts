import type { AssistantScope } from '@nephos/contracts';
import type { Turn } from '../responder.ts';

/** What a page is about, where it is about one thing. */
const KIND_OF_PAGE = {
  database: 'database',
  container: 'image',
  kubernetes: 'project',
  general: 'project',
} as const satisfies Record<AssistantScope, string>;

export type KindOfPage = (typeof KIND_OF_PAGE)[AssistantScope];

/** The kind of what the page is about; undefined where it is about no one thing. */
export function kindOfPage({
  scope,
  resourceId,
}: Pick<Turn, 'scope' | 'resourceId'>): KindOfPage | undefined {
  return resourceId === null ? undefined : KIND_OF_PAGE[scope];
}

/** Id of what the page is about, where that is of this kind. */
export function idOfPage(turn: Pick<Turn, 'scope' | 'resourceId'>, kind: KindOfPage): string | undefined {
  return kindOfPage(turn) === kind ? (turn.resourceId ?? undefined) : undefined;
}
