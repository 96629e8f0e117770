import type { AppRouter } from '@nephos/contracts';
import { TRPCClientError } from '@trpc/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { UploadClient } from './send-file.ts';
import { createUploadQueue } from './upload-queue.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
});

const FILE = new File(['0123456789'], 'film.mp4', { lastModified: 1 });
const WANTED = { file: FILE, filePath: '/' };

/** As much of the client as a queue calls before it sends bytes. */
function clientThat(begin: () => Promise<unknown>): UploadClient {
  return { storageUploads: { begin: { mutate: begin } } } as unknown as UploadClient;
}

function refusedWith(httpStatus: number) {
  const data = { code: 'BAD_REQUEST', httpStatus, reason: 'RATE_LIMITED', requestId: 'test' } as const;
  return TRPCClientError.from<AppRouter>({ error: { message: 'Too many requests.', code: -32000, data } });
}

it('pauses what is for a workspace that the tab no longer shows', async () => {
  let here = true;
  const begun = vi.fn(async () => {
    here = false;
    return { id: 'x', partSize: 4 };
  });
  const sent = vi.spyOn(XMLHttpRequest.prototype, 'send');
  const queue = createUploadQueue({ client: clientThat(begun), isHere: () => here });
  queue.add([WANTED]);
  await vi.waitFor(() => expect(queue.uploads()[0]?.state).toBe('paused'));
  expect(begun).toHaveBeenCalledOnce();
  expect(sent).not.toHaveBeenCalled();
});

it('waits where it was too fast for the server, and says after a while that it could not', async () => {
  const begun = vi.fn(async () => {
    throw refusedWith(429);
  });
  const queue = createUploadQueue({ client: clientThat(begun), isHere: () => true });
  queue.add([WANTED]);
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(begun).toHaveBeenCalledTimes(2);
  expect(queue.uploads()[0]?.state).toBe('sending');
  await vi.advanceTimersByTimeAsync(120_000);
  expect(queue.uploads()[0]).toMatchObject({ state: 'failed', error: 'Too many requests.' });
  expect(begun).toHaveBeenCalledTimes(6);
});

it('does not try again what was refused for a reason, nor what was paused while it waited', async () => {
  const refused = vi.fn(async () => {
    throw refusedWith(403);
  });
  const queue = createUploadQueue({ client: clientThat(refused), isHere: () => true });
  queue.add([WANTED]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(refused).toHaveBeenCalledOnce();

  const crowded = vi.fn(async () => {
    throw refusedWith(429);
  });
  const other = createUploadQueue({ client: clientThat(crowded), isHere: () => true });
  other.add([WANTED]);
  await vi.advanceTimersByTimeAsync(0);
  other.pauseAll();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(crowded).toHaveBeenCalledOnce();
  expect(other.uploads()[0]?.state).toBe('paused');
});
