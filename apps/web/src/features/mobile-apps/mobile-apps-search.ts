import { MOBILE_APP_SORTS } from '@nephos/contracts/constants';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type CreationSearch, creationSearch } from '../../lib/creation.ts';
import { type ListSearch, listSearch } from '../../lib/list-view.ts';

interface ConfigSearch {
  config?: string | undefined;
}

type MobileAppSort = (typeof MOBILE_APP_SORTS)[number];

/**
 * What the page reads from its address: `?config=` shows the configuration of that app, `?new=1` opens the dialog, and
 * what a list reads.
 */
export function mobileAppsSearch(
  search: Record<string, unknown>,
): CreationSearch & ConfigSearch & ListSearch<MobileAppSort> {
  // Said even where there is none: what is left out keeps what the address says.
  return {
    ...creationSearch(search),
    ...listSearch(MOBILE_APP_SORTS, search),
    config: typeof search.config === 'string' ? search.config : undefined,
  };
}

export interface ShownConfig {
  /** Id of the app whose configuration is shown. */
  shown: string | undefined;
  show: (id: string | undefined) => void;
}

/** Whose configuration is shown, kept in the address: it survives a reload and can be linked to. */
export function useShownConfig(): ShownConfig {
  const { config }: ConfigSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  return {
    shown: config,
    show: (id) => void navigate({ to: '.', search: (before) => ({ ...before, config: id }), replace: true }),
  };
}
