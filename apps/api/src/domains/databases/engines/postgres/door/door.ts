import { connect, type NetConnectOpts, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type { Logger } from 'pino';
import { clientAt } from '../../../../../platform/client-address.ts';
import type { Connection } from '../../door/connections.ts';
import {
  createDoorPort,
  type DoorPort,
  type FindDoorCertificate,
  usableCertificates,
} from '../../door/door-port.ts';
import { hangUp } from '../../door/hang-up.ts';
import { StillStarting } from '../clusters/still-starting.ts';
import { BeingMoved } from './being-moved.ts';
import { addHints } from './hints.ts';
import { refuseLogin } from './refuse-login.ts';
import { type Beginning, type FirstMessage, fatal, readFirst } from './startup.ts';
import { createWaitingRoom, type Place } from './waiting-room.ts';
import { watchLogin } from './watch-login.ts';

/** A place at a server. */
export interface Admission {
  server: NetConnectOpts;
  /** The connection is over. */
  leave(): void;
  /** What to do where a statement may not write; undefined while it may. */
  hint?: (() => string | undefined) | undefined;
}

/** What becomes of a client: `full` where there is no room for it, undefined where there is no such database. */
export type Entry = Admission | 'full' | { refusal: string } | undefined;

/** What a client asks for. */
export interface Wanted {
  user: string;
  database: string;
}

export interface DoorParts {
  /** Whether there may be such a user of such a database. */
  isThere(wanted: Wanted): boolean;
  /**
   * Lets a client in to the database of that name, once its server is awake. Rejects where that cannot be started, with
   * `StillStarting` while it recovers, and with `BeingMoved`.
   */
  admit(wanted: Wanted): Promise<Entry>;
  certificateFor: FindDoorCertificate;
  /** For the salts of users that are not there. */
  key: Uint8Array;
  log: Logger;
}

/** The one port of all PostgreSQL databases. */
export interface Door extends DoorPort {
  /** Ends the connections to a database. */
  end(database: string): void;
}

interface Joining {
  socket: Socket;
  database: string;
  place: Place;
  whole: Buffer;
  /** Told while the client is yet to prove who it is. */
  unwanted: AbortSignal;
}

/** A client asks once for each kind of encryption. */
const MOST_DECLINED = 2;
/** Milliseconds. */
const CANCELLING = 10_000;
const TOO_MANY = fatal('53300', 'sorry, too many clients already');
/** The administrator comes in by the sockets of the servers, never through the door. */
const ADMINISTRATOR = 'postgres';

export function createDoor({ isThere, admit, certificateFor, key, log }: DoorParts): Door {
  const usable = usableCertificates(certificateFor, log);
  const port = createDoorPort({
    greet: (socket, connection) => greet(socket, { isTls: false, connection }),
    log,
  });
  const waitingRoom = createWaitingRoom();
  const joined = new Map<Socket, string>();
  /** Where a query is cancelled, by the key that its session was given. */
  const sessions = new Map<string, NetConnectOpts>();

  /** Reads first messages until one names a database. */
  function greet(socket: Socket, at: { isTls: boolean; connection: Connection }): void {
    let arrived = Buffer.alloc(0);
    let declined = 0;
    const read = (chunk: Buffer) => {
      arrived = Buffer.concat([arrived, chunk]);
      let first = firstOf(socket, arrived);
      while (first && isDeclined(first.beginning, at)) {
        declined += 1;
        if (declined > MOST_DECLINED) return void socket.destroy();
        socket.write('N');
        arrived = arrived.subarray(first.length);
        first = firstOf(socket, arrived);
      }
      if (!first) return;
      const { beginning, length } = first;
      const whole = arrived;
      arrived = arrived.subarray(length);
      socket.off('data', read).pause();
      if (beginning.kind === 'cancel') {
        at.connection.named();
        return cancel(socket, beginning.key, whole);
      }
      if (beginning.kind === 'start') {
        at.connection.named();
        return void enter(socket, { ...beginning, whole, connection: at.connection });
      }
      // What follows a request in the clear was not said by who is asked to prove it by TLS.
      if (at.isTls || (beginning.kind === 'tls' && arrived.length > 0)) return void socket.destroy();
      encrypt(socket, { asked: beginning.kind === 'tls', rest: whole, connection: at.connection });
    };
    socket.on('data', read);
    socket.resume();
  }

  function isDeclined({ kind }: Beginning, { isTls }: { isTls: boolean }): boolean {
    return kind === 'gss' || (kind === 'tls' && !isTls && !usable(undefined));
  }

  function encrypt(socket: Socket, at: { asked: boolean; rest: Buffer; connection: Connection }): void {
    const secureContext = usable(undefined);
    if (!secureContext) return void socket.destroy();
    if (at.asked) socket.write('S');
    else socket.unshift(at.rest);
    const tls = new TLSSocket(socket, {
      isServer: true,
      secureContext,
      ALPNProtocols: ['postgresql'],
      SNICallback(name, done) {
        done(null, usable(name.toLowerCase()) ?? secureContext);
      },
    });
    tls.on('error', () => socket.destroy());
    greet(tls, { isTls: true, connection: at.connection });
  }

  function cancel(socket: Socket, session: string, message: Buffer): void {
    const server = sessions.get(session);
    if (!server) return void socket.destroy();
    const upstream = connect(server);
    upstream.on('error', () => {}).once('close', () => socket.destroy());
    // A pooler forgets the wish of who hangs up before it is passed on.
    upstream.setTimeout(CANCELLING, () => upstream.destroy());
    upstream.write(message);
    upstream.resume();
  }

  async function enter(
    socket: Socket,
    at: { user: string; database: string; whole: Buffer; connection: Connection },
  ): Promise<void> {
    const { user, database, whole, connection } = at;
    const refuse = () => {
      connection.refused();
      refuseLogin(socket, user, key);
    };
    if (user === ADMINISTRATOR || !isThere({ user, database })) return refuse();
    const going = new AbortController();
    const client = clientAt(socket.remoteAddress ?? '');
    const place = await waitingRoom.take({ database, client, go: () => going.abort() });
    if (!place) return hangUp(socket, TOO_MANY);
    let admission: Entry;
    try {
      admission = await admit({ user, database });
    } catch (error) {
      place.leave();
      return hangUp(socket, fatal('57P03', reasonOf(error)));
    }
    if (admission && admission !== 'full' && 'server' in admission && !socket.destroyed) {
      return join({ socket, database, place, whole, unwanted: going.signal }, admission);
    }
    place.leave();
    if (admission === 'full') return hangUp(socket, TOO_MANY);
    if (!admission) return refuse();
    if ('refusal' in admission) return hangUp(socket, fatal('53100', admission.refusal));
    admission.leave();
  }

  /** From here on only bytes are copied; until the server took the password, the client may be asked to go. */
  function join(
    { socket, database, place, whole, unwanted }: Joining,
    { server, leave, hint }: Admission,
  ): void {
    const upstream = connect(server);
    joined.set(socket, database);
    let session: string | undefined;
    let isProven = false;
    upstream.on('error', (error) => {
      log.debug({ err: error }, 'the server of a database hung up');
      socket.destroy();
    });
    upstream.once('close', () => {
      if (session !== undefined) sessions.delete(session);
      place.leave();
      leave();
    });
    const answers = hint ? upstream.pipe(addHints(hint)) : upstream;
    answers.once('close', () => socket.end());
    const leaveServer = () => {
      if (isProven) return void upstream.destroy();
      // While it waits for the password it hangs up as soon as we do; only then has it room for another.
      upstream.removeAllListeners('data').resume();
      hangUp(upstream, Buffer.alloc(0));
    };
    socket.once('close', () => {
      joined.delete(socket);
      leaveServer();
    });
    unwanted.addEventListener('abort', () => {
      leaveServer();
      hangUp(socket.removeAllListeners('data').pause(), TOO_MANY);
    });
    let watch: ((chunk: Buffer) => boolean) | undefined = watchLogin({
      onProven() {
        isProven = true;
        place.leave();
      },
      onKey(found) {
        session = found;
        sessions.set(found, server);
      },
    });
    place.asked();
    upstream.write(whole);
    copy(socket, upstream);
    copy(answers, socket, (chunk) => {
      if (watch?.(chunk)) watch = undefined;
    });
  }

  return {
    ...port,
    end(database) {
      for (const [socket, name] of joined) if (name === database) socket.destroy();
    },
  };
}

/** Why nobody can be let in to a database at the moment. */
function reasonOf(error: unknown): string {
  if (error instanceof BeingMoved) return error.message;
  return error instanceof StillStarting
    ? 'the database system is starting up'
    : 'the database cannot be started at the moment';
}

/** The first message of what has arrived; hangs up on what none could begin with. */
function firstOf(socket: Socket, arrived: Buffer): FirstMessage | undefined {
  try {
    return readFirst(arrived);
  } catch {
    socket.destroy();
    return undefined;
  }
}

/** Copies at the pace of who takes it. */
function copy(from: Readable, to: Socket, look?: (chunk: Buffer) => void): void {
  from.on('data', (chunk: Buffer) => {
    look?.(chunk);
    if (to.write(chunk)) return;
    from.pause();
    to.once('drain', () => from.resume());
  });
  from.once('end', () => to.end());
  from.resume();
}
