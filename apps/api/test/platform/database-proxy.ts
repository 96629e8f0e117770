import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';

/** Stands between the console and its database, as a network that loses what it carries without a word. */
export interface DatabaseProxy {
  /** The database's address by way of the proxy. */
  url: string;
  /** From now on nothing passes on the connections that are open, which stay open at both ends; new ones work. */
  blackHole(): void;
  /** The next connection on which `text` is sent after `sign` carries it to the database, and nothing back. */
  loseAnswerTo(text: string, sign: string): void;
  close(): Promise<void>;
}

export async function createDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const passing = new Set<object>();
  let losing: { text: string; sign: string; link?: object } | undefined;

  function carry(from: Socket, to: Socket, link: object, look: (chunk: Buffer) => void): void {
    sockets.add(from);
    from.on('data', (chunk) => {
      if (!passing.has(link)) return;
      to.write(chunk);
      look(chunk);
    });
    from.on('error', () => {});
    from.on('close', () => {
      sockets.delete(from);
      if (passing.has(link)) to.destroy();
    });
  }

  const server = createServer((client) => {
    const link = {};
    passing.add(link);
    const upstream = createConnection(Number(target.port), target.hostname);
    carry(client, upstream, link, (chunk) => {
      if (losing && !losing.link && chunk.includes(losing.sign)) losing.link = link;
      if (losing?.link !== link || !chunk.includes(losing.text)) return;
      losing = undefined;
      passing.delete(link);
    });
    carry(upstream, client, link, () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    blackHole: () => passing.clear(),
    loseAnswerTo(text, sign) {
      losing = { text, sign };
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
