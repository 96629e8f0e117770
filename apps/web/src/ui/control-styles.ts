/** What text controls look like, whatever their element. */
export const CONTROL_STYLES =
  'w-full rounded-md border border-control-line bg-control px-3 text-base text-fg transition-colors ' +
  'placeholder:text-faint hover:border-fg/60 focus-visible:border-ring focus-visible:outline-offset-0 ' +
  'disabled:opacity-55 aria-invalid:border-danger max-md:text-lg';
