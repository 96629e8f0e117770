import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readProcesses, recentProcesses } from './process-table.ts';

it.runIf(existsSync('/proc/self/stat'))(
  'is read once for all who ask while it is read, and anew for them',
  async () => {
    const first = readProcesses();
    const child = spawn('sleep', ['60']);
    await once(child, 'spawn');
    const others = await Promise.all([first, readProcesses(), readProcesses(), readProcesses()]);
    expect(new Set(others).size).toBe(2);
    expect(others[1]?.map(({ pid }) => pid)).toContain(child.pid);
    expect(await recentProcesses(60_000)).toBe(others[1]);
    expect(await recentProcesses(0)).not.toBe(others[1]);
    child.kill('SIGKILL');
  },
);
