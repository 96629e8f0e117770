import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { MAX_TERMINALS, TERMINAL_IDLE_MINUTES, type User } from '@nephos/contracts';
import type { Logger } from 'pino';
import { WebSocketServer } from 'ws';
import { forbidden, Refusal, unauthorized } from '../../core/errors.ts';
import type { Identify } from '../../http/caller.ts';
import type { SocketServer } from '../../http/console-server.ts';
import { describeError } from '../../http/describe-error.ts';
import { answerOnSocket } from '../../http/malformed-requests.ts';
import { isForeign } from '../../http/origin-check.ts';
import { type AppCommands, CannotRunThere } from '../deployments/engine/app-commands.ts';
import { appForTerminal, assertMayOpen, type TerminalAccess } from './terminal-access.ts';
import { carryTerminal, endWith } from './terminal-session.ts';

/** Milliseconds. */
export interface TerminalTimes {
  /** Without input and output, after which a terminal is closed. */
  idle: number;
  /** Between two looks at whether it may go on. */
  check: number;
  /** Without a sign of life, after which a connection counts as lost. */
  silence: number;
}

const TIMES: TerminalTimes = { idle: TERMINAL_IDLE_MINUTES * 60_000, check: 5000, silence: 60_000 };
/** Bytes of one message. */
const MAX_MESSAGE = 64 * 1024;
/** Terminals that are open at once on this server. */
const MOST = 20;
const FIRST_SIZE = { cols: 80, rows: 24 };
const PATH = /^\/api\/projects\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/terminal$/;

/** Terminals in browsers, over WebSockets of the console's own pages. */
export interface Terminals extends SocketServer {
  /** Ends all. */
  close(): void;
}

export interface TerminalsParts extends TerminalAccess {
  log: Logger;
  commands: AppCommands;
  identify: Identify;
  times?: Partial<TerminalTimes> | undefined;
}

interface Opened {
  userId: string;
  end(reason: string): void;
}

export function createTerminals(parts: TerminalsParts): Terminals {
  const { log, commands, identify } = parts;
  const times = { ...TIMES, ...parts.times };
  const door = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE, perMessageDeflate: false });
  const open = new Set<Opened>();

  /** Who asks, by the session's cookie alone, from a page of ours. Throws what refuses it. */
  async function admit(request: IncomingMessage): Promise<{ user: User; projectId: string }> {
    const { origin, cookie } = request.headers;
    if (origin === undefined || isForeign(request.headers, parts.settings.publicUrl.origin)) {
      throw forbidden('CSRF', 'Terminals can only be opened from the console.');
    }
    const { user, impersonator } = await identify({ authorization: undefined, cookie });
    if (!user) throw unauthorized();
    // What is typed there is on no record.
    if (impersonator) throw forbidden('IMPERSONATED', 'Only they can open a terminal.');
    const [, projectId = ''] = PATH.exec(request.url?.split('?')[0] ?? '') ?? [];
    await assertMayOpen(parts, user, projectId);
    return { user, projectId };
  }

  /** Why a terminal has to end; null while its session lives and its person may open it. */
  async function whyEnd(cookie: string | undefined, user: User, projectId: string): Promise<string | null> {
    try {
      const now = await identify({ authorization: undefined, cookie });
      if (now.user?.id !== user.id) return 'Your session has ended. Sign in again.';
      await assertMayOpen(parts, now.user, projectId);
      return null;
    } catch (error) {
      if (error instanceof Refusal) return "You can't use this terminal any more.";
      // The database is away: nothing is known, and nothing has changed.
      log.warn({ err: error }, 'could not ask whether a terminal may go on');
      return null;
    }
  }

  function whyFull(userId: string): string | null {
    if (open.size >= MOST) return 'Too many terminals are open on this server. Try again later.';
    const theirs = [...open].filter((one) => one.userId === userId);
    return theirs.length < MAX_TERMINALS
      ? null
      : `You can have up to ${MAX_TERMINALS} terminals open at once. Close one first.`;
  }

  /** A browser tells its page nothing of a refused WebSocket, so what has a reason is accepted, told, and closed. */
  async function begin(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { user, projectId } = await admit(request);
    const turnAway = (reason: string) =>
      door.handleUpgrade(request, socket, head, (webSocket) => endWith(webSocket, reason));
    const full = whyFull(user.id);
    if (full !== null) return turnAway(full);
    // Its place is taken while it is being opened.
    const place: Opened = { userId: user.id, end: () => socket.destroy() };
    open.add(place);
    socket.once('close', () => open.delete(place));
    try {
      const shell = await commands.openShell(await appForTerminal(parts, projectId), FIRST_SIZE);
      if (socket.destroyed) return await shell.close();
      log.info({ userId: user.id, projectId }, 'a terminal was opened');
      const { cookie } = request.headers;
      door.handleUpgrade(request, socket, head, (webSocket) => {
        place.end = carryTerminal(webSocket, shell, {
          times,
          whyEnd: () => whyEnd(cookie, user, projectId),
        });
      });
    } catch (error) {
      if (!(error instanceof CannotRunThere || error instanceof Refusal)) throw error;
      turnAway(error.message);
    }
  }

  return {
    ownsPath: (path) => PATH.test(path),
    upgrade(request, socket, head) {
      socket.on('error', () => socket.destroy());
      begin(request, socket, head).catch((error) => {
        const { status, reason: code, message } = describeError(error);
        if (status >= 500) log.error({ err: error }, 'a terminal could not be opened');
        answerOnSocket(socket, { status, code, message });
        socket.end();
      });
    },
    close() {
      for (const { end } of open) end('The server is stopping.');
    },
  };
}
