import { join } from 'node:path';
import { writePrivately } from '@nephos/db';
import type { KeyPair } from '../../../certificates/own-certificates.ts';
import type { MariadbHome } from './mariadb-home.ts';

const certificateFile = ({ folder }: MariadbHome) => join(folder, 'tls-certificate');
const keyFile = ({ folder }: MariadbHome) => join(folder, 'tls-key');

/** Puts a certificate where the server reads it: at its start, and when it is told to. */
export function placeCertificate(home: MariadbHome, { chain, key }: KeyPair): void {
  writePrivately(certificateFile(home), chain, home.account);
  writePrivately(keyFile(home), key, home.account);
}

/** Clients may then use TLS, and need not. */
export function tlsOptions(home: MariadbHome): string[] {
  return [
    `--ssl-cert=${certificateFile(home)}`,
    `--ssl-key=${keyFile(home)}`,
    '--tls-version=TLSv1.2,TLSv1.3',
  ];
}
