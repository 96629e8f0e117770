import os

from jupyter_server.auth import passwd

c = get_config()  # noqa: F821
# Taken out, so that notebooks do not find it among their variables.
c.PasswordIdentityProvider.hashed_password = passwd(os.environ.pop('PASSWORD'))
c.PasswordIdentityProvider.allow_password_change = False
c.ServerApp.allow_remote_access = True
c.ServerApp.ip = '0.0.0.0'
c.ServerApp.open_browser = False
c.ServerApp.port = int(os.environ['PORT'])
c.ServerApp.port_retries = 0
c.ServerApp.root_dir = '/data/notebooks'
# The proxy says by which address and protocol people come.
c.ServerApp.trust_xheaders = True
c.LabApp.news_url = None
c.LabApp.check_for_updates_class = 'jupyterlab.NeverCheckForUpdate'
