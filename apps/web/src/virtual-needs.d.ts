declare module 'virtual:needs' {
  /** What writes need that do not need to build, by their path, such as `billing.cancel`. */
  export const needs: Readonly<Record<string, import('./lib/workspace-roles.ts').Permission>>;
}
