import { TriangleAlert } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { isMissingPart } from './missing-part.ts';
import { MissingPartNotice } from './missing-part-notice.tsx';

/** The whole window, where what fills it cannot be drawn. */
export function BrokenPage({ error }: { error: unknown }) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-2xl flex-col justify-center p-6">
      {isMissingPart(error) ? (
        <MissingPartNotice />
      ) : (
        <EmptyState
          icon={TriangleAlert}
          title="Something went wrong"
          description="The console could not be shown. Reload the page."
          action={
            <Button variant="primary" onClick={() => window.location.reload()}>
              Reload
            </Button>
          }
        />
      )}
    </main>
  );
}
