/** Widths in CSS pixels; the sidebar's are 16 and 3 rem. */
export const SIDEBAR_WIDTH = { expanded: 256, collapsed: 48, drawer: 288 };

/** Width of the assistant's panel. */
export const PANEL_WIDTH = 500;

/** What a page is left at least; with less, the panel lies over it instead. */
export const PAGE_WIDTH = 720;
