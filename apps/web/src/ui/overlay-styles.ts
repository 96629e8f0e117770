/** The surface of everything that floats above the page: the only place with a shadow. */
export const OVERLAY_STYLES =
  'overflow-hidden rounded-lg border border-line-strong bg-raised text-fg shadow-overlay';
