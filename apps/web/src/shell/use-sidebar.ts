import { SIDEBAR_COOKIE_MAX_AGE } from '@nephos/contracts/constants';
import { useState } from 'react';
import { useShortcut } from './shortcut.ts';
import { useMobile } from './use-mobile.ts';

const COOKIE = 'sidebar_state';

function storedExpanded(): boolean {
  return !document.cookie.split('; ').includes(`${COOKIE}=false`);
}

function storeExpanded(expanded: boolean) {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API exists on secure origins only
  document.cookie = `${COOKIE}=${expanded}; path=/; max-age=${SIDEBAR_COOKIE_MAX_AGE}; samesite=lax`;
}

/** State of the sidebar: expanded or collapsed, kept for 7 days, and on narrow windows a drawer with its own. */
export function useSidebar() {
  const mobile = useMobile();
  const [expanded, setExpanded] = useState(storedExpanded);
  const [drawerOpen, setDrawerOpen] = useState(false);

  function toggle() {
    if (mobile) {
      setDrawerOpen(!drawerOpen);
      return;
    }
    setExpanded(!expanded);
    storeExpanded(!expanded);
  }

  useShortcut('b', toggle);
  return { mobile, expanded, drawerOpen: mobile && drawerOpen, setDrawerOpen, toggle };
}
