import type { Rolldown } from 'vite';

const LANDING = /[\\/]features[\\/]landing[\\/]/;
const ICONS = /[\\/]lucide-react[\\/]/;

/** What forms are made of: a page that opens them later loads it later. */
const FORMS =
  /[\\/]src[\\/](ui[\\/](form-dialog|discard-dialog|textarea|switch)|lib[\\/](use-draft|use-limit))\./;

/** Hooks of a few lines, lest one is a reason to load all of what else uses it. */
const HOOKS = /[\\/]@radix-ui[\\/]react-(direction|use-previous|use-size)[\\/]/;

/** What menus, tooltips and selects stand upon. */
const OVERLAYS = /[\\/]@radix-ui[\\/]react-popper[\\/]/;

/** What every page of the console needs, or the next one will: all but what waits for its first use. */
const CONSOLE =
  /[\\/]src[\\/](console\.tsx|lib[\\/](?!prove-|push-commands|factor-demand-|workspace-contents|limits-form|passkeys|alert-rows|mark-all-read|long-list|list-toolbar|words-input|ansi|log-|mark-matches|use-draft|use-limit|send-bytes|fetch-blob|rest-errors|image-title|leading-records|token-)|shell[\\/](?!alert-drawer|command-palette|palette-|use-palette-|workspace-menu|new-workspace-)|ui[\\/](?!step\.|chart-card|copy-fact|code-|line-path|side-tabs|tabs|sparkline|time-chart|window-rows|show-button|use-row-window|form-dialog|discard-dialog|choice-field|search-input|textarea|select|switch|card-pages|dropdown-menu|tooltip-layer|stand-in))/;

/** Size in bytes, before it is packed, below which what some pages share goes along with what more of them share. */
const WORTH_A_REQUEST = 500;

/**
 * Which modules come in one file. Few files with much in each: a request costs a slow line more than the bytes beside
 * those that a page needs. What one page alone has is a file by itself without being told so.
 */
export const chunks: Rolldown.OutputOptions['codeSplitting'] = {
  groups: [
    // A style sheet that is an entry of its own stays one.
    { name: 'main', tags: ['$initial'], test: (id) => !id.includes('.css'), priority: 5 },
    {
      // Apart from the console, which visitors do not pay for.
      name: (id, graph) => {
        const importers = graph.getModuleInfo(id)?.importers ?? [];
        const isShared = !LANDING.test(id) && importers.some((importer) => LANDING.test(importer));
        return isShared ? 'visitor' : null;
      },
      priority: 4,
    },
    // Together they weigh less than the requests for some; what one part alone shows comes with it.
    { name: 'icons', test: ICONS, minShareCount: 2, priority: 4 },
    { name: 'console', test: (id) => CONSOLE.test(id) || HOOKS.test(id), priority: 3 },
    { name: 'overlays', test: OVERLAYS, priority: 2 },
    { name: 'forms', test: FORMS, priority: 2 },
    { name: 'select', test: /[\\/]src[\\/]ui[\\/]select\./, priority: 2 },
    {
      name: 'shared',
      minShareCount: 2,
      entriesAware: true,
      entriesAwareMergeThreshold: WORTH_A_REQUEST,
      priority: 1,
    },
  ],
};

/** Rolldown names a shared file after all that use it. */
export function chunkFileNames({ name }: { name: string }): string {
  return `assets/${name.split('~')[0]}-[hash].js`;
}
