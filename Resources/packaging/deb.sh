#!/bin/sh
# Makes a Debian package of a binary for the machine that it runs on.
# usage: deb.sh BINARY VERSION OUT-FOLDER
set -eu
binary=$1 version=$2 out=$3
here=$(dirname "$0")
architecture=$(dpkg --print-architecture)
root=$out/deb
rm -rf "$root"
umask 022
"$here/stage.sh" "$binary" "$root" /usr debian
documents=$root/usr/share/doc/weir
install -d "$root/DEBIAN" "$documents"
install -m 644 "$here/copyright" "$documents/copyright"
install -d "$root/usr/share/lintian/overrides"
cat >"$root/usr/share/lintian/overrides/weir" <<EOF
# Pictures are decoded by a child of the program that has no libraries to load: Decisions/0031.
weir: embedded-library libjpeg *
weir: embedded-library libpng *
EOF
chmod 644 "$root/usr/share/lintian/overrides/weir"
gzip -9n "$root/usr/share/man/man1/weir.1"
gzip -9nc "$here/../../CHANGELOG.md" >"$documents/NEWS.gz"
date=$(date -R -u ${SOURCE_DATE_EPOCH:+-d "@$SOURCE_DATE_EPOCH"})
printf 'weir (%s) unstable; urgency=medium\n\n  * See NEWS.gz.\n\n -- %s  %s\n' \
  "$version" 'the Weir authors <weir@users.noreply.github.com>' "$date" |
  gzip -9n >"$documents/changelog.gz"

# dpkg-shlibdeps reads debian/control of the folder that it runs in.
mkdir -p "$out/control/debian"
printf 'Source: weir\n\nPackage: weir\nArchitecture: any\n' >"$out/control/debian/control"
depends=$(root=$(realpath "$root") && cd "$out/control" && dpkg-shlibdeps -O -e"$root/usr/bin/weir" 2>/dev/null |
  sed -n 's/^shlibs:Depends=//p')

cat >"$root/DEBIAN/control" <<EOF
Package: weir
Version: $version
Section: net
Priority: optional
Architecture: $architecture
Maintainer: the Weir authors <weir@users.noreply.github.com>
Installed-Size: $(du -sk "$root/usr" | cut -f 1)
Depends: $depends, ca-certificates
Suggests: mpv, xdg-utils, libsecret-tools
Homepage: https://github.com/weir-reader/weir
Description: feed reader for the terminal
 Weir reads RSS, Atom, RDF and JSON feeds in a terminal. Screens show what is
 in a local cache; a sync engine refreshes it in the background, so that
 everything fetched can be read offline.
 .
 It has full-text search, tags, saved searches and undo, speaks to servers
 with the Google Reader API or Fever, and imports OPML files and the feeds of
 newsboat with what was read there.
EOF
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
find "$root" -exec touch -h -d "@${SOURCE_DATE_EPOCH:-$(date +%s)}" {} +
dpkg-deb --root-owner-group -Zxz --build "$root" "$out/weir_${version}_$architecture.deb"
