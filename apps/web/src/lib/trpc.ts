import type { AppRouter } from '@nephos/contracts';
import { createLinks } from '@nephos/contracts/client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { TRPCClientError } from '@trpc/client';
import { createTRPCQueryUtils, createTRPCReact } from '@trpc/react-query';
import { isForbidden, isUnauthorized } from './errors.ts';
import { sendToLogin } from './send-to-login.ts';

export const trpc = createTRPCReact<AppRouter>();

/** The client, its cache and the loaders' way into both. Cached data is never stale: each write refetches its list. */
export function createData() {
  const queryClient = new QueryClient({
    // Queries of the console alone: who is signed in was asked before any of them.
    queryCache: new QueryCache({
      onError(error) {
        leaveIfUnauthorized(error);
        learnRole(error);
      },
    }),
    mutationCache: new MutationCache({ onError: learnRole }),
    defaultOptions: {
      queries: { staleTime: Number.POSITIVE_INFINITY, retry: false, refetchOnWindowFocus: false },
      mutations: { retry: false },
    },
  });
  const client = trpc.createClient({ links: createLinks({ url: window.location.origin }) });
  const utils = createTRPCQueryUtils({ queryClient, client });

  /** Somebody else may have changed the person's role while a page is open; a refusal is how it finds out. */
  function learnRole(error: Error) {
    if (error instanceof TRPCClientError && isForbidden(error)) void utils.auth.user.invalidate();
  }

  return { queryClient, client, utils };
}

/** The session may end while a page is open; any fetch that finds out leads to the login page. */
function leaveIfUnauthorized(error: Error) {
  if (error instanceof TRPCClientError && isUnauthorized(error)) sendToLogin();
}

export type Data = ReturnType<typeof createData>;
