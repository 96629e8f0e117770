import '@xterm/xterm/css/xterm.css';
import type { TerminalMessage } from '@nephos/contracts';
import { terminalPath } from '@nephos/contracts/constants';
import { FitAddon } from '@xterm/addon-fit';
import { type ITheme, Terminal } from '@xterm/xterm';
import { useEffect, useRef } from 'react';
import { useTheme } from '../../shell/theme.tsx';

interface TerminalViewProps {
  projectId: string;
  /** Told once why the session is over. */
  onEnd: (reason: string) => void;
}

/** Characters of one message; a longer paste is sent in several. */
const PIECE = 8 * 1024;
const FONT = '"JetBrains Mono Variable", monospace';
const FONT_SIZE = 13;
const LOST = 'The connection was lost.';

/** A terminal and its connection, for as long as it is mounted. */
export default function TerminalView({ projectId, onEnd }: TerminalViewProps) {
  const frame = useRef<HTMLDivElement>(null);
  const terminal = useRef<Terminal>(null);
  const { theme } = useTheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: one session for as long as it is mounted
  useEffect(() => {
    const { current: place } = frame;
    if (!place) return;
    let isLeft = false;
    let leave = () => {};
    void fontSettled().then(() => {
      if (isLeft) return;
      const opened = openTerminal(place);
      terminal.current = opened.terminal;
      const close = connect(projectId, opened, onEnd);
      leave = () => {
        close();
        opened.dispose();
      };
    });
    return () => {
      isLeft = true;
      leave();
    };
  }, [projectId]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes what the colours are
  useEffect(() => {
    if (terminal.current) terminal.current.options.theme = colours();
  }, [theme]);
  return (
    <div className="overflow-hidden rounded-xl border border-line bg-sunken p-3 focus-within:border-accent">
      <div ref={frame} className="h-[min(36rem,65dvh)]" />
    </div>
  );
}

/** The width of a character is measured once: not by the font that stands in for one on its way. */
async function fontSettled(): Promise<void> {
  await Promise.allSettled([document.fonts.load(`${FONT_SIZE}px ${FONT}`)]);
}

interface OpenTerminal {
  terminal: Terminal;
  dispose: () => void;
}

function openTerminal(frame: HTMLElement): OpenTerminal {
  const terminal = new Terminal({
    theme: colours(),
    fontFamily: FONT,
    fontSize: FONT_SIZE,
    cursorBlink: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    scrollback: 5000,
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  terminal.open(frame);
  terminal.textarea?.setAttribute('aria-label', 'Terminal. Press Escape, then Tab to leave it.');
  letFocusOut(terminal);
  fit.fit();
  const observer = new ResizeObserver(() => fit.fit());
  observer.observe(frame);
  terminal.focus();
  return {
    terminal,
    dispose() {
      observer.disconnect();
      terminal.dispose();
    },
  };
}

/** A shell wants Tab for itself: after Escape, it moves the focus as everywhere else. */
function letFocusOut(terminal: Terminal): void {
  let escaped = false;
  terminal.attachCustomKeyEventHandler(({ type, key }) => {
    if (type !== 'keydown') return true;
    const leaves = escaped && key === 'Tab';
    if (key !== 'Shift') escaped = key === 'Escape';
    return !leaves;
  });
}

/** Connects a terminal with a shell; the result hangs up. */
function connect(projectId: string, { terminal }: OpenTerminal, onEnd: (reason: string) => void): () => void {
  const address = new URL(terminalPath(projectId), location.origin);
  address.protocol = address.protocol.replace('http', 'ws');
  const socket = new WebSocket(address);
  socket.binaryType = 'arraybuffer';
  let reason = LOST;
  let isLeft = false;
  /** What is typed before the shell is there. */
  const early: TerminalMessage[] = [];
  const send = (message: TerminalMessage) => {
    if (socket.readyState === WebSocket.CONNECTING) early.push(message);
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  const sendSize = () => send({ size: { cols: terminal.cols, rows: terminal.rows } });
  terminal.onData((data) => {
    for (let at = 0; at < data.length; at += PIECE) send({ input: data.slice(at, at + PIECE) });
  });
  terminal.onResize(sendSize);
  socket.onopen = () => {
    sendSize();
    early.splice(0).forEach(send);
  };
  socket.onmessage = ({ data }: MessageEvent<ArrayBuffer | string>) => {
    if (typeof data === 'string') reason = JSON.parse(data).end ?? LOST;
    else terminal.write(new Uint8Array(data), () => send({ shown: data.byteLength }));
  };
  socket.onclose = () => {
    if (isLeft) return;
    terminal.options.disableStdin = true;
    terminal.options.cursorBlink = false;
    onEnd(reason);
  };
  return () => {
    isLeft = true;
    socket.close();
  };
}

/** The console's own colours, as they are in the theme in force. */
function colours(): ITheme {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    ...{
      background: of('sunken'),
      foreground: of('fg'),
      cursor: of('accent-text'),
      cursorAccent: of('sunken'),
    },
    ...{ selectionBackground: of('accent'), selectionForeground: of('accent-fg') },
    ...{ black: of('sunken'), red: of('danger'), green: of('success'), yellow: of('warning') },
    ...{ blue: of('accent-text'), magenta: of('chart-3'), cyan: of('info'), white: of('muted') },
    ...{ brightBlack: of('faint'), brightRed: of('danger'), brightGreen: of('success') },
    ...{ brightYellow: of('warning'), brightBlue: of('accent-text'), brightMagenta: of('chart-3') },
    ...{ brightCyan: of('info'), brightWhite: of('fg') },
  };
}
