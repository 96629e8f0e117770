import type { Duplex, Writable } from 'node:stream';
import { bytesWritten } from '../../../../platform/bytes-written.ts';

/** Counts what leaves for the clients of apps. */
export interface Egress {
  /** Counts what `socket` sends until `answer`, which may be the socket itself, closes. */
  count(projectId: string, socket: Duplex, answer: Writable): void;
  /** Bytes by project since the last call, those of answers under way included. */
  collect(): Map<string, number>;
}

/** A connection: which app it is sending to its client for, and how many of its bytes are counted. */
interface Connection {
  socket: Duplex;
  projectId: string;
  answers: number;
  counted: number;
}

/**
 * Reads what the sockets themselves have counted, heads included. So an answer costs two reads of a number, and one
 * that lasts for hours is counted while it lasts.
 */
export function createEgress(): Egress {
  const open = new Map<Duplex, Connection>();
  let sent = new Map<string, number>();

  function add(connection: Connection): void {
    const { socket, projectId, counted } = connection;
    const bytes = bytesWritten(socket) - counted;
    if (bytes === 0) return;
    connection.counted += bytes;
    sent.set(projectId, (sent.get(projectId) ?? 0) + bytes);
  }

  function begin(projectId: string, socket: Duplex): Connection {
    const connection = { socket, projectId, answers: 0, counted: bytesWritten(socket) };
    open.set(socket, connection);
    return connection;
  }

  return {
    count(projectId, socket, answer) {
      const connection = open.get(socket) ?? begin(projectId, socket);
      // A client may ask for more before it has its answer, even of another app.
      if (connection.projectId !== projectId) add(connection);
      connection.projectId = projectId;
      connection.answers += 1;
      answer.once('close', () => {
        add(connection);
        connection.answers -= 1;
        if (connection.answers === 0) open.delete(socket);
      });
    },
    collect() {
      for (const connection of open.values()) add(connection);
      const collected = sent;
      sent = new Map();
      return collected;
    },
  };
}
