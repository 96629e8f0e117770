import type { SecretsBox } from '../../platform/secrets-box.ts';
import type { Credentials } from './engines/engine.ts';

/** Binds a sealed password to the one database and role that it is for. */
const contextOf = (engineName: string) => `managed_databases.password ${engineName}`;

export function sealPassword(secrets: SecretsBox, { name, password }: Credentials): Buffer {
  return secrets.seal(password, contextOf(name));
}

/** What a row's server knows it by. */
export function credentialsOf(
  secrets: SecretsBox,
  { engineName, password }: { engineName: string; password: Buffer },
): Credentials {
  return { name: engineName, password: secrets.open(password, contextOf(engineName)) };
}
