#!/bin/sh
# Serves the notebooks of the disk. What Jupyter keeps of its own, secrets among it, lies there as well.
set -eu
umask 077

export HOME=/data
mkdir -p /data/notebooks
cd /data/notebooks

exec jupyter-lab --config=/opt/recipe/jupyter_server_config.py
