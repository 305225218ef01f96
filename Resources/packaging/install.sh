#!/bin/sh
# Installs what this archive holds below a folder, ~/.local by default.
# usage: ./install.sh [PREFIX]
set -eu
cd "$(dirname "$0")"
mkdir -p "${1:-$HOME/.local}"
prefix=$(cd "${1:-$HOME/.local}" && pwd)
cp -R bin share "$prefix/"
unit=$prefix/share/systemd/user/weir-sync.service
sed "s|^ExecStart=[^ ]*|ExecStart=$prefix/bin/weir|" share/systemd/user/weir-sync.service >"$unit"
echo "Installed weir below $prefix."
case ":$PATH:" in *":$prefix/bin:"*) ;; *) echo "Add $prefix/bin to PATH to start it by name." ;; esac
