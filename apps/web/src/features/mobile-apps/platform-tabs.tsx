import type { BuildFiles, MobileApp } from '@nephos/contracts';
import { TriangleAlert } from 'lucide-react';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../../ui/tabs.tsx';
import { PLATFORM_NAMES, runsOn } from './platform.tsx';
import { PlatformFiles } from './platform-files.tsx';
import { PolicyWarnings } from './policy-warnings.tsx';

const TABS = ['android', 'ios'] as const;

/** What there is for Android and what there is for iOS, as far as the app runs there. */
export function PlatformTabs({ app, files, warnings }: BuildFiles & { app: MobileApp }) {
  const platforms = TABS.filter((one) => runsOn(app.platform, one)).map((one) => ({
    one,
    warnings: warnings.filter(({ platform }) => platform === one),
    files: files.filter(({ platform }) => runsOn(platform, one)),
  }));
  return (
    <Tabs defaultValue={platforms[0]?.one}>
      <TabsList aria-label="Platform">
        {platforms.map(({ one, warnings }) => (
          <TabsTrigger key={one} value={one}>
            {PLATFORM_NAMES[one]}
            {warnings.length > 0 && (
              <TriangleAlert aria-label="has warnings" className="size-3.5 text-warning" />
            )}
          </TabsTrigger>
        ))}
      </TabsList>
      {platforms.map(({ one, warnings, files }) => (
        <TabsContent key={one} value={one} className="flex flex-col gap-4">
          <PolicyWarnings warnings={warnings} />
          <PlatformFiles app={app} files={files} />
        </TabsContent>
      ))}
    </Tabs>
  );
}
