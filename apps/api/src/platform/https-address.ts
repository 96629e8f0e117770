import type { Settings } from '../core/env.ts';

/** The address of a host by https where we listen for that: on the port of the console's own, where that is https. */
export function httpsAddress(
  { httpsPort, publicUrl }: Pick<Settings, 'httpsPort' | 'publicUrl'>,
  host: string,
): string {
  const port = publicUrl.protocol === 'https:' ? publicUrl.port : String(httpsPort);
  return new URL(`https://${host}:${port || 443}`).origin;
}
