import type { SignedInUser } from '@nephos/contracts';
import { QueryClientProvider } from '@tanstack/react-query';
import { createRouter, RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { NotFoundPage } from './features/not-found/not-found-page.tsx';
import { refreshOnArrival } from './lib/refresh-on-arrival.ts';
import { createData, type Data, trpc } from './lib/trpc.ts';
import { ShowConsole } from './lib/use-workspace.ts';
import { routeTree } from './routeTree.gen.ts';
import { RouteError } from './shell/route-error.tsx';

/** Everything that a signed-in person sees. Loaded once the session is known, so that visitors do not pay for it. */
export function Console({ user: first }: { user: SignedInUser }) {
  const [user, setUser] = useState(first);
  return (
    <ShowConsole value={setUser}>
      <WorkspaceConsole key={user.workspace?.id} user={user} />
    </ShowConsole>
  );
}

/** With a router and a cache of its own, so that it holds nothing of another workspace. */
function WorkspaceConsole({ user }: { user: SignedInUser }) {
  const [router] = useState(() => {
    const data = createData(user.workspace?.id);
    data.utils.auth.user.setData(undefined, user);
    return createConsoleRouter(data);
  });
  return <RouterProvider router={router} />;
}

/** The console's router over its data. */
export function createConsoleRouter({ queryClient, client, utils }: Data) {
  const router = createRouter({
    routeTree,
    context: { utils },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 0,
    defaultPendingMinMs: 0,
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: true,
    Wrap: ({ children }) => (
      <trpc.Provider client={client} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
      </trpc.Provider>
    ),
  });
  refreshOnArrival(router, queryClient);
  return router;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
