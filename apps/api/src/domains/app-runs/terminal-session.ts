import { TERMINAL_IDLE_MINUTES, type TerminalEnd, TerminalMessage } from '@nephos/contracts';
import type { RawData, WebSocket } from 'ws';
import type { Shell } from '../deployments/engine/app-commands.ts';
import type { TerminalTimes } from './terminals.ts';

/** Bytes that are sent ahead of what is shown; past it the shell waits. */
const WINDOW = 512 * 1024;

export interface SessionOptions {
  times: TerminalTimes;
  /** Why it has to end, as a sentence; null while it may go on. */
  whyEnd(): Promise<string | null>;
}

/** Says why a terminal ends, and closes it. */
export function endWith(socket: WebSocket, reason: string): void {
  const last: TerminalEnd = { end: reason };
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(last));
  socket.close(1000);
}

/** Carries a shell's terminal over a WebSocket until either ends. The result ends it, with a sentence. */
export function carryTerminal(
  socket: WebSocket,
  shell: Shell,
  { times, whyEnd }: SessionOptions,
): (reason: string) => void {
  let ahead = 0;
  let lastUse = Date.now();
  let lastSign = Date.now();

  function end(reason: string): void {
    clearInterval(timer);
    endWith(socket, reason);
    void shell.close();
  }

  function obey(message: TerminalMessage): void {
    if ('shown' in message) {
      ahead = Math.max(0, ahead - message.shown);
      if (ahead < WINDOW) shell.output.resume();
      return;
    }
    lastUse = Date.now();
    if ('input' in message) shell.write(message.input);
    else shell.resize(message.size);
  }

  async function look(): Promise<void> {
    const now = Date.now();
    if (now - lastUse > times.idle) return end(IDLE);
    if (now - lastSign > times.silence) return socket.terminate();
    socket.ping();
    const reason = await whyEnd();
    if (reason !== null) end(reason);
  }

  const timer = setInterval(() => void look(), times.check);
  shell.output.on('data', (data: Buffer) => {
    lastUse = Date.now();
    ahead += data.length;
    socket.send(data);
    if (ahead >= WINDOW) shell.output.pause();
  });
  socket.on('message', (data) => {
    const message = read(data);
    if (message) obey(message);
    else socket.close(1008);
  });
  socket.on('pong', () => {
    lastSign = Date.now();
  });
  // What is wrong with a connection ends it, which is told below.
  socket.on('error', () => {});
  socket.on('close', () => {
    clearInterval(timer);
    void shell.close();
  });
  void shell.ended.then(end);
  return end;
}

const IDLE = `The terminal was closed after ${TERMINAL_IDLE_MINUTES} minutes without input or output.`;

function read(data: RawData): TerminalMessage | undefined {
  try {
    return TerminalMessage.safeParse(JSON.parse(String(data))).data;
  } catch {
    return undefined;
  }
}
