import { DEFAULT_OIDC } from '../../core/settings.ts';

const PATH = '/api/login/oidc';

/** Where the log-in by a provider begins. */
export function oidcPath(id: string): string {
  return id === DEFAULT_OIDC ? PATH : `${PATH}/${id}`;
}

/** Where a provider sends the browser back to. */
export function callbackPath(id: string): string {
  return `${oidcPath(id)}/callback`;
}
