<?php
// The only account of this container is the database's by its socket, without a password.
define('DB_NAME', 'wordpress');
define('DB_USER', 'app');
define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:/tmp/mariadb.sock');
define('WP_CONTENT_DIR', '/data/wp-content');
define('FS_METHOD', 'direct');
// The entry point runs what is due: from in here, nothing reaches the address that visitors use.
define('DISABLE_WP_CRON', true);
define('DISALLOW_FILE_EDIT', true);
// The site is where it is asked, which the proxy has checked.
if (isset($_SERVER['HTTP_HOST'])) {
    $scheme = ($_SERVER['HTTP_X_FORWARDED_PROTO'] ?? 'http') === 'https' ? 'https' : 'http';
    define('WP_HOME', $scheme . '://' . $_SERVER['HTTP_HOST']);
    define('WP_SITEURL', WP_HOME);
}
