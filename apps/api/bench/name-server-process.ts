import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { ask } from '../src/domains/dns/server/ask.ts';

const START_MS = 10_000;

/** A name server of somebody else's, on loopback. */
export interface OtherNameServer {
  pid: number;
  port: number;
  stop(): Promise<void>;
}

/** Starts one that is to stay in the foreground, and waits until it answers for the name `known`. */
export async function startNameServer(
  program: string,
  args: readonly string[],
  { port, known }: { port: number; known: string },
): Promise<OtherNameServer> {
  const server = spawn(program, [...args], { stdio: 'ignore' });
  const exited = once(server, 'exit');
  for (const deadline = Date.now() + START_MS; ; await wait(100)) {
    const { responseCode } = await ask({ host: '127.0.0.1', port }, known, 'A');
    if (responseCode === 'NOERROR') break;
    if (Date.now() > deadline || server.exitCode !== null) {
      server.kill();
      throw new Error(`${program} does not start`);
    }
  }
  return {
    pid: server.pid ?? Number.NaN,
    port,
    async stop() {
      server.kill();
      await exited;
    },
  };
}
