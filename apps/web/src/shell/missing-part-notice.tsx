import { CloudOff, RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { findNewVersion, reloadIfServed, type Served } from './missing-part.ts';

export const MISSING_PART_WORDS: Readonly<Record<Served, { title: string; description: string }>> = {
  newer: {
    title: 'A new version of Nephos is available',
    description: 'Reload the page to go on with it.',
  },
  same: {
    title: 'A part of this page could not be loaded',
    description: 'Check the connection, then reload the page.',
  },
  away: {
    title: 'A part of this page could not be loaded',
    description: 'The server could not be reached. Check the connection, then reload the page.',
  },
};

/** In the place of what could not be loaded. A new version of the console is loaded by itself, where that helps. */
export function MissingPartNotice() {
  const [served, setServed] = useState<Served | 'reloading'>('reloading');
  const [asking, setAsking] = useState(false);

  useEffect(() => void findNewVersion().then(setServed), []);

  async function reload() {
    setAsking(true);
    if (await reloadIfServed()) return;
    setServed('away');
    setAsking(false);
  }

  if (served === 'reloading') return null;
  return (
    <div role="alert">
      <EmptyState
        icon={served === 'newer' ? RefreshCw : CloudOff}
        {...MISSING_PART_WORDS[served]}
        action={
          <Button variant="primary" pending={asking} onClick={() => void reload()}>
            Reload
          </Button>
        }
      />
    </div>
  );
}
