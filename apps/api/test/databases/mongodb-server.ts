import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { BSON, type Document } from 'mongodb';

/** Operation codes of the wire protocol. */
const REPLY = 1;
const QUERY = 2004;
const MESSAGE = 2013;
const HEADER = 16;

/** A command as it was sent, without what the driver adds to every one of them. */
export type Sent = Document & { $db: string };

export interface MongodbServer {
  /** The address of an administrator. */
  url: string;
  /** What it was asked since the last look, connecting and pinging left out. */
  sent(): Sent[];
  /** Answers the command of this name, once for each answer; afterwards, and without any, with success. */
  answer(command: string, ...answers: Document[]): void;
  close(): Promise<void>;
}

/** What a server refuses a command with. */
export function refusal(code: number, errmsg: string): Document {
  return { ok: 0, code, errmsg, codeName: `Code${code}` };
}

/**
 * Speaks MongoDB's wire protocol and nothing more: it notes commands and gives prepared answers. It has no data and
 * checks no password, so that it shows what our engine asks, not what a MongoDB would do. On a free port, unless one is given.
 */
export async function startMongodbServer(at = 0): Promise<MongodbServer> {
  const commands: Sent[] = [];
  const answers = new Map<string, Document[]>();
  const sockets = new Set<Socket>();

  function answerTo(command: Document): Document {
    const name = Object.keys(command)[0] ?? '';
    if (['hello', 'ismaster', 'isMaster'].includes(name)) return HELLO;
    if (name === 'saslStart') return { ok: 1, conversationId: 1, done: true, payload: new BSON.Binary() };
    if (name === 'endSessions' || name === 'ping') return { ok: 1 };
    const { lsid: _session, $readPreference: _preference, ...sent } = command;
    commands.push(sent as Sent);
    return answers.get(name)?.shift() ?? { ok: 1 };
  }

  const server = createServer((socket) => {
    sockets.add(socket);
    let pending = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      pending = Buffer.concat([pending, chunk]);
      while (pending.length >= HEADER && pending.length >= pending.readInt32LE(0)) {
        const length = pending.readInt32LE(0);
        socket.write(replyTo(pending.subarray(0, length), answerTo));
        pending = pending.subarray(length);
      }
    });
  }).listen(at, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server has an address of this kind.
  const { port } = server.address() as AddressInfo;
  return {
    url: `mongodb://admin:secret@127.0.0.1:${port}/?authMechanism=PLAIN&authSource=%24external`,
    sent: () => commands.splice(0),
    answer: (command, ...given) => void answers.set(command, given),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

const HELLO = {
  ok: 1,
  helloOk: true,
  ismaster: true,
  isWritablePrimary: true,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  logicalSessionTimeoutMinutes: 30,
  minWireVersion: 0,
  maxWireVersion: 25,
};

/** The first question comes in the old form, and is answered in it. */
function replyTo(message: Buffer, answerTo: (command: Document) => Document): Buffer {
  const requestId = message.readInt32LE(4);
  if (message.readInt32LE(12) === QUERY) {
    const collectionEnd = message.indexOf(0, HEADER + 4);
    const answer = BSON.serialize(answerTo(BSON.deserialize(message.subarray(collectionEnd + 9))));
    const head = Buffer.alloc(20);
    head.writeInt32LE(1, 16);
    return framed(REPLY, requestId, Buffer.concat([head, answer]));
  }
  // Flags, then one section of kind 0: the command.
  const answer = BSON.serialize(answerTo(BSON.deserialize(message.subarray(HEADER + 5))));
  return framed(MESSAGE, requestId, Buffer.concat([Buffer.alloc(5), answer]));
}

function framed(operation: number, responseTo: number, body: Buffer): Buffer {
  const head = Buffer.alloc(HEADER);
  head.writeInt32LE(HEADER + body.length, 0);
  head.writeInt32LE(responseTo, 8);
  head.writeInt32LE(operation, 12);
  return Buffer.concat([head, body]);
}
