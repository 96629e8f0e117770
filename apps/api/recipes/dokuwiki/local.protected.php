<?php
// What the image needs, and the settings page cannot change.
$conf['savedir'] = '/data/data';
$conf['useacl'] = 1;
