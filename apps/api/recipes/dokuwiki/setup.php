<?php
// The first settings and the administrator's account; nothing that is there is changed.
function keep(string $name, string $text): void
{
    if (!file_exists("/data/conf/$name")) {
        file_put_contents("/data/conf/$name.new", $text);
        rename("/data/conf/$name.new", "/data/conf/$name");
    }
}

$password = (string) getenv('ADMIN_PASSWORD');
if ($password === '' && !file_exists('/data/conf/users.auth.php')) {
    fwrite(STDERR, "Set ADMIN_PASSWORD: without it, anyone could log in as the administrator.\n");
    exit(1);
}
$hash = password_hash($password, PASSWORD_BCRYPT);
keep('users.auth.php', "# <?php exit()?>\nadmin:$hash:Administrator:admin@localhost:admin,user\n");
// Everybody reads; who has an account writes.
keep('acl.auth.php', "# <?php exit()?>\n*\t@ALL\t1\n*\t@user\t8\n");
$title = var_export(getenv('SITE_TITLE') ?: 'DokuWiki', true);
keep('local.php', "<?php\n\$conf['title'] = $title;\n\$conf['superuser'] = '@admin';\n"
    . "\$conf['disableactions'] = 'register';\n\$conf['passcrypt'] = 'bcrypt';\n\$conf['updatecheck'] = 0;\n");
