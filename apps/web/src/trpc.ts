import type { AppRouter } from '@nephos/contracts';
import { createLinks } from '@nephos/contracts/client';
import { QueryClient } from '@tanstack/react-query';
import { createTRPCQueryUtils, createTRPCReact } from '@trpc/react-query';

export const trpc = createTRPCReact<AppRouter>();

/** The client, its cache and the loaders' way into both. Cached data is never stale: each write refetches its list. */
export function createData() {
  const queryClient = new QueryClient({
    defaultOptions: {
      queries: { staleTime: Number.POSITIVE_INFINITY, retry: false, refetchOnWindowFocus: false },
      mutations: { retry: false },
    },
  });
  const client = trpc.createClient({ links: createLinks({ url: window.location.origin }) });
  return { queryClient, client, utils: createTRPCQueryUtils({ queryClient, client }) };
}

export type Data = ReturnType<typeof createData>;
