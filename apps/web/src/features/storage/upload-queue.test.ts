import type { AppRouter } from '@nephos/contracts';
import { TRPCClientError } from '@trpc/client';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
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

/** A line whose parts come through when the test says so, with a queue of files in parts of 4 bytes. */
function lineOf(names: readonly string[]) {
  const wire = new Map<string, Part>();
  const arrived = new Map<string, number[]>();
  /** As much of a request as sends a part. */
  class Part extends EventTarget {
    upload = new EventTarget();
    status = 200;
    responseText = '{}';
    name = '';
    open(_method: string, url: string) {
      this.name = url.replace(/^.*uploads\/(.*)\/parts\//, '$1 ');
    }
    setRequestHeader() {}
    send() {
      wire.set(this.name, this);
    }
    progress(loaded: number) {
      this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded }));
    }
    end(how: 'load' | 'abort') {
      wire.delete(this.name);
      this.dispatchEvent(new Event(how));
    }
    abort() {
      this.end('abort');
    }
  }
  vi.stubGlobal('XMLHttpRequest', Part);
  const abort = vi.fn(async () => ({}));
  const storageUploads = {
    begin: { mutate: async ({ fileName }: { fileName: string }) => ({ id: fileName, partSize: 4 }) },
    get: {
      query: async ({ id }: { id: string }) => ({
        parts: (arrived.get(id) ?? []).map((partNumber) => ({ partNumber, size: 4 })),
      }),
    },
    complete: { mutate: vi.fn(async () => ({})) },
    abort: { mutate: abort },
  };
  const client = { storageUploads } as unknown as UploadClient;
  const queue = createUploadQueue({ client, isHere: () => true });
  // The further lane is the tab's, and so the next test's as well.
  onTestFinished(async () => {
    for (const { id } of queue.uploads()) queue.cancel(id);
    await vi.waitFor(() => expect(wire.size).toBe(0));
    vi.unstubAllGlobals();
  });
  queue.add(names.map((name) => ({ file: new File(['x'.repeat(24)], name), filePath: '/' })));
  return {
    queue,
    abort,
    onTheWire: () => [...wire.keys()],
    async arrive(name: string, milliseconds = 0) {
      await vi.advanceTimersByTimeAsync(milliseconds);
      const [id = '', part] = name.split(' ');
      arrived.set(id, [...(arrived.get(id) ?? []), Number(part)]);
      wire.get(name)?.progress(4);
      wire.get(name)?.end('load');
      await vi.advanceTimersByTimeAsync(0);
    },
    progress: (name: string, bytes: number) => wire.get(name)?.progress(bytes),
    async refuse(name: string) {
      Object.assign(wire.get(name) ?? {}, { status: 403 });
      wire.get(name)?.end('load');
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

it('sends a further part beside only while parts come through fast', async () => {
  const line = lineOf(['a']);
  await vi.advanceTimersByTimeAsync(0);
  expect(line.onTheWire()).toEqual(['a 1']);
  await line.arrive('a 1', 5000);
  expect(line.onTheWire()).toEqual(['a 2']);
  await line.arrive('a 2', 1000);
  expect(line.onTheWire()).toEqual(['a 3', 'a 4']);
  await line.arrive('a 4', 5000);
  expect(line.onTheWire()).toEqual(['a 3']);
});

it('gives each of the files that are on their way a lane, and says of the others that they wait', async () => {
  const line = lineOf(['a', 'b', 'c', 'd']);
  await vi.advanceTimersByTimeAsync(0);
  await line.arrive('a 1');
  await line.arrive('b 1');
  expect(line.onTheWire().sort()).toEqual(['a 2', 'a 3', 'b 2', 'c 1']);
  expect(line.queue.uploads().map(({ state }) => state)).toEqual([
    'sending',
    'sending',
    'sending',
    'waiting',
  ]);
});

it('pauses after the parts that are under way, and counts what has arrived alone', async () => {
  const { queue, ...line } = lineOf(['a']);
  await vi.advanceTimersByTimeAsync(0);
  await line.arrive('a 1');
  line.progress('a 2', 3);
  line.progress('a 3', 3);
  expect(queue.uploads()[0]).toMatchObject({ state: 'sending', sent: 10 });
  queue.pauseAll();
  expect(queue.uploads()[0]?.state).toBe('pausing');
  await line.arrive('a 2');
  expect([queue.uploads()[0]?.state, line.onTheWire()]).toEqual(['pausing', ['a 3']]);
  await line.refuse('a 3');
  expect(queue.uploads()[0]).toMatchObject({ state: 'paused', sent: 8 });
  expect(line.onTheWire()).toEqual([]);
});

it('goes on with what is pausing once its part has arrived, and ends it at once where it is cancelled', async () => {
  const { queue, abort, ...line } = lineOf(['a']);
  await vi.advanceTimersByTimeAsync(0);
  queue.pauseAll();
  queue.resumeAll();
  expect(queue.uploads()[0]?.state).toBe('sending');
  expect(line.onTheWire()).toEqual(['a 1']);
  await line.arrive('a 1');
  expect([queue.uploads()[0]?.state, line.onTheWire()]).toEqual(['sending', ['a 2']]);
  queue.pauseAll();
  queue.resumeAll();
  queue.cancel(1);
  await vi.advanceTimersByTimeAsync(0);
  expect([queue.uploads(), line.onTheWire()]).toEqual([[], []]);
  expect(abort).toHaveBeenCalledExactlyOnceWith({ id: 'a' });
});

it('lets what was resumed while it paused wait for a lane, where another file has taken its', async () => {
  const { queue, ...line } = lineOf(['a', 'b', 'c', 'd']);
  const states = () => queue.uploads().map(({ state }) => state);
  await vi.advanceTimersByTimeAsync(0);
  queue.pause(1);
  await line.arrive('a 1', 5000);
  expect(states()).toEqual(['paused', 'sending', 'sending', 'sending']);
  queue.resume(1);
  queue.pause(2);
  queue.resume(2);
  expect(states()).toEqual(['sending', 'waiting', 'sending', 'sending']);
  await line.arrive('b 1', 5000);
  expect(states()).toEqual(['sending', 'waiting', 'sending', 'sending']);
});

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
