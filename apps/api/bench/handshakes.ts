import { once } from 'node:events';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';

export interface HandshakeLoad {
  host: string;
  /** On loopback. */
  port: number;
  /** Whether they take up a session of before. */
  areResumed: boolean;
  seconds: number;
}

const AT_ONCE = 16;

/** TLS 1.3, as a browser that offers HTTP/2. */
function optionsOf({ host, port }: HandshakeLoad): ConnectionOptions {
  const version = 'TLSv1.3';
  return {
    ...{ host: '127.0.0.1', port, servername: host, rejectUnauthorized: false },
    ...{ ALPNProtocols: ['h2', 'http/1.1'], minVersion: version, maxVersion: version },
  };
}

async function shake(options: ConnectionOptions): Promise<TLSSocket> {
  const socket = connect(options);
  await once(socket, 'secureConnect');
  return socket;
}

/** A session that the server gave. */
async function takeSession(options: ConnectionOptions): Promise<Buffer> {
  const socket = connect(options);
  const [session] = (await once(socket, 'session')) as [Buffer];
  socket.destroy();
  return session;
}

/** Handshakes done, 16 at once, each a connection that is closed after it. Throws where one fails or is of the other kind. */
export async function countHandshakes(load: HandshakeLoad): Promise<number> {
  const { areResumed, seconds } = load;
  const options = optionsOf(load);
  const session = areResumed ? await takeSession(options) : undefined;
  const end = performance.now() + 1000 * seconds;
  let done = 0;
  const goOn = async () => {
    while (performance.now() < end) {
      const socket = await shake({ ...options, ...(session && { session }) });
      if (socket.isSessionReused() !== areResumed) throw new Error('a handshake was of the other kind');
      // Both sides say that they close, as browsers and servers do: a reset would be an error to handle.
      const closed = once(socket, 'close');
      socket.resume().end();
      await closed;
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, goOn));
  return done;
}
