import { RouterProvider } from '@tanstack/react-router';
import { cleanup, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { createConsoleRouter } from '../router.tsx';
import { createData } from '../trpc.ts';
import { toastStore } from '../ui/toast.ts';
import { ToastHost } from '../ui/toast-host.tsx';
import { FakeEventSource } from './fake-event-source.ts';
import { archiveHandler } from './mock-mobile-apps.ts';
import { statementHandler } from './mock-payment-gateway.ts';
import { mockRouter } from './mock-router.ts';
import { fileHandlers } from './mock-storage.ts';
import { type MockWorld, mockWorld } from './mock-world.ts';
import './searches.ts';

let world: MockWorld;

const server = setupServer(
  http.all('*/trpc/*', ({ request }) =>
    fetchRequestHandler({
      endpoint: '/trpc',
      req: request,
      router: mockRouter,
      createContext: () => ({ world, user: world.user }),
    }),
  ),
  ...fileHandlers(() => world),
  archiveHandler(() => world),
  statementHandler(() => world),
);

/** Call once per test file: the mock API listens, streams are fake, and nothing outlives its test. */
export function mockApi(): void {
  beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
  beforeEach(() => {
    FakeEventSource.opened = [];
    vi.stubGlobal('EventSource', FakeEventSource);
  });
  afterEach(() => {
    cleanup();
    sessionStorage.clear();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
  afterAll(() => server.close());
}

/** Opens the console at a path, with its real routes, loaders and shell, over a mock API in the given state. */
export function renderPage(path: string, state: Partial<MockWorld> = {}) {
  world = mockWorld(state);
  window.history.replaceState(null, '', path);
  const data = createData();
  data.utils.auth.user.setData(undefined, structuredClone(world.user) ?? undefined);
  const router = createConsoleRouter(data);
  render(
    <>
      <RouterProvider router={router} />
      <ToastHost />
    </>,
  );
  return { world, router, user: userEvent.setup() };
}

/** The toast that is shown, as its words. */
export function shownToast() {
  const shown = toastStore.get();
  return shown && { title: shown.title, description: shown.description, variant: shown.variant };
}
