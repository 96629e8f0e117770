<?php
// Settings of the image; those of the wiki follow from the disk.
if (!defined('MEDIAWIKI')) {
    exit;
}
$wgSitename = getenv('SITE_TITLE') ?: 'Wiki';
// Names of pages begin with it, and must not change with the wiki's.
$wgMetaNamespace = 'Project';
// The wiki is where it is asked, which the proxy has checked.
$wgServer = (($_SERVER['HTTP_X_FORWARDED_PROTO'] ?? 'http') === 'https' ? 'https' : 'http')
    . '://' . ($_SERVER['HTTP_HOST'] ?? 'localhost');
$wgScriptPath = '';
$wgArticlePath = '/wiki/$1';
$wgDBtype = 'sqlite';
$wgDBname = 'wiki';
$wgSQLiteDataDir = '/data/database';
$wgSecretKey = getenv('SECRET_KEY');
$wgUpgradeKey = false;
$wgMainCacheType = CACHE_ACCEL;
// People stay logged in over a restart.
$wgSessionCacheType = CACHE_DB;
$wgCacheDirectory = '/tmp/cache';
$wgEnableUploads = true;
$wgUploadDirectory = '/data/images';
$wgUploadPath = '/images';
$wgUseImageMagick = true;
$wgImageMagickConvertCommand = '/usr/bin/convert';
$wgEnableEmail = false;
$wgPingback = false;
// Everybody reads; who writes is given an account by an administrator.
$wgGroupPermissions['*']['edit'] = false;
$wgGroupPermissions['*']['createaccount'] = false;
wfLoadSkin('Vector');
wfLoadExtensions(['CategoryTree', 'Cite', 'ParserFunctions', 'VisualEditor', 'WikiEditor']);

if (is_file('/data/LocalSettings.php')) {
    require '/data/LocalSettings.php';
}
