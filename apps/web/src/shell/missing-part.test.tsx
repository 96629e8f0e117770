import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { lazy, Suspense, useState } from 'react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { toastStore } from '../ui/toast.ts';
import { LatePart } from './late-part.tsx';
import { isMissingPart, watchForMissingParts } from './missing-part.ts';
import { BrokenPage } from './missing-part-notice.tsx';

const OURS = '/assets/main-old.js';
const script = (address: string) => `<script type="module" src="${address}"></script>`;
/** The first of its scripts is the same in every version. */
const page = (entry: string) => script('/assets/runtime.js') + script(entry);

let reload: ReturnType<typeof vi.spyOn>;

beforeAll(watchForMissingParts);
beforeEach(() => {
  // Markup that is put in does not run.
  document.head.insertAdjacentHTML('beforeend', page(OURS));
  reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {});
});
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  for (const script of document.querySelectorAll('script')) script.remove();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** The server's answer for its page. */
function serve(answer: () => Response | Error) {
  const fetch = vi.fn(async () => {
    const given = answer();
    if (given instanceof Error) throw given;
    return given;
  });
  vi.stubGlobal('fetch', fetch);
  return fetch;
}

/** What Vite does where a part cannot be had. */
function missingPart(): Error {
  const payload = new TypeError('Failed to fetch dynamically imported module: /assets/dns-old.js');
  window.dispatchEvent(Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload }));
  return payload;
}

function draw(error: Error) {
  // What is drawn in the end is what counts.
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const Part = lazy(() => Promise.reject(error));
  render(
    <ErrorBoundary fallback={(error) => <BrokenPage error={error} />}>
      <Suspense>
        <Part />
      </Suspense>
    </ErrorBoundary>,
  );
}

test('after an upgrade the page is loaded anew, once for each version, and then says so', async () => {
  const asked = serve(() => new Response(page('/assets/main-new.js')));
  draw(missingPart());
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
  expect(asked).toHaveBeenCalledExactlyOnceWith('/', { headers: { accept: 'text/html' }, cache: 'no-store' });
  cleanup();
  draw(missingPart());
  expect(await screen.findByText('A new version of Nephos is available')).toBeDefined();
  expect(reload).toHaveBeenCalledOnce();
  await userEvent.click(screen.getByRole('button', { name: 'Reload' }));
  expect(reload).toHaveBeenCalledTimes(2);
  cleanup();

  serve(() => new Response(page('/assets/main-newer.js')));
  draw(missingPart());
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(3));
});

test('what is missing of the version at hand loads the page anew, three times a minute at most', async () => {
  serve(() => new Response(page(OURS)));
  for (const times of [1, 2, 3]) {
    draw(missingPart());
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(times));
    cleanup();
  }
  draw(missingPart());
  expect(await screen.findByText('Check your connection, then reload the page.')).toBeDefined();
  expect(reload).toHaveBeenCalledTimes(3);
  cleanup();
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000);
  draw(missingPart());
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(4));
});

test.each([
  ['does not answer', () => new TypeError('Failed to fetch')],
  ['refuses', () => new Response('', { status: 503 })],
  ['is in the place of another page', () => new Response('<h1>Maintenance</h1>')],
])('while the server %s, the page stays', async (_, answer) => {
  serve(answer);
  draw(missingPart());
  await screen.findByText(/^Can't reach the server/, {}, { timeout: 5000 });
  await userEvent.click(screen.getByRole('button', { name: 'Reload' }));
  expect(reload).not.toHaveBeenCalled();
  serve(() => new Response(page(OURS)));
  await userEvent.click(await screen.findByRole('button', { name: 'Reload' }));
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
});

test('the router, which knows the browsers’ words, does not load the page anew by itself', () => {
  expect(missingPart().message).toMatch(/^A part of the console could not be loaded: Failed to fetch/);
});

test('what is asked for beside the page is missed by a toast, at each time, and the page stays', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  serve(() => new Response(page(OURS)));
  const Part = lazy(() => Promise.reject(missingPart()));
  function Page() {
    const [open, setOpen] = useState(false);
    return (
      <>
        <button type="button" onClick={() => setOpen(true)}>
          Send
        </button>
        <LatePart wanted={open} onSaid={() => setOpen(false)}>
          {open && <Part />}
        </LatePart>
      </>
    );
  }
  render(<Page />);
  for (const _time of ['first', 'second']) {
    const before = toastStore.get()?.id;
    await userEvent.click(screen.getByRole('button', { name: 'Send' }));
    await vi.waitFor(() => expect(toastStore.get()?.id).not.toBe(before));
    expect(toastStore.get()?.title).toBe("Part of this page couldn't be loaded");
  }
});

test('what breaks for another reason says so', async () => {
  const asked = serve(() => new Response(page('/assets/main-new.js')));
  draw(new TypeError('x is not a function'));
  expect(await screen.findByText('Something went wrong')).toBeDefined();
  expect(isMissingPart(new TypeError('Failed to fetch dynamically imported module'))).toBe(false);
  expect(asked).not.toHaveBeenCalled();
});
