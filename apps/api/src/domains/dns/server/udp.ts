import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, isIPv6 } from 'node:net';
import { createAnswerLimit } from './answer-limit.ts';
import type { Responder } from './responder.ts';

export interface UdpServer {
  address(): AddressInfo;
  close(): Promise<void>;
}

/** Holds what arrives while zones are taken over; the system may grant less. */
const RECEIVE_BUFFER = 4 * 1024 * 1024;
/** Octets of answers that wait for the network; more would only grow. */
const MAX_WAITING = 1024 * 1024;
const SECOND = 1000;

/** Answers on an IP address; throws where it cannot be bound. `fd` is a socket that is bound there already. */
export async function openUdp(
  responder: Responder,
  { host, port, fd }: { host: string; port: number; fd?: number | undefined },
): Promise<UdpServer> {
  const family = isIPv6(host) ? 6 : 4;
  const socket = createSocket({
    type: `udp${family}`,
    recvBufferSize: RECEIVE_BUFFER,
    // Only ever addresses: the usual lookup costs a turn of the loop for each answer.
    lookup: (address, _options, done) => done(null, address, family),
  });
  const limit = createAnswerLimit(randomInt(2 ** 32));
  socket.on('message', (packet, { address, port: from }) => {
    // A forged port; nothing can be sent there.
    if (from === 0 || socket.getSendQueueSize() > MAX_WAITING) return;
    const isOverLimit = () => limit.isOver(address, Math.floor(performance.now() / SECOND));
    const answer = responder.respond(packet, { transport: 'udp', address, isOverLimit });
    if (answer) socket.send(answer, from, address);
  });
  // This stands before `bind`, which with this lookup listens at once.
  const listening = once(socket, 'listening');
  if (fd === undefined) socket.bind(port, host);
  else socket.bind({ fd });
  try {
    await listening;
  } catch (error) {
    socket.close();
    throw error;
  }
  // From here on, errors are of single answers: their networks are unreachable, say.
  socket.on('error', () => {});
  return {
    address: () => socket.address(),
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}
