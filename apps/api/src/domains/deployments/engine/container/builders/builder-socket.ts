import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type Docker from 'dockerode';
import { SOCKET } from './builder-options.ts';

/** Leads its standard input and output to the daemon beside it. */
const CONNECT = ['docker', '--host', `unix://${SOCKET}`, 'system', 'dial-stdio'];

export interface BuilderSocket {
  path: string;
  close(): Promise<void>;
}

/**
 * A socket of ours that leads to the daemon in a builder's container, by commands in that container: it listens on no
 * network, where steps of builds would reach it. The path is short, as those of sockets must be.
 */
export async function openBuilderSocket(container: Docker.Container): Promise<BuilderSocket> {
  const folder = await mkdtemp(join(tmpdir(), 'nephos-'));
  const path = join(folder, 'docker.sock');
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    void lead(container, socket).catch(() => socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  server.unref();
  return {
    path,
    async close() {
      server.close();
      for (const socket of open) socket.destroy();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function lead(container: Docker.Container, socket: Socket): Promise<void> {
  const stream = await enter(container, CONNECT, { hasInput: true });
  await Promise.all([pipeline(socket, stream), pipeline(outputOf(stream), socket)]);
}

/** Runs a command in a container, and answers what it writes, framed as `outputOf` reads it. */
export async function enter(
  container: Docker.Container,
  command: readonly string[],
  { hasInput = false } = {},
): Promise<Duplex> {
  const exec = await container.exec({ Cmd: [...command], AttachStdin: hasInput, AttachStdout: true });
  return exec.start({ hijack: true, stdin: hasInput });
}

const HEADER = 8;

/**
 * What a command without a terminal wrote: Docker sends it in frames of a header of 8 bytes, the last four of which are the
 * length of what follows (docs.docker.com/engine/api, ContainerAttach).
 */
export async function* outputOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let header: Buffer = Buffer.alloc(0);
  let left = 0;
  for await (let chunk of chunks) {
    while (chunk.length > 0) {
      if (left > 0) {
        const piece = chunk.subarray(0, left);
        chunk = chunk.subarray(piece.length);
        left -= piece.length;
        yield piece;
        continue;
      }
      const lacking = HEADER - header.length;
      header = Buffer.concat([header, chunk.subarray(0, lacking)]);
      chunk = chunk.subarray(lacking);
      if (header.length < HEADER) continue;
      left = header.readUInt32BE(4);
      header = Buffer.alloc(0);
    }
  }
}
