<?php
// Makes the first site on an empty database, or brings an older one to this version.
define('WP_INSTALLING', true);
function wp_new_blog_notification() {}

require __DIR__ . '/address.php';
require '/usr/share/wordpress/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';

if (is_blog_installed()) {
    wp_upgrade();
    if (!wp_get_theme()->exists()) {
        switch_theme(WP_DEFAULT_THEME);
    }
} else {
    // WordPress compares passwords as forms send them to it, which is with slashes.
    $password = wp_slash(getenv('ADMIN_PASSWORD'));
    wp_install(getenv('SITE_TITLE') ?: 'WordPress', getenv('ADMIN_USER'), getenv('ADMIN_EMAIL'), true, '', $password);
    update_option('permalink_structure', '/%year%/%monthnum%/%postname%/');
}
// The last thing: where WordPress gives up, PHP ends as if all were well.
touch('/data/installed');
