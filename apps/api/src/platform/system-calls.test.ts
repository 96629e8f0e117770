import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { systemCalls } from './system-calls.ts';

const system = await systemCalls();

it.runIf(system)(
  'gives back what was freed between what is still in use',
  async () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const all = Array.from({ length: 30_000 }, () => Buffer.allocUnsafeSlow(1000).fill(1));
    const kept = all.filter((_, index) => index % 50 === 0);
    const held = process.memoryUsage().arrayBuffers;
    all.length = 0;
    const freed = () => {
      collect();
      return held - process.memoryUsage().arrayBuffers;
    };
    await expect.poll(freed).toBeGreaterThan(25_000_000);
    const before = process.memoryUsage.rss();
    system?.trimMemory();
    expect(before - process.memoryUsage.rss()).toBeGreaterThan(15_000_000);
    expect(kept).toHaveLength(600);
  },
  30_000,
);
