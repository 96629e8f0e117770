/** A health request's answer: a status, or why there was none. */
export type HealthAnswer = { healthy: boolean; isHttp: boolean; said: string };

/** Asks an app once whether it is well: any status below 500 is, and with a health path not 404 either. */
export async function askHealth(
  origin: string,
  options: { path: string; host: string; timeout: number; signal: AbortSignal },
): Promise<HealthAnswer> {
  // Loaded by the first app, as its connections are.
  const { request } = await import('undici');
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
    const healthy = statusCode < 500 && (options.path === '' || statusCode !== 404);
    return { healthy, isHttp: true, said: `returned ${statusCode}` };
  } catch {
    return { healthy: false, isHttp: false, said: 'gave no HTTP response' };
  }
}
