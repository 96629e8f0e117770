import { useSearch } from '@tanstack/react-router';
import { type CreationSearch, creationSearch } from '../../lib/creation.ts';
import { useChangeSearch } from '../../lib/use-change-search.ts';

export type GatewayTab = 'accounts' | 'transactions' | 'beneficiaries';

interface TabSearch {
  tab?: Exclude<GatewayTab, 'accounts'> | undefined;
}

function tabOf(value: unknown): TabSearch['tab'] {
  return value === 'transactions' || value === 'beneficiaries' ? value : undefined;
}

/** What the page reads from its address: `?tab=` is what it shows, `?new=1` opens the dialog of a new account. */
export function gatewaySearch(search: Record<string, unknown>): CreationSearch & TabSearch {
  // Said even where there is none: what is left out keeps what the address says.
  return { ...creationSearch(search), tab: tabOf(search.tab) };
}

export interface GatewayView {
  tab: GatewayTab;
  /** By name; anything else selects the first tab. */
  setTab: (tab: string) => void;
}

/** Which tab is shown, kept in the address: it survives a reload and can be linked to. */
export function useGatewayTab(): GatewayView {
  const { tab }: TabSearch = useSearch({ strict: false });
  const change = useChangeSearch<TabSearch>();
  return {
    tab: tab ?? 'accounts',
    setTab: (chosen) => change({ tab: tabOf(chosen) }),
  };
}
