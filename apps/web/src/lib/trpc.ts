import type { AppRouter } from '@nephos/contracts';
import { createLinks } from '@nephos/contracts/client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { TRPCClientError } from '@trpc/client';
import { createTRPCQueryUtils, createTRPCReact } from '@trpc/react-query';
import { isForbidden, isServerAway, isUnauthorized, statusOf } from './errors.ts';
import { fetchAgain } from './fetch-again.ts';
import { sendToLogin } from './send-to-login.ts';
import { checkServer } from './server-presence.ts';

const NEVER_STALE = {
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
  refetchOnWindowFocus: false,
  // The browser's word that there is a network says nothing of the server: it is asked itself, see `checkServer`.
  networkMode: 'always',
  refetchOnReconnect: false,
} as const;

export const trpc = createTRPCReact<AppRouter>();

/**
 * The client, its cache and the loaders' way into both. Cached data is never stale: each write refetches its list, and
 * `refreshOnArrival` what a page shows. Every call names the workspace that is shown: the session's may have become
 * another by another tab.
 */
export function createData(workspace?: string) {
  // Queries of the console alone: who is signed in was asked before any of them.
  const queryCache = new QueryCache({
    onError(error) {
      leaveIfUnauthorized(error);
      learnRole(error);
      noticeAbsence(error);
    },
  });
  const mutationCache = new MutationCache({
    onError(error) {
      learnRole(error);
      noticeAbsence(error);
    },
  });
  const queryClient = new QueryClient({
    queryCache,
    mutationCache,
    defaultOptions: { queries: NEVER_STALE, mutations: { retry: false, networkMode: 'always' } },
  });
  // A loader waits for what is not there at all, never for something newer than what can be shown.
  const loading = new QueryClient({
    queryCache,
    defaultOptions: { queries: { ...NEVER_STALE, staleTime: 'static' } },
  });
  const client = trpc.createClient({
    links: createLinks({ url: window.location.origin, workspace, fetch: fetchAgain }),
  });
  const utils = createTRPCQueryUtils({ queryClient: loading, client });

  /**
   * Somebody else may have changed the person's role, or ended their membership, while a page is open; a refusal is how
   * it finds out.
   */
  function learnRole(error: Error) {
    if (!(error instanceof TRPCClientError)) return;
    if (isForbidden(error) || statusOf(error) === 404) void utils.auth.user.invalidate();
  }

  return { queryClient, client, utils };
}

function noticeAbsence(error: Error) {
  if (error instanceof TRPCClientError && isServerAway(error)) void checkServer();
}

/** The session may end while a page is open; any fetch that finds out leads to the login page. */
function leaveIfUnauthorized(error: Error) {
  if (error instanceof TRPCClientError && isUnauthorized(error)) sendToLogin();
}

export type Data = ReturnType<typeof createData>;
