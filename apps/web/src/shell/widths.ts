/** CSS pixels; specification §9 has the sidebar's in rem. */
export const SIDEBAR_WIDTH = { expanded: 256, collapsed: 48, drawer: 288 };

/** Of the assistant's panel, specification §2. */
export const PANEL_WIDTH = 500;

/** What a page is left at least; with less, the panel lies over it instead. */
export const PAGE_WIDTH = 720;
