import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type AcmeSettings, SettingError } from '../../core/settings.ts';

/** Who vouches for an authority of one's own, as PEM. Throws `SettingError`. */
export async function readAuthorityRoot({
  caFile,
}: Pick<AcmeSettings, 'caFile'>): Promise<string | undefined> {
  if (caFile === undefined) return undefined;
  try {
    const root = await readFile(caFile, 'utf8');
    new X509Certificate(root);
    return root;
  } catch {
    throw new SettingError(`ACME_CA_FILE ${caFile} can't be read as a certificate in PEM format`);
  }
}
