<?php
// Makes the first site on an empty database, or brings an older one to this version.
define('WP_INSTALLING', true);
function wp_new_blog_notification() {}

$_SERVER['HTTP_HOST'] ??= 'localhost';
require '/usr/share/wordpress/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';

if (is_blog_installed()) {
    wp_upgrade();
    if (!wp_get_theme()->exists()) {
        switch_theme(WP_DEFAULT_THEME);
    }
} else {
    wp_install(getenv('SITE_TITLE') ?: 'WordPress', getenv('ADMIN_USER'), getenv('ADMIN_EMAIL'), true, '', getenv('ADMIN_PASSWORD'));
    update_option('permalink_structure', '/%year%/%monthnum%/%postname%/');
}
