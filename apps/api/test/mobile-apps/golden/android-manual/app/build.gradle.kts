// Build script of the app module. The Android Gradle plugin includes Kotlin since 9.0: no Kotlin plugin is needed.
plugins {
    id("com.android.application")
}

// Release builds are signed if ANDROID_KEYSTORE_FILE names a keystore, and unsigned otherwise.
val keystore = providers.environmentVariable("ANDROID_KEYSTORE_FILE").orNull

android {
    namespace = "com.example.new_.cafe"
    compileSdk = 37

    defaultConfig {
        applicationId = "com.example.new.cafe"
        minSdk = 26
        targetSdk = 36
        versionCode = 42
        versionName = "2.10.3"
    }

    signingConfigs {
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
        sourceCompatibility = JavaVersion.VERSION_17
        targetCompatibility = JavaVersion.VERSION_17
    }
}

java {
    toolchain {
        languageVersion = JavaLanguageVersion.of(17)
    }
}
