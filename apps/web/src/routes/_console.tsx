import { createFileRoute } from '@tanstack/react-router';
import { InstallationWatch } from '../features/marketplace/installation-watch.tsx';
import { Shell } from '../shell/shell.tsx';

export const Route = createFileRoute('/_console')({ component: Console });

function Console() {
  return (
    <>
      <Shell />
      <InstallationWatch />
    </>
  );
}
