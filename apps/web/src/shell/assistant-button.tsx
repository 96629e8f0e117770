import { Sparkles } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Sheet } from '../ui/sheet.tsx';

const TOPICS = {
  container: 'your container images: how to build, tag, push and pull them',
  database: 'your databases: their schemas, queries and connections',
} as const;

/** What the assistant is asked about, specification §2. */
export type AssistantScope = keyof typeof TOPICS;

/** Opens the assistant's panel, which says what is to come until there is an assistant. */
export function AssistantButton({ scope }: { scope: AssistantScope }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)} aria-haspopup="dialog">
        <Sparkles aria-hidden="true" />
        AI Assistant
      </Button>
      <Sheet open={open} onOpenChange={setOpen} title="AI Assistant" showTitle width="500px">
        <div className="p-4">
          <Notice title="Not part of this version yet">
            The assistant will answer questions about {TOPICS[scope]}. It comes with a later version.
          </Notice>
        </div>
      </Sheet>
    </>
  );
}
