import type { Settings } from '../core/settings.ts';

/** Whether https at the console's own address is answered here, with a certificate of ours, and not by a proxy in front. */
export function servesConsoleHttps({
  acme,
  httpsPort,
  publicUrl,
}: Pick<Settings, 'acme' | 'httpsPort' | 'publicUrl'>): boolean {
  const isHttps = publicUrl.protocol === 'https:';
  return acme !== undefined && isHttps && Number(publicUrl.port || 443) === httpsPort;
}

/** The address of a host by https where we listen for that: on the port of the console's own, where that is https. */
export function httpsAddress(
  { httpsPort, publicUrl }: Pick<Settings, 'httpsPort' | 'publicUrl'>,
  host: string,
): string {
  const port = publicUrl.protocol === 'https:' ? publicUrl.port : String(httpsPort);
  return new URL(`https://${host}:${port || 443}`).origin;
}

/** The address of a host by http where https is ours: on the port of the console's own, where that is http. */
export function httpAddress({ port, publicUrl }: Pick<Settings, 'port' | 'publicUrl'>, host: string): string {
  return new URL(`http://${host}:${publicUrl.protocol === 'http:' ? publicUrl.port : port}`).origin;
}

/** Tells until when we have a certificate for a host, in milliseconds since the epoch; 0: there is none. */
export type ValidUntil = (host: string) => number;

/** The address of a project's app, by its slug. */
export type AppAddress = (slug: string) => string;

/** Tells where apps answer: under their domain, by https while we have a certificate for that, else as the console does. */
export function createAppAddress(settings: Settings, validUntil: ValidUntil): AppAddress {
  const { publicUrl, appsDomain } = settings;
  return (slug) => {
    const host = `${slug}.${appsDomain}`;
    if (Date.now() < validUntil(host)) return httpsAddress(settings, host);
    if (servesConsoleHttps(settings)) return httpAddress(settings, host);
    return `${publicUrl.protocol}//${host}${publicUrl.port && `:${publicUrl.port}`}`;
  };
}

/** The first label of the host where S3 clients are answered, below the console's. No app has it as its name. */
const STORAGE_LABEL = 's3';

/**
 * Whether a host name, in lower case and without port, is where S3 clients are answered: `s3.<console's host>`, or a
 * bucket's below it, which is then given; '' for none. Undefined for any other host.
 */
export function bucketOfHost({ publicUrl }: Pick<Settings, 'publicUrl'>, host: string): string | undefined {
  const own = `${STORAGE_LABEL}.${publicUrl.hostname}`;
  if (host === own) return '';
  return host.endsWith(`.${own}`) ? host.slice(0, -own.length - 1) : undefined;
}
