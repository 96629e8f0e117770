import type { MobileApp } from '@nephos/contracts';

/** What the files are made of, and nothing else: the same settings give the same files. */
export type AppSettings = Omit<MobileApp, 'id' | 'buildStatus' | 'buildConfig' | 'createdAt'>;
