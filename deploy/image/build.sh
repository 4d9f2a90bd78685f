#!/bin/sh
# Builds the image of deploy/Dockerfile where no registry of images can be reached: what it builds in is made from
# Debian's packages, with Node.js and npm from the npm registry.
#
#   sudo deploy/image/build.sh [--tag NAME] [--output FILE]
#
#   --tag NAME       the name of the image; without it latchkey:<version of package.json>
#   --output FILE    also writes the image into an OCI archive, which `podman load` and `skopeo copy` read
#
# Needs root, npm, and Debian's packages buildah, mmdebstrap and ca-certificates. BUILDAH_ROOT and BUILDAH_RUNROOT keep
# the images elsewhere than in the storage of the machine. DEBIAN_MIRROR names another mirror of Debian than the usual
# one. TMPDIR needs room for 2 GB.
set -eu

fail() {
  printf 'error: %s\n' "$1" >&2
  exit 1
}

checkout=$(cd "$(dirname "$0")/../.." && pwd -P)
pinned() {
  sed -n "s/^    \"$1\": \"\([^\"]*\)\",*\$/\1/p" "$checkout/package.json" | head -n 1
}
version=$(sed -n 's/^  "version": "\([^"]*\)",*$/\1/p' "$checkout/package.json")
tag=latchkey:$version
output=
while [ $# -gt 0 ]; do
  case $1 in
    --tag) tag=${2-} && shift 2 || fail '--tag needs a name.' ;;
    --output) output=${2-} && shift 2 || fail '--output needs a file.' ;;
    *) fail "$1 is not an option. The options are --tag NAME and --output FILE." ;;
  esac
done
[ "$(id -u)" = 0 ] || fail 'This needs root: it unpacks packages and changes their owners.'
for program in buildah mmdebstrap npm; do
  command -v "$program" >/dev/null || fail "$program is missing. On Debian: apt-get install $program"
done

work=$(mktemp -d "${TMPDIR:-/tmp}/latchkey-image-XXXXXX")
container=
# chroot isolation needs no namespaces, and vfs no file system of its own: both work inside containers.
buildah_() {
  subcommand=$1
  shift
  buildah ${BUILDAH_ROOT:+--root "$BUILDAH_ROOT"} ${BUILDAH_RUNROOT:+--runroot "$BUILDAH_RUNROOT"} \
    --storage-driver vfs "$subcommand" "$@"
}
clean() {
  [ -z "$container" ] || buildah_ rm "$container" >/dev/null || true
  rm -rf "$work"
}
trap clean EXIT
trap 'exit 1' INT TERM HUP

base=localhost/latchkey-build-base:$(pinned node)
if ! buildah_ inspect --type image "$base" >/dev/null 2>&1; then
  echo "Making $base from Debian's packages" >&2
  suite=$(sed -n 's/^ARG BASE=node:[0-9]*-\([a-z]*\)-slim$/\1/p' "$checkout/deploy/Dockerfile")
  mmdebstrap --quiet --variant=apt --mode=root --dpkgopt=force-unsafe-io \
    --include=libatomic1,libstdc++6 "$suite" "$work/debian.tar" ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"} >&2
  # In a folder of its own, so that no lockfile and no setting of another project counts.
  mkdir "$work/tools"
  (cd "$work/tools" && echo '{ "allowScripts": { "node": true } }' > package.json &&
    npm install --no-audit --no-fund --loglevel=error "node@$(pinned node)" "npm@$(npm --version)" >&2)
  container=$(buildah_ from scratch)
  buildah_ add --quiet "$container" "$work/debian.tar" / >/dev/null
  buildah_ copy --quiet "$container" "$work/tools/node_modules" /usr/local/lib/node_modules >/dev/null
  buildah_ config --env PATH=/usr/local/lib/node_modules/.bin:/usr/sbin:/usr/bin:/sbin:/bin \
    --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$container"
  buildah_ commit --quiet --rm "$container" "$base" >/dev/null
  container=
fi

# Lent for the build, not copied into it: the npm settings of whoever builds, which say what registry is used, what npm has
# downloaded before, and the authorities that this machine trusts.
settings=$(npm config get userconfig 2>/dev/null)
[ -f "$settings" ] || settings=/dev/null
cache=$(npm config get cache 2>/dev/null)
mkdir -p "$cache"
revision=$(git -C "$checkout" rev-parse HEAD 2>/dev/null || true)
buildah_ bud --quiet --isolation chroot --network host --layers=false --format docker \
  --volume "$settings:/root/.npmrc:ro" --volume "$cache:/root/.npm" \
  --volume /etc/ssl/certs/ca-certificates.crt:/etc/ssl/certs/ca-certificates.crt:ro \
  --build-arg "BASE=$base" --build-arg "VERSION=$version" --build-arg "REVISION=$revision" \
  --file "$checkout/deploy/Dockerfile" --tag "$tag" "$checkout" >&2
[ -z "$output" ] || buildah_ push --quiet "$tag" "oci-archive:$output:$tag" >&2
echo "$tag"
