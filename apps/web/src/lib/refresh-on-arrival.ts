import type { QueryClient, QueryFilters } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';
import { TRPCClientError } from '@trpc/client';
import { statusOf } from './errors.ts';
import { trimPages } from './trim-pages.ts';

/**
 * What a page shows is fetched again when somebody comes to it from another page: it may have been changed by the API, by
 * somebody else or in another tab. It is shown as it was until the answer is there, and what came with this visit is not
 * asked for twice. What is cached for other pages counts as old from then on.
 */
export function refreshOnArrival(router: AnyRouter, queryClient: QueryClient): void {
  let leftAt = 0;

  router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
    if (fromLocation && pathChanged) leftAt = Date.now();
  });
  router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    if (fromLocation && pathChanged) void refresh(queryClient, leftAt);
  });
}

async function refresh(queryClient: QueryClient, leftAt: number) {
  const old: QueryFilters = { predicate: ({ state }) => state.dataUpdatedAt < leftAt };
  trimPages(queryClient, old);
  await queryClient.invalidateQueries(old, { cancelRefetch: false });
  // What is gone does not go on being shown.
  await queryClient.resetQueries({
    type: 'active',
    predicate: ({ state: { data, error } }) => data !== undefined && isGone(error),
  });
}

function isGone(error: Error | null): boolean {
  return error instanceof TRPCClientError && statusOf(error) === 404;
}
