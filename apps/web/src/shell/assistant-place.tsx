import { type ComponentType, useState } from 'react';
import { Spinner } from '../ui/spinner.tsx';
import { useAssistant } from './assistant-context.tsx';
import { LatePart } from './late-part.tsx';
import { PANEL_WIDTH } from './widths.ts';

export interface AssistantPlaceProps {
  /** The panel, loaded as it is drawn. */
  Panel: ComponentType<{ beside: boolean }>;
  /** Whether the page has room beside it. */
  beside: boolean;
}

/**
 * Where the assistant's panel is. It is loaded when it is opened first, and stays: an answer goes on being written only
 * while somebody listens. Where there is room, the page stands beside it.
 */
export function AssistantPlace({ Panel, beside }: AssistantPlaceProps) {
  const { open } = useAssistant();
  const [wanted, setWanted] = useState(open);
  if (open && !wanted) setWanted(true);
  if (!wanted) return null;
  return (
    <>
      {open && beside && <div style={{ width: PANEL_WIDTH }} className="shrink-0" />}
      <LatePart wanted={open} fallback={open && <PanelOnItsWay />}>
        <Panel beside={beside} />
      </LatePart>
    </>
  );
}

/** Seen on a slow line only. */
function PanelOnItsWay() {
  return (
    <div
      role="status"
      aria-label="Loading the assistant"
      style={{ width: PANEL_WIDTH }}
      className="fixed inset-y-0 right-0 z-30 flex max-w-full items-center justify-center border-line border-l bg-raised text-muted"
    >
      <Spinner />
    </div>
  );
}
