import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

/**
 * Makes `folder` a disk of its own, of so many MiB; the result takes it away again. Undefined, and the reason printed, where
 * this account may not mount one.
 */
export function mountSmallDisk(
  folder: string,
  { size = 24, mode = 700 }: { size?: number; mode?: number } = {},
): (() => void) | undefined {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}m,mode=${mode}`, 'tmpfs', folder], {
      stdio: 'pipe',
    });
  } catch (error) {
    console.warn(`skipped: a full disk needs a tmpfs mount, and so root: ${String(error)}`);
    return undefined;
  }
  return () => {
    execFileSync('umount', [folder]);
  };
}
