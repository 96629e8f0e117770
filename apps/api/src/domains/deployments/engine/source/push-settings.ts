import type { Limits } from '../limits.ts';

/**
 * git's settings for a repository that is pushed to, as variables (git-config(1)), where nothing in the repository takes
 * their place: branches and tags alone, whole and well-formed objects, no hooks.
 */
export function pushSettings({ pushBytes }: Pick<Limits, 'pushBytes'>): Record<string, string> {
  const settings: readonly (readonly [string, string])[] = [
    ['core.hooksPath', '/dev/null'],
    ['http.receivepack', 'true'],
    ['transfer.fsckObjects', 'true'],
    ['receive.fsckObjects', 'true'],
    ['receive.maxInputSize', String(pushBytes)],
    ['receive.hideRefs', 'refs'],
    ['receive.hideRefs', '!refs/heads'],
    ['receive.hideRefs', '!refs/tags'],
    // As it is without this, but for ten lines of advice about a file that nobody can change.
    ['receive.denyDeleteCurrent', 'refuse'],
    // Who pushes from a shallow clone, as many build servers have, brings no history.
    ['receive.shallowUpdate', 'true'],
    // What git would do behind our back would end with the run.
    ['gc.autoDetach', 'false'],
    ['maintenance.autoDetach', 'false'],
    ['protocol.allow', 'never'],
  ];
  return {
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  };
}
