import { connect, type NetConnectOpts, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Logger } from 'pino';
import type { Connection } from '../../door/connections.ts';
import {
  createDoorPort,
  type DoorPort,
  type FindDoorCertificate,
  usableCertificates,
} from '../../door/door-port.ts';
import { hangUp } from '../../door/hang-up.ts';
import { type FirstCommand, readCommand, userOf } from './first-command.ts';

/** A place at a server. */
interface Admission {
  server: NetConnectOpts;
  /** The connection is over. */
  leave(): void;
}

interface DoorParts {
  /** Resolves with undefined where there is no such user, with `full` where its server has no room. */
  admit(user: string): Promise<Admission | 'full' | undefined>;
  certificateFor: FindDoorCertificate;
  log: Logger;
}

/** First byte of what TLS begins with; no command begins with it. */
const TLS_HANDSHAKE = 0x16;
/** Commands of a client that does not say who it is, before it is left. */
const MOST_NAMELESS = 16;

const error = (text: string) => Buffer.from(`-${text}\r\n`);
/** In the words of Redis, whose clients look for them. */
const NO_AUTH = error('NOAUTH Authentication required.');
const NO_AUTH_HELLO = error(
  'NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO <proto> AUTH <user> <pass> option can be used to authenticate the client and select the RESP protocol version at the same time',
);
const WRONG_PASSWORD = error('WRONGPASS invalid username-password pair or user is disabled.');
const FULL = error('ERR max number of clients reached');
const AWAY = error('ERR the database cannot be started at the moment');
const BYE = Buffer.from('+OK\r\n');

/** The one port of all Redis databases: a client is led to the server of the user that it says it is. */
export function createDoor({ admit, certificateFor, log }: DoorParts): DoorPort {
  const usable = usableCertificates(certificateFor, log);

  function welcome(socket: Socket, connection: Connection): void {
    socket.once('data', (chunk: Buffer) => {
      socket.pause();
      socket.unshift(chunk);
      if (chunk[0] === TLS_HANDSHAKE) encrypt(socket, connection);
      else greet(socket, connection);
    });
  }

  function encrypt(socket: Socket, connection: Connection): void {
    const secureContext = usable(undefined);
    if (!secureContext) return void socket.destroy();
    const tls = new TLSSocket(socket, {
      isServer: true,
      secureContext,
      SNICallback: (name, done) => done(null, usable(name.toLowerCase()) ?? secureContext),
    });
    tls.on('error', () => socket.destroy());
    greet(tls, connection);
  }

  /** Reads commands until one says who it comes from. */
  function greet(socket: Socket, connection: Connection): void {
    let arrived = Buffer.alloc(0);
    let nameless = 0;
    const read = (chunk: Buffer) => {
      arrived = Buffer.concat([arrived, chunk]);
      for (let command = firstOf(socket, arrived); command; command = firstOf(socket, arrived)) {
        if (userOf(command) !== undefined) {
          socket.off('data', read).pause();
          return void enter(socket, { user: userOf(command) ?? '', whole: arrived, connection });
        }
        arrived = arrived.subarray(command.length);
        nameless += 1;
        if (command.name === 'QUIT') return hangUp(socket, BYE);
        if (nameless > MOST_NAMELESS) return void socket.destroy();
        // An empty line has no answer.
        if (command.words.length > 0) socket.write(answerTo(command));
      }
    };
    socket.on('data', read);
    socket.resume();
  }

  async function enter(
    socket: Socket,
    { user, whole, connection }: { user: string; whole: Buffer; connection: Connection },
  ): Promise<void> {
    let admission: Admission | 'full' | undefined;
    try {
      admission = await admit(user);
    } catch {
      return hangUp(socket, AWAY);
    }
    if (admission === 'full') return hangUp(socket, FULL);
    if (!admission) return hangUp(socket, WRONG_PASSWORD);
    if (socket.destroyed) return admission.leave();
    join(socket, { admission, whole, connection });
  }

  /** The server looks at the password. Only whom it lets in may say more, and stay. */
  function join(
    socket: Socket,
    { admission, whole, connection }: { admission: Admission; whole: Buffer; connection: Connection },
  ): void {
    const upstream = connect(admission.server);
    upstream.on('error', (failure) => {
      log.debug({ err: failure }, 'the server of a database hung up');
      socket.destroy();
    });
    upstream.once('close', () => {
      admission.leave();
      socket.end();
    });
    socket.once('close', () => upstream.destroy());
    upstream.once('data', (answer: Buffer) => {
      if (answer.toString('latin1', 0, 1) === '-') {
        upstream.destroy();
        return hangUp(socket, answer);
      }
      connection.named();
      socket.write(answer);
      upstream.pipe(socket);
      socket.pipe(upstream);
    });
    upstream.write(whole);
  }

  return createDoorPort({ greet: welcome, log });
}

/** The first command of what has arrived; hangs up on what none could begin with. */
function firstOf(socket: Socket, arrived: Buffer): FirstCommand | undefined {
  try {
    return arrived.length === 0 ? undefined : readCommand(arrived);
  } catch {
    socket.destroy();
    return undefined;
  }
}

function answerTo({ name, words }: FirstCommand): Buffer {
  if (name === 'HELLO') return NO_AUTH_HELLO;
  // A password alone is that of a user who is turned off.
  return name === 'AUTH' && words.length === 2 ? WRONG_PASSWORD : NO_AUTH;
}
