import type { AppRouter } from '@nephos/contracts';
import { createLinks } from '@nephos/contracts/client';
import { QueryCache, QueryClient } from '@tanstack/react-query';
import { TRPCClientError } from '@trpc/client';
import { createTRPCQueryUtils, createTRPCReact } from '@trpc/react-query';
import { isUnauthorized } from './lib/errors.ts';
import { sendToLogin } from './shell/send-to-login.ts';

export const trpc = createTRPCReact<AppRouter>();

/** The client, its cache and the loaders' way into both. Cached data is never stale: each write refetches its list. */
export function createData() {
  const queryClient = new QueryClient({
    // Queries of the console alone: who is signed in was asked before any of them.
    queryCache: new QueryCache({ onError: leaveIfUnauthorized }),
    defaultOptions: {
      queries: { staleTime: Number.POSITIVE_INFINITY, retry: false, refetchOnWindowFocus: false },
      mutations: { retry: false },
    },
  });
  const client = trpc.createClient({ links: createLinks({ url: window.location.origin }) });
  return { queryClient, client, utils: createTRPCQueryUtils({ queryClient, client }) };
}

/** The session may end while a page is open; any fetch that finds out leads to the login page. */
function leaveIfUnauthorized(error: Error) {
  if (error instanceof TRPCClientError && isUnauthorized(error)) sendToLogin();
}

export type Data = ReturnType<typeof createData>;
