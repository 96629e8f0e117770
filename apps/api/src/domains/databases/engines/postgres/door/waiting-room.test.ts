import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { UNPROVEN_LIMIT } from '../../limits.ts';
import { createWaitingRoom, type Place, type WaitingRoom } from './waiting-room.ts';

const database = 'db_1';

let room: WaitingRoom;
beforeEach(() => {
  vi.useFakeTimers();
  room = createWaitingRoom();
});
afterEach(() => void vi.useRealTimers());

/** One that the server asks for its password, which it does not say; it goes when it is asked to. */
async function idler(client: string, went: string[] = []): Promise<void> {
  let place: Place | undefined;
  const go = () => {
    went.push(client);
    place?.leave();
  };
  place = await room.take({ database, client, go });
  place?.asked();
}

const nobody = { database, go() {} };

test('who came from elsewhere gets the first place that one from the busiest address has had for a second', async () => {
  const went: string[] = [];
  await idler('elsewhere', went);
  for (let n = 1; n < UNPROVEN_LIMIT; n += 1) await idler('crowd', went);
  for (let n = 0; n < 5; n += 1) void idler('crowd', went);
  let place: Place | undefined;
  void room.take({ ...nobody, client: 'new' }).then((found) => {
    place = found;
  });
  await vi.advanceTimersByTimeAsync(990);
  expect(went).toEqual([]);
  await vi.advanceTimersByTimeAsync(20);
  expect(place).toBeDefined();
  expect(went).not.toContain('elsewhere');
});

test('a place that is left goes to the next at once, in the order in which they came', async () => {
  const places: (Place | undefined)[] = [];
  for (let n = 0; n < UNPROVEN_LIMIT; n += 1) places.push(await room.take({ ...nobody, client: 'a' }));
  const arrived: number[] = [];
  for (const n of [1, 2, 3]) void room.take({ ...nobody, client: 'a' }).then(() => arrived.push(n));
  places[0]?.leave();
  places[0]?.leave();
  places[1]?.leave();
  await vi.advanceTimersByTimeAsync(0);
  expect(arrived).toEqual([1, 2]);
  expect(await room.take({ ...nobody, database: 'db_2', client: 'a' })).toBeDefined();
});

test('who waits for a server to wake is not sent away, and who waits for them is refused after ten seconds', async () => {
  const go = vi.fn();
  for (let n = 0; n < UNPROVEN_LIMIT; n += 1) await room.take({ database, client: 'a', go });
  const refused = room.take({ ...nobody, client: 'b' });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await refused).toBeUndefined();
  expect(go).not.toHaveBeenCalled();
});

test('there is an end to those that wait, at the cost of the address that most of them are from', async () => {
  for (let n = 0; n < UNPROVEN_LIMIT; n += 1) await room.take({ ...nobody, client: 'a' });
  const refused: string[] = [];
  const wait = (client: string) =>
    void room.take({ ...nobody, client }).then((place) => !place && refused.push(client));
  wait('b');
  for (let n = 0; n < 101; n += 1) wait('a');
  await vi.advanceTimersByTimeAsync(0);
  expect(refused).toEqual(['a', 'a']);
});
