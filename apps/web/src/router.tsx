import { QueryClientProvider } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { NotFoundPage } from './features/not-found/not-found-page.tsx';
import { routeTree } from './routeTree.gen.ts';
import { RouteError } from './shell/route-error.tsx';
import { type Data, trpc } from './trpc.ts';

/** The console's router over its data. */
export function createConsoleRouter({ queryClient, client, utils }: Data) {
  return createRouter({
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
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
