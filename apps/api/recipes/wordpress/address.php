<?php
// Outside of a request, WordPress is asked at the address that it has for visitors: its links are made of that.
$site = parse_url(getenv('SITE_URL') ?: 'http://localhost');
$_SERVER['HTTP_HOST'] = $site['host'] . (isset($site['port']) ? ':' . $site['port'] : '');
$_SERVER['HTTP_X_FORWARDED_PROTO'] = $site['scheme'];
