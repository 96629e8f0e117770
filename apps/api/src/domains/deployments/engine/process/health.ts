import { request } from 'undici';

/** A health request's answer: a status, or why there was none. */
export type HealthAnswer = { healthy: boolean; said: string };

/**
 * Asks an app once whether it is well. With a health path, any status below 500 but 404 is; without one, any answer
 * in HTTP is.
 */
export async function askHealth(
  origin: string,
  options: { path: string; host: string; timeout: number; signal: AbortSignal },
): Promise<HealthAnswer> {
  const address = new URL(origin);
  // Set, not resolved: as a reference, //host/ would lead elsewhere.
  address.pathname = options.path;
  try {
    const { statusCode, body } = await request(address, {
      method: 'GET',
      headers: { host: options.host, 'user-agent': 'Nephos health check', connection: 'close' },
      signal: AbortSignal.any([options.signal, AbortSignal.timeout(options.timeout)]),
    });
    body.on('error', () => {});
    body.destroy();
    const healthy = options.path === '' || (statusCode < 500 && statusCode !== 404);
    return { healthy, said: `returned ${statusCode}` };
  } catch {
    return { healthy: false, said: 'gave no HTTP response' };
  }
}
