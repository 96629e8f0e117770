import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireTool } from '../../../../tools/require-tool.ts';
import { type DoorCertificate, makeDoorCertificate } from './door-certificate.ts';
import { type ManagedPostgres, startManagedPostgres } from './managed-postgres.ts';

const run = promisify(execFile);

describe.skipIf(!requireTool('psql'))('psql', () => {
  let certificate: DoorCertificate;
  let server: ManagedPostgres;

  beforeAll(async () => {
    certificate = await makeDoorCertificate();
    const { domain, context } = certificate;
    const certificateFor = (name: string) => (name === domain || name === 'localhost' ? context : undefined);
    server = await startManagedPostgres({}, { certificateFor });
  });
  afterAll(async () => {
    await server?.close();
    await certificate?.remove();
  });

  /** To that name, at the port of the databases. */
  async function psql(host: string, more: Record<string, string>, command: string): Promise<string> {
    const { name, password, address } = await server.make();
    const place = { host, hostaddr: '127.0.0.1', port: new URL(address).port, user: name, dbname: name };
    const words = Object.entries({ ...place, ...more }).map(([key, value]) => `${key}=${value}`);
    const env = {
      PATH: process.env.PATH,
      PGCONNECT_TIMEOUT: '5',
      PGPASSWORD: password,
      PGPASSFILE: '/nonexistent',
    };
    const { stdout } = await run('psql', [words.join(' '), '-XAtw', '-c', command], { env });
    return stdout.trim();
  }

  test('verifies the name and the issuer of the certificate, and sees an answer of many packets', async () => {
    const verify = { sslmode: 'verify-full', sslrootcert: certificate.caFile };
    const many = await psql(
      certificate.domain,
      verify,
      'select count(*), generate_series(1, 20000) from pg_class',
    );
    expect(many.split('\n')).toHaveLength(20_000);
    await expect(psql('other.example.test', verify, 'select 1')).rejects.toThrow('does not match host name');
  });

  test('comes in the clear where it wants that', async () => {
    expect(await psql('localhost', { sslmode: 'disable' }, 'select 1')).toBe('1');
  });
});
