<?php
// Runs what is due.
require __DIR__ . '/address.php';
require '/usr/share/wordpress/wp-cron.php';
