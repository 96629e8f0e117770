import { readFile, realpath } from 'node:fs/promises';

/** As the kernel says it; since Linux 6.15 it has a word of its own for what it did because of an error. */
const READ_ONLY = ['ro', 'emergency_ro'];

/** What is mounted at a folder. */
export async function mountAt(folder: string): Promise<{ device: string; isReadOnly: boolean } | undefined> {
  // The system tells where a folder lies behind all links; its own name is none.
  const place = await realpath(folder).catch(() => undefined);
  const lines = (await readFile('/proc/self/mounts', 'utf8').catch(() => '')).split('\n');
  const [device, , , options] =
    lines.map((line) => line.split(' ')).findLast(([, mount = '']) => unescaped(mount) === place) ?? [];
  if (!device || !options) return undefined;
  return { device, isReadOnly: options.split(',').some((option) => READ_ONLY.includes(option)) };
}

/** Spaces and the like stand there as octal numbers (proc_pid_mounts(5)). */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
