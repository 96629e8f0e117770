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
        label: 'Bundle ID',
        hint: 'Reverse-domain format. It cannot change after publishing.',
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
      'An app for Android and iOS with one bundle ID. Build files for both are generated from its settings.',
  }),
  mobileApp('android', {
    id: 'android-app',
    name: 'Android app',
    description: 'An Android app. Its Gradle build file and manifest are generated from its settings.',
  }),
  mobileApp('ios', {
    id: 'ios-app',
    name: 'iOS app',
    description: 'An iOS app. Its Info.plist and xcconfig are generated from its settings.',
  }),
];
