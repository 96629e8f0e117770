import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { unprivilegedAccount } from '../src/unprivileged-account.ts';
import { writePrivately } from '../src/write-privately.ts';

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'nephos-privately-'));
  chmodSync(home, 0o711);
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

test('writes for one account alone, in the place of what was there', () => {
  const file = join(home, 'file');
  writeFileSync(file, 'old', { mode: 0o644 });
  writePrivately(file, 'new', unprivilegedAccount());
  expect(readFileSync(file, 'utf8')).toBe('new\n');
  expect(statSync(file)).toMatchObject({
    mode: 0o100_600,
    uid: unprivilegedAccount()?.uid ?? process.getuid?.(),
  });
});

test.runIf(process.getuid?.() === 0)(
  'gives away nothing that the account links to while it is written (needs root)',
  async () => {
    const account = unprivilegedAccount() ?? { uid: 0, gid: 0 };
    const theirs = join(home, 'theirs');
    const key = join(home, 'key');
    mkdirSync(theirs, { mode: 0o700 });
    chownSync(theirs, account.uid, account.gid);
    writeFileSync(key, 'only root may read this', { mode: 0o600 });
    const swap =
      'echo ready; while :; do ln -sf "$1" file.* 2>/dev/null; for it in file.*; do ln -sf "$1" "$it"; done; done';
    const attack = spawn('sh', ['-c', swap, 'sh', key], {
      ...account,
      cwd: theirs,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    onTestFinished(async () => {
      attack.kill('SIGKILL');
      await once(attack, 'close');
    });
    await once(attack.stdout, 'data');
    for (let round = 0; round < 30; round++) {
      try {
        writePrivately(join(theirs, 'file'), 'x'.repeat(100_000), account);
      } catch {
        // The account only harms itself.
      }
      expect(statSync(key), `round ${round}`).toMatchObject({ uid: 0, mode: 0o100_600 });
    }
  },
);
