import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SettingError } from '../../src/core/settings.ts';
import { createSecretsBox, loadSecretsKey } from '../../src/platform/secrets-box.ts';

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'nephos-secrets-'));
});

afterEach(() => rm(dataDir, { recursive: true, force: true }));

describe('a secrets box', () => {
  const box = createSecretsBox(randomBytes(32));

  test.each(['', 'hunter2', 'ünï😀\n', 'x'.repeat(16_384)])('opens what it sealed (%#)', (secret) => {
    expect(box.open(box.seal(secret, 'row:A'), 'row:A')).toBe(secret);
  });

  test('seals the same text differently each time', () => {
    expect(box.seal('same', 'c').equals(box.seal('same', 'c'))).toBe(false);
  });

  test('opens nothing in another place, with another key, or changed in any byte', () => {
    const sealed = box.seal('hunter2', 'row:A');
    expect(() => box.open(sealed, 'row:B')).toThrow();
    expect(() => createSecretsBox(randomBytes(32)).open(sealed, 'row:A')).toThrow();
    for (let i = 0; i < sealed.length; i += 1) {
      const changed = Buffer.from(sealed);
      changed[i] = (changed[i] ?? 0) ^ 1;
      expect(() => box.open(changed, 'row:A')).toThrow();
    }
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => box.open(sealed.subarray(0, length), 'row:A')).toThrow();
    }
  });
});

describe('the key', () => {
  test('is the setting where there is one', async () => {
    const key = await loadSecretsKey({ secretsKey: 'ab'.repeat(32), dataDir });
    expect(key.toString('hex')).toBe('ab'.repeat(32));
  });

  test('is made once, also by starts at the same time, and readable by its owner only', async () => {
    const keys = await Promise.all(
      Array.from({ length: 8 }, () => loadSecretsKey({ secretsKey: undefined, dataDir })),
    );
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1);
    expect((await stat(join(dataDir, 'secrets.key'))).mode & 0o777).toBe(0o600);
    expect((await readFile(join(dataDir, 'secrets.key'), 'utf8')).trim()).toBe(keys[0]?.toString('hex'));
  });

  test.each(['', 'short', 'g'.repeat(64), 'a'.repeat(65)])('is refused as %j', async (text) => {
    await writeFile(join(dataDir, 'secrets.key'), text);
    const refused = loadSecretsKey({ secretsKey: undefined, dataDir });
    await expect(refused).rejects.toThrow(SettingError);
    await expect(refused).rejects.toThrow('must contain 64 hexadecimal digits');
  });
});
