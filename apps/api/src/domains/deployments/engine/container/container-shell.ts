import { type Duplex, Readable } from 'node:stream';
import { CannotRunThere, type Shell, type ShellSize } from '../app-commands.ts';
import { watchDisk } from './container-figures.ts';
import type { ContainerParts } from './container-parts.ts';
import { isAway } from './daemon.ts';
import { beginContainer, discardContainer, NotBegun, untilExit } from './open-container.ts';
import { type BesideContainer, createBeside } from './run-in-container.ts';

/** Characters that wait for a shell which reads no input; past it what comes is dropped. */
const MOST_WAITING = 1024 * 1024;
/** Fixed words: the best shell that the image has. */
const SHELL = ['/bin/sh', '-c', 'if [ -x /bin/bash ]; then exec /bin/bash -i; else exec /bin/sh -i; fi'];
const NO_SHELL = 'The image of this app has no shell.';
const ENDED = 'The session has ended.';
/** As shells say that there is no such program. */
const NOT_FOUND = 127;

/** Opens a shell with a terminal in a container of its own, which ends with it. */
export async function openContainerShell(
  parts: ContainerParts,
  beside: BesideContainer,
  { size, signal }: { size: ShellSize; signal: AbortSignal },
): Promise<Shell> {
  const container = await createBeside(parts, beside, { command: SHELL, hasTerminal: true, signal });
  const remove = () => discardContainer(parts.daemon, container.id);
  try {
    const terminal = (await container.attach({
      ...{ stream: true, stdin: true, stdout: true, stderr: true, hijack: true },
    })) as Duplex;
    terminal.on('error', () => {});
    await beginContainer(container);
    let resized = Promise.resolve();
    // One after the other, and before what is typed then: each is a request of its own, which another could overtake.
    const resize = ({ cols, rows }: ShellSize) => {
      // One that has just ended has no size.
      resized = resized.then(() => container.resize({ w: cols, h: rows })).catch(() => {});
    };
    resize(size);
    // A connection that was hijacked is written to after its answer has ended, so what it says is passed on by itself.
    const output = new Readable({ read: () => terminal.resume() });
    terminal.on('data', (data: Buffer) => {
      if (!output.push(data)) terminal.pause();
    });
    terminal.once('close', () => output.push(null));
    const closing = new AbortController();
    let breach = '';
    const onFull = (reason: string) => {
      breach = `The session was ended because ${reason}.`;
    };
    watchDisk(parts, container, { onFull, signal: closing.signal });
    const ended = untilExit(parts.daemon, container, closing.signal)
      .then(({ state }) => breach || (state.ExitCode === NOT_FOUND ? NO_SHELL : ENDED))
      .catch(() => ENDED)
      .then(async (sentence: string) => {
        closing.abort();
        await remove();
        return sentence;
      });
    return {
      output,
      write(input) {
        void resized.then(() => {
          if (!terminal.destroyed && terminal.writableLength < MOST_WAITING) terminal.write(input);
        });
      },
      resize,
      async close() {
        closing.abort();
        await remove();
        terminal.destroy();
      },
      ended,
    };
  } catch (error) {
    await remove();
    if (error instanceof NotBegun) throw new CannotRunThere(NO_SHELL);
    if (isAway(error)) throw new CannotRunThere(parts.daemon.away);
    throw error;
  }
}
