import type { Socket } from 'node:net';
import type { Duplex, Writable } from 'node:stream';

/** Counts what leaves for the clients of apps. */
export interface Egress {
  /** Counts what `socket` sends until `answer`, which may be the socket itself, closes. */
  count(projectId: string, socket: Duplex, answer: Writable): void;
  /** Bytes by project since the last call, those of answers under way included. */
  take(): Map<string, number>;
}

/** A connection: which app it is sending to its client for, and how many of its bytes are counted. */
interface Connection {
  socket: Socket;
  projectId: string;
  answers: number;
  counted: number;
}

/**
 * By what the sockets themselves have counted, heads and all, so that an answer costs no more than two looks at a
 * number, and one that lasts for hours is seen while it does.
 */
export function createEgress(): Egress {
  const open = new Map<Duplex, Connection>();
  let sent = new Map<string, number>();

  function add(connection: Connection): void {
    const { socket, projectId, counted } = connection;
    const bytes = socket.bytesWritten - counted;
    if (bytes === 0) return;
    connection.counted += bytes;
    sent.set(projectId, (sent.get(projectId) ?? 0) + bytes);
  }

  function begin(projectId: string, duplex: Duplex): Connection {
    // Node's HTTP servers give out no other.
    const socket = duplex as Socket;
    const connection = { socket, projectId, answers: 0, counted: socket.bytesWritten };
    open.set(duplex, connection);
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
    take() {
      for (const connection of open.values()) add(connection);
      const taken = sent;
      sent = new Map();
      return taken;
    },
  };
}
