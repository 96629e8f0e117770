import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a service answers: nothing at all, or this. */
export type Behaviour = 'hang' | { status: number; headers?: Record<string, string>; body?: string };

export interface TakenMessage {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each service has a shape of its own
  body: any;
}

/** A service on loopback that takes messages, and answers each as it is told: what is not told is taken. */
export async function startAlertService() {
  const taken: TakenMessage[] = [];
  const answers: Behaviour[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const text = Buffer.concat(pieces).toString();
    taken.push({ path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) });
    const answer = answers.shift() ?? { status: 200, body: 'ok' };
    if (answer === 'hang') return;
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    taken,
    answers,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
