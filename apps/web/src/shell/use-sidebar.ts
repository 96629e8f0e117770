import { SIDEBAR_COOKIE_MAX_AGE } from '@nephos/contracts/constants';
import { useState } from 'react';
import { useShortcut } from './shortcut.ts';
import { useMedia, useMobile } from './use-media.ts';
import { PAGE_WIDTH, PANEL_WIDTH, SIDEBAR_WIDTH } from './widths.ts';

const COOKIE = 'sidebar_state';

/** The window in which the panel, a page and this much of the sidebar stand side by side. */
const roomBeside = (sidebar: number) => `(min-width: ${sidebar + PAGE_WIDTH + PANEL_WIDTH}px)`;

function storedExpanded(): boolean {
  return !document.cookie.split('; ').includes(`${COOKIE}=false`);
}

function storeExpanded(expanded: boolean) {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API exists on secure origins only
  document.cookie = `${COOKIE}=${expanded}; path=/; max-age=${SIDEBAR_COOKIE_MAX_AGE}; samesite=lax`;
}

/**
 * State of the sidebar: expanded or collapsed, kept for 7 days, and on narrow windows a drawer with its own. Where the
 * open panel has room beside the page only without it, it is collapsed meanwhile, unless the person expands it.
 */
export function useSidebar({ panelOpen }: { panelOpen: boolean }) {
  const mobile = useMobile();
  const [chosen, setChosen] = useState(storedExpanded);
  const [insisted, setInsisted] = useState(false);
  const [drawerOpen, setDrawerOpen] = useState(false);
  const besideExpanded = useMedia(roomBeside(SIDEBAR_WIDTH.expanded));
  const besideCollapsed = useMedia(roomBeside(SIDEBAR_WIDTH.collapsed));
  const wanted = panelOpen && besideCollapsed && !besideExpanded;
  if (!wanted && insisted) setInsisted(false);
  const expanded = chosen && (!wanted || insisted);

  function choose(expanded: boolean) {
    setChosen(expanded);
    storeExpanded(expanded);
  }

  function toggle() {
    if (mobile) return setDrawerOpen(!drawerOpen);
    if (wanted) setInsisted(!expanded);
    if (!wanted || !chosen) choose(!expanded);
  }

  useShortcut('b', toggle);
  return {
    mobile,
    expanded,
    drawerOpen: mobile && drawerOpen,
    setDrawerOpen,
    toggle,
    /** Whether the panel stands beside the page, and not over it. */
    panelBeside: expanded ? besideExpanded : besideCollapsed,
  };
}
