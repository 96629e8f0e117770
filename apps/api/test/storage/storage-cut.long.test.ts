import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '../world.ts';
import { documented, filesOnDisk, MB, upload } from './storage-world.ts';

const SIZE = 4 * MB;

let world: World;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  world = await createWorld({ running: true });
  ada = await world.as('Ada');
  bob = await world.as('Bob');
});

afterAll(() => world.close());

async function open(headers: string[], { cookie } = ada): Promise<Socket> {
  const { hostname, port } = new URL(world.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.on('error', () => {});
  socket.write([...headers, `host: ${hostname}`, `cookie: ${cookie}`, '', ''].join('\r\n'));
  return socket;
}

const openUpload = (...headers: string[]) =>
  open(['POST /api/storage/upload?fileName=cut.bin HTTP/1.1', 'content-type: a/b', ...headers]);

const openCreate = (size: number, person = ada) =>
  open(
    [
      'POST /api/storage HTTP/1.1',
      'content-type: application/json',
      'connection: close',
      `content-length: ${size}`,
    ],
    person,
  );

/** Writes and waits until the kernel has it. */
function send(socket: Socket, bytes: Buffer | string): Promise<void> {
  return new Promise((resolve) => socket.write(bytes, () => resolve()));
}

async function rows(): Promise<number> {
  return (await ada.rpc.storage.list.query()).length;
}

/** The temporary file that an upload is being written to. */
const isWriting = async () => (await filesOnDisk(world)).length === 1;

describe('an upload that is cut', () => {
  const endings = {
    FIN: (socket: Socket) => socket.end(),
    RST: (socket: Socket) => socket.resetAndDestroy(),
  };
  const cuts = [0.01, 0.5, 0.99].flatMap((part) =>
    (['FIN', 'RST'] as const).map((ending) => [Math.round(part * 100), ending] as const),
  );

  test.each(cuts)('at %i percent by %s leaves no row, object or temporary file', async (percent, ending) => {
    const socket = await openUpload(`content-length: ${SIZE}`);
    await send(socket, Buffer.alloc((SIZE * percent) / 100));
    await expect.poll(isWriting).toBe(true);
    endings[ending](socket);
    await expect.poll(() => filesOnDisk(world)).toEqual([]);
    expect(await rows()).toBe(0);
    socket.destroy();
  });

  test.each(['FIN', 'RST'] as const)('in chunks without an end, by %s, too', async (ending) => {
    const socket = await openUpload('transfer-encoding: chunked');
    await send(socket, `${MB.toString(16)}\r\n`);
    await send(socket, Buffer.concat([Buffer.alloc(MB), Buffer.from('\r\n')]));
    await expect.poll(isWriting).toBe(true);
    endings[ending](socket);
    await expect.poll(() => filesOnDisk(world)).toEqual([]);
    expect(await rows()).toBe(0);
    socket.destroy();
  });

  test.each(cuts)('as JSON at %i percent by %s, too', async (percent, ending) => {
    const body = JSON.stringify(documented(Buffer.alloc(SIZE)));
    const socket = await openCreate(body.length);
    await send(socket, body.slice(0, (body.length * percent) / 100));
    endings[ending](socket);
    await once(socket.resume(), 'close');
    expect(await filesOnDisk(world)).toEqual([]);
    expect(await rows()).toBe(0);
  });
});

describe('large bodies', () => {
  const large = JSON.stringify(documented(Buffer.alloc(2 * MB)));

  /** More is sent than the kernel holds, so that it is read is proof of a place. */
  async function takePlaces(...people: Person[]): Promise<Socket[]> {
    const held = await Promise.all(people.map((person) => openCreate(14 * MB, person)));
    await Promise.all(held.map((socket) => send(socket, Buffer.alloc(13 * MB, ' '))));
    return held;
  }

  const four = (person: Person) => Array.from({ length: 4 }, () => person);
  const takeAllPlaces = () => takePlaces(...four(ada), ...four(bob));

  test('of one person have four places, and somebody else gets one at once', async () => {
    const held = await takePlaces(...four(ada));
    let answered = false;
    const fifth = ada.rest('POST /api/storage', { body: large }).then((answer) => {
      answered = true;
      return answer;
    });
    for (let call = 0; call < 2; call += 1) {
      expect((await bob.rest('POST /api/storage', { body: large })).status).toBe(201);
    }
    expect(answered).toBe(false);
    held[0]?.destroy();
    expect((await fifth).status).toBe(201);
    for (const socket of held) socket.destroy();
  });

  test('wait for one of eight places, and get one when it is free', async () => {
    const held = await takeAllPlaces();
    let answered = false;
    const ninth = ada.rest('POST /api/storage', { body: large }).then((answer) => {
      answered = true;
      return answer;
    });
    expect((await ada.rest('POST /api/storage', { body: documented('small') })).status).toBe(201);
    expect((await upload(world, ada, Buffer.alloc(2 * MB))).status).toBe(201);
    expect(answered).toBe(false);
    held[0]?.destroy();
    expect((await ninth).status).toBe(201);
    for (const socket of held) socket.destroy();
  });

  test('that find none in ten seconds are refused, at both doors', async () => {
    const held = await takeAllPlaces();
    const began = Date.now();
    const refused = await Promise.all([
      ada.rest('POST /api/storage', { body: large }),
      ada.rest('POST /trpc/storage.create', { body: large }),
    ]);
    expect(refused).toMatchObject([{ status: 503, body: { code: 'UNAVAILABLE' } }, { status: 503 }]);
    expect(refused[0]?.headers.get('retry-after')).toBe('2');
    expect(Date.now() - began).toBeGreaterThan(9000);
    for (const socket of held) socket.destroy();
    await expect.poll(async () => (await ada.rest('POST /api/storage', { body: large })).status).toBe(201);
  });

  test('of who is signed out are not read', async () => {
    expect((await world.anyone.rest('POST /api/storage', { body: large })).status).toBe(401);
  });
});
