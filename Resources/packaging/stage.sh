#!/bin/sh
# Puts the files of an installation below a folder.
# usage: stage.sh BINARY FOLDER PREFIX [debian]
set -eu
binary=$1 root=$2$3 layout=${4:-}
source=$(dirname "$0")/..
share=$root/share
zsh=$share/zsh/site-functions
# systemd looks below share of /usr/local and ~/.local, and below lib of the system's own folder.
units=$share/systemd/user
[ "$3" != /usr ] || units=$root/lib/systemd/user
[ "$layout" != debian ] || zsh=$share/zsh/vendor-completions
install -d "$root/bin" "$share/man/man1" "$share/bash-completion/completions" "$zsh" \
  "$share/fish/vendor_completions.d" "$share/applications" "$share/metainfo" "$units"
install -m 755 "$binary" "$root/bin/weir"
install -m 644 "$source/weir.1" "$share/man/man1/weir.1"
# A shell reads it; the system does not start it.
"$binary" --generate-completion-script bash | sed '1{/^#!/d}' >"$share/bash-completion/completions/weir"
"$binary" --generate-completion-script zsh >"$zsh/_weir"
"$binary" --generate-completion-script fish >"$share/fish/vendor_completions.d/weir.fish"
install -m 644 "$source/packaging/weir.desktop" "$share/applications/weir.desktop"
install -m 644 "$source/packaging/io.github.weir_reader.weir.metainfo.xml" "$share/metainfo/"
sed "s|/usr/bin/weir|${3:-/usr/local}/bin/weir|" "$source/packaging/weir-sync.service" \
  >"$units/weir-sync.service"
install -m 644 "$source/packaging/weir-sync.timer" "$units/weir-sync.timer"
