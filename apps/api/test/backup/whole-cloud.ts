import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { currentNode } from '../../../../tools/process.mjs';
import { plainEnvironment } from '../../../../tools/server-process.mjs';

const CLI = join(import.meta.dirname, '..', '..', 'src', 'cli.ts');

/** What a command ended with. */
export interface Said {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command of the program to its end, or until `kill` says so. */
export function nephos(
  args: readonly string[],
  settings: Record<string, string>,
  kill?: AbortSignal,
): Promise<Said> {
  return new Promise((resolve) => {
    const env = plainEnvironment({ LOG_LEVEL: 'error', ...settings });
    const options = { env, signal: kill, killSignal: 'SIGKILL' as const, maxBuffer: 1024 * 1024 };
    const child = execFile(currentNode(), [CLI, ...args], options, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

/** A folder that accounts of apps and databases can pass through, as a data folder's parent has to be. */
export function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'nephos-backup-'));
  chmodSync(folder, 0o711);
  return folder;
}
