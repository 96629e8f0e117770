import { androidString, kotlinString } from './escape.ts';
import { type AppSettings, namespaceOf } from './settings.ts';
import { COMPILE_SDK, JDK } from './toolchain.ts';

const SIGNING_AND_RELEASE = `    signingConfigs {
        if (keystore != null) {
            create("release") {
                storeFile = file(keystore)
                storePassword = providers.environmentVariable("ANDROID_KEYSTORE_PASSWORD").orNull
                keyAlias = providers.environmentVariable("ANDROID_KEY_ALIAS").orNull
                keyPassword = providers.environmentVariable("ANDROID_KEY_PASSWORD").orNull
            }
        }
    }

    buildTypes {
        release {
            isMinifyEnabled = true
            isShrinkResources = true
            proguardFiles(getDefaultProguardFile("proguard-android-optimize.txt"))
            signingConfig = signingConfigs.findByName("release")
        }
    }

    compileOptions {
        sourceCompatibility = JavaVersion.VERSION_${JDK}
        targetCompatibility = JavaVersion.VERSION_${JDK}
    }
}

java {
    toolchain {
        languageVersion = JavaLanguageVersion.of(${JDK})
    }
}
`;

/**
 * `app/build.gradle.kts` for Android Gradle plugin 9, which compiles Kotlin by itself
 * (https://developer.android.com/build/migrate-to-built-in-kotlin). It holds no secret: the key comes by environment.
 */
export function gradleScript(app: AppSettings): string {
  return `// Build script of the app module. The Android Gradle plugin includes Kotlin since 9.0: no Kotlin plugin is needed.
plugins {
    id("com.android.application")
}

// Release builds are signed if ANDROID_KEYSTORE_FILE names a keystore, and unsigned otherwise.
val keystore = providers.environmentVariable("ANDROID_KEYSTORE_FILE").orNull

android {
    namespace = ${kotlinString(namespaceOf(app.bundleId))}
    compileSdk = ${Math.max(COMPILE_SDK, app.androidTargetSdk)}

    defaultConfig {
        applicationId = ${kotlinString(app.bundleId)}
        minSdk = ${app.androidMinSdk}
        targetSdk = ${app.androidTargetSdk}
        versionCode = ${app.buildNumber}
        versionName = ${kotlinString(app.version)}
    }

${SIGNING_AND_RELEASE}`;
}

/** `app/src/main/AndroidManifest.xml`: the package is the namespace of the build, the versions are the build's too. */
export function androidManifest({ name }: AppSettings): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<manifest xmlns:android="http://schemas.android.com/apk/res/android">

    <uses-permission android:name="android.permission.INTERNET" />

    <application
        android:allowBackup="false"
        android:icon="@mipmap/ic_launcher"
        android:label="${androidString(name)}"
        android:supportsRtl="true"
        android:theme="@android:style/Theme.DeviceDefault.NoActionBar">
        <activity
            android:name=".MainActivity"
            android:exported="true">
            <intent-filter>
                <action android:name="android.intent.action.MAIN" />
                <category android:name="android.intent.category.LAUNCHER" />
            </intent-filter>
        </activity>
    </application>

</manifest>
`;
}
