import { connect, type NetConnectOpts } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { encodeCommand, Refusal, type Reply, readReply } from './resp.ts';

/** Milliseconds until a server that says nothing counts as away. */
const PATIENCE = 2500;

/** Asks a server one command: rejects with its `Refusal`, and where it does not answer in time. */
export type Ask = (...words: string[]) => Promise<Reply>;

export interface RedisClient {
  ask: Ask;
  close(): void;
}

/** `tls`: its certificate has to be one for the host. */
export type RedisPlace = NetConnectOpts & { tls?: boolean };

/** A connection to a server; nobody has logged in on it yet. What is asked waits until it is there. */
export function openRedis({ tls = false, ...to }: RedisPlace, patience = PATIENCE): RedisClient {
  const socket = tls ? connectTls(to) : connect(to);
  const waiting: { resolve(reply: Reply): void; reject(error: Error): void }[] = [];
  let arrived = Buffer.alloc(0);
  let failure: Error | undefined;

  function fail(error: Error): void {
    failure ??= error;
    for (const { reject } of waiting.splice(0)) reject(failure);
    socket.destroy();
  }

  function take(chunk: Buffer): void {
    arrived = Buffer.concat([arrived, chunk]);
    for (let read = readReply(arrived); read; read = readReply(arrived)) {
      arrived = arrived.subarray(read.length);
      const asked = waiting.shift();
      if (read.reply instanceof Refusal) asked?.reject(read.reply);
      else asked?.resolve(read.reply);
    }
  }

  socket.setTimeout(patience, () => {
    if (waiting.length > 0) fail(new Error('Redis did not answer in time'));
  });
  socket.on('data', (chunk: Buffer) => {
    try {
      take(chunk);
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
    }
  });
  socket.on('error', fail);
  socket.once('close', () => fail(new Error('Redis closed the connection')));
  return {
    ask: (...words) =>
      new Promise((resolve, reject) => {
        if (failure) return reject(failure);
        waiting.push({ resolve, reject });
        socket.write(encodeCommand(words));
      }),
    close: () => void socket.destroy(),
  };
}

/** Bytes, from what it answers to `INFO memory`. */
export function usedMemory(info: unknown): number {
  const [, bytes] = /^used_memory:(\d+)/m.exec(String(info)) ?? [];
  if (bytes === undefined) throw new Error('Redis did not say how much memory it uses.');
  return Number(bytes);
}
