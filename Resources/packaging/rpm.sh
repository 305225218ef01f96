#!/bin/sh
# Makes an RPM of a binary for the machine that it runs on. rpmbuild finds the libraries it needs.
# usage: rpm.sh BINARY VERSION OUT-FOLDER
set -eu
binary=$1 version=$2 out=$(realpath "$3")
here=$(realpath "$(dirname "$0")")
rm -rf "$out/rpm"
"$here/stage.sh" "$binary" "$out/rpm/stage" /usr
gzip -9n "$out/rpm/stage/usr/share/man/man1/weir.1"
install -D -m 644 "$here/../../LICENSE" "$out/rpm/stage/usr/share/licenses/weir/LICENSE"
cat >"$out/rpm/weir.spec" <<EOF
Name: weir
Version: $version
Release: 1
Summary: A feed reader for the terminal
License: MIT
URL: https://github.com/weir-reader/weir
Recommends: ca-certificates

%description
Weir reads RSS, Atom, RDF and JSON feeds in a terminal. Screens show what is in
a local cache; a sync engine refreshes it in the background, so that everything
fetched can be read offline.

%install
cp -a "$out/rpm/stage/." "%{buildroot}"

%files
%license /usr/share/licenses/weir/LICENSE
$(cd "$out/rpm/stage" && find usr -type f ! -name LICENSE | sed 's|^|/|')
EOF
rpmbuild -bb --quiet --define "_topdir $out/rpm" --define "_rpmdir $out" --define "_build_id_links none" \
  --define "debug_package %{nil}" --define "__strip /bin/true" --define "__brp_strip %{nil}" \
  --define "use_source_date_epoch_as_buildtime 1" --define "clamp_mtime_to_source_date_epoch 1" \
  --define "_buildhost localhost" "$out/rpm/weir.spec"
find "$out" -name '*.rpm' -newer "$out/rpm/weir.spec"
