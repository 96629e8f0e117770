import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext, type SecureContext } from 'node:tls';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A certificate that vouches for itself. */
export interface DoorCertificate {
  domain: string;
  context: SecureContext;
  ca: string;
  caFile: string;
  key: string;
  remove(): Promise<void>;
}

export async function makeDoorCertificate(domain = 'databases.example.test'): Promise<DoorCertificate> {
  const folder = await mkdtemp(join(tmpdir(), 'nephos-door-'));
  const [key, caFile] = [join(folder, 'key'), join(folder, 'cert')];
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const name = ['-subj', `/CN=${domain}`, '-addext', `subjectAltName=DNS:${domain}`];
  await run('openssl', ['req', '-x509', ...ec, '-keyout', key, '-out', caFile, ...name]);
  const ca = await readFile(caFile, 'utf8');
  const pem = await readFile(key, 'utf8');
  const context = createSecureContext({ key: pem, cert: ca });
  return {
    domain,
    context,
    ca,
    caFile,
    key: pem,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
