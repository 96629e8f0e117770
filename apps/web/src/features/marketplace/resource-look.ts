import type { ResourceKind } from '@nephos/contracts';
import { Boxes, Database, File, Globe, type LucideIcon, Rocket, Smartphone } from 'lucide-react';

export interface ResourceLook {
  icon: LucideIcon;
  /** What one of them is called. */
  name: string;
}

/** How each kind of resource is shown, with the icon that its screen has in the sidebar. */
export const RESOURCE_LOOKS: Record<ResourceKind, ResourceLook> = {
  project: { icon: Rocket, name: 'Project' },
  database: { icon: Database, name: 'Database' },
  dns: { icon: Globe, name: 'DNS record' },
  container: { icon: Boxes, name: 'Container image' },
  file: { icon: File, name: 'File' },
  'mobile-app': { icon: Smartphone, name: 'Mobile app' },
};
