import { pipeline } from 'node:stream/promises';
import type { Dumps } from '../engine.ts';
import { redefine } from './definers.ts';
import { type ClientTarget, startClient, targetOptions } from './mariadb-client.ts';
import type { MariadbClients } from './mariadb-programs.ts';

/** The largest that the protocol knows; a row can be as large. */
const PACKET = '--max-allowed-packet=1G';
const CHARSET = '--default-character-set=utf8mb4';

const DUMP_OPTIONS = [
  PACKET,
  CHARSET,
  // One state of all tables whose engine has transactions, without a lock.
  '--single-transaction',
  '--quick',
  '--routines',
  '--triggers',
  '--events',
  '--hex-blob',
  // They repeat names, in which a newline would end the comment.
  '--skip-comments',
  // A right over the whole server would be needed to read them.
  '--no-tablespaces',
];

const LOAD_OPTIONS = [
  PACKET,
  CHARSET,
  '--batch',
  // The client's own commands, which start programs and open files, mean nothing in what it is given.
  '--binary-mode',
  '--loose-sandbox',
  '--local-infile=0',
  // A large index takes longer than a statement is given by default. MySQL, which has no such limit, reads a comment.
  '--init-command=SET SESSION unique_checks = 0 /*M!100100 , SESSION max_statement_time = 0 */',
];

/** Dumps by MariaDB's clients, as each database's own user: what a dump does, that user could have done. */
export function createMysqlDumps(
  clients: MariadbClients | undefined,
  targetOf: (credentials: Pick<ClientTarget, 'name' | 'password'>) => ClientTarget,
): Dumps {
  const program = (name: keyof MariadbClients) => {
    if (!clients) throw new Error('mariadb-client is not installed');
    return clients[name];
  };
  return {
    unavailable: () =>
      clients
        ? null
        : 'MySQL databases are backed up once mariadb-client is installed on this machine. Ask an admin.',
    async *read(credentials, signal) {
      const target = targetOf(credentials);
      const options = [...targetOptions(target), ...DUMP_OPTIONS, '--', target.name];
      const { child, ended } = startClient(program('dump'), options, {
        ...{ password: target.password, signal, stdio: ['ignore', 'pipe', 'pipe'] },
      });
      try {
        for await (const chunk of child.stdout ?? []) yield chunk;
        await ended;
      } finally {
        child.kill('SIGKILL');
      }
    },
    async mark(credentials) {
      const { markTables } = await import('./still-tables.ts');
      return markTables(targetOf(credentials));
    },
    async countStill(credentials, before) {
      const { countStill } = await import('./still-tables.ts');
      return countStill(targetOf(credentials), before);
    },
    async check(credentials) {
      const target = targetOf(credentials);
      const { checkTables } = await import('./check-tables.ts');
      return checkTables(target);
    },
    async write(source, { from, credentials, signal }) {
      const target = targetOf(credentials);
      const options = [...targetOptions(target), ...LOAD_OPTIONS, `--database=${target.name}`];
      const { child, ended } = startClient(program('client'), options, {
        ...{ password: target.password, signal, stdio: ['pipe', 'ignore', 'pipe'] },
      });
      try {
        if (!child.stdin) throw new Error('the client has no input');
        await pipeline(source, redefine(from, target.name), child.stdin, { signal });
        await ended;
      } catch (error) {
        // A client that refused closes its input first; why, it says after that. Ours is no reason of its own.
        child.kill('SIGKILL');
        throw isClosedPipe(error)
          ? await ended.then(
              () => error,
              (reason: unknown) => reason,
            )
          : error;
      }
    },
  };
}

function isClosedPipe(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'EPIPE' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')
  );
}
