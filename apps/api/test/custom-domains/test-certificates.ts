import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface TestCertificate {
  /** PEM, the authority's own below it. */
  certificate: string;
  privateKey: string;
}

export interface TestAuthority {
  /** PEM. */
  certificate: string;
  issue(names: readonly string[], options?: IssueOptions): Promise<TestCertificate>;
  close(): Promise<void>;
}

interface IssueOptions {
  /** As openssl's `x509 -days` has it; -1 has ended. */
  days?: number;
  /** As openssl's `genpkey`; ECDSA with P-256 by default. */
  key?: readonly string[];
}

const P256 = ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'];

/** An authority of one's own, by the openssl command. */
export async function createTestAuthority(): Promise<TestAuthority> {
  const folder = await mkdtemp(join(tmpdir(), 'nephos-authority-'));
  const at = (name: string) => join(folder, name);
  const openssl = (...parameters: string[]) => run('openssl', parameters, { cwd: folder });
  const genpkey = (name: string, key: readonly string[]) => openssl('genpkey', ...key, '-out', name);
  let serial = 0;
  await genpkey('ca.key', P256);
  await openssl(
    'req',
    '-x509',
    '-key',
    'ca.key',
    '-out',
    'ca.pem',
    '-days',
    '30',
    '-subj',
    '/O=Test Authority',
  );
  const authority = await readFile(at('ca.pem'), 'utf8');
  return {
    certificate: authority,
    async issue(names, { days = 30, key = P256 } = {}) {
      serial += 1;
      await genpkey('own.key', key);
      await openssl('req', '-new', '-key', 'own.key', '-out', 'own.csr', '-subj', `/CN=${names[0]}`);
      await writeFile(at('own.ext'), `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}\n`);
      const signer = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-set_serial', String(serial)];
      const request = ['-req', '-in', 'own.csr', '-extfile', 'own.ext', '-days', String(days)];
      await openssl('x509', ...request, ...signer, '-out', 'own.pem');
      const [own, privateKey] = await Promise.all([
        readFile(at('own.pem'), 'utf8'),
        readFile(at('own.key'), 'utf8'),
      ]);
      return { certificate: own + authority, privateKey };
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
