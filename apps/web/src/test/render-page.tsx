import { RouterProvider } from '@tanstack/react-router';
import { cleanup, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import type { ReactNode } from 'react';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { createConsoleRouter } from '../console.tsx';
import { createData, type Data } from '../lib/trpc.ts';
import { dismissToast, toastStore } from '../ui/toast.ts';
import { ToastHost } from '../ui/toast-host.tsx';
import { FakeEventSource } from './fake-event-source.ts';
import { archiveHandler } from './mock-mobile-apps.ts';
import { statementHandler } from './mock-payment-gateway.ts';
import { mockRouter } from './mock-router.ts';
import { fileHandlers } from './mock-storage.ts';
import { partHandlers } from './mock-storage-uploads.ts';
import { type MockWorld, mockWorld } from './mock-world.ts';
import './searches.ts';

let world: MockWorld;
let data: Data | undefined;

const server = setupServer(
  http.all('*/trpc/*', ({ request }) =>
    fetchRequestHandler({
      endpoint: '/trpc',
      req: readLeniently(request),
      router: mockRouter,
      createContext: () => ({ world, user: world.user }),
    }),
  ),
  http.get('*/readyz', () => HttpResponse.json({ status: 'ready' }, { status: world.ready ? 200 : 503 })),
  ...fileHandlers(() => world),
  ...partHandlers(() => world),
  archiveHandler(() => world),
  statementHandler(() => world),
);

/** A write without input has no body: no input for our server, broken JSON for tRPC's fetch adapter. */
function readLeniently(request: Request): Request {
  async function json() {
    const body = await request.text();
    return body === '' ? undefined : JSON.parse(body);
  }
  return Object.assign(request, { json });
}

/** Call once per test file: the mock API listens, streams are fake, and nothing outlives its test. */
export function mockApi(): void {
  beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
  beforeEach(() => {
    FakeEventSource.opened = [];
    vi.stubGlobal('EventSource', FakeEventSource);
  });
  afterEach(async () => {
    cleanup();
    // A dialog that was open at the end of a test leaves the page closed to pointers.
    document.body.removeAttribute('style');
    // An answer that comes after its test, such as that the session is over, is none of the next one's.
    void data?.queryClient.cancelQueries();
    // Test files share the one toast there is.
    dismissToast();
    sessionStorage.clear();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    vi.useRealTimers();
    // What a dialog does with the focus once it is gone, it does before the next test.
    await new Promise((resolve) => setTimeout(resolve));
  });
  afterAll(() => server.close());
}

/**
 * Opens the console at a path, with its real routes, loaders and shell, over a mock API in the given state. `around`
 * puts the page into a context, for example that of a provider's stub.
 */
export function renderPage(
  path: string,
  state: Partial<MockWorld> = {},
  around: (page: ReactNode) => ReactNode = (page) => page,
) {
  world = mockWorld(state);
  window.history.replaceState(null, '', path);
  data = createData();
  data.utils.auth.user.setData(undefined, structuredClone(world.user) ?? undefined);
  const router = createConsoleRouter(data);
  render(
    <>
      {around(<RouterProvider router={router} />)}
      <ToastHost />
    </>,
  );
  return { world, router, queryClient: data.queryClient, user: userEvent.setup() };
}

/** The toast that is shown, as its words. */
export function shownToast() {
  const shown = toastStore.get();
  if (!shown?.open) return null;
  return { title: shown.title, description: shown.description, variant: shown.variant };
}
