import { once } from 'node:events';
import { connect } from 'node:net';

const READ_SIZE = 1024 * 1024;
const END_OF_HEAD = '\r\n\r\n';

export interface BytesLoad {
  url: string;
  headers?: Record<string, string>;
  connections: number;
  seconds: number;
}

/**
 * Downloads one address again and again and resolves to bytes per second. It only counts what arrives: a client that
 * parses more would itself be what is measured.
 */
export async function fetchBytes({ url, headers = {}, connections, seconds }: BytesLoad): Promise<number> {
  const began = performance.now();
  const until = began + seconds * 1000;
  const loads = Array.from({ length: connections }, () => fetchUntil(until, url, headers));
  const bytes = (await Promise.all(loads)).reduce((sum, size) => sum + size, 0);
  return bytes / ((performance.now() - began) / 1000);
}

async function fetchUntil(until: number, url: string, headers: Record<string, string>): Promise<number> {
  const { hostname, port, pathname, host } = new URL(url);
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = `GET ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`;
  let received = 0;
  let left = 0;

  const socket = connect({
    host: hostname,
    port: Number(port),
    onread: {
      buffer: Buffer.alloc(READ_SIZE),
      callback(size, buffer) {
        received += size;
        left = left === 0 ? sizeOfAnswer(buffer.subarray(0, size)) - size : left - size;
        if (left > 0) return true;
        if (performance.now() < until) socket.write(request);
        else socket.end();
        return true;
      },
    },
  });
  await once(socket, 'connect');
  socket.write(request);
  await once(socket, 'close');
  return received;
}

/** Bytes of an answer, head and body, by its head. */
function sizeOfAnswer(start: Uint8Array): number {
  const text = Buffer.from(start.subarray(0, 4096)).toString('latin1');
  const [, length] = /^HTTP\/1\.1 200 .*\r\ncontent-length: (\d+)\r\n/is.exec(text) ?? [];
  if (length === undefined) throw new Error(`not the file: ${text.slice(0, 100)}`);
  return text.indexOf(END_OF_HEAD) + END_OF_HEAD.length + Number(length);
}
