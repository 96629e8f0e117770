// Unpacks the packaged browser into TMPDIR, the only place the package knows of: hence a process of its own.
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import chromium, { inflate } from '@sparticuz/chromium';

const archives = join(dirname(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium')))), 'bin');

await chromium.executablePath();
await inflate(join(archives, 'al2023.tar.br'));
await copyFile(join(import.meta.dirname, 'fonts.conf'), join(tmpdir(), 'fonts', 'fonts.conf'));
