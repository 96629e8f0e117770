import { type MobilePlatform, NewMobileApp } from '@nephos/contracts';
import { ask, type CatalogueItem } from './item.ts';

function mobileApp(
  platform: MobilePlatform,
  { id, name, description }: Pick<CatalogueItem, 'id' | 'name' | 'description'>,
): CatalogueItem {
  return {
    id,
    version: '1.0.0',
    name,
    description,
    category: 'Mobile',
    isTemplate: platform === 'both',
    questions: [
      ask('name', NewMobileApp.shape.name, { label: 'App name', initial: 'My app' }),
      ask('bundleId', NewMobileApp.shape.bundleId, {
        label: 'Bundle id',
        hint: 'Reverse-domain format; it cannot change after publishing.',
        placeholder: 'com.example.app',
      }),
    ],
    steps: (answer) => [
      {
        kind: 'mobile-app',
        label: 'Mobile app',
        input: { name: answer('name'), bundleId: answer('bundleId'), platform },
      },
    ],
  };
}

export const mobileAppItems: readonly CatalogueItem[] = [
  mobileApp('both', {
    id: 'mobile-app-starter',
    name: 'Mobile app starter',
    description:
      'An app for Android and iOS under one bundle id, from which the build files of both are generated.',
  }),
  mobileApp('android', {
    id: 'android-app',
    name: 'Android app',
    description: 'An app whose Gradle build file and manifest are generated from its settings.',
  }),
  mobileApp('ios', {
    id: 'ios-app',
    name: 'iOS app',
    description: 'An app whose Info.plist and xcconfig are generated from its settings.',
  }),
];
